"""How a benchmark measures: instructions, CPU, wall time and memory of commands and of running processes."""
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(os.environ.get("PODCASTD_BIN", ROOT / ".build/release"))
WORK = ROOT / ".build/bench"


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def built_floor(name, *libraries, link=()):
    """A C program that shows what the libraries cost alone."""
    WORK.mkdir(parents=True, exist_ok=True)
    flags = ["pkg-config", "--cflags", "--libs", *libraries]
    words = subprocess.run(flags, capture_output=True, text=True, check=True).stdout.split() if libraries else []
    subprocess.run(["gcc", "-O2", "-o", WORK / name, ROOT / f"Benchmarks/floor/{name}.c", *words, *link], check=True)
    return WORK / name


def instructions(command, env=None):
    """User-space instructions of a command and all its children."""
    WORK.mkdir(parents=True, exist_ok=True)
    log = WORK / "callgrind.%p.log"
    for old in WORK.glob("callgrind.*.log"):
        old.unlink()
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--log-file={log}", "--callgrind-out-file=/dev/null",
         *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **(env or {})})
    total = 0
    for log in WORK.glob("callgrind.*.log"):
        found = re.search(r"Collected : (\d+)", log.read_text(errors="replace"))
        total += int(found.group(1)) if found else 0
    if result.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {result.returncode}: {result.stderr.decode(errors='replace')[-300:]}")
    return total


def run(command, env=None):
    """CPU seconds, wall seconds and peak resident bytes of one run, including child processes that it waited for."""
    begin = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, **(env or {})})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss * 1024


def interleaved(commands, rounds):
    """Runs commands in turn, after one uncounted round: name -> (median CPU, median wall, peak memory)."""
    samples = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            sample = run(command)
            if turn:
                samples[name].append(sample)
    return {name: (statistics.median(s[0] for s in all), statistics.median(s[1] for s in all), max(s[2] for s in all))
            for name, all in samples.items()}


def memory(pid):
    """Resident and anonymous resident bytes of a running process."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    kilobytes = lambda name: int(fields[name].split()[0]) * 1024
    return kilobytes("VmRSS"), kilobytes("RssAnon")


def switches(pid):
    """Voluntary context switches of each thread. In each the thread went to sleep, so it counts as one wake-up."""
    return {task.name: int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (task / "status").read_text(), re.M).group(1))
            for task in Path(f"/proc/{pid}/task").iterdir()}


def family(pid):
    """The process and its running descendants, without zombies: systemd-inhibit ends at once where no logind runs."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return [one for one in found if ") Z " not in Path(f"/proc/{one}/stat").read_text()]


def processor_time(pid):
    """CPU seconds of the threads of a running process, in nanosecond resolution (/proc/PID/stat counts ticks of 10 ms)."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in Path(f"/proc/{pid}/task").iterdir()) / 1e9


def proportional_memory(pid):
    """Proportional set size of a running process in bytes: shared pages are divided by the number of processes."""
    return int(re.search(r"^Pss:\s*(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M).group(1)) * 1024


class Table:
    """The results of a benchmark, printed as Markdown with the limit next to each figure."""

    def __init__(self, title):
        self.title, self.rows, self.missed = title, [], 0

    def add(self, what, figure, bar="", met=None):
        self.rows.append((what, figure, bar, "" if met is None else "met" if met else "MISSED"))
        self.missed += met is False
        say(f"  {what}: {figure} {bar} {self.rows[-1][3]}")

    def print(self):
        print(f"\n## {self.title}\n\n| what | figure | bar | |\n|---|---:|---:|---|")
        for row in self.rows:
            print("| " + " | ".join(row) + " |")
        sys.stdout.flush()
