"""Benchmarks of podcast-mpd and podcast-web; used by `run`."""
import contextlib
import resource
import selectors
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from daemons import Daemon, Mpd
from measure import BIN, ROOT, interleaved, memory, processor_time

CLIENTS = 1000
# mpd has no volume without a mixer.
MIXED_OUTPUT = 'type "null"\nname "null"\nmixer_type "software"'
MIB = 1 << 20


class Gateway:
    """A gateway of a daemon at a Unix socket."""

    def __init__(self, program, daemon, settings="", *words):
        self.folder = Path(tempfile.mkdtemp(prefix="gateway-bench."))
        self.socket = self.folder / "socket"
        (self.folder / "conf").write_text(settings)
        self.command = [BIN / program, "--socket", daemon.socket, "--config", self.folder / "conf", "--listen", self.socket,
                        *words]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while not self.socket.exists():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit(f"{self.command[0].name} did not start")
            time.sleep(0.02)
        # Until it has connected to the daemon.
        time.sleep(0.3)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


def connect(path, greets=True):
    link = socket.socket(socket.AF_UNIX)
    link.connect(str(path))
    if greets:
        link.recv(100)
    return link


def rate(path, seconds=2):
    """Answers to `status` a second on one connection."""
    with connect(path) as link:
        answers, begin = 0, time.monotonic()
        while time.monotonic() - begin < seconds:
            link.sendall(b"status\n")
            text = b""
            while not text.endswith(b"OK\n"):
                text += link.recv(65536)
            answers += 1
        return answers / (time.monotonic() - begin)


def wake_up(path, turns=60):
    """The median time from `setvol` to the answer of another client's `idle`, in seconds."""
    samples = []
    with connect(path) as idle, connect(path) as other, selectors.DefaultSelector() as selector:
        selector.register(idle, selectors.EVENT_READ)
        selector.register(other, selectors.EVENT_READ)
        # Each turn changes the volume, from 30 that `mpd` has set.
        for turn in range(turns):
            idle.sendall(b"idle mixer\n")
            # The daemon reports each part of its state ten times a second at most.
            time.sleep(0.12)
            begin, waiting = time.perf_counter(), {idle, other}
            other.sendall(b"setvol %d\n" % (31 - turn % 2))
            while waiting:
                for key, _ in selector.select(5) or [(None, 0)]:
                    if key is None or not key.fileobj.recv(4096):
                        raise SystemExit(f"{path}: no answer")
                    if key.fileobj is idle and idle in waiting:
                        samples.append(time.perf_counter() - begin)
                    waiting.discard(key.fileobj)
    return statistics.median(samples)


def mpd(table):
    with Daemon() as daemon, Gateway("podcast-mpd", daemon) as ours, Mpd(MIXED_OUTPUT) as theirs:
        for link in (ours, theirs):
            subprocess.run(["mpc", "--host", str(link.socket), "volume", "30"], stdout=subprocess.DEVNULL)
        commands = {name: ["mpc", "--host", link.socket, "status"] for name, link in (("ours", ours), ("mpd's", theirs))}
        walls = {name: wall for name, (_, wall, _) in interleaved(commands, 100).items()}
        rates, wakes = ({"ours": [], "mpd's": []} for _ in range(2))
        for _ in range(3):
            for name, link in (("ours", ours), ("mpd's", theirs)):
                rates[name].append(rate(link.socket))
                wakes[name].append(wake_up(link.socket))
    our_wall, their_wall = walls["ours"], walls["mpd's"]
    ratio = our_wall / their_wall
    table.add("mpc status, wall", f"{our_wall * 1e3:.2f} ms, mpd's {their_wall * 1e3:.2f} ms")
    table.add("mpc status, ours / mpd's", f"{ratio:.2f}", "≤ 1.5", ratio <= 1.5)
    our_rate, their_rate = (statistics.median(rates[name]) for name in ("ours", "mpd's"))
    table.add("status on one connection", f"{our_rate:,.0f}/s, mpd's {their_rate:,.0f}/s", "≥ half", our_rate >= their_rate / 2)
    our_wake, their_wake = (statistics.median(wakes[name]) for name in ("ours", "mpd's"))
    table.add("idle, woken by setvol", f"{our_wake * 1e3:.2f} ms, mpd's {their_wake * 1e3:.2f} ms", "≤ 2 ×",
              our_wake <= 2 * their_wake)


def crowds(table):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with Daemon() as daemon:
        with Gateway("podcast-mpd", daemon) as gateway:
            crowd(table, "MPD clients", daemon, gateway, b"idle\n", greets=True, answer=b"OK\n")
        web = ("podcast-web", daemon, "[server]\nlocal = read\nclients_per_address = 0\n", "--files", ROOT / "web")
        with Gateway(*web) as gateway:
            crowd(table, "listeners for events", daemon, gateway, b"GET /events?parts=player HTTP/1.1\r\nHost: localhost\r\n\r\n",
                  greets=False, answer=b"event: change")


def crowd(table, name, daemon, gateway, request, greets, answer):
    processes = (daemon.process.pid, gateway.process.pid)
    with contextlib.ExitStack() as stack:
        links = [stack.enter_context(connect(gateway.socket, greets)) for _ in range(CLIENTS)]
        for link in links:
            link.sendall(request)
            if not greets:
                text = b""
                while b"event: snapshot" not in text:
                    text += link.recv(65536)
        time.sleep(1)
        drain(links)
        ours = [memory(pid)[0] for pid in processes]
        before = sum(map(processor_time, processes))
        time.sleep(10)
        used = sum(map(processor_time, processes)) - before
        drain(links)
        begin = time.perf_counter()
        daemon.call("playback.volume", level=30 + int(time.monotonic()) % 40)
        woken = wait_for_all(links, answer)
        took = time.perf_counter() - begin
    total = sum(ours)
    table.add(f"{CLIENTS:,} {name}: RSS", f"{total / MIB:.1f} MiB (daemon {ours[0] / MIB:.1f}, gateway {ours[1] / MIB:.1f})", "≤ 40 MB",
              total <= 40e6)
    table.add(f"{CLIENTS:,} {name}: CPU in 10 s", f"{used * 1e3:.1f} ms", "≤ 10 ms", used <= 0.01)
    table.add(f"{CLIENTS:,} {name}: woken", f"{woken:,} in {took * 1e3:.0f} ms", "all", woken == CLIENTS)


def drain(links):
    for link in links:
        link.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while link.recv(65536):
                pass


def wait_for_all(links, answer, limit=10):
    """How many got the answer."""
    waiting, deadline = set(links), time.monotonic() + limit
    with selectors.DefaultSelector() as selector:
        for link in links:
            selector.register(link, selectors.EVENT_READ)
        while waiting and time.monotonic() < deadline:
            for key, _ in selector.select(1):
                if answer in key.fileobj.recv(65536):
                    waiting.discard(key.fileobj)
    return len(links) - len(waiting)
