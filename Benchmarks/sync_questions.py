"""Cost of synchronization in a library of 10,000 subscriptions and 1,000,000 episodes that were all heard."""
import base64
import http.client
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import inputs
import library_question
from daemons import Daemon, FileServer, refresh, subscribe
from measure import BIN, ROOT, WORK, memory, processor_time, say

FEEDS = 10_000
EPISODES = 1_000_000
KEY = "00112233445566778899aabb"
PER_FEED = 100
CHANGES = int(os.environ.get("PEER_CHANGES", 100_000))


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
    """podcast-web of a daemon for the user anna, and for a paired podcastd."""

    def __init__(self, daemon):
        self.folder = Path(tempfile.mkdtemp(prefix="podcastd-sync."))
        password = subprocess.run([BIN / "podcast-web", "--hash-password"], input="sesame\n", capture_output=True, text=True, check=True)
        config = self.folder / "web.conf"
        config.write_text(f"[users]\nanna = admin {password.stdout.strip()}\n[peers]\nlaptop = {KEY}\n")
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


class Sync:
    """podcast-sync of a daemon, with a podcast-web of another one."""

    def __init__(self, daemon, web):
        self.folder = Path(tempfile.mkdtemp(prefix="podcastd-peers."))
        config = self.folder / "sync.conf"
        config.write_text(f"[accounts]\nhome = podcastd http://{web.address} laptop {KEY}\n")
        config.chmod(0o600)
        self.process = subprocess.Popen([BIN / "podcast-sync", "--socket", daemon.socket, "--config", config])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


def twins(folder):
    """Two libraries with the same refreshed feeds. Each episode was heard in the first one."""
    WORK.mkdir(parents=True, exist_ok=True)
    served = folder / "feeds"
    served.mkdir()
    for number in range(CHANGES // PER_FEED):
        (served / f"{number}.xml").write_text(inputs.feed(number + 9000, PER_FEED, 10))
    paths = [folder / "laptop", folder / "home"]
    with FileServer(served) as base:
        subscribe(paths[0], [f"{base}/{number}.xml" for number in range(CHANGES // PER_FEED)])
        refresh(paths[0])
    shutil.copytree(paths[0], paths[1])
    for data, statements in (
            (paths[1], ["UPDATE change_log SET device = lower(hex(randomblob(8)))"]),
            (paths[0], ["INSERT INTO playback(episode, position, last_played) SELECT id, 600000, 1700000000000 + id FROM episode"])):
        connection = sqlite3.connect(data / "library.db", isolation_level=None)
        for statement in ["BEGIN", *statements, "COMMIT"]:
            connection.execute(statement)
        connection.close()
    return paths


def rows(data, condition):
    connection = sqlite3.connect(f"file:{data}/library.db?mode=ro", uri=True)
    try:
        return connection.execute(f"SELECT count(*) FROM {condition}").fetchone()[0]
    finally:
        connection.close()


def wait(is_so, limit=600):
    """Seconds until something is so."""
    begin = time.monotonic()
    while not is_so():
        if time.monotonic() > begin + limit:
            raise SystemExit("the exchange did not end")
        time.sleep(0.005)
    return time.monotonic() - begin


def peak(pid):
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return int(fields["VmHWM"].split()[0]) * 1024


def peers(table):
    folder = Path(tempfile.mkdtemp(prefix="podcastd-twins."))
    try:
        say(f"  filling two libraries of {CHANGES} episodes")
        here, there = twins(folder)
        with Daemon(data=here) as laptop, Daemon(data=there) as home, Web(home) as web:
            held = [peak(one.process.pid) for one in (laptop, home, web)]
            heard = "playback WHERE position = 600000"
            with Sync(laptop, web) as sync:
                pids = [one.process.pid for one in (laptop, home, web, sync)]
                used = [processor_time(pid) for pid in pids]
                took = wait(lambda: any(one.get("lastSync") for one in laptop.call("sync.accounts")["accounts"]))
                cost = sum(processor_time(pid) for pid in pids) - sum(used)
                table.add(f"the first exchange of {rows(there, heard)} changes, after a dry run", f"{took:.1f} s, {cost:.1f} s CPU of all")
                grown = [(peak(pid) - one) / 1e6 for pid, one in zip(pids, held)]
                table.add("peak memory that it adds: daemon here and there, podcast-web", ", ".join(f"{one:.1f} MB" for one in grown),
                          "≤ 20 each", max(grown) <= 20)
                table.add("peak memory of podcast-sync, with libraries", f"{peak(pids[3]) / 1e6:.1f} MB")
                laptop.call("sync.now")
                nothing(table, laptop, pids)
                one_act(table, laptop, there)
                stars(table, laptop, there, pids)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def nothing(table, laptop, pids):
    turns = 20
    before = [processor_time(pid) for pid in pids]
    for _ in range(turns):
        laptop.call("sync.now")
    used = [(processor_time(pid) - one) * 1e3 / turns for pid, one in zip(pids, before)]
    for side, cost in (("here", used[0] + used[3]), ("there", used[1] + used[2])):
        table.add(f"a synchronization of nothing, {side}", f"{cost:.1f} ms CPU", "≤ 5", cost <= 5)


def one_act(table, laptop, there):
    waits = []
    for number in range(1, 21):
        begin = time.monotonic()
        laptop.call("episodes.note", episode=f"e{number}", text="a note")
        wait(lambda: rows(there, "note") >= number)
        waits.append(time.monotonic() - begin)
    median = statistics.median(waits) * 1e3
    table.add("an act arrives there", f"{median:.0f} ms", "≤ 200", median <= 200)


def stars(table, laptop, there, pids):
    starred = rows(there, "episode WHERE starred = 1")
    plain = [f"e{number}" for number in range(1, 1001)]
    before = sum(map(processor_time, pids))
    begin = time.monotonic()
    laptop.call("episodes.star", what=plain)
    here = time.monotonic() - begin
    wait(lambda: rows(there, "episode WHERE starred = 1") >= starred + 1000)
    took = time.monotonic() - begin
    cost = sum(map(processor_time, pids)) - before
    table.add("1,000 stars, here and until they are there", f"{here:.2f} s, {took:.2f} s, {cost:.2f} s CPU of all",
              "≤ 0.5 after those here", took - here <= 0.5)
