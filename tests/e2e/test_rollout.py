"""The main job on a real broker, real workers and real TLS."""

import json
import os
import signal

from sandbox import processes

from .fleet_case import FleetCase


class ForwardAndBack(FleetCase):
    connectors = 6

    def test_under_load_nothing_is_lost_or_doubled(self):
        before = self.bytes_of_files()
        code, out, err = self.fleet.eosctl("preflight")
        self.assertEqual(code, 0, out + err)
        self.assertEqual(self.fleet.eosctl("plan", "--to", "enabled")[0], 1)

        code, out, err = self.apply("enabled")
        self.assertEqual(code, 0, out + err)
        self.assert_modes("enabled")
        self.assertEqual(self.starts(), [3, 3, 3], "one start of their own, one restart a phase")
        status = self.fleet.eosctl_json("status")[1]
        self.assertTrue(status["guarantee"]["in_force"], status["guarantee"])
        self.assertEqual(self.fleet.eosctl("plan", "--to", "enabled")[0], 0)
        code, out, err = self.apply("enabled")
        self.assertEqual((code, self.starts()), (0, [3, 3, 3]), "a second run restarts nobody")
        for worker, old in zip(self.fleet.workers, before):
            self.assertEqual(worker.properties.read_bytes(), old + b"exactly.once.source.support=enabled\n")
        for probe in self.probes():
            self.assertEqual(probe, [])

        code, out, err = self.apply("disabled")
        self.assertEqual(code, 0, out + err)
        self.assert_modes("disabled")
        self.assertEqual(self.starts(), [5, 5, 5])
        self.assert_nothing_lost_or_twice()

    def probes(self):
        """Errors of exactly.once.support=required at each worker: Kafka's own word that it runs enabled."""
        for worker in self.fleet.workers:
            config = worker.ask("/connectors/lines1/config")
            config["exactly.once.support"] = "required"
            plugin = config["connector.class"]
            answer = worker.ask(f"/connector-plugins/{plugin}/config/validate", "PUT", config, timeout=60)
            yield next(c["value"]["errors"] for c in answer["configs"] if c["value"]["name"] == "exactly.once.support")


class Refusals(FleetCase):
    def assert_refused(self, code, words, expected):
        before, starts = self.bytes_of_files(), self.starts()
        got, out, err = self.apply("enabled")
        self.assertEqual(got, code, out + err)
        for word in words:
            self.assertIn(word, err)
        self.assertIn("To fix:", err)
        self.assertEqual((self.bytes_of_files(), self.starts()), (before, starts), expected)

    def test_nothing_is_changed_when_something_is_in_the_way(self):
        agent = self.fleet.agents[2]
        agent.stop()
        self.assert_refused(5, ["c3", "Connection refused"], "one worker's agent is unreachable")
        agent.start()

        missing = self.fleet.fleet_file.read_text()
        line = next(text for text in missing.splitlines(keepends=True) if "name: c2" in text)
        self.fleet.fleet_file.write_text(missing.replace(line, ""))
        self.assert_refused(3, ["in no inventory", self.fleet.workers[1].worker_id], "a stranger is in the group")
        self.fleet.fleet_file.write_text(missing)

        properties = self.fleet.workers[1].properties
        good = properties.read_bytes()
        properties.write_bytes(good + b"x=\\u00zz\n")
        self.assert_refused(3, ["malformed", "line"], "a file that Kafka could not load")
        properties.write_bytes(good + b"exactly.once.source.support=${file:/etc/x:mode}\n")
        self.assert_refused(3, ["config provider"], "a value from a config provider")
        properties.write_bytes(good)

        # The file is newer than the process now, and it says what it said: nothing hinders.
        self.assertEqual(self.fleet.eosctl("preflight")[0], 0)


class Interrupted(FleetCase):
    policy = {"rebalance": "fast", "lease_ttl": "5s"}

    def test_controller_killed_in_mid_phase_and_apply_again(self):
        process, events = self.apply_in_background("enabled")
        self.wait_for_step(events, 2, "stopping")
        process.kill()
        process.wait()
        code, out, err = self.fleet.eosctl("apply", "--to", "enabled")
        if code == 3:  # the dead run's lease has not run out yet
            self.assertIn("eosctl apply", err)
            self.assertIn("is held by", err)
            processes.wait_for("the end of the dead run's lease", lambda: self.fleet.eosctl("unlock")[0] == 0, 30)
            code, out, err = self.fleet.eosctl("apply", "--to", "enabled")
        self.assertEqual(code, 0, out + err)
        self.assert_modes("enabled")
        self.assertEqual(self.starts(), [3, 3, 3], "nobody was restarted more often than without the kill")

        # Then back, with the agent of the worker under change killed, and ^C for the controller.
        process, events = self.apply_in_background("disabled")
        operation = self.wait_for_step(events, 1, "stopping")
        number = int(operation["worker"][1:]) - 1
        self.fleet.agents[number].kill()
        self.fleet.agents[number].start()
        self.wait_for_step(events, 2, "stopping")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("of 3 workers", err)
        code, out, err = self.apply("disabled")
        self.assertEqual(code, 0, out + err)
        self.assert_modes("disabled")
        self.assertEqual(self.starts(), [5, 5, 5])
        for worker in self.fleet.workers:
            self.assertNotIn(b"scheduled.rebalance.max.delay.ms", worker.properties.read_bytes(), "S8")
        self.assert_nothing_lost_or_twice()


