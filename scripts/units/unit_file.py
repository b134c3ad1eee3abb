"""Reads unit files and systemd's groups of system calls."""
import subprocess


class UnitFile:
    """The lines of one section: each name with its values in order. An empty value removes those before it."""

    def __init__(self, path, section="Service", without=(), extra=()):
        """`without` lists lines to omit, in the exact spelling; `extra` adds lines at the end of the section."""
        self.path = path
        self.values = {}
        missing = set(without)
        current = None
        for line in open(path):
            line = line.strip()
            if line.startswith("["):
                current = line[1:-1]
            elif current == section and line and line[0] not in "#;":
                if line in missing:
                    missing.discard(line)
                else:
                    self._take(line)
        for line in extra:
            self._take(line)
        if missing:
            raise ValueError(f"{path} has no line {missing.pop()}")

    def _take(self, line):
        name, _, value = line.partition("=")
        values = self.values.setdefault(name, [])
        if value:
            values.append(value)
        else:
            values.clear()

    def text(self, name, default=None):
        """The last value of a line, or the default."""
        values = self.values.get(name)
        return values[-1] if values else default

    def words(self, name):
        """All words of all values of a line."""
        return [word for value in self.values.get(name, []) for word in value.split()]

    def is_on(self, name):
        return self.text(name, "no") in ("yes", "true", "on", "1")


def expand(names):
    """The system calls that names and @groups stand for in this machine's systemd."""
    calls = set()
    for name in names:
        if not name.startswith("@"):
            calls.add(name)
            continue
        listing = subprocess.run(
            ["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True).stdout
        inner = [line.strip() for line in listing.splitlines()[1:]]
        calls |= expand([word for word in inner if word and not word.startswith("#")])
    return calls


def allowed_calls(unit):
    """The calls that SystemCallFilter= allows; the first line decides whether it is an allow list (systemd.exec(5))."""
    lists = unit.values.get("SystemCallFilter", [])
    if not lists:
        return None
    if lists[0].startswith("~"):
        raise ValueError(f"{unit.path}: SystemCallFilter= must begin with an allow list")
    calls = expand(["@default"])
    for words in lists:
        if words.startswith("~"):
            calls -= expand(words[1:].split())
        else:
            calls |= expand(words.split())
    return calls
