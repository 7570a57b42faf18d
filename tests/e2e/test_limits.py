"""How far one run goes: --canary, --limit, --pause-between-phases, --deadline, several at a time, one phase alone."""

from .fleet_case import FleetCase

DONE, CHANGES_PENDING, PAUSED = 0, 1, 8


class Limits(FleetCase):
    """One rollout in pieces. Each pause is a state: the same command again restarts nobody and ends in the same place."""
    properties = "scheduled.rebalance.max.delay.ms=500\n"
    policy = {"rebalance": "keep-user-delay", "good_observations": 4}  # 1 s and more before the first step

    def test_a_rollout_in_pieces(self):
        self.paused(1, "--canary", "1")
        first = self.running("preparing")
        self.assertEqual(len(first), 1)

        second = next(w.name for w in self.fleet.workers if w.name not in first)
        self.paused(1, "--limit", second)
        self.assertEqual(self.running("preparing"), {*first, second})
        self.assertEqual(self.running("enabled"), set(), "the barrier waits for all")
        self.assertEqual(self.fleet.eosctl("plan", "--to", "enabled", "--limit", second)[0], PAUSED)
        self.assertEqual(self.fleet.eosctl("plan", "--to", "enabled")[0], CHANGES_PENDING)

        starts = self.starts()
        code, out, err = self.apply("enabled", "--deadline", "1s")
        self.assertEqual(code, PAUSED, out + err)
        self.assertIn("deadline", err)
        self.assertEqual(self.starts(), starts, "no step would have been over by then")

        self.paused(1, "--pause-between-phases")
        self.assert_modes("preparing")
        self.assertEqual(self.starts(), [2, 2, 2])

        self.fleet.policy["max_unavailable"] = 2
        self.fleet.write_fleet()
        process, events = self.apply_in_background("enabled")
        _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, DONE, err)
        self.assert_modes("enabled")
        self.assertEqual(self.starts(), [3, 3, 3])
        self.assertEqual(self.most_at_a_time(events()), 2, "both followers at once, the leader alone")
        self.assert_nothing_lost_or_twice()

    def paused(self, restarts, *limits):
        """The run restarts so many workers and pauses; the same command again changes nothing."""
        before = self.starts()
        for expected in (restarts, 0):
            code, out, err = self.apply("enabled", *limits)
            self.assertEqual(code, PAUSED, out + err)
            self.assertIn("To fix:", err)
            self.assertEqual(sum(self.starts()) - sum(before), expected, f"{limits}: {out}")
            before = self.starts()

    def running(self, mode):
        return {name for name, one in self.fleet.modes().items() if one == mode}

    def most_at_a_time(self, events):
        under_way, most = set(), 0
        for event in events:
            if event["kind"] != "operation":
                continue
            operation = event["operation"]
            if operation["step"] == "finished":
                under_way.discard(operation["id"])
            else:
                under_way.add(operation["id"])
            most = max(most, len(under_way))
        return most


class OnePhase(FleetCase):
    """At Kafka's default delay of five minutes, which the files do not hold: see ADR 0007."""

    def test_to_preparing_and_back_the_files_end_as_they_were(self):
        before = self.bytes_of_files()
        code, out, err = self.apply("preparing")
        self.assertEqual(code, DONE, out + err)
        self.assert_modes("preparing")
        self.assertEqual(self.starts(), [2, 2, 2])
        self.assertEqual(self.bytes_of_files(), [old + b"exactly.once.source.support=preparing\n" for old in before])
        self.assertIn("runs with a rebalance delay of", self.fleet.eosctl("status")[1])

        code, out, err = self.apply("disabled")
        self.assertEqual(code, DONE, out + err)
        self.assert_modes("disabled")
        self.assertEqual(self.starts(), [3, 3, 3])
        self.assertEqual(self.bytes_of_files(), [old + b"exactly.once.source.support=disabled\n" for old in before])
        self.assert_nothing_lost_or_twice()
