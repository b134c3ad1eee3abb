"""Benchmarks of the control socket under load; used by `run`."""
import contextlib
import json
import resource
import shutil
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import inputs
from daemons import Daemon, FileServer, Mpd, subscribe
from measure import WORK, built_floor, memory, processor_time, switches

REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"status.get"}\n'
FEEDS = 500


def load_program():
    return built_floor("socket_load")


class Floor:
    """A C program that sends a fixed reply to each line; it ends with the block."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="floor-bench.")
        self.socket = Path(self.folder.name) / "socket"
        self.process = subprocess.Popen([built_floor("socket_floor"), self.socket])
        while not self.socket.exists():
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def run_load(daemon, *words):
    result = subprocess.run([load_program(), daemon.socket, *map(str, words)], capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(result.stderr)
    return json.loads(result.stdout)


@contextlib.contextmanager
def playing(feeds=0):
    """A daemon that plays an episode from a local server to `null` and is subscribed to `feeds` feeds of that server. Yields
    the daemon and the episode's URL."""
    audio = inputs.hour_mp3(10)
    root = WORK / "served"
    root.mkdir(exist_ok=True)
    for number, path in enumerate(inputs.small_feeds()[:feeds]):
        shutil.copy(path, root / f"{number}.xml")
    shutil.copy(audio, root)
    data = WORK / "load-library"
    shutil.rmtree(data, ignore_errors=True)
    with FileServer(root) as base:
        if feeds:
            subscribe(data, [f"{base}/{number}.xml" for number in range(feeds)])
        with Daemon(data=data) as daemon:
            daemon.call("queue.add", what=[f"{base}/{audio.name}"])
            daemon.call("playback.play", what="1")
            deadline = time.monotonic() + 20
            while daemon.call("status.get")["state"] != "playing":
                if time.monotonic() > deadline:
                    raise SystemExit("podcastd does not start playing: " + (daemon.folder / "log").read_text())
                time.sleep(0.05)
            yield daemon, f"{base}/{audio.name}"


def throughput(table):
    """Rates depend on how fast the machine wakes a sleeping process, so podcastd and mpd are measured in turn."""
    bars = {1: 40_000, 100: 50_000, 1000: 30_000}
    with playing() as (ours, episode), Mpd() as theirs, Floor() as floor:
        theirs.mpc("add", episode)
        theirs.mpc("play")
        for clients, bar in bars.items():
            rates, costs, medians = ({"ours": [], "mpd's": [], "floor": []} for _ in range(3))
            for _ in range(3):
                for name, daemon, mode in (("ours", ours, "closed"), ("mpd's", theirs, "closed-mpd"), ("floor", floor, "closed")):
                    before = processor_time(daemon.process.pid)
                    figures = run_load(daemon, mode, clients, 2)
                    costs[name].append((processor_time(daemon.process.pid) - before) / figures["answers"])
                    rates[name].append(figures["rate"])
                    medians[name].append(figures["median"])
            rate, rival, floor_rate = (statistics.median(rates[name]) for name in rates)
            cost, rival_cost, floor_cost = (statistics.median(costs[name]) * 1e6 for name in costs)
            waits = ", ".join(f"{name} {statistics.median(medians[name]) * 1e6:.1f}" for name in medians)
            table.add(f"{clients} clients: requests/s", f"{rate:,.0f}", f"≥ {bar:,}", rate >= bar)
            table.add(f"{clients} clients: mpd's", f"{rival:,.0f}; {rival_cost:.1f} µs CPU each, ours {cost:.1f}", "≤ ours",
                      rival <= rate)
            table.add(f"{clients} clients: floor's", f"{floor_rate:,.0f}; {floor_cost:.1f} µs CPU each; median µs: {waits}")


