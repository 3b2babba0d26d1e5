"""The protocol of a sandbox: the one place where programs that read the document run.

A sandbox opens a box, one for each session. In the box lie folders; programs are started in them, cold on files that
lie there or warm on a main file that is fed bit by bit, and results are fetched from them. Names of files are relative,
with forward slashes; links, devices and whatever else is not a regular file never come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

Limit = Literal["time", "memory", "output", "processes", "disk"]
"""What ended a program: its seconds, the memory, the size of what it writes, the number of processes, or a full work
folder."""

PROJECT = "project"
"""The folder into which `open` puts the files."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What programs may use."""

    seconds: float = 180.0
    """Wall-clock seconds of one program, if `start` says nothing else; the same number of CPU seconds."""
    memory_mb: int = 1800
    """Address space of one process, and what all programs together hold, in MiB."""
    file_mb: int = 100
    """Largest file that a program may write, and the most that it may print, in MiB."""
    disk_mb: int = 200
    """What programs may write into the box, in MiB, all files together."""
    fetch_mb: int = 256
    """The most that one `fetch` gives, in MiB."""
    processes: int = 64
    """Processes at the same time."""
    open_files: int = 256
    output_kib: int = 256
    """What is kept of a program's output: the first half and the last half."""

    @property
    def memory_of_all(self) -> int:
        """Bytes at which the kernel bounds what all programs hold: twice what the supervisor allows.

        The kernel ends one process in silence, of at most `memory_mb`. What is left is still too much for the
        supervisor, which says so.
        """
        return 2 * self.memory_mb << 20


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended."""

    exit_status: int | None
    """None when a signal killed it."""
    signal: int | None = None
    stopped_for: Limit | None = None
    """The limit that ended it. A program that was interrupted in time may still have an exit status of its own."""
    seconds: float = 0.0
    """Wall-clock seconds; of a warm run, those from its last bytes on."""
    peak_kib: int = 0
    """Peak resident memory, in KiB."""
    output: bytes = b""
    """What it printed, capped."""

    @property
    def ok(self) -> bool:
        """Exit status 0, by itself."""
        return self.exit_status == 0 and self.stopped_for is None


class Run(Protocol):
    """A program that was started."""

    def feed(self, data: bytes) -> None:
        """Write to the main file of a warm run. The run's seconds do not count yet."""

    def finish(self, data: bytes, whole: bytes, seconds: float | None = None) -> None:
        """Write the last bytes; from now on the seconds count, those of `start` or fewer.

        Who opens the main file again finds `whole` in it.
        """

    def wait(self) -> Ran:
        """Wait for its end. Raises SandboxError if the sandbox itself fails."""

    def stop(self) -> None:
        """Kill it and all that it started."""


class Box(Protocol):
    """An open sandbox. Not for two threads at once, and it ends with the thread that opened it.

    Several programs may run in it at the same time.
    """

    def put(self, files: Mapping[str, bytes | Path], folder: str = PROJECT, absent: Iterable[str] = ()) -> None:
        """Write files, over what is there, and remove those of these names.

        A Path is read if it is a regular file and no link, else SandboxError.
        """

    def copy(self, source: str, target: str) -> None:
        """Lay a new folder with the regular files of another."""

    def start(
        self,
        command: Sequence[str],
        folder: str,
        *,
        seconds: float | None = None,
        warm: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> Run:
        """Start a program in a folder. With `warm`, that file is a pipe which `feed` fills.

        `variables` are set over those of the box's environment. Raises EngineMissing if there is no such program.
        """

    def fetch(self, names: Iterable[str], folder: str) -> dict[str, bytes]:
        """What these files hold; those that are absent, too large or no regular files are not in the result."""

    def drop(self, folder: str) -> None:
        """Remove a folder."""

    def close(self) -> None:
        """Kill what runs and remove everything. May be called twice."""


class Sandbox(Protocol):
    """A way to run programs on documents that nobody vouches for."""

    @property
    def name(self) -> str:
        """The name by which settings choose it."""

    @property
    def warning(self) -> str | None:
        """What a result made in it should say, if it does not protect."""

    def trouble(self) -> str | None:
        """What keeps it from working here, and the cure, in one sentence; or None. Found out by trying."""

    def open(self, files: Mapping[str, bytes | Path], limits: Limits) -> Box:
        """A box with these files in its folder `project`. Raises SandboxError."""
