"""The sandbox for containers that forbid namespaces: Landlock, seccomp and resource limits, no privilege needed.

It has no process namespace, and bounds neither the memory of all programs together nor what they write together.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from texrepair.errors import SandboxError
from texrepair.sandboxes import places, seccomp
from texrepair.sandboxes.base import Limits
from texrepair.sandboxes.wire import SupervisedBox

DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


class Landlock:
    """Programs read TeX and fonts, write the session's folder, and reach nothing else."""

    name = "landlock"
    warning: str | None = None

    def trouble(self) -> str | None:
        try:
            self.open({}, Limits()).close()
        except SandboxError as error:
            return f"Landlock does not work here ({error}): a Linux kernel from 5.13 on with CONFIG_SECURITY_LANDLOCK"
        return None

    def open(self, files: Mapping[str, bytes | Path], limits: Limits) -> SupervisedBox:
        readable = [str(path) for path in (*places.shown(), *places.personal().values())]
        readable += [str(path) for path in (Path("/", name) for name in places.TOP) if path.is_dir()]
        root = Path(tempfile.mkdtemp(prefix="texrepair-"))
        return in_folder(root, files, limits, confine=(readable, [str(root), *DEVICES]), filter=seccomp.program())


def in_folder(
    root: Path,
    files: Mapping[str, bytes | Path],
    limits: Limits,
    confine: tuple[list[str], list[str]] | None = None,
    filter: bytes = b"",
) -> SupervisedBox:
    """A box in an ordinary folder, which goes with it."""

    def remove() -> None:
        shutil.rmtree(root, ignore_errors=True)

    try:
        return SupervisedBox(
            places.python(str(places.SUPERVISOR)),
            root=str(root),
            files=files,
            # The kernel counts all processes of a user, not ours alone.
            limits=replace(limits, processes=limits.processes + running()),
            environment=places.environment(str(root / "scratch")),
            links={name: str(path) for name, path in places.personal().items()},
            confine=confine,
            filter=filter,
            after=remove,
        )
    except BaseException:
        remove()
        raise


def running() -> int:
    """How many threads the machine runs, which is at least as many as this user has (proc(5), loadavg)."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
