"""The outer end of a supervisor: a Box and its Runs, over a pipe.

What comes back was written inside the sandbox: it is read as data, with bounds on every length.
"""

from __future__ import annotations

import json
import os
import select
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, TypeVar, get_args

from texrepair.errors import EngineMissing, SandboxError
from texrepair.sandboxes.base import PROJECT, Limit, Limits, Ran
from texrepair.sandboxes.supervisor import GRACE, HEAD

T = TypeVar("T")

LIMITS: dict[str, Limit] = {name: name for name in get_args(Limit)}
PATIENCE = 60.0
"""Seconds after which a supervisor that does not answer counts as dead."""
HOME = "scratch/home"
"""The home folder of the programs (places.environment)."""
LARGEST_HEAD = 1 << 24
NONSENSE = "The sandbox's answer makes no sense."


class SupervisedRun:
    """A program that a supervisor runs."""

    def __init__(self, box: SupervisedBox, number: int, seconds: float) -> None:
        self._box = box
        self._number = number
        self._seconds = seconds

    def feed(self, data: bytes) -> None:
        self._box.ask("feed", data, run=self._number)

    def finish(self, data: bytes, whole: bytes, seconds: float | None = None) -> None:
        if seconds is not None:
            self._seconds = min(self._seconds, seconds)
        self._box.ask("finish", data + whole, run=self._number, size=len(data), seconds=self._seconds)

    def wait(self) -> Ran:
        return self._box.ended(self._number, self._seconds)

    def stop(self) -> None:
        self._box.ask("stop", run=self._number)
        self._box.forget(self._number)


