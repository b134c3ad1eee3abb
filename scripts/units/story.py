"""Runs daemon, decoder and refresh under the restrictions of the system units and reports whether they work.

Usage: story.py PROGRAMS            (the folder of the built programs; needs root for namespaces)
"""
import json
import os
import re
import select
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

from confine import Confinement, kernel_has_landlock
from unit_file import UnitFile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNITS = f"{ROOT}/systemd/system"
USER, LISTENER = 61234, 61235
# Seconds for each step, and for each step of a run that is expected to fail.
PATIENCE = 20
SHORT_PATIENCE = 6


class Failed(Exception):
    """A step failed; the message says which."""


class Stage:
    """The folders of a system, a feed on loopback, and systemd's ends of the sockets."""

    def __init__(self, programs, patience):
        self.programs = programs
        self.patience = patience
        self.path = tempfile.mkdtemp(prefix="podcastd-units-")
        os.chmod(self.path, 0o755)
        for folder in ("etc", "run/systemd/journal", "run/podcastd", "var/lib", "var/cache"):
            os.makedirs(f"{self.path}/{folder}")
        self.groups = {"audio": self._make_etc()}
        self.log = open(f"{self.path}/log", "w+")
        self.pids = []
        self.server = subprocess.Popen(
            [f"{programs}/podcast-demo-server", "--root", f"{ROOT}/Samples"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # A host name, so that name resolution is tested too.
        place = self.server.stdout.readline().strip().rstrip("/").replace("127.0.0.1", "localhost")
        self.feed = f"{place}/feed.xml"
        self.listener = self._socket("run/podcastd/control", socket.SOCK_STREAM, 0o660)
        self.listener.listen(64)
        self.notify = self._socket("run/systemd/notify", socket.SOCK_DGRAM, 0o777)
        self.notify.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self.journal = self._socket("run/systemd/journal/socket", socket.SOCK_DGRAM, 0o777)
        self.journal.settimeout(patience)
        self.set_output("null")

    def _make_etc(self):
        etc = f"{self.path}/etc"
        for name in ("hosts", "nsswitch.conf", "resolv.conf", "ld.so.cache", "localtime", "alsa", "ssl"):
            if os.path.isdir(f"/etc/{name}"):
                shutil.copytree(f"/etc/{name}", f"{etc}/{name}", symlinks=True)
            elif os.path.exists(f"/etc/{name}"):
                shutil.copy(f"/etc/{name}", f"{etc}/{name}")
        # The first line of a name counts, and this machine may have users and groups of these names.
        with open(f"{etc}/passwd", "w") as file:
            file.write(f"podcastd:x:{USER}:{USER}:Podcast player:/var/lib/podcastd:/usr/sbin/nologin\n")
            file.write(f"listener:x:{LISTENER}:{USER}:Somebody:/nonexistent:/usr/sbin/nologin\n")
            file.write(open("/etc/passwd").read())
        groups = open("/etc/group").read()
        with open(f"{etc}/group", "w") as file:
            file.write(f"podcastd:x:{USER}:\n{groups}")
        return int(re.search(r"^audio:[^:]*:(\d+)", groups, re.M).group(1))

    def _socket(self, name, kind, mode):
        made = socket.socket(socket.AF_UNIX, kind)
        made.bind(f"{self.path}/{name}")
        os.chmod(f"{self.path}/{name}", mode)
        os.chown(f"{self.path}/{name}", USER, USER)
        return made

    def set_output(self, sink):
        with open(f"{self.path}/etc/podcastd.conf", "w") as file:
            file.write(f"[output]\nsink = {sink}\n[control]\nusers = listener=read\n")

    def start(self, unit, **options):
        confinement = Confinement(unit, self.path, self.programs, USER, self.groups)
        self.pids.append(confinement.start(log=self.log.fileno(), **options))
        return self.pids[-1]

    def wait(self, pid):
        """The exit status of a process; fails after a timeout, or if a signal killed the process."""
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self.pids.remove(pid)
                if os.WIFSIGNALED(status):
                    raise Failed(f"killed by {signal.Signals(os.WTERMSIG(status)).name}")
                return os.WEXITSTATUS(status)
            time.sleep(0.02)
        raise Failed("still running after the timeout")

    def await_word(self, word, daemon):
        """Waits for a line of sd_notify(3), which only the main process may send."""
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            ended, status = os.waitpid(daemon, os.WNOHANG)
            if ended:
                self.pids.remove(daemon)
                raise Failed(f"the daemon exited with {os.waitstatus_to_exitcode(status)}")
            if not select.select([self.notify], [], [], 0.1)[0]:
                continue
            said, extra, _, _ = self.notify.recvmsg(4096, 256)
            sender = struct.unpack("3i", extra[0][2])[0]
            if sender != daemon:
                raise Failed(f"{said} came from process {sender}, not from the main one")
            if word in said.decode().splitlines():
                return
        raise Failed(f"the daemon did not send {word}")

    def control(self, *arguments, fails=False):
        result = subprocess.run(
            [f"{self.programs}/podcastctl", "--socket", f"{self.path}/run/podcastd/control", *arguments],
            capture_output=True, text=True, timeout=self.patience)
        if (result.returncode != 0) != fails:
            raise Failed(f"podcastctl {' '.join(arguments)}: {result.returncode} {result.stderr.strip()}")
        return result.stdout

    def ask_as_listener(self):
        """Requests the status as a user listed in the config file."""
        child = os.fork()
        if child == 0:
            is_answered = False
            try:
                os.setgroups([])
                os.setresgid(USER, USER, USER)
                os.setresuid(LISTENER, LISTENER, LISTENER)
                with socket.socket(socket.AF_UNIX) as client:
                    client.settimeout(self.patience)
                    client.connect(f"{self.path}/run/podcastd/control")
                    client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status.get"}\n')
                    lines = client.makefile()
                    lines.readline()
                    is_answered = '"result"' in lines.readline()
            except OSError:
                pass
            finally:
                os._exit(0 if is_answered else 1)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
            raise Failed("a user listed in the config file cannot read the status")

    def status(self):
        return json.loads(self.control("status", "--json"))

    def await_status(self, what, fits):
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            status = self.status()
            if status.get("error"):
                raise Failed(f"{what}: {status['error']}")
            if fits(status):
                return status
            time.sleep(0.05)
        raise Failed(f"not {what}: {status}")

    def close(self):
        for pid in self.pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        self.server.terminate()
        self.server.wait()
        for open_socket in (self.listener, self.notify, self.journal):
            open_socket.close()
        shutil.rmtree(self.path)


def start_daemon(stage, unit):
    # Discard messages of an earlier daemon.
    while select.select([stage.notify], [], [], 0)[0]:
        stage.notify.recv(4096)
    log = os.fstat(stage.log.fileno())
    environment = {"NOTIFY_SOCKET": "/run/systemd/notify", "JOURNAL_STREAM": f"{log.st_dev}:{log.st_ino}"}
    daemon = stage.start(unit, environment=environment, sockets=[stage.listener.fileno()])
    stage.await_word("READY=1", daemon)
    return daemon


def reload(stage, daemon):
    os.kill(daemon, signal.SIGHUP)
    stage.await_word("READY=1", daemon)


def play(stage, what):
    stage.control("play", what)
    return stage.await_status(f"playing {what}", lambda status: status["state"] == "playing" and status["position"] > 0.3)


def refresh(stage, unit, what):
    status = stage.wait(stage.start(unit))
    if status != 0:
        raise Failed(f"podcast-refresh {what} ended with {status}")


def first_sound(stage, daemon_unit):
    """The shortest run that uses daemon, podcast-refresh and decoder."""
    daemon = start_daemon(stage, daemon_unit)
    stage.ask_as_listener()
    stage.control("subscribe", stage.feed)
    play(stage, "e1")
    return daemon


def whole_story(stage, daemon_unit, refresh_unit):
    daemon = first_sound(stage, daemon_unit)
    entry = stage.journal.recv(4096).decode().splitlines()
    if "PRIORITY=5" not in entry or "PODCASTD_SECTION=daemon" not in entry:
        raise Failed(f"unexpected journal entry {entry}")
    refresh(stage, refresh_unit, "beside the daemon")
    play_into_files(stage, daemon)

    stage.set_output("null")
    reload(stage, daemon)
    stage.control("play", "e2")
    stage.control("seek", "0:03")
    played = stage.await_status("playing", lambda status: status["state"] == "playing" and status["position"] > 3)
    stage.await_word("WATCHDOG=1", daemon)
    os.kill(daemon, signal.SIGTERM)
    stage.await_word("STOPPING=1", daemon)
    if stage.wait(daemon) != 0:
        raise Failed("the daemon did not exit with status 0")
    await_nobody(stage)
    saved = library(stage).execute("SELECT max(position) FROM playback").fetchone()[0]
    if saved < played["position"] * 1000:
        raise Failed(f"the position saved is {saved}")

    refresh(stage, refresh_unit, "without a daemon")
    if select.select([stage.listener], [], [], 0)[0]:
        raise Failed("podcast-refresh connected to the socket, which would have started the daemon")

    daemon = start_daemon(stage, daemon_unit)
    play(stage, "e2")
    os.kill(daemon, signal.SIGKILL)
    os.waitpid(daemon, 0)
    stage.pids.remove(daemon)
    await_nobody(stage)


def play_into_files(stage, daemon):
    folder = f"{stage.path}/var/lib/podcastd"
    for kind in ("wav", "fifo"):
        stage.control("stop")
        place = f"{folder}/sound.{kind}"
        heard = []
        if kind == "fifo":
            os.mkfifo(place, 0o600)
            os.chown(place, USER, USER)
            reader = threading.Thread(target=lambda: heard.append(open(place, "rb").read(200_000)), daemon=True)
            reader.start()
        stage.set_output(f"{kind}:/var/lib/podcastd/sound.{kind}")
        reload(stage, daemon)
        play(stage, "e1")
        if kind == "fifo":
            reader.join(stage.patience)
            size = len(heard[0]) if heard else 0
        else:
            size = os.path.getsize(place)
        if size < 10_000:
            raise Failed(f"{kind}: only {size} bytes of sound arrived")
    stage.control("stop")
    # ALSA's null device discards all sound. libasound reads its config and opens it like a sound card.
    stage.set_output("alsa:null")
    reload(stage, daemon)
    stage.control("play", "e1")
    stage.await_status("at the end", lambda status: (status.get("reason") or "").startswith("the end of the queue"))


def await_nobody(stage):
    """Waits until the daemon's child processes have exited too."""
    deadline = time.monotonic() + stage.patience
    while left := processes_of(USER):
        if time.monotonic() > deadline:
            raise Failed(f"processes are still running: {left}")
        time.sleep(0.02)


def processes_of(user):
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.stat(f"/proc/{entry}").st_uid == user:
                found.append(int(entry))
        except FileNotFoundError:
            continue
    return found


def library(stage):
    return sqlite3.connect(f"{stage.path}/var/lib/podcastd/library.db")


def tell(programs, patience, story):
    """Runs a story on a separate stage; returns the error, or None, and the log."""
    stage = Stage(programs, patience)
    try:
        story(stage)
        return None, ""
    except (Failed, TimeoutError, subprocess.TimeoutExpired) as failure:
        stage.log.seek(0)
        return str(failure), stage.log.read()
    finally:
        stage.close()


DAEMON, REFRESHER = f"{UNITS}/podcastd.service", f"{UNITS}/podcast-refresh.service"
# WatchdogSec=2 makes the daemon send a watchdog signal every second. --force refreshes feeds that are not due.
QUICK = ["WatchdogSec=2"]
FORCED = ["ExecStart=/usr/local/bin/podcast-refresh --quiet --force"]

CONFINING = "SystemCallFilter=seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self"
FAMILIES = "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK"
# Unit, lines to remove, lines to add: with each of these changes the run must fail.
NEEDED = [
    (DAEMON, [CONFINING], [CONFINING.replace("seccomp ", "")]),
    (DAEMON, [FAMILIES], ["RestrictAddressFamilies=AF_UNIX"]),
    (DAEMON, ["StateDirectory=podcastd"], []),
    (DAEMON, [], ["PrivateUsers=yes"]),
    (REFRESHER, [FAMILIES], ["RestrictAddressFamilies=AF_UNIX"]),
    (REFRESHER, ["StateDirectory=podcastd"], []),
    (REFRESHER, [], ["SystemCallFilter=~@network-io"]),
]
if kernel_has_landlock():
    NEEDED.append((DAEMON, [CONFINING], ["SystemCallFilter=seccomp"]))


def refresh_alone(stage, daemon_unit, refresh_unit):
    start_daemon(stage, daemon_unit)
    stage.control("subscribe", stage.feed)
    refresh(stage, refresh_unit, "beside the daemon")


def main(programs):
    problem, log = tell(programs, PATIENCE, lambda stage: whole_story(
        stage, UnitFile(DAEMON, extra=QUICK), UnitFile(REFRESHER, extra=FORCED)))
    if problem:
        print(f"  with the unmodified units: {problem}\n{log}")
        return 1
    failed = 0
    for path, without, extra in NEEDED:
        if path == DAEMON:
            story = lambda stage: first_sound(stage, UnitFile(DAEMON, without=without, extra=extra))
        else:
            story = lambda stage: refresh_alone(
                stage, UnitFile(DAEMON), UnitFile(REFRESHER, without=without, extra=FORCED + extra))
        problem, log = tell(programs, SHORT_PATIENCE, story)
        words = " ".join([f"without {line}" for line in without] + [f"with {line}" for line in extra])
        if problem is None:
            print(f"  {os.path.basename(path)} also works {words}: this check does not test that line")
            failed = 1
        elif "VERBOSE" in os.environ:
            print(f"  {os.path.basename(path)} {words}: {problem}\n{log}")
    return failed


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
