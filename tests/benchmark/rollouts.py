#!/usr/bin/env python3
"""disabled → enabled on a real fleet under load: bare restarts, two playbooks, eosctl. Printed, not judged.

    PYTHONPATH=deploy tests/benchmark/rollouts.py --workers 3 --runs 4 --tools bare careless eosctl

bare      two restarts of each worker, nothing changed, each waits for REST: what the restarts themselves take
careless  the playbook that people write: serial, edit, restart, wait until REST answers, next
careful   the same, and waits after each until every task runs again (at Kafka's default delay: five minutes each)
eosctl    eosctl apply --to enabled
"""

import json

import measure
from sandbox import processes

LINE = "exactly.once.source.support="


def bare(fleet):
    for _ in range(2):
        for worker in fleet.workers:
            measure.restart(worker)
    return "ok"


def playbook(fleet, after_each):
    for mode in ("preparing", "enabled"):
        for worker in fleet.workers:
            old = [line for line in worker.properties.read_text().splitlines(keepends=True) if not line.startswith(LINE)]
            measure.restart(worker, "".join(old) + f"{LINE}{mode}\n")
            after_each(fleet)
    return "ok"


def careless(fleet):
    return playbook(fleet, lambda unused: None)


def careful(fleet):
    def every_task_runs(fleet):
        tasks = len(fleet.connectors)
        processes.wait_for("every task", lambda: len(measure.tasks_that_run(fleet)) == tasks, 900)
    return playbook(fleet, every_task_runs)


def eosctl(fleet):
    code, out, err = fleet.eosctl("apply", "--to", "enabled", "--output", "json")
    if code != 0:
        return f"exit {code}: {err[:200]}"
    said = json.loads(out)
    return f"exit 0; {said['task_ms_lost'] / 1000:.1f} task-seconds, longest {said['longest_outage_ms'] / 1000:.1f} s"


TOOLS = {"bare": bare, "careless": careless, "careful": careful, "eosctl": eosctl}


def main():
    parser = measure.options(__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[3, 6])
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=["bare", "careless", "eosctl"])
    opts = parser.parse_args()
    measure.interruptible()
    print(measure.versions(opts), measure.header(), sep="\n\n", flush=True)
    for workers in opts.workers:
        for _ in range(opts.runs):  # one of each by turns: what the machine does meanwhile hits all alike
            for tool in opts.tools:
                print(measure.row(measure.measure(tool, opts, TOOLS[tool], workers)), flush=True)


if __name__ == "__main__":
    main()