class SupervisedBox:
    """A box on the other side of a supervisor's pipe."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        root: str,
        files: Mapping[str, bytes | Path],
        limits: Limits,
        environment: Mapping[str, str],
        links: Mapping[str, str],
        home: Mapping[str, bytes] | None = None,
        confine: tuple[Sequence[str], Sequence[str]] | None = None,
        filter: bytes = b"",
        inner: bytes = b"",
        pass_fds: Sequence[int] = (),
        others: int = 0,
        heaviest: int = 0,
        preamble: bytes = b"",
        opening: float = PATIENCE,
        outer: Mapping[str, str] | None = None,
        kill: Callable[[], None] | None = None,
        after: Callable[[], None] | None = None,
    ) -> None:
        """Start the command, which must become a supervisor, and lay the files.

        `root` is the work folder as the supervisor sees it; `links` stand in its home folder, the files of `home` lie
        there; `confine` and `filter` are the paths and the seccomp program with which it confines itself; `others` is
        how many processes of its user the kernel may count beside its own, `heaviest` how many bytes its folder may
        hold where only it can tell; `preamble` is what the command reads before the first request; `opening` is how
        many seconds that may take; `outer` is the command's own environment; `kill` ends what killing the command does
        not; `after` cleans up once it is gone.
        """
        self._limits = limits
        self._kill = kill
        self._after = after
        self._ended: dict[int, Ran] = {}
        self._forgotten: set[int] = set()
        self._answers: dict[int, tuple[dict[str, Any], bytes]] = {}
        self._count = 0
        self._closed = False
        # A session of its own: Ctrl-C is for us, and we end what is inside.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**(outer or {}), "LANG": "C.UTF-8"},
            start_new_session=True,
            pass_fds=pass_fds,
            bufsize=0,
        )
        try:
            self._send(preamble)
            self.ask(
                "hello",
                filter + inner,
                opening,
                filter=len(filter),
                root=root,
                limits=asdict(limits),
                others=others,
                heaviest=heaviest,
                environment=dict(environment),
                links=dict(links),
                confine=None if confine is None else [list(confine[0]), list(confine[1])],
            )
            self.put(files)
            if home:
                self.put(home, HOME)
        except BaseException:
            self.close()
            raise

    # the protocol of a Box

    def put(self, files: Mapping[str, bytes | Path], folder: str = PROJECT, absent: Iterable[str] = ()) -> None:
        bodies = [contents(file) if isinstance(file, Path) else file for file in files.values()]
        sizes = [[name, len(body)] for name, body in zip(files, bodies, strict=True)]
        self.ask("put", b"".join(bodies), folder=folder, files=sizes, absent=list(absent))

    def copy(self, source: str, target: str) -> None:
        self.ask("copy", source=source, target=target)

    def start(
        self,
        command: Sequence[str],
        folder: str,
        *,
        seconds: float | None = None,
        warm: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> SupervisedRun:
        seconds = self._limits.seconds if seconds is None else seconds
        number = self._count = self._count + 1
        answer, _ = self.ask(
            "start",
            run=number,
            command=list(command),
            folder=folder,
            seconds=seconds,
            warm=warm,
            variables=dict(variables or {}),
        )
        if "missing" in answer:
            raise EngineMissing(f"{command[0]} is not installed.")
        return SupervisedRun(self, number, seconds)

    def fetch(self, names: Iterable[str], folder: str) -> dict[str, bytes]:
        asked = dict.fromkeys(names)
        answer, data = self.ask("fetch", names=list(asked), folder=folder)
        try:
            sizes = [(_a(str, name), _a(int, size)) for name, size in answer["files"]]
        except (ValueError, KeyError, TypeError) as error:
            raise SandboxError(NONSENSE) from error
        if sum(size for _, size in sizes) != len(data) or not all(name in asked and size >= 0 for name, size in sizes):
            raise SandboxError(NONSENSE)
        found: dict[str, bytes] = {}
        at = 0
        for name, size in sizes:
            found[name] = data[at : at + size]
            at += size
        return found

    def drop(self, folder: str) -> None:
        self.ask("drop", folder=folder)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None and stdout is not None and stderr is not None
        # The end of its input tells the supervisor to kill all and clean up.
        stdin.close()
        until = time.monotonic() + 2 * GRACE
        while readable(stdout, max(0.0, until - time.monotonic())) and stdout.read(1 << 20):
            pass
        if time.monotonic() >= until:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            if self._kill is not None:
                self._kill()
        self._process.wait()
        stdout.close()
        stderr.close()
        if self._after is not None:
            self._after()

    # what Runs need

    def ask(
        self, do: str, data: bytes = b"", patience: float = PATIENCE, **more: object
    ) -> tuple[dict[str, Any], bytes]:
        """Send a request and give its answer. Raises SandboxError where it is refused or the supervisor is gone."""
        number = self._count = self._count + 1
        head = json.dumps({"id": number, "do": do, **more}).encode()
        self._send(HEAD.pack(len(head), len(data)) + head + data)
        until = time.monotonic() + patience
        while number not in self._answers:
            self._receive(until)
        answer, body = self._answers.pop(number)
        if "error" in answer:
            raise SandboxError(f"The sandbox failed ({do}: {answer['error']}).")
        return answer, body

    def ended(self, run: int, seconds: float) -> Ran:
        """How a run ended; waits for it."""
        until = time.monotonic() + seconds + GRACE + PATIENCE
        while run not in self._ended:
            self._receive(until)
        return self._ended.pop(run)

    def forget(self, run: int) -> None:
        """Nobody will ask for this run."""
        if self._ended.pop(run, None) is None:
            self._forgotten.add(run)

    def _send(self, data: bytes) -> None:
        pipe = self._process.stdin
        if self._closed or pipe is None:
            raise SandboxError("The sandbox is closed.")
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[pipe.write(rest) :]
        except OSError as error:
            raise SandboxError(self._obituary()) from error

    def _receive(self, until: float) -> None:
        """Take one frame."""
        size, extra = HEAD.unpack(self._read(HEAD.size, until))
        if size > LARGEST_HEAD or extra > (self._limits.fetch_mb << 20) + (1 << 20):
            raise SandboxError("The sandbox sent more than it was asked for.")
        try:
            head = _a(dict, json.loads(self._read(size, until)))
            data = self._read(extra, until)
            if "ended" in head:
                number, ran = _a(int, head["ended"]), _ran(head, data)
                if number in self._forgotten:
                    self._forgotten.discard(number)
                else:
                    self._ended[number] = ran
            else:
                self._answers[_a(int, head["id"])] = (head, data)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise SandboxError(NONSENSE) from error

    def _read(self, size: int, until: float) -> bytes:
        pipe = self._process.stdout
        if self._closed or pipe is None:
            raise SandboxError("The sandbox is closed.")
        data = bytearray()
        while len(data) < size:
            left = until - time.monotonic()
            if left <= 0 or not readable(pipe, left):
                raise SandboxError("The sandbox does not answer.")
            more = pipe.read(min(size - len(data), 1 << 20))
            if not more:
                raise SandboxError(self._obituary())
            data += more
        return bytes(data)

    def _obituary(self) -> str:
        """Why the supervisor is gone, in its own last words."""
        errors = self._process.stderr
        words = b""
        while errors is not None and not errors.closed and len(words) < 8192 and readable(errors, GRACE):
            more = errors.read(4096)
            if not more:
                break
            words += more
        said = " ".join(words.decode("utf-8", "replace").split())[-400:]
        return f"The sandbox ended: {said}" if said else "The sandbox ended unexpectedly."


def _a(kind: type[T], value: object) -> T:
    """The value, which must be of that type."""
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} expected")
    return value


def _ran(head: dict[str, Any], output: bytes) -> Ran:
    """How a program ended, as its supervisor tells it."""
    status, signal, stopped_for = head["exit_status"], head["signal"], head["stopped_for"]
    return Ran(
        exit_status=None if status is None else _a(int, status),
        signal=None if signal is None else _a(int, signal),
        stopped_for=None if stopped_for is None else LIMITS[stopped_for],
        seconds=_a(float, head["seconds"]),
        peak_kib=_a(int, head["peak_kib"]),
        output=output,
    )


def readable(pipe: IO[bytes], seconds: float) -> bool:
    """Whether there is something to read within so many seconds."""
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    return bool(poll.poll(int(seconds * 1000) + 1))


def room(files: Mapping[str, bytes | Path], limits: Limits) -> int:
    """Bytes of a work folder that holds these files, copies for passes and waiting engines, and what they may write."""
    given = sum(file.lstat().st_size if isinstance(file, Path) else len(file) for file in files.values())
    return (limits.disk_mb << 20) + 7 * given


def contents(path: Path) -> bytes:
    """What a regular file holds. A link, device or pipe is refused, so that nothing is followed out of the project."""
    try:
        at = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise SandboxError(f"{path} cannot be taken along: {error.strerror}.") from error
    if not stat.S_ISREG(os.fstat(at).st_mode):
        os.close(at)
        raise SandboxError(f"{path} cannot be taken along: it is not a regular file.")
    with os.fdopen(at, "rb") as file:
        return file.read()
