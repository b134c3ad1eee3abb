"""Starts a program under the restrictions of a unit file, as systemd would, on a machine without systemd.

Stricter than systemd in one point: a forbidden system call kills the process, while the units make it fail with EPERM.
A program that works here therefore makes no forbidden call.
"""
import ctypes
import errno
import os
import resource
import socket

import seccomp

from unit_file import allowed_calls

# Lines that processes cannot notice, or that systemd handles before the start and after the end.
OF_NO_CONCERN = {
    "Type", "NotifyAccess", "ExecReload", "Restart", "RestartSec", "KillMode", "TimeoutStopSec", "TimeoutStartSec",
    "RuntimeDirectoryPreserve", "SuccessExitStatus", "RemoveIPC", "KeyringMode", "AmbientCapabilities",
    "IOSchedulingClass", "SystemCallErrorNumber", "PrivateMounts", "SyslogLevel",
    "RestartPreventExitStatus",
}
APPLIED = {
    "ExecStart", "WatchdogSec", "User", "Group", "SupplementaryGroups", "StateDirectory", "StateDirectoryMode",
    "CacheDirectory", "CacheDirectoryMode", "RuntimeDirectory", "UMask", "LimitNOFILE", "Nice", "NoNewPrivileges",
    "CapabilityBoundingSet", "SecureBits", "ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices",
    "DevicePolicy", "DeviceAllow", "PrivateUsers", "ProtectProc", "ProcSubset", "ProtectClock", "ProtectControlGroups",
    "ProtectHostname", "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables", "PrivateIPC",
    "LockPersonality", "MemoryDenyWriteExecute", "RestrictAddressFamilies", "RestrictNamespaces", "RestrictRealtime",
    "RestrictSUIDSGID", "SystemCallArchitectures", "SystemCallFilter",
}
FOLDERS = {"StateDirectory": "var/lib", "CacheDirectory": "var/cache", "RuntimeDirectory": "run"}

libc = ctypes.CDLL(None, use_errno=True)
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_MOVE, MS_REC, MS_PRIVATE = (
    1, 2, 4, 8, 4096, 8192, 16384, 1 << 18)
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER = 0x20000, 0x4000000, 0x8000000, 0x10000000
NAMESPACES = (0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
SYS_MOUNT_SETATTR = 442
MOUNT_ATTR_RDONLY = 1
with open("/proc/sys/kernel/cap_last_cap") as file:
    LAST_CAPABILITY = int(file.read())


def checked(result, what):
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def mount(source, target, kind=None, flags=0, data=None):
    encode = lambda text: text.encode() if text is not None else None
    checked(libc.mount(encode(source), encode(target), encode(kind), flags, encode(data)), f"mount {target}")


def bind(source, target):
    mount(source, target, flags=MS_BIND | MS_REC)


def set_read_only(path, is_on, recursive=True):
    attributes = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY if is_on else 0, 0 if is_on else MOUNT_ATTR_RDONLY, 0, 0)
    flags = 0x8000 if recursive else 0  # AT_RECURSIVE
    checked(libc.syscall(SYS_MOUNT_SETATTR, -100, path.encode(), flags, attributes, 32), f"mount_setattr {path}")


def prctl(option, *arguments):
    filled = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    checked(libc.prctl(option, *filled), f"prctl {option}")


def kernel_has_landlock():
    return libc.syscall(444, None, 0, 1) > 0  # landlock_create_ruleset(2), which returns the ABI version


