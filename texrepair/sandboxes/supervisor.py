"""The program inside the sandbox: it lays files, starts programs with their limits, and hands out what they wrote.

It needs Python's standard library and nothing else, runs as one process with one thread (and, where no namespace ends
with it, a parent that ends what it leaves), and is spoken to over its standard input and output. A frame is two
big-endian 32-bit lengths, a JSON object of the first length, and bytes of the second. Every request carries an `id` and
is answered with it; the end of a program is told unasked, as `ended`. When the input ends, everything that was started
is killed and the work folder is emptied: nothing survives the other side.

Programs share its user, so it believes nothing that they left: it enters folders one component at a time and never
through a link, and gives out regular files only, up to a size.
"""

# ruff: noqa: PTH106, PTH116, PTH208 (pathlib takes long to load)
from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import stat
import struct
import sys
import time
from contextlib import contextmanager, suppress

TYPE_CHECKING = False  # typing itself would take longer to load than all else here
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

HEAD = struct.Struct("!II")
LARGEST_REQUEST = 1 << 26
LINKED = 1 << 18  # files from this size on are hard links of the project's, not copies
GRACE = 2.0  # seconds between the interrupt and the kill
OPENING = 0.004  # seconds between looks whether an engine has opened its main file
COUNTING = 0.25  # seconds between counts of the processes and their memory
RESTING = 0.02  # seconds between looks at what a program prints, a few bytes at a time: a pipe holds as much …
TALKATIVE = 1 << 20  # … bytes after which it is not kept waiting
DEEP = 100  # levels of folders
LEAST = 1 << 14  # bytes for which a file counts
CEILING = 32  # the last of so many parts of the address space that a program may have …
FULL = 4  # … and the counts after which a program that stays there is taken to get no further
WEIGHING = 4  # counts between looks at the size of a work folder that nothing else bounds

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 36, 38
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446  # the same number on every architecture
READ_FILES = 1 << 0 | 1 << 2 | 1 << 3  # execute, read a file, read a folder
# The rights over files that each version of Landlock knows: refer came with 2, truncate with 3, device ioctl with 5.
ALL_FILES = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
ONLY_FOLDERS = ALL_FILES[5] & ~(1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15)  # what a rule on a file must not name

libc = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """A request that cannot be granted; its words go back to who asked."""


def check(value: int, doing: str) -> int:
    if value < 0:
        raise OSError(ctypes.get_errno(), f"{doing}: {os.strerror(ctypes.get_errno())}")
    return value


def landlock(readable: list[str], writable: list[str]) -> None:
    """Allow this process and its children to read below some paths, to do anything below others, and nothing else."""
    version = check(libc.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1), "landlock")
    every = ALL_FILES[min(version, 5)]
    network = 3 if version >= 4 else 0  # bind and connect over TCP
    scope = 3 if version >= 6 else 0  # abstract sockets and signals to processes outside
    handled = struct.pack("QQQ", every, network, scope)[: 8 if version < 4 else 16 if version < 6 else 24]
    rules = check(libc.syscall(LANDLOCK_CREATE, handled, ctypes.c_size_t(len(handled)), 0), "landlock")
    for paths, rights in ((readable, READ_FILES), (writable, every)):
        for path in paths:
            try:
                at = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except FileNotFoundError:
                continue
            of_a_file = 0 if stat.S_ISDIR(os.fstat(at).st_mode) else ONLY_FOLDERS
            rule = struct.pack("=Qi", rights & every & ~of_a_file, at)
            check(libc.syscall(LANDLOCK_ADD, rules, 1, rule, 0), f"landlock: {path}")
            os.close(at)
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    check(libc.syscall(LANDLOCK_RESTRICT, rules, 0), "landlock")
    os.close(rules)


def filter_calls(program: bytes) -> None:
    """Install a seccomp filter, for this process and its children."""
    code = ctypes.create_string_buffer(program, len(program))
    what = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    check(libc.prctl(PR_SET_SECCOMP, 2, what, 0, 0), "seccomp")


