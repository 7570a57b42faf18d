#!/usr/bin/env python3
"""Which temporary rebalance delay costs the tasks least? disabled → enabled with each, for tasks that start at once and
for tasks that take ten seconds. Printed, not judged.

    PYTHONPATH=deploy tests/benchmark/delays.py --runs 2

The last delay is just above the time of a restart, as measured first: a task then waits for its worker and moves once.
"""

import pathlib
import subprocess
import tempfile
import time

import measure
from rollouts import eosctl

SLOW = "org.connecteos.test.SlowStartConnector"


def slow_connector(jars, folder):
    """Compiles the connector; the path of its jar."""
    source = pathlib.Path(__file__).with_name("SlowStartConnector.java")
    classes = folder / "classes"
    services = classes / "META-INF" / "services"
    services.mkdir(parents=True)
    subprocess.run(["javac", "-cp", f"{jars}/*", "-d", str(classes), str(source)], check=True)
    (services / "org.apache.kafka.connect.source.SourceConnector").write_text(SLOW + "\n")
    jar = folder / "connect-file-slow-start.jar"
    subprocess.run(["jar", "--create", "--file", str(jar), "-C", str(classes), "."], check=True)
    return jar


def main():
    parser = measure.options(__doc__)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--delays", type=int, nargs="*", default=[500, 1000, 3000], help="ms, beside the measured one")
    parser.add_argument("--kinds", nargs="+", choices=["light", "slow"], default=["light", "slow"])
    opts = parser.parse_args()
    opts.jars = opts.jars.resolve()
    measure.interruptible()
    longest_restart = []

    def bare(fleet):
        for worker in fleet.workers:
            began = time.monotonic()
            measure.restart(worker)
            longest_restart.append(time.monotonic() - began)
        return "ok"

    with tempfile.TemporaryDirectory(prefix="connect-eos-benchmark-") as folder:
        jar = slow_connector(opts.jars, pathlib.Path(folder))

        def slow(fleet):
            fleet.more_plugins = [jar]
            fleet.connector_class = SLOW

        print(measure.versions(opts), measure.header(), sep="\n\n", flush=True)
        print(measure.row(measure.measure("bare, one phase", opts, bare, opts.workers)), flush=True)
        above = int(max(longest_restart) * 1000) + 2000
        for _ in range(opts.runs):
            for delay in (*opts.delays, above):
                for kind in opts.kinds:
                    policy = {"rebalance": "fast", "temporary_delay": f"{delay}ms"}
                    measured = measure.measure(f"{delay} ms, {kind}", opts, eosctl, opts.workers, policy,
                                               slow if kind == "slow" else None)
                    print(measure.row(measured), flush=True)


if __name__ == "__main__":
    main()
