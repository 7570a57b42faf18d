"""Who dies at which recorded step of an operation, and what the next apply makes of it."""

import json
import os
import signal
import time

from sandbox import processes

from .fleet_case import FleetCase

STEPS = ["accepted", "backed-up", "file-replaced", "stopping", "starting", "process-up", "rest-up", "finished"]
BACK_STEPS = ["restoring", "restarting", "finished"]
DONE, PAUSED = 0, 8
LEFT_OVER = ".connect-eos-tmp"


class CrashMatrix(FleetCase):
    """One worker is taken to preparing and back, again and again; its agent or the controller is killed each time."""
    workers = 2
    connectors = 2
    properties = "scheduled.rebalance.max.delay.ms=500\n"
    policy = {"rebalance": "keep-user-delay", "connect_limit": "1s", "good_observations": 2, "observe_every": "200ms",
              "worker_limit": "60s"}

    def prepare(self):
        self.plan = self.temporary / "plan"
        self.fleet.agents[0].environment = {"LD_PRELOAD": os.environ["EOS_CRASH_AT_STEP"],
                                            "EOS_CRASH_PLAN": str(self.plan)}

    def test_every_cell_converges(self):
        self.worker, self.other = self.fleet.workers
        self.agent, self.mode, cells = self.fleet.agents[0], "disabled", 0
        print(f"\n{'killed':10} {'at step':22} {'that run':>8} {'apply':>5} {'JVM starts':>10} {'seconds':>7}")
        for step in STEPS:
            for victim, when in (("agent", "before"), ("agent", "after"), ("controller", "after")):
                self.cell(victim, when, step)
                cells += 1
        for step in BACK_STEPS:
            for when in ("before", "after"):
                self.way_back("agent", when, step)
                cells += 1
        print(f"{cells} cells, every one converged")
        self.assert_nothing_lost_or_twice()

    def cell(self, victim, when, step):
        self.mode = "preparing" if self.mode == "disabled" else "disabled"
        began, starts, other = time.monotonic(), self.worker.starts(), self.untouched()
        code = self.run_and_kill(victim, when, step)
        again = self.apply_again()
        self.row(victim, f"{when} {step}", code, again, self.worker.starts() - starts, began)
        self.assert_converged(starts + 1, other)

    def way_back(self, victim, when, step):
        """The worker refuses the new mode, and the kill hits the way back to the old bytes."""
        self.mode = "preparing" if self.mode == "disabled" else "disabled"
        began, starts, other = time.monotonic(), self.worker.starts(), self.untouched()
        refusals, old = self.refusals(), self.worker.properties.read_bytes()
        with self.refusing(self.worker, self.mode):
            code = self.run_and_kill(victim, when, step)
            processes.wait_for("the end of the operation", self.none_under_way, 90)
            self.assertEqual(self.worker.properties.read_bytes(), old)
            self.assertEqual((self.refusals(), self.worker.starts()), (refusals + 1, starts + 1))
        again = self.apply_again()
        self.row(victim, f"{when} {step} (back)", code, again, self.worker.starts() - starts, began)
        self.assert_converged(starts + 2, other)

    def run_and_kill(self, victim, when, step):
        """The exit code of the run in which the kill happened."""
        def plan(pid):
            self.plan.write_text(f"{step} {when} {pid if victim == 'controller' else 0} {signal.SIGKILL:d}\n")
        process, _ = self.apply_in_background(self.mode, "--limit", self.worker.name, before=plan)
        if victim == "agent":
            died = lambda: self.agent.process.poll() is not None
            processes.wait_for(f"the death of the agent {when} {step}", died, 90)
            self.assertEqual(self.agent.process.returncode, -9)
            self.agent.start()
        _, err = process.communicate(timeout=180)
        self.assertFalse(self.plan.exists(), f"nobody was killed {when} {step}: {err}")
        if victim == "controller":
            self.assertEqual(process.returncode, -9)
        return process.returncode

    def apply_again(self):
        sessions = {a["session"] for a in self.fleet.eosctl_json("unlock")[1]["agents"] if a["session"]}
        more = [word for session in sessions for word in ("--take-over", session)]
        code, out, err = self.apply(self.mode, "--limit", self.worker.name, *more)
        self.assertIn(code, (DONE, PAUSED), out + err)
        return code

    def row(self, victim, where, code, again, starts, began):
        print(f"{victim:10} {where:22} {code:8} {again:5} {starts:10} {time.monotonic() - began:7.1f}", flush=True)

    def assert_converged(self, starts, other):
        self.assertEqual(self.fleet.modes(), {self.worker.name: self.mode, self.other.name: "disabled"})
        self.assertEqual(self.worker.starts(), starts, "restarted more or less often than without the kill")
        self.assertTrue(self.worker.ready() and self.other.ready())
        self.assertEqual(self.untouched(), other, "the other worker was touched")
        self.assertTrue(self.none_under_way())
        left = [str(p) for p in self.fleet.dir.rglob("*") if p.name.endswith(LEFT_OVER)]
        self.assertEqual(left, [])

    def untouched(self):
        return self.other.pid(), self.other.starts(), self.other.properties.read_bytes()

    def refusals(self):
        return self.worker.log.read_text(errors="replace").count("Stopping due to error")

    def none_under_way(self):
        records = (self.agent.dir / "state" / "operations").glob("*.json")
        return all(json.loads(r.read_text())["content"]["step"] == "finished" for r in records)
