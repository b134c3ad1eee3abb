"""Cost of a library of a million episodes: storing, file size, pages of lists, searches."""
import itertools
import os
import random
import sqlite3
import statistics
import subprocess
import time

import inputs
from daemons import Daemon, FileServer, refresh, subscribe
from measure import BIN, WORK, processor_time, run, say

EPISODES = int(os.environ.get("LIBRARY_EPISODES", 1_000_000))
PER_FEED = 250
PAGE = 50


class Words:
    """Text with the word frequencies of a natural language, which depend on a word's rank."""

    def __init__(self, seed=7):
        self.source = random.Random(seed)
        syllables = "ka to mi re su in com pre an lo vi der st ra ne pol qu em or the".split()
        self.words = "the and of to a in is with we this episode on for our about".split()
        while len(self.words) < 40_000:
            self.words.append("".join(self.source.choices(syllables, k=self.source.randint(1, 4))))
        self.weights = list(itertools.accumulate(1 / (rank + 5) for rank in range(len(self.words))))

    def text(self, count):
        return " ".join(self.source.choices(self.words, cum_weights=self.weights, k=count))


def fill(path, episodes):
    """Writes rows as a merge would, into a library that has the schema."""
    words = Words()
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in ("PRAGMA synchronous=OFF", "PRAGMA cache_size=-100000", "BEGIN"):
        connection.execute(statement)
    feeds = max(1, episodes // PER_FEED)
    connection.executemany("INSERT INTO feed(id, url, title, subscribed, language) VALUES (?, ?, ?, 0, 'en')",
                           ((n, f"https://feeds.example.org/{n}.xml", f"Feed {words.text(2)} {n}") for n in range(1, feeds + 1)))
    pool = [words.text(120) for _ in range(20_000)]
    source = words.source

    def rows():
        for number in range(1, episodes + 1):
            played, begun = number % 20 == 7, number % 100 == 3
            published = (1_500_000_000 + source.randrange(250_000_000)) * 1000
            key = number * 0x9E3779B97F4A7C15 % (1 << 63)
            yield (number, 1 + (number - 1) // PER_FEED, 2 if played else 1 if begun else 0, number % 100 == 5, number % 100 == 9,
                   published, key, key ^ 1, key ^ 2, key ^ 3, f"Episode {number % 400}: {words.text(5)}",
                   f"https://cdn.example.org/{number // PER_FEED}/{number}.mp3", f"{number:x}-{key:x}")

    connection.executemany(
        "INSERT INTO episode(id, feed, section, starred, downloaded, dated, published, first_seen, guid_key, title_key, url_key, "
        "media_key, digest, notes_digest, title, url, guid, type, duration) "
        "VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?6, ?7, ?8, ?9, ?10, ?7, ?8, ?11, ?12, ?13, 'audio/mpeg', 3600000)", rows())
    connection.executemany(
        "INSERT INTO episode_notes(episode, content) VALUES (?, ?)",
        ((number, source.choice(pool)[number % 100:] + " " + words.text(12)) for number in range(1, episodes + 1)))
    for statement in (f"UPDATE feed SET last_episode = {episodes}",
                      "UPDATE feed_count SET (starred, downloaded) = "
                      "(SELECT sum(starred), sum(downloaded) FROM episode e WHERE e.feed = feed_count.feed)",
                      "COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)"):
        connection.execute(statement)
    connection.close()


def index(daemon, path):
    """Lets the daemon finish indexing; returns its CPU seconds."""
    before = processor_time(daemon.process.pid)
    daemon.call("feeds.changed", feeds=[1])
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    while connection.execute("SELECT min(searched_through, titled_through, addressed_through) < (SELECT max(id) FROM episode) "
                             "FROM index_state").fetchone()[0]:
        time.sleep(0.2)
    connection.close()
    return processor_time(daemon.process.pid) - before


def storing(table):
    """A feed of 5,000 items through podcast-refresh and the daemon's indexing, compared with the sqlite3 shell."""
    served = inputs.big_feed()
    with Daemon() as daemon:
        data, path = daemon.data, daemon.data / "library.db"
        with FileServer(served.parent) as base:
            subscribe(data, [f"{base}/{served.name}"])
            begin = os.times()
            refresh(data)
            end = os.times()
        fetched = end.children_user + end.children_system - begin.children_user - begin.children_system
        indexed = index(daemon, path)
        script = WORK / "rows.sql"
        with open(script, "w") as out:
            schema = subprocess.run(["sqlite3", path, "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND "
                                     "name NOT LIKE 'sqlite%' AND name NOT GLOB '*search_*' ORDER BY rowid"],
                                    capture_output=True, text=True, check=True).stdout
            # The pattern above does not match title_search itself.
            extra = subprocess.run(["sqlite3", path, "SELECT sql || ';' FROM sqlite_schema WHERE name = 'title_search'"],
                                   capture_output=True, text=True, check=True).stdout
            out.write("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;\nBEGIN;\n" + schema + extra)
            for name in ("feed", "episode", "episode_notes", "person", "chapter", "transcript"):
                dump = subprocess.run(["sqlite3", path, f".mode insert {name}", f"SELECT * FROM {name}"],
                                      capture_output=True, text=True, check=True).stdout
                out.write(dump)
            out.write("INSERT INTO episode_address SELECT media_key, id FROM episode ORDER BY 1;\n"
                      "INSERT INTO title_search(rowid, title) SELECT id, title FROM episode;\n"
                      "INSERT INTO search(rowid, title, summary, content) SELECT id, title, summary, content FROM episode "
                      "JOIN episode_notes ON episode = id;\nCOMMIT;\n")

        def shell():
            target = WORK / "rows.db"
            for suffix in ("", "-wal", "-shm"):
                target.with_name(target.name + suffix).unlink(missing_ok=True)
            return run(["sh", "-c", f"sqlite3 {target} < {script} >/dev/null"])[0]

        floor = statistics.median(shell() for _ in range(3))
    # Our figure includes fetching, parsing and converting notes, so it is an upper bound.
    ours = fetched + indexed
    table.add("fetching, parsing and storing 5,000 items, with index", f"{ours:.2f} s CPU ({indexed:.2f} of it indexing); the shell's storing {floor:.2f} s")
    table.add("ours / the shell's", f"{ours / floor:.2f}", "≤ 3", ours <= 3 * floor)


def asking(daemon, times, method, **parameters):
    """CPU milliseconds of the daemon and median wall milliseconds of one request."""
    daemon.call(method, **parameters)
    walls = []
    before = processor_time(daemon.process.pid)
    for _ in range(times):
        begin = time.monotonic()
        answer = daemon.call(method, **parameters)
        walls.append(time.monotonic() - begin)
    return (processor_time(daemon.process.pid) - before) * 1e3 / times, statistics.median(walls) * 1e3, answer


def prepared():
    """The folder of a library with EPISODES episodes, which the first call fills and indexes."""
    data = WORK / f"library-{EPISODES}"
    path = data / "library.db"
    if not (data / "indexed").exists():
        say(f"  filling a library of {EPISODES:,} episodes: some minutes")
        data.mkdir(parents=True, exist_ok=True)
        for old in data.iterdir():
            old.unlink()
        with Daemon(data=data):
            pass
        fill(path, EPISODES)
        with Daemon(data=data) as daemon:
            seconds = index(daemon, path)
        (data / "indexed").write_text(f"{seconds:.0f}")
    return data


def library(table):
    storing(table)
    data = prepared()
    path = data / "library.db"
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    text = connection.execute("SELECT sum(length(title)) + (SELECT sum(length(coalesce(summary, '')) + length(coalesce(content, ''))) "
                              "FROM episode_notes) FROM episode").fetchone()[0]
    connection.close()
    size = path.stat().st_size
    table.add("indexing all of it", f"{(data / 'indexed').read_text()} s CPU")
    table.add("the file / its plain text", f"{size / text:.2f}  ({size / 1e6:.0f} MB, {text / 1e6:.0f} MB)", "≤ 2.2", size <= 2.2 * text)

    with Daemon(data=data) as daemon:
        views = {"all": {}, "unplayed": {"unplayed": True}, "in progress": {"inProgress": True}, "starred": {"starred": True},
                 "one feed": {"feed": "17"}}
        worst = {}
        for filters in views.values():
            first = daemon.call("episodes.list", limit=PAGE, **filters)
            middle = daemon.call("episodes.list", limit=PAGE, after=first["episodes"][-1]["key"], **filters)
            pages = {"first": {}, "last": {"last": True}, "next": {"after": first["episodes"][-1]["key"]},
                     "previous": {"before": middle["episodes"][0]["key"]}}
            for page, anchor in pages.items():
                cpu, _, _ = asking(daemon, 100, "episodes.list", limit=20, **filters, **anchor)
                worst[page] = max(worst.get(page, 0), cpu)
        for page, cpu in worst.items():
            table.add(f"{page} page of a named view, the slowest of {len(views)}", f"{cpu:.2f} ms CPU", "< 1 ms", cpu < 1)
        names = ("unplayed", "starred", "downloaded", "inProgress")
        slowest = max((asking(daemon, 20, "episodes.list", limit=PAGE, **dict.fromkeys(chosen, True), **feed)[0], chosen, list(feed))
                      for count in range(5) for chosen in itertools.combinations(names, count) for feed in ({}, {"feed": "17"}))
        table.add("first page of any combination of filters, the slowest", f"{slowest[0]:.2f} ms CPU  {slowest[1]} {slowest[2]}",
                  "< 10 ms", slowest[0] < 10)
        words = Words().words
        searches = ["the", "episode", "the and", words[300], words[9_000], words[30_000], "\"the and\"", "\"with " + words[40] + "\"",
                    "t", "th", "in", "kat", words[300][:5], "the " + words[20_000], "episode -the", "the -" + words[500], "xyzzy", "東京"]
        for text in searches:
            for filters in ({}, {"unplayed": True}, {"starred": True}, {"feed": "17"}):
                cpu, wall, answer = asking(daemon, 10, "episodes.list", limit=PAGE, search=text, **filters)
                found = f"{answer['count']}{'' if answer['countIsExact'] else '+'}"
                table.add(f"search {text!r} {' '.join(filters)}", f"{cpu:.1f} ms CPU, {wall:.1f} ms, {found}", "≤ 50 ms", cpu <= 50)
        deep = daemon.call("episodes.list", limit=PAGE, search="the")
        # The kernel's CPU times are too coarse for single pages.
        walls, before = [], processor_time(daemon.process.pid)
        for _ in range(100):
            begin = time.monotonic()
            deep = daemon.call("episodes.list", limit=PAGE, search="the", after=deep["next"])
            walls.append(time.monotonic() - begin)
        cpu = (processor_time(daemon.process.pid) - before) * 1e3 / len(walls)
        table.add("a later page of a search", f"{cpu:.1f} ms CPU, {statistics.median(walls) * 1e3:.1f} ms", "< 5 ms", cpu < 5)
        first = daemon.call("episodes.list", limit=PAGE, unplayed=True, starred=True)
        cpu, wall, _ = asking(daemon, 100, "episodes.list", limit=PAGE, unplayed=True, starred=True, after=first["next"])
        table.add("a later page of two filters", f"{cpu:.1f} ms CPU, {wall:.1f} ms", "< 5 ms", cpu < 5)
