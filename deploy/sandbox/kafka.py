"""Configuration and start of the broker and the workers."""

import json
import pathlib
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from . import processes

JVM = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
GROUP = "sandbox-connect"

LOG4J = """log4j.rootLogger=INFO, file
log4j.appender.file=org.apache.log4j.FileAppender
log4j.appender.file.File={log}
log4j.appender.file.layout=org.apache.log4j.PatternLayout
log4j.appender.file.layout.ConversionPattern=[%d] %p %m (%c:%L)%n
log4j.logger.org.apache.kafka.clients=WARN
"""

BROKER = """process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller_port}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
log.dirs={dir}/data
num.partitions=1
offsets.topic.num.partitions=5
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=5
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
"""

# With a comment that looks like the key, a continuation, and a key that needs its escape: what real files have.
WORKER = """# Kafka Connect worker {name}; exactly.once.source.support is set by connect-eos
bootstrap.servers=127.0.0.1:{broker}
group.id={group}
listeners = http://127.0.0.1:{port}
rest.advertised.host.name = 127.0.0.1
rest.advertised.port: {port}
key.converter=org.apache.kafka.connect.storage.StringConverter
value.converter=org.apache.kafka.connect.storage.StringConverter
config.storage.topic=connect-configs
config.storage.replication.factor=1
offset.storage.topic=connect-offsets
offset.storage.replication.factor=1
offset.storage.partitions=5
status.storage.topic=connect-status
status.storage.replication.factor=1
status.storage.partitions=2
offset.flush.interval.ms=\\
  10000
plugin\\.path={plugins}
plugin.discovery=service_load
"""


def java():
    found = shutil.which("java")
    if not found:
        raise SystemExit("java is missing; run: apt-get install openjdk-17-jre-headless")
    return str(pathlib.Path(found).resolve())


def class_path(jars, without=()):
    names = sorted(p for p in jars.glob("*.jar") if not p.name.startswith(tuple(without) or ("\0",)))
    return ":".join(str(p) for p in names)


class Broker:
    def __init__(self, directory, jars):
        self.dir, self.jars = directory, jars
        self.port, self.controller_port = processes.free_ports(2)
        self.process = None

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def start(self):
        self.dir.mkdir(parents=True)
        config = self.dir / "server.properties"
        config.write_text(BROKER.format(port=self.port, controller_port=self.controller_port, dir=self.dir))
        log4j = self.dir / "log4j.properties"
        log4j.write_text(LOG4J.format(log=self.dir / "broker.log"))
        command = [java(), *JVM, f"-Dlog4j.configuration=file:{log4j}", "-cp", class_path(self.jars)]
        formatted = subprocess.run([*command, "kafka.tools.StorageTool", "format", "-t", "c2FuZGJveC1jbHVzdGVyLg", "-c",
                                    str(config)], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if formatted.returncode != 0:
            raise RuntimeError(f"the broker's storage could not be formatted: {formatted.stdout[-1000:]}")
        self.process = processes.start([*command, "kafka.Kafka", str(config)], self.dir / "stdout.log")
        processes.wait_for("the broker's port", lambda: processes.accepts(self.port), 60)


class Worker:
    """A distributed worker that is run by worker-service, as its agent runs it too."""

    def __init__(self, name, directory, jars, broker, plugins):
        self.name, self.dir, self.jars, self.broker, self.plugins = name, directory, jars, broker, plugins
        [self.port] = processes.free_ports(1)
        self.properties = directory / "worker.properties"
        self.log = directory / "worker.log"
        self.service = str(pathlib.Path(__file__).with_name("worker-service"))

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    @property
    def worker_id(self):
        return f"127.0.0.1:{self.port}"

    def write(self, extra=""):
        self.dir.mkdir(parents=True, exist_ok=True)
        self.properties.write_text(WORKER.format(name=self.name, broker=self.broker.port, group=GROUP, port=self.port,
                                                 plugins=self.plugins) + extra)
        log4j = self.dir / "log4j.properties"
        log4j.write_text(LOG4J.format(log=self.log))
        argv = [java(), *JVM, f"-Dlog4j.configuration=file:{log4j}", "-cp",
                class_path(self.jars, without=("connect-file",)),
                "org.apache.kafka.connect.cli.ConnectDistributed", str(self.properties)]
        (self.dir / "argv").write_bytes(b"\0".join(a.encode() for a in argv) + b"\0")

    def command(self, verb):
        return [self.service, verb, str(self.dir)]

    def start(self):
        subprocess.run(self.command("start"), check=True)

    def pid(self):
        """Of the running JVM, or None: what `worker-service status` says, cheap enough to ask ten times a second."""
        try:
            pid = int((self.dir / "pid").read_text())
            command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except (OSError, ValueError):
            return None
        return pid if str(self.properties).encode() in command else None

    def starts(self):
        """How often a JVM of this worker began, by its own log."""
        return self.log.read_text(errors="replace").count("DistributedConfig values:") if self.log.exists() else 0

    def killed(self):
        """How often its service had to kill it, since it hung in its stop: an unclean stop may double records."""
        killed = self.dir / "killed"
        return len(killed.read_text().splitlines()) if killed.exists() else 0

    def mode(self):
        """The value in the file, as plain text; None if the key is not there."""
        values = [line.split("=", 1)[1].strip() for line in self.properties.read_text(encoding="latin-1").splitlines()
                  if line.startswith("exactly.once.source.support=")]
        return values[-1] if values else None

    def ask(self, path, method="GET", body=None, timeout=10):
        """The parsed answer of its REST, or None where there is none (yet)."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url.rstrip("/") + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return json.loads(answer.read() or b"null")
        except (urllib.error.URLError, OSError, ValueError):
            return None

    def ready(self):
        return self.ask("/connectors", timeout=3) is not None

    def create(self, connector, config):
        return self.ask(f"/connectors/{urllib.parse.quote(connector)}/config", "PUT", config, timeout=60)
