"""A test case with a real fleet; where a test fails, the fleet's files are kept and their place is printed."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from sandbox import cluster, processes


class FleetCase(unittest.TestCase):
    workers = 3
    connectors = 3
    rate = 20
    policy = {"rebalance": "fast"}
    properties = ""  # added to each worker's file

    def setUp(self):
        signal.signal(signal.SIGTERM, lambda *unused: (_ for _ in ()).throw(KeyboardInterrupt()))
        self.temporary = pathlib.Path(tempfile.mkdtemp(prefix="connect-eos-e2e-"))
        self.addCleanup(self.put_away)
        self.fleet = cluster.Cluster(self.temporary / "fleet", os.environ["EOS_PROGRAMS"], os.environ["EOS_JARS"],
                                     workers=self.workers, connectors=self.connectors, rate=self.rate,
                                     policy=self.policy, properties=self.properties)
        self.addCleanup(self.fleet.stop)
        self.prepare()
        self.fleet.start()

    def prepare(self):
        """Before the fleet starts."""

    def run(self, result=None):
        try:
            return super().run(result)
        except KeyboardInterrupt:
            self.doCleanups()  # unittest leaves them out then
            raise

    def failed(self):
        if self._outcome is None:  # interrupted
            return True
        result = self._outcome.result
        return any(test is self for test, _ in result.failures + result.errors)

    def put_away(self):
        if self.failed():
            kept = pathlib.Path(os.environ["EOS_E2E_LOGS"]) / self.id()
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(self.temporary, kept, ignore=shutil.ignore_patterns("data", "plugins", "*.key"))
            print(f"the fleet's files of {self.id()} are kept in {kept}")
        shutil.rmtree(self.temporary, ignore_errors=True)

    # What tests ask and do.
    def bytes_of_files(self):
        return [w.properties.read_bytes() for w in self.fleet.workers]

    def starts(self):
        return [w.starts() for w in self.fleet.workers]

    def assert_modes(self, mode):
        self.assertEqual(self.fleet.modes(), {w.name: mode for w in self.fleet.workers})

    def assert_nothing_lost_or_twice(self):
        """A worker that hung in its stop and was killed may have doubled records (docs/hung-stop.md); none is lost."""
        killed = sum(w.killed() for w in self.fleet.workers)
        if killed:
            print(f"{killed} workers hung in their stop and were killed", flush=True)
        for count in self.fleet.count():
            self.assertEqual(count.lost, 0, f"{count.name}: {vars(count)}")
            self.assertTrue(killed or count.twice == 0, f"{count.name}: {vars(count)}")
            self.assertGreater(count.written, 0)

    @contextlib.contextmanager
    def refusing(self, worker, mode):
        """The worker refuses `mode` at its start as Kafka refuses a bad value: by its last words and status 2."""
        argv = worker.dir / "argv"
        good = argv.read_bytes()
        java, arguments = good.split(b"\0", 1)
        program = worker.dir / "refusing-java"
        program.write_text(
            "#!/bin/bash\n"
            f"if grep -q '^exactly.once.source.support={mode}' {worker.properties}; then\n"
            f"  printf '[%s] ERROR Stopping due to error (org.apache.kafka.connect.cli.AbstractConnectCli:1)\\n"
            f"org.apache.kafka.common.config.ConfigException: Invalid value {mode}\\n' "
            f"\"$(date '+%F %T,%3N')\" >> {worker.log}\n"
            "  exit 2\nfi\n"
            f"exec {java.decode()} \"$@\"\n")
        program.chmod(0o755)
        argv.write_bytes(str(program).encode() + b"\0" + arguments)
        try:
            yield
        finally:
            argv.write_bytes(good)

    def apply(self, mode, *more):
        return self.fleet.eosctl("apply", "--to", mode, *more)

    def apply_in_background(self, mode, *more, before=None):
        """The process, and a function that gives the events so far. `before` is called in the process with its pid."""
        self.runs = getattr(self, "runs", 0) + 1
        events = self.temporary / f"events-{self.runs}.ndjson"
        process = subprocess.Popen(self.fleet.eosctl_command("apply", "--to", mode, "--events", str(events), *more),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=before and (lambda: before(os.getpid())))
        self.addCleanup(lambda: process.poll() is None and process.kill())

        def read():
            if not events.exists():
                return []
            return [json.loads(line) for line in events.read_text().splitlines(keepends=True) if line.endswith("\n")]
        return process, read

    def wait_for_step(self, read, worker_number, step):
        """Until the n-th operation of the run (from 1) has reached `step`."""
        def reached():
            seen = []
            for event in read():
                if event["kind"] == "operation":
                    if event["operation"]["id"] not in seen:
                        seen.append(event["operation"]["id"])
                    if len(seen) == worker_number and event["operation"]["step"] == step:
                        return event["operation"]
            return None
        return processes.wait_for(f"operation {worker_number} at {step}", reached, 240)
