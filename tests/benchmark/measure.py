"""What the measurements of rollouts share: one fresh fleet for each, the same clock and the same eyes for every tool."""

import argparse
import dataclasses
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import tempfile
import time

from sandbox import cluster, oracle, processes

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SETTLE_LIMIT = 400  # seconds after a tool's own end: more than the default rebalance delay
SETTLED_FOR = 5     # seconds in which every task runs, until a fleet counts as settled


@dataclasses.dataclass
class Measured:
    what: str
    workers: int
    tasks: int
    wall: float            # seconds until the tool said that it is done
    task_seconds: float
    longest: float         # seconds, of one task
    settled_after: float   # seconds from the tool's end until every task runs for good
    dead: int              # tasks that do not run at the end
    lost: int              # records
    doubled: int
    starts: int            # of JVMs, all workers
    said: str              # by the tool: its end


def options(doc):
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--programs", type=pathlib.Path, default=REPOSITORY / "build" / "release")
    parser.add_argument("--jars", type=pathlib.Path, default=REPOSITORY / ".sandbox" / "jars")
    parser.add_argument("--runs", type=int, default=1, help="of each")
    parser.add_argument("--json", type=pathlib.Path, help="every single measurement, one JSON object a line")
    return parser


def tasks_that_run(fleet):
    live = {w.worker_id for w in fleet.workers if w.pid()}
    return {(name, t["id"]) for name, one in fleet.status().items() for t in one["status"]["tasks"]
            if t["state"] == "RUNNING" and t["worker_id"] in live}


def tasks_that_failed(fleet):
    return {(name, t["id"]) for name, one in fleet.status().items() for t in one["status"]["tasks"] if t["state"] == "FAILED"}


def settle(fleet, tasks):
    """Seconds until every task runs, or all that do not are FAILED; at most SETTLE_LIMIT."""
    began = time.monotonic()
    good_since = None
    while time.monotonic() - began < SETTLE_LIMIT:
        run = tasks_that_run(fleet)
        done = len(run) == tasks or len(run) + len(tasks_that_failed(fleet)) == tasks
        good_since = (good_since or time.monotonic()) if done else None
        if good_since and time.monotonic() - good_since >= SETTLED_FOR:
            return good_since - began
        time.sleep(0.25)
    return time.monotonic() - began


def measure(what, opts, act, workers=3, policy=None, prepare=None):
    """A fresh fleet with two tasks a worker; `act(fleet)` is the tool, and returns what it says at its end."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="connect-eos-benchmark-"))
    tasks = 2 * workers
    fleet = cluster.Cluster(folder / "fleet", opts.programs.resolve(), opts.jars.resolve(), workers=workers,
                            connectors=tasks, policy=policy)
    try:
        if prepare:
            prepare(fleet)
        fleet.start()
        settle(fleet, tasks)
        starts = sum(w.starts() for w in fleet.workers)
        downtime = oracle.Downtime(fleet.workers, every=0.1)
        downtime.start()
        began = time.monotonic()
        said = act(fleet)
        wall = time.monotonic() - began
        settled = settle(fleet, tasks)
        downtime.stop()
        dead = tasks - len(tasks_that_run(fleet))
        counts = fleet.count()
        result = Measured(what, workers, tasks, round(wall, 1), round(downtime.task_seconds, 1), round(downtime.longest, 1),
                          round(settled, 1), dead, sum(c.lost for c in counts), sum(c.twice for c in counts),
                          sum(w.starts() for w in fleet.workers) - starts, said)
    finally:
        fleet.stop()
        shutil.rmtree(folder, ignore_errors=True)
    if opts.json:
        with open(opts.json, "a", encoding="utf-8") as out:
            out.write(json.dumps(dataclasses.asdict(result)) + "\n")
    return result


HEADER = ["", "workers", "tasks", "wall s", "task-seconds", "longest outage s", "settled after s", "dead tasks", "records lost",
          "doubled", "JVM starts", "said"]


def row(m):
    cells = [m.what, m.workers, m.tasks, m.wall, m.task_seconds, m.longest, m.settled_after, m.dead, m.lost, m.doubled,
             m.starts, m.said]
    return "| " + " | ".join(str(c) for c in cells) + " |"


def header():
    return "| " + " | ".join(HEADER) + " |\n" + "|---" * len(HEADER) + "|"


def versions(opts):
    kafka = next(opts.jars.glob("connect-runtime-*.jar")).stem.removeprefix("connect-runtime-")
    java = subprocess.run(["java", "-version"], check=True, stderr=subprocess.PIPE, text=True).stderr.splitlines()[0]
    commit = subprocess.run(["git", "-C", str(REPOSITORY), "describe", "--always", "--dirty"], check=True,
                            stdout=subprocess.PIPE, text=True).stdout.strip()
    return (f"Kafka {kafka}; {java}; Linux {platform.release()}, {os.cpu_count()} CPUs; connect-eos {commit}; "
            f"{time.strftime('%Y-%m-%d', time.gmtime())}")


def interruptible():
    signal.signal(signal.SIGTERM, lambda *unused: (_ for _ in ()).throw(KeyboardInterrupt()))


# The steps of a playbook.
def restart(worker, properties=None):
    """As service managers do it: stop, wait until it is gone, (edit,) start, wait until REST answers."""
    pid = worker.pid()
    if properties is not None:
        worker.properties.write_text(properties)

    def gone():  # asked again each time, as a service manager would insist: see docs/hung-stop.md
        subprocess.run(worker.command("stop"), check=True)
        return not processes.alive(pid)

    processes.wait_for(f"the end of {worker.name}", gone, 180)
    worker.start()
    processes.wait_for(f"the REST of {worker.name}", worker.ready, 180)
