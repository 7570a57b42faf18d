"""The whole fleet: broker, workers, agents, connectors, feeder."""

import json
import os
import pathlib
import shutil
import signal
import subprocess

from . import kafka, oracle, processes

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FLEET = "sandbox"

AGENT = """listen: 127.0.0.1:{port}
state_directory: {dir}/state
tls:
  certificate: {pki}/agent-{name}.pem
  key: {pki}/agent-{name}.key
  ca: {pki}/ca.pem
callers: ["spiffe://connect-eos.demo/operator/*"]
workers:
  - name: {worker}
    fleet: {fleet}
    properties_file: {worker_dir}/worker.properties
    advertised_url: {url}
    rest: {{url: "{url}"}}
    service:
      commands:
        start: ["{service}", start, "{worker_dir}"]
        stop: ["{service}", stop, "{worker_dir}"]
        status: ["{service}", status, "{worker_dir}"]
    log: {{file: "{worker_dir}/worker.log"}}
"""

FLEET_FILE = """fleet: {fleet}
group_id: {group}
agents:
{agents}tls:
  certificate: {pki}/operator-demo.pem
  key: {pki}/operator-demo.key
  ca: {pki}/ca.pem
kafka:
  bootstrap.servers: {broker}
policy:
{policy}"""


class Agent:
    def __init__(self, name, directory, pki, worker, program):
        self.name, self.dir, self.pki, self.worker, self.program = name, directory, pki, worker, program
        [self.port] = processes.free_ports(1)
        self.config = directory / "agent.yaml"
        self.environment = {}
        self.process = None

    def write(self):
        self.dir.mkdir(parents=True, exist_ok=True)
        self.config.write_text(AGENT.format(port=self.port, dir=self.dir, pki=self.pki, name=self.name,
                                            worker=self.worker.name, fleet=FLEET, worker_dir=self.worker.dir,
                                            url=self.worker.url, service=self.worker.service))

    def start(self):
        self.process = processes.start([str(self.program), "--config", str(self.config)], self.dir / "agent.log",
                                       self.environment)
        self.wait()

    def wait(self):
        def ready():
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended: {(self.dir / 'agent.log').read_text()[-2000:]}")
            return processes.accepts(self.port)
        processes.wait_for(f"the port of agent {self.name}", ready, 20)

    def stop(self):
        if self.process:
            processes.end(self.process.pid)
            self.process.wait()
            self.process = None

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None


