"""The sandbox for containers that forbid namespaces: Landlock, seccomp and resource limits, no privilege needed.

It has no process namespace. What all programs together hold and write is counted by the supervisor, a few times a
second, and bounded by the kernel where a control group can be made.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from texrepair import machine
from texrepair.errors import SandboxError
from texrepair.sandboxes import cgroup, formats, places, seccomp, starting
from texrepair.sandboxes.base import Limits
from texrepair.sandboxes.supervisor import empty
from texrepair.sandboxes.wire import SupervisedBox, room

SPARE = 8
"""Processes of a box that are not programs: the supervisor and what leads to it."""
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
        plain = formats.folder()
        readable += [] if plain is None else [str(plain)]
        root = Path(tempfile.mkdtemp(prefix="texrepair-"))
        paths = (readable, [str(root), *DEVICES])
        return in_folder(root, files, limits, plain, paths, seccomp.program(), seccomp.beside_landlock())


def in_folder(
    root: Path,
    files: Mapping[str, bytes | Path],
    limits: Limits,
    plain: Path | None,
    confine: tuple[list[str], list[str]] | None = None,
    filter: bytes = b"",
    inner: bytes = b"",
) -> SupervisedBox:
    """A box in an ordinary folder, which goes with it. `plain` is where decompressed formats lie."""

    group = cgroup.group(limits.memory_of_all + room(files, limits), limits.processes + SPARE)

    def remove() -> None:
        with suppress(OSError):
            at = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            empty(at)
            os.close(at)
            root.rmdir()
        group.close()

    try:
        return SupervisedBox(
            group.entered([str(places.interpreter()), *starting.arguments(), str(root)]),
            root=str(root),
            files=files,
            limits=limits,
            others=machine.running(),  # the kernel counts all processes of a user, not ours alone
            heaviest=room(files, limits),
            environment=places.environment(str(root / "scratch"), formats=None if plain is None else str(plain)),
            links=places.linked(),
            home=places.settings(),
            confine=confine,
            filter=filter,
            inner=inner,
            preamble=starting.preamble(),
            after=remove,
        )
    except BaseException:
        remove()
        raise