def load(table):
    with playing(feeds=FEEDS) as (daemon, _):
        figures = run_load(daemon, "open", 100, 5, 1000)
        table.add("playing: p99", f"{figures['p99'] * 1e3:.2f} ms", "≤ 3 ms", figures["p99"] <= 3e-3)
        table.add("playing: max", f"{figures['max'] * 1e3:.2f} ms", "≤ 50 ms", figures["max"] <= 50e-3)
        # The refresh is requested on a separate connection, which waits for its end.
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(daemon.socket))
            lines = link.makefile("rb")
            lines.readline()
            begin = time.monotonic()
            link.sendall(b'{"jsonrpc":"2.0","id":1,"method":"feeds.refresh"}\n')
            ended = []
            waiter = threading.Thread(target=lambda: ended.append((json.loads(lines.readline()), time.monotonic() - begin)))
            waiter.start()
            worst = {"p99": 0, "max": 0}
            while waiter.is_alive() and time.monotonic() < begin + 120:
                figures = run_load(daemon, "open", 100, 2, 1000)
                worst = {name: max(worst[name], figures[name]) for name in worst}
            waiter.join()
        answer, took = ended[0]
        if "error" in answer:
            raise SystemExit(f"feeds.refresh: {answer['error']}")
        table.add(f"{FEEDS} new feeds refreshed in", f"{took:.1f} s")
        table.add("refreshing: p99, the worst 2 s", f"{worst['p99'] * 1e3:.2f} ms", "≤ 3 ms", worst["p99"] <= 3e-3)
        table.add("refreshing: max", f"{worst['max'] * 1e3:.2f} ms", "≤ 50 ms", worst["max"] <= 50e-3)
        state = daemon.call("status.get")["state"]
        table.add("state after it", state, "playing", state == "playing")


def watchers(table):
    clients = 1000
    with Daemon() as daemon:
        pid = daemon.process.pid
        # Send one request first, so that code the daemon loads for it does not count for the other clients.
        run_load(daemon, "closed", 1, 0.2)
        before, _ = memory(pid)
        program = subprocess.Popen([load_program(), daemon.socket, "watch", str(clients)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        if program.stdout.readline() != "watching\n":
            raise SystemExit("socket_load does not watch")
        each = (memory(pid)[0] - before) / clients
        time.sleep(1)
        wakes, cpu = sum(switches(pid).values()), processor_time(pid)
        time.sleep(10)
        wakes, cpu = sum(switches(pid).values()) - wakes, processor_time(pid) - cpu
        program.stdin.close()
        program.wait()
    table.add("RSS each", f"{each / 1024:.1f} KiB", "≤ 20 KB", each <= 20e3)
    table.add("CPU in 10 s", f"{cpu:.2f} s, {wakes} wake-ups", "0", cpu == 0)


def hostile(table):
    """Measures regular clients while each kind of hostile client is active."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for name, worst in (("never reads", _never_reads), ("a byte a second", _drips), ("closes half-way", _closes),
                        ("10,000 connections", _crowds)):
        with Daemon() as daemon, contextlib.ExitStack() as stack:
            before, _ = memory(daemon.process.pid)
            words = worst(daemon, stack)
            figures = run_load(daemon, "open", 5, 3, 1000)
            grown = memory(daemon.process.pid)[0] - before
            stack.close()
            answers = daemon.call("status.get")["state"] == "stopped"
            table.add(f"{name}: p99 of others", f"{figures['p99'] * 1e3:.2f} ms, max {figures['max'] * 1e3:.2f} ms, "
                      f"{grown / (1 << 20):.1f} MiB more{words}", "≤ 3 ms", answers and figures["p99"] <= 3e-3)


def _link(daemon, stack):
    link = stack.enter_context(socket.socket(socket.AF_UNIX))
    link.settimeout(0.2)
    link.connect(str(daemon.socket))
    return link


def _never_reads(daemon, stack):
    for _ in range(20):
        link = _link(daemon, stack)
        with contextlib.suppress(TimeoutError):
            while True:
                link.sendall(REQUEST * 1000)
    return ""


def _drips(daemon, stack):
    links = [_link(daemon, stack) for _ in range(500)]
    end = threading.Event()

    def drip():
        for byte in REQUEST * 10:
            for link in links:
                link.send(bytes([byte]))
            if end.wait(1):
                return

    thread = threading.Thread(target=drip)
    thread.start()
    stack.callback(thread.join)
    stack.callback(end.set)
    return ""


def _closes(daemon, stack):
    for turn in range(2000):
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(daemon.socket))
            link.sendall(REQUEST * (turn % 3) + REQUEST[:turn % len(REQUEST)])
            if turn % 2:
                link.shutdown(socket.SHUT_WR)
    return ""


def _crowds(daemon, stack):
    # Five connections are left for the clients that are measured.
    links, refused = [], 0
    for number in range(10_000):
        link = stack.enter_context(socket.socket(socket.AF_UNIX))
        link.connect(str(daemon.socket))
        links.append(link)
    for link in links:
        refused += b'"error"' in link.recv(400)
    for link in links[:10]:
        link.close()
    time.sleep(0.1)
    return f", {refused:,} refused with words"