class Confinement:
    """The restrictions of a unit, applied to one program.

    `stage` is a folder with etc, run, var/lib and var/cache, which the program sees at their usual paths; it sees
    `programs` as the folder of ExecStart=.
    """

    def __init__(self, unit, stage, programs, user, groups):
        unknown = set(unit.values) - APPLIED - OF_NO_CONCERN
        if unknown:
            raise ValueError(f"{unit.path}: this script does not support {', '.join(sorted(unknown))}=")
        self.unit, self.stage, self.programs, self.user, self.groups = unit, stage, programs, user, groups
        self.calls = allowed_calls(unit)
        self.command = unit.text("ExecStart").split()

    def make_folders(self):
        for name, parent in FOLDERS.items():
            for folder in self.unit.words(name):
                path = f"{self.stage}/{parent}/{folder}"
                os.makedirs(path, exist_ok=True)
                os.chmod(path, int(self.unit.text(name + "Mode", "0755"), 8))
                os.chown(path, self.user, self.user)

    def environment(self):
        values = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/var/lib/podcastd", "USER": "podcastd",
            "LOGNAME": "podcastd", "LANG": "C.UTF-8",
        }
        for name, parent in FOLDERS.items():
            if self.unit.words(name):
                variable = name.replace("Directory", "_DIRECTORY").upper()
                values[variable] = ":".join(f"/{parent}/{folder}" for folder in self.unit.words(name))
        return values

    def start(self, environment=(), sockets=(), log=None):
        """Starts the program and returns its process id."""
        self.make_folders()
        values = {**self.environment(), **dict(environment)}
        began, go = os.pipe(), os.pipe()
        child = os.fork()
        if child == 0:
            os.close(go[1])
            try:
                self._become(values, sockets, log, began[1], go[0])
            except BaseException as problem:
                os.write(2, f"{self.unit.path}: {problem}\n".encode())
            os._exit(126)
        os.close(began[1])
        os.close(go[0])
        # The maps of a user namespace are written from outside, after it was created.
        if os.read(began[0], 1):
            for kind in ("uid", "gid"):
                with open(f"/proc/{child}/{kind}_map", "w") as file:
                    file.write(f"0 0 1\n{self.user} {self.user} 1\n")
        os.close(began[0])
        os.close(go[1])
        return child

    def _become(self, environment, sockets, log, began, go):
        os.setsid()
        if log is not None:
            os.dup2(log, 1)
            os.dup2(log, 2)
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        self._see_files()
        os.setgroups([self.groups[name] for name in self.unit.words("SupplementaryGroups")])
        if self.unit.is_on("PrivateUsers"):
            checked(libc.unshare(CLONE_NEWUSER), "unshare")
            os.write(began, b"u")
            os.read(go, 1)
        if sockets:
            environment.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(sockets)), LISTEN_FDNAMES="control")
        watchdog = self.unit.text("WatchdogSec")
        if watchdog:
            environment.update(WATCHDOG_USEC=str(int(float(watchdog) * 1e6)), WATCHDOG_PID=str(os.getpid()))
        copies = [os.dup(descriptor) for descriptor in sockets]
        for place, descriptor in enumerate(copies, 3):
            os.dup2(descriptor, place, inheritable=True)
        os.closerange(3 + len(copies), 1024)
        self._give_up_rights()
        # Loaded last: the filter forbids much of what was done above.
        self._filter()
        os.execve(self.command[0], self.command, environment)

    # Files and devices that the program sees.

    def _see_files(self):
        unit = self.unit
        flags = CLONE_NEWNS
        if unit.is_on("PrivateIPC"):
            flags |= CLONE_NEWIPC
        if unit.is_on("ProtectHostname"):
            flags |= CLONE_NEWUTS
        checked(libc.unshare(flags), "unshare")
        mount(None, "/", flags=MS_REC | MS_PRIVATE)
        devices = self._devices()
        bind(self.programs, os.path.dirname(self.command[0]))
        for folder in ("etc", "run", "var/lib", "var/cache"):
            bind(f"{self.stage}/{folder}", f"/{folder}")
        if devices:
            mount(devices, "/dev", flags=MS_MOVE)
        if unit.text("ProtectSystem") == "strict":
            set_read_only("/", True)
            for name, parent in FOLDERS.items():
                for folder in unit.words(name):
                    path = f"/{parent}/{folder}"
                    bind(path, path)
                    set_read_only(path, False)
        if unit.is_on("PrivateTmp"):
            for folder in ("/tmp", "/var/tmp"):
                mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777")
        if unit.is_on("ProtectHome"):
            for folder in ("/home", "/root"):
                mount("tmpfs", folder, "tmpfs", MS_RDONLY, "mode=000")
        options = []
        if unit.text("ProtectProc"):
            options.append(f"hidepid={unit.text('ProtectProc')}")
        if unit.text("ProcSubset") == "pid":
            options.append("subset=pid")
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, ",".join(options) or None)
        if unit.is_on("ProtectKernelTunables"):
            set_read_only("/sys", True)
            if unit.text("ProcSubset") != "pid":
                bind("/proc/sys", "/proc/sys")
                set_read_only("/proc/sys", True)

    def _devices(self):
        """A /dev with the devices that the unit allows, ready to be moved to its place."""
        unit = self.unit
        if not unit.is_on("PrivateDevices") and unit.text("DevicePolicy") != "closed":
            return None
        folder = f"{self.stage}/dev"
        os.makedirs(folder, exist_ok=True)
        mount("tmpfs", folder, "tmpfs", MS_NOSUID, "mode=755")
        names = ["null", "zero", "full", "random", "urandom", "tty"]
        if not unit.is_on("PrivateDevices") and "char-alsa" in unit.words("DeviceAllow") and os.path.isdir("/dev/snd"):
            names.append("snd")
        for name in names:
            place = f"{folder}/{name}"
            if os.path.isdir(f"/dev/{name}"):
                os.mkdir(place)
            else:
                open(place, "w").close()
            bind(f"/dev/{name}", place)
        return folder

    # Privileges.

    def _give_up_rights(self):
        unit = self.unit
        os.umask(int(unit.text("UMask", "0022"), 8))
        if unit.text("Nice"):
            os.nice(int(unit.text("Nice")))
        if unit.text("LimitNOFILE"):
            limit = int(unit.text("LimitNOFILE"))
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        if "CapabilityBoundingSet" in unit.values and not unit.words("CapabilityBoundingSet"):
            for capability in range(LAST_CAPABILITY + 1):
                prctl(24, capability)  # PR_CAPBSET_DROP
        if "noroot-locked" in unit.words("SecureBits"):
            prctl(28, 2)  # PR_SET_SECUREBITS
        os.setresgid(self.user, self.user, self.user)
        os.setresuid(self.user, self.user, self.user)
        if unit.is_on("NoNewPrivileges"):
            prctl(38, 1)  # PR_SET_NO_NEW_PRIVS

    def _filter(self):
        """Loads one filter for each line, as systemd does; the kernel applies the strictest result."""
        unit = self.unit

        def deny(*rules, action=seccomp.KILL_PROCESS):
            layer = seccomp.SyscallFilter(seccomp.ALLOW)
            for name, *conditions in rules:
                layer.add_rule(action, name, *conditions)
            layer.load()

        def has(argument, bits):
            return seccomp.Arg(argument, seccomp.MASKED_EQ, bits, bits)

        if unit.is_on("MemoryDenyWriteExecute"):
            write_and_run, run = has(2, 2 | 4), has(2, 4)
            deny(("mmap", write_and_run), ("mprotect", run), ("pkey_mprotect", run), ("shmat", has(2, 0o100000)))
        if unit.is_on("RestrictSUIDSGID"):
            modes = (("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("mkdir", 1), ("mkdirat", 2))
            deny(*[(name, has(argument, bit)) for name, argument in modes for bit in (0o4000, 0o2000)])
        if unit.is_on("RestrictRealtime"):
            deny(("sched_setscheduler", seccomp.Arg(1, seccomp.GT, 0)))
        if unit.is_on("LockPersonality"):
            deny(("personality", seccomp.Arg(0, seccomp.NE, 0)))
        if unit.is_on("RestrictNamespaces"):
            # clone3's flags lie in memory, which no filter can read: the C library takes clone instead.
            deny(("clone3",), action=seccomp.ERRNO(errno.ENOSYS))
            deny(("unshare",), ("setns",), *[("clone", has(0, flag)) for flag in NAMESPACES])
        if unit.words("RestrictAddressFamilies"):
            wanted = {getattr(socket, name) for name in unit.words("RestrictAddressFamilies")}
            # As systemd answers: the C library asks for AF_NETLINK when it looks a name up, and does without.
            deny(*[("socket", seccomp.Arg(0, seccomp.EQ, number)) for number in range(46) if number not in wanted],
                 action=seccomp.ERRNO(errno.EAFNOSUPPORT))
        if self.calls is not None:
            layer = seccomp.SyscallFilter(seccomp.KILL_PROCESS)
            for name in sorted(self.calls):
                try:
                    layer.add_rule(seccomp.ALLOW, name)
                except (RuntimeError, OSError, ValueError):
                    # Calls of other architectures, and calls that this libseccomp has no name for.
                    continue
            layer.load()
