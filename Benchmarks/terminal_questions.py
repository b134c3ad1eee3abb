"""Cost of podcast-tui on a library of a million episodes: keys, pages, start, memory, bytes written and wake-ups."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import inputs
import library_question
from daemons import Daemon, FileServer
from measure import BIN, WORK, memory, switches

COLUMNS, LINES = 100, 40
# Without output for this many seconds a screen is complete. Under callgrind a step of the program may take long.
QUIET, QUIET_COUNTED = 0.3, 2.0
MEGA = 1e6


class Terminal:
    """podcast-tui on a pseudo terminal, until the block ends. Everything that it writes is counted."""

    def __init__(self, daemon, *options, launcher=(), quiet=QUIET):
        self.command = [*launcher, BIN / "podcast-tui", "--socket", daemon.socket, *options]
        self.quiet = quiet

    def __enter__(self):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "XDG_CONFIG_HOME": "/nonexistent"}
        self.process = subprocess.Popen(list(map(str, self.command)), stdin=slave, stdout=slave, stderr=slave, env=environment)
        os.close(slave)
        self.settle(first=60)
        return self

    def __exit__(self, *_):
        os.write(self.master, b"q")
        self.settle()
        self.process.wait(60)
        os.close(self.master)

    def settle(self, first=None):
        """Reads until the output pauses; returns the number of bytes."""
        count, wait = 0, first or self.quiet
        while select.select([self.master], [], [], wait)[0]:
            try:
                data = os.read(self.master, 1 << 16)
            except OSError:
                break
            if not data:
                break
            count, wait = count + len(data), self.quiet
        return count

    def written(self, seconds):
        """Bytes that are written within a time."""
        count, end = 0, time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            if select.select([self.master], [], [], rest)[0]:
                count += len(os.read(self.master, 1 << 16))
        return count

    def press(self, key):
        os.write(self.master, key.encode())
        return self.settle()


def counted(daemon, keys):
    """User-space instructions of a run in which keys are pressed, each after the screen of the one before is complete."""
    log = WORK / "terminal.callgrind.log"
    launcher = ["valgrind", "--tool=callgrind", f"--log-file={log}", "--callgrind-out-file=/dev/null"]
    with Terminal(daemon, "--screen", "episodes", launcher=launcher, quiet=QUIET_COUNTED) as terminal:
        for key in keys:
            terminal.press(key)
    return int(re.search(r"Collected : (\d+)", log.read_text(errors="replace")).group(1))


def keys(table, daemon):
    start = counted(daemon, [])
    moves, pages = ["j", "j", "k", "k"] * 5, ["\x06"] * 10
    move = (counted(daemon, moves) - start) / len(moves)
    page = (counted(daemon, pages) - start) / len(pages)
    table.add("start, first full screen and end", f"{start / MEGA:.1f} M", "≤ 30 M", start <= 30e6)
    table.add("a cursor move, from key to screen", f"{move / MEGA:.2f} M", "≤ 2 M", move <= 2e6)
    table.add("a page, with fetching its rows", f"{page / MEGA:.2f} M", "≤ 10 M", page <= 10e6)


def rest(table, daemon):
    with Terminal(daemon, "--screen", "episodes") as terminal:
        for key in ["\x06"] * 50 + ["G", "g"]:
            terminal.press(key)
        resident, _ = memory(terminal.process.pid)
        before = sum(switches(terminal.process.pid).values())
        written = terminal.written(10)
        wakes = sum(switches(terminal.process.pid).values()) - before
    table.add("RSS after 50 pages, the last and the first", f"{resident / MEGA:.1f} MB", "≤ 12 MB", resident <= 12e6)
    table.add("bytes written in 10 s while nothing plays", str(written), "0", written == 0)
    table.add("wake-ups in 10 s while nothing plays", str(wakes), "0", wakes == 0)


def playing(table):
    hour = inputs.hour_mp3(10)
    with Daemon() as daemon, FileServer(hour.parent) as base:
        daemon.call("queue.add", what=[f"{base}/{hour.name}"])
        daemon.call("playback.play", what="1")
        for screen in ("queue", "playing"):
            with Terminal(daemon, "--screen", screen) as terminal:
                terminal.written(5)
                before = sum(switches(terminal.process.pid).values())
                written = terminal.written(20) / 20
                wakes = (sum(switches(terminal.process.pid).values()) - before) / 20
            # A line has COLUMNS cells, and a cell in style some bytes more.
            table.add(f"bytes written a second while playing, {screen}", f"{written:.0f}", f"≤ {3 * COLUMNS}", written <= 3 * COLUMNS)
            table.add(f"wake-ups a second while playing, {screen}", f"{wakes:.1f}", "≤ 2", wakes <= 2)


def terminal(table):
    with Daemon(data=library_question.prepared()) as daemon:
        keys(table, daemon)
        rest(table, daemon)
    playing(table)