class Cluster:
    """Everything lies in `directory`, which must not exist yet. Use it as a context manager: it ends what it began."""

    def __init__(self, directory, programs, jars, workers=3, connectors=6, rate=20, policy=None, properties="",
                 say=lambda text: None):
        self.dir, self.programs, self.jars = pathlib.Path(directory), pathlib.Path(programs), pathlib.Path(jars)
        self.say, self.rate, self.policy, self.properties = say, rate, dict(policy or {}), properties
        self.broker = kafka.Broker(self.dir / "broker", self.jars)
        self.plugins = self.dir / "plugins"
        self.more_plugins = []  # jars
        self.connector_class = "org.apache.kafka.connect.file.FileStreamSourceConnector"
        self.workers = [kafka.Worker(f"w{i}", self.dir / f"w{i}", self.jars, self.broker, self.plugins)
                        for i in range(1, workers + 1)]
        self.pki = self.dir / "pki"
        self.agents = [Agent(f"c{i}", self.dir / f"c{i}", self.pki, worker, self.programs / "agent" / "eos-agent")
                       for i, worker in enumerate(self.workers, 1)]
        self.connectors = [f"lines{i}" for i in range(1, connectors + 1)]
        self.feeder = oracle.Feeder({name: self.dir / "feed" / f"{name}.txt" for name in self.connectors}, rate)
        self.fleet_file = self.dir / "fleet.yaml"

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *unused):
        self.stop()

    def start(self):
        self.dir.mkdir(parents=True)
        self.say("PKI: a CA, a certificate for each agent and one for the operator")
        self.make_pki()
        self.say("Kafka: one KRaft broker")
        self.broker.start()
        self.say(f"Kafka Connect: {len(self.workers)} distributed workers, exactly.once.source.support not set")
        (self.plugins / "connect-file").mkdir(parents=True)
        for jar in [*self.jars.glob("connect-file-*.jar"), *self.more_plugins]:
            shutil.copy(jar, self.plugins / "connect-file")
        for worker in self.workers:
            worker.write(self.properties)
            worker.start()
        for worker in self.workers:
            processes.wait_for(f"the REST of {worker.name}", worker.ready, 180)
        self.say(f"connectors: {len(self.connectors)} FileStreamSource, {self.rate} numbered lines a second into each")
        (self.dir / "feed").mkdir()
        self.feeder.start()
        for name in self.connectors:
            self.create(name)
        processes.wait_for("all tasks RUNNING", lambda: self.running() == len(self.connectors), 120)
        self.say(f"agents: {len(self.agents)} eos-agent, one beside each worker")
        for agent in self.agents:
            agent.write()
            agent.start()
        self.write_fleet()
        self.write_state()

    def make_pki(self):
        pki = str(REPOSITORY / "deploy" / "pki" / "pki")
        commands = [["init", str(self.pki)], ["operator", str(self.pki), "demo"]]
        commands += [["agent", str(self.pki), agent.name, "--ip", "127.0.0.1"] for agent in self.agents]
        for command in commands:
            subprocess.run([pki, *command], check=True, stdout=subprocess.DEVNULL)

    def create(self, name):
        config = {"connector.class": self.connector_class, "tasks.max": "1",
                  "file": str(self.dir / "feed" / f"{name}.txt"), "topic": name}
        processes.wait_for(f"connector {name}", lambda: self.workers[0].create(name, config), 120)

    def write_fleet(self):
        agents = "".join(f"  - {{name: {a.name}, address: \"127.0.0.1:{a.port}\"}}\n" for a in self.agents)
        policy = "".join(f"  {key}: {value}\n" for key, value in self.policy.items()) or "  rebalance: fast\n"
        self.fleet_file.write_text(FLEET_FILE.format(fleet=FLEET, group=kafka.GROUP, agents=agents, pki=self.pki,
                                                     broker=self.broker.address, policy=policy))

    def write_state(self):
        """What demo.sh --stop needs to end the fleet from another process."""
        pids = [a.process.pid for a in self.agents if a.process] + [self.broker.process.pid]
        (self.dir / "state.json").write_text(json.dumps({"pids": pids, "workers": [str(w.dir) for w in self.workers]}))

    def stop(self):
        self.feeder.stop()
        for agent in self.agents:
            agent.stop()
        pids = [pid for pid in (worker.pid() for worker in self.workers if worker.dir.exists()) if pid]
        for pid in pids:
            os.kill(pid, signal.SIGTERM)
        for pid in pids:
            processes.end(pid)
        if self.broker.process:
            processes.end(self.broker.process.pid)
            self.broker.process.wait()

    # What tests and the demo ask.
    def status(self):
        for worker in self.workers:
            answer = worker.ask("/connectors?expand=status", timeout=3)
            if answer is not None:
                return answer
        return {}

    def running(self):
        live = {w.worker_id for w in self.workers if w.pid()}
        return sum(1 for one in self.status().values() for task in one["status"]["tasks"]
                   if task["state"] == "RUNNING" and task["worker_id"] in live)

    def eosctl_command(self, *arguments):
        return [str(self.programs / "controller" / "eosctl"), *arguments, "--fleet", str(self.fleet_file)]

    def eosctl(self, *arguments, timeout=1200):
        """(exit code, standard output, standard error)"""
        done = subprocess.run(self.eosctl_command(*arguments), check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=timeout)
        return done.returncode, done.stdout, done.stderr

    def eosctl_json(self, *arguments):
        code, out, err = self.eosctl(*arguments, "--output", "json")
        try:
            return code, json.loads(out)
        except ValueError:
            raise AssertionError(f"no JSON from {arguments}: {out!r} {err!r}") from None

    def modes(self):
        return {w["name"]: w["running_mode"] for w in self.eosctl_json("workers")[1]["workers"]}

    def count(self):
        self.feeder.stop()
        return oracle.count_all(self.broker.address, self.feeder)


def stop_from_state(directory):
    """Ends a fleet that was kept."""
    state = json.loads((pathlib.Path(directory) / "state.json").read_text())
    service = str(pathlib.Path(__file__).with_name("worker-service"))
    for pid in state["pids"][:-1]:
        processes.end(pid)
    for worker in state["workers"]:
        if subprocess.run([service, "status", worker], check=False).returncode == 0:
            processes.end(int((pathlib.Path(worker) / "pid").read_text()))
    processes.end(state["pids"][-1])
