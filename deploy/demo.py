"""The demo's steps; demo.sh installs and builds first."""

import argparse
import datetime
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

from sandbox import cluster, oracle


def say(text):
    print(f"\n\033[1m== {text}\033[0m", flush=True)


def run(fleet, *arguments):
    """eosctl, on this terminal."""
    print(f"$ eosctl {' '.join(arguments)}", flush=True)
    return subprocess.run(fleet.eosctl_command(*arguments), check=False).returncode


def rss_mib(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_agents(fleet, seconds=10):
    """Idle: nobody asks them anything."""
    pids = [a.process.pid for a in fleet.agents]
    before = [cpu_seconds(pid) for pid in pids]
    began = time.monotonic()
    time.sleep(seconds)
    took = time.monotonic() - began
    after = [cpu_seconds(pid) for pid in pids]
    print(f"agents idle for {took:.0f} s: RSS {', '.join(f'{rss_mib(pid):.1f}' for pid in pids)} MiB, "
          f"CPU {100 * sum(b - a for a, b in zip(before, after)) / took / len(pids):.2f} % each")


def time_status(fleet, runs=5):
    times = []
    for _ in range(runs):
        began = time.monotonic()
        fleet.eosctl("status")
        times.append(time.monotonic() - began)
    print(f"eosctl status, whole process, {runs} runs: {min(times):.2f} to {max(times):.2f} s")


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def own_overhead(path):
    """What eosctl and the agent add to a restart themselves, from the events: decision to record, record to stop."""
    decided, own = None, []
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if event["kind"] == "decided" and event["decision"]["kind"] == "act":
            decided = moment(event["at"])
        elif event["kind"] == "operation" and event["operation"]["step"] == "stopping" and decided:
            # The agent's own time of the step: eosctl sees it a little later. Both clocks are this host's.
            own.append((moment(event["operation"]["updated"]) - decided).total_seconds() * 1000)
            decided = None
    if not own:
        return print("no operation was seen while it asked its worker to stop")
    print(f"from a decision until its worker is asked to stop: {min(own):.0f} to {max(own):.0f} ms; before each, the gate "
          f"looks good_observations times, observe_every apart")


def verdict(fleet, downtime, took):
    say("what came of it")
    workers = fleet.eosctl_json("workers")[1]["workers"]
    for worker in workers:
        print(f"{worker['name']}: runs {worker['running_mode']}, by {worker['evidence']}: {worker['evidence_text']}")
    print(f"\n{'connector':10} {'written':>8} {'read':>8} {'lost':>6} {'twice':>6}")
    counts = fleet.count()
    for c in counts:
        print(f"{c.name:10} {c.written:8} {c.read:8} {c.lost:6} {c.twice:6}")
    print(f"\napply took {took:.1f} s for {len(workers)} workers, two phases")
    print(f"tasks were down for {downtime.task_seconds:.1f} task-seconds in all, one for {downtime.longest:.1f} s at the "
          f"longest (sampled every {downtime.every} s)")
    own_overhead(fleet.dir / "events.ndjson")
    fine = all(w["running_mode"] == "enabled" for w in workers) and not any(c.lost or c.twice for c in counts)
    print("\nnothing lost, nothing twice, every worker enabled" if fine else "\nNOT as it should be: see above")
    return fine


def play(fleet):
    say("the fleet is up; play with it")
    eosctl = " ".join(fleet.eosctl_command("status"))
    print(f"  {eosctl}\n  {eosctl.replace(' status ', ' apply --to disabled ')}\n"
          f"  {eosctl.replace(' status ', ' workers --output json ')}\n"
          f"  tail -f {fleet.agents[0].dir}/agent.log\n"
          f"  kcat -b {fleet.broker.address} -C -t lines1 -o -5 -e -X isolation.level=read_committed\n"
          f"  deploy/demo.sh --stop")


def demo(options):
    began = time.monotonic()
    fleet = cluster.Cluster(options.run, options.programs, options.jars, say=say)
    try:
        fleet.start()
        say("figures of the fleet at rest")
        measure_agents(fleet)
        time_status(fleet)
        say("is anything in the way?")
        if run(fleet, "preflight") != 0:
            return 1
        say("what would be done?")
        run(fleet, "plan", "--to", "enabled", "--explain")
        say("do it, while records flow")
        downtime = oracle.Downtime(fleet.workers)
        downtime.start()
        start = time.monotonic()
        code = run(fleet, "apply", "--to", "enabled", "--events", str(fleet.dir / "events.ndjson"))
        took = time.monotonic() - start
        downtime.stop()
        if code != 0:
            return code
        say("and now?")
        run(fleet, "status")
        fine = verdict(fleet, downtime, took)
        print(f"\nthe demo took {time.monotonic() - began:.0f} s; its files are in {fleet.dir}")
        if options.keep and fine:
            play(fleet)
        return 0 if fine else 1
    except KeyboardInterrupt:
        print("\ninterrupted; ending what was started")
        return 130
    finally:
        if not options.keep or sys.exc_info()[0]:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough
            fleet.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--programs", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--jars", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--stop", action="store_true")
    options = parser.parse_args()
    state = options.run / "state.json"
    if state.exists():
        say("ending the fleet of an earlier run")
        cluster.stop_from_state(options.run)
        state.unlink()
    if options.stop:
        return 0
    shutil.rmtree(options.run, ignore_errors=True)
    signal.signal(signal.SIGTERM, lambda *unused: (_ for _ in ()).throw(KeyboardInterrupt()))
    code = demo(options)
    if not options.keep:
        state.unlink(missing_ok=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
