"""Runs the programs to be measured, each with temporary folders that are deleted when its block ends."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from measure import BIN, WORK


class Daemon:
    """podcastd with a temporary folder that is deleted when the block ends."""

    def __init__(self, output="null", data=None):
        self.folder = Path(tempfile.mkdtemp(prefix="podcastd-bench."))
        self.data = data or self.folder / "data"
        self.socket = self.folder / "control"
        self.output = output

    def __enter__(self):
        self.process = subprocess.Popen(
            [BIN / "podcastd", "--data-dir", self.data, "--cache-dir", self.folder / "cache", "--socket", self.socket,
             "--output", self.output], stderr=open(self.folder / "log", "w"))
        deadline = time.monotonic() + 20
        while True:
            try:
                self.connection = socket.socket(socket.AF_UNIX)
                self.connection.connect(str(self.socket))
                break
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise SystemExit("podcastd did not start: " + (self.folder / "log").read_text())
                time.sleep(0.02)
        self.lines = self.connection.makefile("rw", encoding="utf-8", newline="\n")
        self.lines.readline()
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.connection.close()
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, **parameters):
        self.lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}) + "\n")
        self.lines.flush()
        while True:
            answer = json.loads(self.lines.readline())
            if answer.get("id") == 1:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]


class Mpd:
    """mpd with an empty library and a given output block."""

    def __init__(self, output='type "null"\nname "null"'):
        self.folder = Path(tempfile.mkdtemp(prefix="mpd-bench."))
        self.socket = self.folder / "socket"
        (self.folder / "music").mkdir()
        (self.folder / "mpd.conf").write_text(
            f'music_directory "{self.folder}/music"\nbind_to_address "{self.socket}"\npid_file "{self.folder}/pid"\n'
            f'state_file "{self.folder}/state"\nzeroconf_enabled "no"\nmax_connections "2000"\naudio_output {{\n{output}\n}}\n')

    def __enter__(self):
        self.process = subprocess.Popen(["mpd", "--no-daemon", self.folder / "mpd.conf"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while not self.socket.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        if not self.socket.exists():
            raise SystemExit("mpd did not start")
        time.sleep(0.3)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def mpc(self, *words):
        subprocess.run(["mpc", "--host", str(self.socket), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class FileServer:
    """podcast-demo-server on loopback, with the files of a folder; yields its address."""

    def __init__(self, root, delay=0):
        self.root, self.delay = root, delay

    def __enter__(self):
        self.process = subprocess.Popen([BIN / "podcast-demo-server", "--root", self.root, "--delay", str(self.delay)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self.process.stdout.readline().strip().rstrip("/")

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()


# An unused socket path, so that refreshes of benchmarks report to no daemon.
ALONE = {"PODCASTD_SOCKET": str(WORK / "none")}


def refreshing(data, jobs):
    """The command that refreshes all feeds of a library."""
    return [BIN / "podcast-refresh", "--data-dir", data, "--quiet", "--force", "--jobs", str(jobs)]


def subscribe(data, addresses):
    """Imports feeds into a library that no daemon uses."""
    outlines = "".join(f'<outline type="rss" text="{address}" xmlUrl="{address}"/>' for address in addresses)
    opml = WORK / "subscriptions.opml"
    opml.write_text(f'<?xml version="1.0"?><opml version="2.0"><body>{outlines}</body></opml>')
    subprocess.run([BIN / "podcast-refresh", "--data-dir", data, "--quiet", "import", opml], check=True,
                   env={**os.environ, **ALONE})


def refresh(data):
    """Refreshes all feeds of a library that no daemon uses."""
    subprocess.run(refreshing(data, 16), check=True, env={**os.environ, **ALONE})