def parts(path: str) -> list[str]:
    names = path.split("/")
    if "\0" in path or any(name in ("", ".", "..") for name in names):
        raise Refused(f"not a relative path: {path!r}")
    return names


@contextmanager
def folder(root: int, names: list[str], make: bool = False) -> Iterator[int]:
    """A descriptor of a folder below `root`, never reached through a link."""
    at = os.dup(root)
    try:
        for name in names:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o700, dir_fd=at)
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
            os.close(at)
            at = below
        yield at
    finally:
        os.close(at)


def write(root: int, path: str, data: bytes | memoryview) -> None:
    """Write one file; whatever had its name, a link included, is replaced."""
    *above, name = parts(path)
    with folder(root, above, make=True) as at:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=at)
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=at)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
    finally:
        os.close(file)


def read(root: int, path: str, most: int) -> bytes | None:
    """What a regular file of at most so many bytes holds, or None."""
    *above, name = parts(path)
    try:
        with folder(root, above) as at:
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=at)
    except OSError:
        return None
    about = os.fstat(file)
    if not stat.S_ISREG(about.st_mode) or about.st_size > most:
        os.close(file)
        return None
    with os.fdopen(file, "rb") as whole:
        return whole.read(about.st_size)


def copy(source: int, target: int) -> None:
    """Lay in `target` the regular files of `source`. Large ones are shared, where their mode protects them."""
    for entry in os.scandir(source):
        if entry.is_dir(follow_symlinks=False):
            with folder(source, [entry.name]) as below, folder(target, [entry.name], make=True) as beside:
                copy(below, beside)
        elif entry.is_file(follow_symlinks=False):
            if os.geteuid() != 0 and entry.stat(follow_symlinks=False).st_size >= LINKED:
                os.chmod(entry.name, 0o400, dir_fd=source)
                os.link(entry.name, entry.name, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
            else:
                write(target, entry.name, read(source, entry.name, sys.maxsize) or b"")


def empty(at: int) -> None:
    """Remove what lies in a folder, as far as that goes.

    What lies very deep is moved up first, so that no depth is too much for the stack or the number of open files.
    """
    while sweep(at, at, 0):
        pass


def sweep(at: int, top: int, depth: int) -> bool:
    """Remove what lies in a folder; whether something had to be moved to the top for another time."""
    lifted = False
    for entry in list(os.scandir(at)):
        with suppress(OSError):
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.name, dir_fd=at)
                continue
            os.chmod(entry.name, 0o700, dir_fd=at)  # a folder that is moved must be writable itself
            if depth < DEEP:
                with folder(at, [entry.name]) as below:
                    lifted |= sweep(below, top, depth + 1)
                os.rmdir(entry.name, dir_fd=at)
            else:
                os.rename(entry.name, os.urandom(12).hex(), src_dir_fd=at, dst_dir_fd=top)
                lifted = True
    return lifted


def children(pid: int) -> list[int]:
    """The processes whose parent is this one, whichever of its threads started them."""
    found = b""
    with suppress(OSError):  # it may have ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            file = os.open(f"/proc/{pid}/task/{thread}/children", os.O_RDONLY | os.O_CLOEXEC)
            with os.fdopen(file, "rb") as lines:
                found += lines.read() + b" "
    return list(map(int, found.split()))


def descendants() -> list[int]:
    """All processes below us, those that lost their parents included: these become our children."""
    if os.getpid() == 1:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]
    found = children(os.getpid())
    for pid in found:
        found.extend(children(pid))
    return found


def resident(pid: int) -> tuple[int, int, int]:
    """Bytes of memory that a process holds, what it shares with others included; its threads; and its address space in
    bytes (proc(5), status)."""
    lines = b""
    with suppress(OSError):  # it may have ended
        file = os.open(f"/proc/{pid}/status", os.O_RDONLY | os.O_CLOEXEC)
        with os.fdopen(file, "rb") as status:
            lines = status.read()

    def said(name: bytes) -> int:
        found = lines.partition(b"\n%b:" % name)[2][:64].split(maxsplit=1)
        return int(found[0]) if found else 0

    return (said(b"RssAnon") + said(b"RssShmem")) << 10, max(1, said(b"Threads")), said(b"VmSize") << 10