class RejectedConfiguration(FleetCase):
    def test_old_bytes_are_back_the_worker_is_up_and_the_rollout_stopped(self):
        leader = self.leader()
        worker = next(w for w in self.fleet.workers if w.worker_id == leader)
        before = self.bytes_of_files()
        with self.refusing(worker, "preparing"):
            code, out, err = self.apply("enabled")
            self.assertEqual(code, 4, out + err)
            self.assertIn(f'worker "{worker.name}" refuses its configuration', err)
            self.assertIn("Kafka allows this", err)
            self.assertIn("To fix:", err)
            self.assertEqual(self.bytes_of_files(), before, "old bytes are back, and nobody else was touched")
            processes.wait_for("the worker to be up", worker.ready, 60)

        code, out, err = self.apply("enabled")
        self.assertEqual(code, 0, out + err)
        self.assert_modes("enabled")
        self.assert_nothing_lost_or_twice()

    def leader(self):
        group = self.fleet.eosctl_json("status")[1]["group"]
        return group["leader_url"].split("://")[1].rstrip("/")


class HungStop(FleetCase):
    """The first worker to be restarted hangs in its stop until its service kills it; see docs/hung-stop.md."""
    policy = {"rebalance": "fast", "stop_limit": "10s"}

    def prepare(self):
        self.plan = self.temporary / "plan"
        for agent in self.fleet.agents:
            agent.environment = {"LD_PRELOAD": os.environ["EOS_CRASH_AT_STEP"], "EOS_CRASH_PLAN": str(self.plan)}

    def test_run_ends_at_the_limit_and_the_worker_comes_back_by_itself(self):
        first = self.fleet.eosctl_json("plan", "--to", "enabled")[1]["steps"][0]["worker"]
        worker = next(w for w in self.fleet.workers if w.name == first)
        pid = worker.pid()
        self.plan.write_text(f"stopping before {pid} {signal.SIGSTOP:d}\n")
        code, out, err = self.apply("enabled")
        self.assertEqual(code, 4, out + err)
        self.assertIn(f"process {pid} is still there after 10.0 s", err)
        self.assertIn("kill it if it hangs", err)
        self.assertEqual(worker.pid(), pid)

        code, out, err = self.apply("enabled")
        self.assertEqual(code, 0, out + err)
        self.assertEqual((worker.killed(), self.starts()), (1, [3, 3, 3]))
        self.assert_modes("enabled")
        self.assert_nothing_lost_or_twice()


class Fencing(FleetCase):
    def test_task_that_failed_by_fencing_is_revived(self):
        code, out, err = self.apply("enabled")
        self.assertEqual(code, 0, out + err)
        # A task that starts on a follower asks the leader to fence; a leader that is stopped (SIGSTOP) while its REST
        # backlog is full does not answer, and the task dies for good: Connect never retries that.
        group = self.fleet.eosctl_json("status")[1]["group"]
        leader = next(w for w in self.fleet.workers if w.url == group["leader_url"])
        victim = self.task_away_from(leader)
        pid = leader.pid()
        os.kill(pid, signal.SIGSTOP)
        try:
            # Asks the victim's own worker, which restarts the task by itself and cannot reach the leader's REST.
            owner = next(w for w in self.fleet.workers if w.worker_id == victim["worker_id"])
            owner.ask(f"/connectors/{victim['connector']}/tasks/0/restart", "POST", timeout=2)
            os.kill(pid, signal.SIGKILL)
        finally:
            if processes.alive(pid):
                os.kill(pid, signal.SIGCONT)
        failed = processes.wait_for("a task FAILED by fencing", lambda: self.failed_tasks() or None, 90)
        leader.start()
        processes.wait_for("the killed worker", leader.ready, 90)
        status = self.fleet.eosctl_json("status")[1]
        kinds = {t["failure"] for c in status["connectors"] for t in c["tasks"] if t["failure"]}
        self.assertEqual(kinds, {"fencing"}, json.dumps(status["connectors"], indent=1) + str(failed))
        self.assertIn("is FAILED for fencing", self.fleet.eosctl("status")[1])

        code, out, err = self.apply("enabled")
        self.assertEqual(code, 0, out + err)
        self.assertIn("restarted", out)
        self.assertEqual(self.failed_tasks(), [])
        self.assertEqual(self.fleet.running(), len(self.fleet.connectors))
        self.assert_nothing_lost_or_twice()

    def task_away_from(self, leader):
        for name, one in self.fleet.status().items():
            for task in one["status"]["tasks"]:
                if task["worker_id"] != leader.worker_id:
                    return {"connector": name, "worker_id": task["worker_id"]}
        raise AssertionError("every task is on the leader")

    def failed_tasks(self):
        return [(name, task.get("trace", "")[:300]) for name, one in self.fleet.status().items()
                for task in one["status"]["tasks"] if task["state"] == "FAILED"]
