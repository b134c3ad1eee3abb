"""Cost of refreshing, compared with a C program that uses the same libraries; used by `run`."""
import shutil
import statistics
import tempfile
from pathlib import Path

import inputs
from daemons import ALONE, FileServer, refreshing, subscribe
from measure import WORK, built_floor, instructions, run, say

MIB = 1 << 20
JOBS = 64
BARS = {"all new": (2, None), "all unchanged": (1.3, 1.2)}


class Pair:
    """An empty library of podcastd and one of the C program with the same feeds, deleted when the block ends."""

    def __init__(self, addresses, floor):
        self.addresses, self.floor = addresses, floor

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="refresh-bench."))
        subscribe(self.folder / "data", self.addresses)
        urls = self.folder / "urls"
        urls.write_text("".join(f"{address}\n" for address in self.addresses))
        return {"podcast-refresh": refreshing(self.folder / "data", JOBS),
                "floor": [self.floor, self.folder / "floor.db", urls]}

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)


def refresh(table, rounds=3):
    floor = built_floor("refresh_floor", "libcurl", "libxml-2.0", "sqlite3")
    names = [path.name for path in inputs.small_feeds()]
    samples = {(state, who): [] for state in BARS for who in ("podcast-refresh", "floor")}
    with FileServer(WORK / "small", delay=50) as base:
        for turn in range(rounds + 1):
            with Pair([f"{base}/{name}" for name in names], floor) as commands:
                for state in BARS:
                    for who, command in commands.items():
                        sample = run(command, env=ALONE)
                        if turn:
                            samples[state, who].append(sample)
    say("  counting instructions of 200 feeds: some minutes")
    with FileServer(WORK / "small") as base, Pair([f"{base}/{name}" for name in names[:200]], floor) as commands:
        counts = {(state, who): instructions(command, env=ALONE) for state in BARS for who, command in commands.items()}
    for state, (cpu_bar, wall_bar) in BARS.items():
        ours, theirs = samples[state, "podcast-refresh"], samples[state, "floor"]
        for who, all in (("podcast-refresh", ours), ("floor", theirs)):
            table.add(f"{state}: {who}", f"{statistics.median(s[0] for s in all):.3f} s CPU, {statistics.median(s[1] for s in all):.2f} s, "
                      f"{max(s[2] for s in all) / MIB:.1f} MiB")
        cpu = statistics.median(a[0] / b[0] for a, b in zip(ours, theirs))
        table.add(f"{state}: CPU / floor", f"{cpu:.2f}", f"≤ {cpu_bar:g}", cpu <= cpu_bar)
        ratio = counts[state, "podcast-refresh"] / counts[state, "floor"]
        table.add(f"{state}: instructions / floor, 200 feeds", f"{ratio:.2f}")
        if wall_bar:
            wall = statistics.median(a[1] / b[1] for a, b in zip(ours, theirs))
            table.add(f"{state}: wall / floor", f"{wall:.2f}", f"≤ {wall_bar:g}", wall <= wall_bar)


def many(table, count=10_000):
    """The same thousand feeds at ten addresses each."""
    names = [path.name for path in inputs.small_feeds()]
    folder = Path(tempfile.mkdtemp(prefix="refresh-bench."))
    try:
        with FileServer(WORK / "small") as base:
            subscribe(folder, [f"{base}/{names[n % len(names)]}?{n // len(names)}" for n in range(count)])
            for state in BARS:
                cpu, wall, memory = run(refreshing(folder, JOBS), env=ALONE)
                table.add(f"{state}: podcast-refresh", f"{cpu:.1f} s CPU, {wall:.1f} s")
                table.add(f"{state}: peak RSS", f"{memory / MIB:.1f} MiB", "≤ 64 MB", memory <= 64e6)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