def weight(at: int) -> int:
    """Bytes on the disk below a folder. Small files weigh more than they hold: removing each takes time."""
    total = 0
    for entry in os.scandir(at):
        with suppress(OSError, RecursionError):
            if entry.is_dir(follow_symlinks=False):
                with folder(at, [entry.name]) as below:
                    total += weight(below)
            else:
                about = entry.stat(follow_symlinks=False)
                total += max(about.st_blocks * 512, LEAST) // about.st_nlink
    return total


def nameless(pids: list[int], at: int) -> int:
    """Bytes of files on a folder's disk that processes hold open although their names are gone (proc(5), fd)."""
    device, found = os.fstat(at).st_dev, {}
    for pid in pids:
        with suppress(OSError):  # it may have ended
            for number in os.listdir(f"/proc/{pid}/fd"):
                with suppress(OSError):
                    about = os.stat(f"/proc/{pid}/fd/{number}")
                    if about.st_dev == device and about.st_nlink == 0 and stat.S_ISREG(about.st_mode):
                        found[about.st_ino] = about.st_blocks * 512
    return sum(found.values())


class Program:
    """A program that was started: its process, its output, and the pipe that is its main file."""

    def __init__(
        self, number: int, pid: int, output: int, at: int, limits: dict[str, int], seconds: float, warm: str | None
    ) -> None:
        self.number, self.pid, self.folder = number, pid, at
        self.output: int | None = output
        self.limits, self.seconds = limits, seconds
        self.started = time.monotonic()
        self.interrupt_at: float | None = None if warm else self.started + seconds
        self.kill_at: float | None = None
        self.stopped_for: str | None = None
        self.head = self.tail = b""
        self.printed = 0
        self.rests = 0.0  # until when nobody looks at what it prints
        self.main = warm or ""
        self.unopened = bool(warm)  # the main file is still a pipe, which the program has not opened
        self.pipe: int | None = None
        self.pending = self.fed = b""
        self.last = False  # nothing comes after what is pending
        self.whole: bytes | None = None
        self.full = 0  # counts since when it has had all the memory that it may

    def keep(self, data: bytes) -> None:
        """Keep output: the first half of what is allowed, then the last."""
        half = self.limits["output_kib"] * 512
        self.printed += len(data)
        room = half - len(self.head)
        self.head += data[:room]
        self.tail = (self.tail + data[room:])[-half:] if len(data) > room else self.tail

    def kept(self) -> bytes:
        lost = self.printed - len(self.head) - len(self.tail)
        return self.head + (b"\n... %d bytes ...\n" % lost if lost else b"") + self.tail

    def finish(self, rest: bytes, whole: bytes, seconds: float) -> None:
        """Take the last part of the main file; its seconds begin."""
        self.pending += rest
        self.seconds = seconds
        self.last, self.whole = True, whole
        self.started = time.monotonic()
        self.interrupt_at = self.started + self.seconds
        self.place()

    def signal(self, what: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, what)

    def kill(self, why: str | None = None) -> None:
        """Kill its process group."""
        if why and not self.stopped_for:
            self.stopped_for = why
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def open_pipe(self) -> None:
        """Take the writing end once the program has opened the reading one; then put the file in the pipe's place.

        From then on the name stands for an ordinary file, so that a document may read itself.
        """
        if not self.unopened:
            return
        try:
            flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
            self.pipe = os.open(self.main, flags, dir_fd=self.folder)
        except OSError:  # ENXIO: nobody reads yet
            return
        os.unlink(self.main, dir_fd=self.folder)
        self.unopened = False
        self.place()

    def place(self) -> None:
        """Lay the main file, as far as it is known: what a program reads of it too early is seen in its record."""
        if not self.unopened:
            write(self.folder, self.main, self.fed if self.whole is None else self.whole)
            self.fed, self.whole = b"", None

    def pump(self) -> None:
        """Write what the pipe takes."""
        if self.pipe is None:
            return
        try:
            while self.pending:
                self.pending = self.pending[os.write(self.pipe, self.pending) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.pending = b""
        if self.last:
            os.close(self.pipe)
            self.pipe = None

    def close(self) -> None:
        for at in (self.output, self.folder, self.pipe):
            if at is not None:
                os.close(at)
        self.pipe = None


class Supervisor:
    """The requests, and the loop that answers them."""

    def __init__(self) -> None:
        self.root = -1
        self.limits: dict[str, int] = {}
        self.environment: dict[str, str] = {}
        self.confined: list[list[str]] | None = None
        self.filter = b""
        self.programs: dict[int, Program] = {}
        self.input, self.answers = sys.stdin.buffer.fileno(), sys.stdout.buffer.fileno()
        self.woken, wake = os.pipe()
        os.set_blocking(self.woken, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self.counted, self.counts = 0.0, 0
        self.others = self.heaviest = 0
        self.outbox = bytearray()
        os.set_blocking(self.answers, False)

    # requests

    def hello(self, ask: dict[str, Any], data: bytes) -> dict[str, Any]:
        """The first request: where to work, with which limits, environment and confinement."""
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # no program may look into our memory or open our pipes
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if os.getpid() != 1:  # the first process of a namespace ends with its parent by other means
            signal.signal(signal.SIGTERM, lambda *_: sys.exit())
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        self.root = os.open(ask["root"], os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.limits, self.environment = ask["limits"], ask["environment"]
        self.others, self.heaviest = ask["others"], ask["heaviest"]
        if ask["filter"]:
            filter_calls(data[: ask["filter"]])
        self.filter = data[ask["filter"] :]
        if ask["confine"] is not None:
            readable, writable = ask["confine"]
            landlock([*readable, "/proc"], writable)
            self.confined = [readable, writable]
        os.umask(0o077)
        with (
            folder(self.root, ["scratch", "tmp"], make=True),
            folder(self.root, ["scratch", "home"], make=True) as home,
        ):
            for path, target in ask["links"].items():
                *above, name = parts(path)
                with folder(home, above, make=True) as at:
                    os.symlink(target, name, dir_fd=at)
        return {}

    def put(self, ask: dict[str, Any], data: bytes) -> dict[str, Any]:
        at, view = 0, memoryview(data)
        with folder(self.root, parts(ask["folder"]), make=True) as target:
            for path, size in ask["files"]:
                write(target, path, view[at : at + size])
                at += size
            for path in ask["absent"]:
                *above, name = parts(path)
                with suppress(OSError), folder(target, above) as below:
                    os.unlink(name, dir_fd=below)
        return {}

    def copy(self, ask: dict[str, Any], data: bytes) -> dict[str, Any]:
        source, target = parts(ask["source"]), parts(ask["target"])
        with folder(self.root, source, make=True) as one, folder(self.root, target, make=True) as other:
            copy(one, other)
        return {}

    def drop(self, ask: dict[str, Any], data: bytes) -> dict[str, Any]:
        *above, name = parts(ask["folder"])
        with suppress(OSError), folder(self.root, above) as at:
            with folder(at, [name]) as gone:
                empty(gone)
            os.rmdir(name, dir_fd=at)
        return {}

    def fetch(self, ask: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        left = self.limits["fetch_mb"] << 20
        found: list[tuple[str, bytes]] = []
        # The names may be what a program said, and the folder what it left: neither is a fault.
        with suppress(FileNotFoundError, NotADirectoryError), folder(self.root, parts(ask["folder"])) as source:
            for path in ask["names"]:
                with suppress(Refused):
                    body = read(source, path, left)
                    if body is not None:
                        left -= len(body)
                        found.append((path, body))
        return {"files": [[path, len(body)] for path, body in found]}, b"".join(body for _, body in found)

    def start(self, ask: dict[str, Any], data: bytes) -> dict[str, Any]:
        name = ask["command"][0]
        places = self.environment["PATH"].split(":")
        found = next((f"{p}/{name}" for p in places if os.access(f"{p}/{name}", os.X_OK)), None)
        if "/" in name or found is None:
            return {"missing": name}
        with folder(self.root, parts(ask["folder"]), make=True) as at:
            if ask["warm"]:
                os.mkfifo(ask["warm"], 0o600, dir_fd=at)
            ours, theirs = os.pipe()
            pid = os.fork()
            if pid == 0:
                self.become(found, ask, at, theirs)
            os.close(theirs)
            os.set_blocking(ours, False)
            self.programs[pid] = Program(ask["run"], pid, ours, os.dup(at), self.limits, ask["seconds"], ask["warm"])
        return {}

    def become(self, found: str, ask: dict[str, Any], at: int, output: int) -> NoReturn:
        """In the child: turn into the program. Never returns."""
        try:
            signal.set_wakeup_fd(-1)
            for what in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(what, signal.SIG_DFL)
            os.setsid()
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            os.fchdir(at)
            nothing = os.open("/dev/null", os.O_RDONLY)
            os.dup2(nothing, 0)
            os.dup2(output, 1)
            os.dup2(output, 2)
            for kind, most in (
                (resource.RLIMIT_AS, self.limits["memory_mb"] << 20),
                (resource.RLIMIT_FSIZE, self.limits["file_mb"] << 20),
                (resource.RLIMIT_CPU, int(ask["seconds"]) + 10),
                (resource.RLIMIT_NOFILE, self.limits["open_files"]),
                (resource.RLIMIT_NPROC, self.limits["processes"] + self.others),
                (resource.RLIMIT_CORE, 0),
            ):
                hard = resource.getrlimit(kind)[1]
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                # Of CPU seconds, the first limit sends SIGXCPU, the second SIGKILL.
                resource.setrlimit(kind, (most, most + 2 if kind == resource.RLIMIT_CPU else most))
            if self.confined is not None:
                landlock(*self.confined)  # a domain below ours, so that it cannot trace us
            if self.filter:
                filter_calls(self.filter)
            os.execve(found, ask["command"], {**self.environment, **ask["variables"]})
        except BaseException as error:  # noqa: BLE001 - a child that goes on as a second supervisor is worse
            os.write(2, f"{found}: {error}\n".encode())
        finally:
            os._exit(126)

    def of(self, ask: dict[str, Any]) -> list[Program]:
        return [program for program in self.programs.values() if program.number == ask["run"]]

    def feed(self, ask: dict[str, Any], data: bytes) -> dict[str, Any]:
        for program in self.of(ask):
            program.pending += data
            if program.unopened:
                program.fed += data
        return {}

    def finish(self, ask: dict[str, Any], data: bytes) -> dict[str, Any]:
        for program in self.of(ask):
            program.finish(data[: ask["size"]], data[ask["size"] :], ask["seconds"])
        return {}

    def stop(self, ask: dict[str, Any], data: bytes) -> dict[str, Any]:
        for program in self.of(ask):
            program.kill()
        return {}

    # the loop

    def send(self, head: dict[str, Any], data: bytes = b"") -> None:
        text = json.dumps(head).encode()
        self.outbox += HEAD.pack(len(text), len(data)) + text + data
        self.flush()

    def flush(self) -> None:
        """Write what the other side takes. It may be busy writing to us, so never wait for it here."""
        with suppress(BlockingIOError):
            while self.outbox:
                with memoryview(self.outbox) as view:
                    sent = os.write(self.answers, view[: 1 << 20])
                del self.outbox[:sent]

    def receive(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            more = os.read(self.input, size - len(data))
            if not more:
                raise EOFError
            data += more
        return bytes(data)

    def answer(self) -> None:
        """Read one request and answer it."""
        size, extra = HEAD.unpack(self.receive(HEAD.size))
        ask = json.loads(self.receive(min(size, LARGEST_REQUEST)))
        data = self.receive(extra)
        try:
            if ask["do"] not in ("hello", "put", "copy", "drop", "fetch", "start", "feed", "finish", "stop"):
                raise Refused(f"no such request: {ask['do']!r}")
            said = getattr(self, ask["do"])(ask, data)
        except (OSError, Refused, RecursionError) as error:
            said = {"error": str(error)}
        head, body = said if isinstance(said, tuple) else (said, b"")
        self.send({"id": ask["id"], **head}, body)

    def reap(self) -> None:
        """Collect what has ended, and tell it."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            program = self.programs.pop(pid, None)
            if program is None:
                self.kill_strays()  # its children are ours now
                continue
            seconds = time.monotonic() - program.started
            program.kill()
            self.drain(program)
            self.kill_strays()
            code = os.waitstatus_to_exitcode(status)
            self.send(
                {
                    "ended": program.number,
                    "exit_status": code if code >= 0 else None,
                    "signal": -code if code < 0 else None,
                    "stopped_for": program.stopped_for or self.limit_hit(code, program),
                    "seconds": seconds,
                    "peak_kib": usage.ru_maxrss,
                },
                program.kept(),
            )
            program.close()

    def limit_hit(self, code: int, program: Program) -> str | None:
        """The limit that ended a program which we did not stop ourselves."""
        if code == 0:
            return None
        if code == -signal.SIGXCPU:
            return "time"
        if code == -signal.SIGXFSZ:
            return "output"
        if os.fstatvfs(self.root).f_bavail == 0:
            return "disk"
        # Nobody here sends SIGKILL but the kernel when memory is short; the words are those of TeX (web2c's
        # xmalloc, XeTeX), Lua, perl and the C++ library.
        end = program.kept()[-4096:].lower()
        words = (b"memory exhausted", b"cannot allocate memory", b"not enough memory", b"out of memory", b"bad_alloc")
        if code == -signal.SIGKILL or any(word in end for word in words):
            return "memory"
        return None

    def kill_strays(self) -> None:
        """Kill what outlived its program: orphans become our children."""
        for pid in children(os.getpid()):
            if pid not in self.programs:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def count(self) -> None:
        """Keep the limits that hold for all programs together. The kernel does not count processes of root."""
        held = {pid: resident(pid) for pid in descendants()}
        self.counts += 1
        most = self.limits["memory_mb"] << 20
        for program in self.programs.values():
            # Lua lets a document catch that memory is refused, and try again for as long as it likes.
            full = held.get(program.pid, (0, 0, 0))[2] > most - most // CEILING
            program.full = program.full + 1 if full else 0
            if program.full >= FULL:
                program.kill("memory")
        if sum(threads for _, threads, _ in held.values()) > self.limits["processes"]:
            self.kill_all("processes")
        elif sum(memory for memory, _, _ in held.values()) > most:
            if not self.kill_waiting("memory"):
                self.kill_all("memory")
        elif self.heaviest and self.counts % WEIGHING == 0 and self.weight([*held]) > self.heaviest:
            self.kill_all("disk")

    def weight(self, pids: list[int]) -> int:
        """Bytes of the work folder, and of files without a name beside it."""
        return weight(self.root) + nameless(pids, self.root)

    def kill_waiting(self, why: str) -> bool:
        """Kill the programs that wait for the rest of their main file, and make room for the one that works; whether
        there were any."""
        waiting = [program for program in self.programs.values() if program.main and not program.last]
        for program in waiting:
            program.kill(why)
        return bool(waiting)

    def kill_all(self, why: str) -> None:
        """Kill every program and all that they started, however fast they start more: what is stopped cannot."""
        for program in self.programs.values():
            program.stopped_for = program.stopped_for or why
        stopped: set[int] = set()
        while fresh := [pid for pid in descendants() if pid not in stopped]:
            for pid in fresh:
                with suppress(OSError):
                    os.kill(pid, signal.SIGSTOP)
            stopped.update(fresh)
        for pid in stopped:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def drain(self, program: Program) -> None:
        """Take what a program has printed; a few pipes full at a time, since others wait too."""
        for _ in range(16):
            if program.output is None:
                return
            try:
                data = os.read(program.output, 1 << 16)
            except BlockingIOError:
                return
            program.keep(data)
            program.rests = 0.0 if program.printed > TALKATIVE else time.monotonic() + RESTING
            if program.printed > self.limits["file_mb"] << 20:
                program.kill("output")
            if not data:
                os.close(program.output)
                program.output = None

    def watch(self, now: float) -> float | None:
        """Keep the limits that need a clock; the seconds until the next look."""
        soonest: list[float] = []
        for program in self.programs.values():
            program.open_pipe()
            program.pump()
            if program.unopened:
                soonest.append(OPENING)
            if program.kill_at is not None:
                if now >= program.kill_at:
                    program.kill("time")
                else:
                    soonest.append(program.kill_at - now)
            elif program.interrupt_at is not None:
                if now >= program.interrupt_at:
                    # All engines then say where they were, flush the log and end.
                    program.stopped_for = "time"
                    program.signal(signal.SIGINT)
                    program.kill_at = now + GRACE
                    soonest.append(GRACE)
                else:
                    soonest.append(program.interrupt_at - now)
            if now < program.rests:
                soonest.append(program.rests - now)
        if self.programs:
            soonest.append(COUNTING)
            if now - self.counted >= COUNTING:
                self.counted = now
                self.count()
        return min(soonest) if soonest else None

    def serve(self) -> None:
        """Answer until the input ends."""
        while True:
            now = time.monotonic()
            wait = self.watch(now)
            poll = select.poll()
            poll.register(self.input, select.POLLIN)
            poll.register(self.woken, select.POLLIN)
            if self.outbox:
                poll.register(self.answers, select.POLLOUT)
            for program in self.programs.values():
                if program.output is not None and now >= program.rests:
                    poll.register(program.output, select.POLLIN)
                if program.pipe is not None and program.pending:
                    poll.register(program.pipe, select.POLLOUT)
            ready = dict(poll.poll(None if wait is None else max(1, int(wait * 1000) + 1)))
            for program in list(self.programs.values()):
                if program.output in ready:
                    self.drain(program)
            if self.woken in ready:
                os.read(self.woken, 4096)
                self.reap()
            if self.outbox:
                self.flush()
            if self.input in ready:
                self.answer()

    def end(self) -> None:
        """Kill everything that was started, and clean up."""
        if os.getpid() == 1:
            return  # the kernel ends the namespace with us, and the work folder with it
        until = time.monotonic() + GRACE
        while time.monotonic() < until:
            for program in self.programs.values():
                program.kill()
            self.kill_strays()
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            self.programs.pop(pid, None)
            if pid == 0:
                select.poll().poll(5)
        if self.root >= 0:
            empty(self.root)


def keep() -> None:
    """Go on in a child. Its parent, which does nothing else, ends what is left of its programs should it be killed, and
    removes the work folder, which the command line names: a child that confined itself cannot."""
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    supervisor = os.fork()
    if supervisor == 0:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(supervisor, signal.SIGTERM))
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    nothing = os.open("/dev/null", os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    _, status = os.waitpid(supervisor, 0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the number may be another's by now
    with suppress(ChildProcessError):
        while True:
            for pid in children(os.getpid()):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)
    for place in sys.argv[1:]:
        with suppress(OSError):
            empty(os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW))
            os.rmdir(place)
    os._exit(abs(os.waitstatus_to_exitcode(status)))


def main() -> None:
    if os.getpid() != 1:  # the first process of a namespace ends it all with itself
        keep()
    supervisor = Supervisor()
    try:
        with suppress(EOFError, BrokenPipeError):
            supervisor.serve()
    finally:
        supervisor.end()


if __name__ == "__main__":
    main()
