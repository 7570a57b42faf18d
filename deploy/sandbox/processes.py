"""Processes and ports of the sandbox: started here, ended here, by pid."""

import os
import pathlib
import random
import signal
import socket
import subprocess
import time

_PORTS = list(range(20000, 32000))  # below those that Linux gives to outgoing connections (ip(7))
random.shuffle(_PORTS)


def free_ports(count):
    """Ports on 127.0.0.1 that nobody listens on now; none is given twice by this process."""
    found = []
    while len(found) < count:
        port = _PORTS.pop()
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
    return found


def wait_for(what, condition, limit):
    """Looks until `condition()` gives something true, and returns that; TimeoutError names `what`."""
    end = time.monotonic() + limit
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {limit} s")
        time.sleep(0.1)


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=0.5).close()
        return True
    except OSError:
        return False


def alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state not in ("Z", "X")
    except (OSError, IndexError):
        return False


def end(pid, limit=15):
    """SIGTERM, then SIGKILL; returns when the process is gone."""
    for number, patience in ((signal.SIGTERM, limit), (signal.SIGKILL, 5)):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        stop = time.monotonic() + patience
        while time.monotonic() < stop:
            try:  # reap it if it is a child of ours
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass
            if not alive(pid):
                return
            time.sleep(0.05)


def start(argv, log, environment=None):
    """A process in a session of its own, so that a ^C for us is not one for it; `environment` is added to ours."""
    with open(log, "ab") as out:
        return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
                                env={**os.environ, **(environment or {})})
