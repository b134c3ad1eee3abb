"""Cost of synchronization in a library of 10,000 subscriptions and 1,000,000 episodes that were all heard."""
import base64
import http.client
import json
import shutil
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import library_question
from daemons import Daemon
from measure import BIN, ROOT, WORK, memory, processor_time, say

FEEDS = 10_000
EPISODES = 1_000_000


def prepared():
    """The folder of the library, which the first call fills."""
    data = WORK / f"sync-{EPISODES}"
    path = data / "library.db"
    if path.exists():
        return data
    say(f"  filling a library of {FEEDS} feeds and {EPISODES} heard episodes")
    data.mkdir(parents=True, exist_ok=True)
    with Daemon(data=data):
        pass
    library_question.PER_FEED = EPISODES // FEEDS
    library_question.fill(path, EPISODES)
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in ("PRAGMA synchronous=OFF", "BEGIN",
                      "INSERT INTO playback(episode, position, last_played) SELECT id, 600000, 1700000000000 + id FROM episode "
                      "WHERE id NOT IN (SELECT episode FROM playback)",
                      # Two hours ago, so that nothing counts as changed just now.
                      "UPDATE library_change SET revision = revision - 7200000",
                      "UPDATE change_log SET revision = (SELECT max(revision) FROM library_change)", "COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)"):
        connection.execute(statement)
    connection.close()
    return data


class Web:
    """podcast-web of a daemon for the user anna."""

    def __init__(self, daemon):
        self.folder = Path(tempfile.mkdtemp(prefix="podcastd-sync."))
        password = subprocess.run([BIN / "podcast-web", "--hash-password"], input="sesame\n", capture_output=True, text=True, check=True)
        config = self.folder / "web.conf"
        config.write_text(f"[users]\nanna = admin {password.stdout.strip()}\n")
        config.chmod(0o600)
        self.process = subprocess.Popen(
            [BIN / "podcast-web", "--socket", daemon.socket, "--config", config, "--files", ROOT / "web", "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split("//")[1].strip().strip("/")
        self.connection = http.client.HTTPConnection(self.address, timeout=600)
        self.login = "Basic " + base64.b64encode(b"anna:sesame").decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method, path, body=None):
        self.connection.request(method, path, body and json.dumps(body), {"Authorization": self.login})
        answer = self.connection.getresponse()
        size, start = 0, b""
        while piece := answer.read(1 << 16):
            start = start or piece
            size += len(piece)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {start[:300]}")
        return size


def usual(web, turn):
    """What AntennaPod does after an episode: subscriptions and acts since the last time, and a new act."""
    since = int(time.time()) - 60
    web.ask("GET", f"/api/2/subscriptions/anna/phone.json?since={since}")
    web.ask("GET", f"/api/2/episodes/anna.json?since={since}")
    number = 1000 * (turn + 1)
    web.ask("POST", "/api/2/episodes/anna.json", [{
        "podcast": f"https://feeds.example.org/{1 + (number - 1) // (EPISODES // FEEDS)}.xml",
        "episode": f"https://cdn.example.org/{number // (EPISODES // FEEDS)}/{number}.mp3", "device": "phone", "action": "play",
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()), "started": 0, "position": 900, "total": 3600}])


def sync(table):
    turns = 20
    with Daemon(data=prepared()) as daemon, Web(daemon) as web:
        usual(web, turns)
        pids = (daemon.process.pid, web.process.pid)
        before = sum(map(processor_time, pids))
        for turn in range(turns):
            usual(web, turn)
        cost = (sum(map(processor_time, pids)) - before) * 1e3 / turns
        table.add("a client's usual synchronization, daemon and podcast-web", f"{cost:.1f} ms CPU", "≤ 50", cost <= 50)
        held = [memory(pid)[1] for pid in pids]
        begin = time.monotonic()
        size = web.ask("GET", "/api/2/episodes/anna.json?since=0")
        grown = [(memory(pid)[1] - one) / 1e6 for pid, one in zip(pids, held)]
        table.add("the first download of a client, all acts", f"{size / 1e6:.0f} MB in {time.monotonic() - begin:.1f} s")
        table.add("memory that it takes: daemon, podcast-web", f"{grown[0]:.1f} MB, {grown[1]:.1f} MB", "≤ 20 each", max(grown) <= 20)
