"""What really happened: lines fed and found, and for how long tasks were down."""

import collections
import subprocess
import threading
import time

from . import processes


class Feeder:
    """Writes numbered lines into each connector's file, so that every line is known by its name."""

    def __init__(self, files, per_second):
        self.files, self.pause = files, 1.0 / per_second
        self.written = {name: 0 for name in files}
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)

    def start(self):
        self.thread.start()

    def work(self):
        outputs = {name: open(path, "a", encoding="ascii") for name, path in self.files.items()}
        due = time.monotonic()
        while not self.end.is_set():
            for name, out in outputs.items():
                self.written[name] += 1
                out.write(f"{name} {self.written[name]:08d}\n")
                out.flush()
            due += self.pause
            self.end.wait(max(0.0, due - time.monotonic()))
        for out in outputs.values():
            out.close()

    def stop(self):
        self.end.set()
        if self.thread.is_alive():
            self.thread.join()


def read_topic(broker, topic):
    """All lines that a read_committed consumer gets, in order."""
    done = subprocess.run(["kcat", "-b", broker, "-C", "-t", topic, "-o", "beginning", "-e", "-q",
                           "-X", "isolation.level=read_committed", "-X", "allow.auto.create.topics=false"],
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120)
    return done.stdout.splitlines()


class Count:
    """Of one connector."""

    def __init__(self, name, written, lines):
        times = collections.Counter(lines)
        wanted = {f"{name} {n:08d}" for n in range(1, written + 1)}
        self.name, self.written, self.read = name, written, len(lines)
        self.lost = len(wanted - times.keys())
        self.twice = sum(count - 1 for count in times.values() if count > 1)


def count_all(broker, feeder, limit=120):
    """After the feeder stopped: reads every topic until nothing is missing, or for `limit` seconds."""
    counts = {}

    def complete():
        for name, written in feeder.written.items():
            if name not in counts or counts[name].lost:
                counts[name] = Count(name, written, read_topic(broker, name))
        return not any(c.lost for c in counts.values())

    try:
        processes.wait_for("all lines in the topics", complete, limit)
    except TimeoutError:
        pass  # what is still missing is counted as lost
    return [counts[name] for name in sorted(counts)]


class Downtime:
    """Samples the tasks: one counts as down while it is not RUNNING on a worker whose process lives."""

    def __init__(self, workers, every=0.25):
        self.workers, self.every = workers, every
        self.task_seconds, self.longest = 0.0, 0.0
        self.down_since, self.known = {}, set()
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)

    def start(self):
        self.thread.start()

    def look(self):
        live = {w.worker_id for w in self.workers if w.pid()}
        for worker in self.workers:
            if worker.worker_id not in live:
                continue
            answer = worker.ask("/connectors?expand=status", timeout=2)
            if answer is None:
                continue
            running = set()
            for name, one in answer.items():
                for task in one["status"]["tasks"]:
                    key = (name, task["id"])
                    self.known.add(key)
                    if task["state"] == "RUNNING" and task["worker_id"] in live:
                        running.add(key)
            return self.known - running
        return None  # nobody answers: not known, so nothing is counted

    def work(self):
        last = time.monotonic()
        while not self.end.wait(self.every):
            down = self.look()
            now = time.monotonic()
            if down is not None:
                self.task_seconds += len(down) * (now - last)
                for key in down:
                    self.longest = max(self.longest, now - self.down_since.setdefault(key, last))
                for key in set(self.down_since) - down:
                    del self.down_since[key]
            last = now

    def stop(self):
        self.end.set()
        if self.thread.is_alive():
            self.thread.join()
