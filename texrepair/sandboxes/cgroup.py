"""Control groups: the kernel bounds what all programs of a session hold and start together, where we may ask it to."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MOUNT = Path("/sys/fs/cgroup")

_ENTER = 'while [ "$1" != -- ]; do echo $$ 2>&- >"$1/cgroup.procs"; shift; done; shift; exec "$@"'


class Group:
    """One or more folders of the kernel's, which a command enters before it becomes itself."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders

    def entered(self, command: list[str]) -> list[str]:
        """The command, started inside."""
        return ["sh", "-c", _ENTER, "sh", *map(str, self.folders), "--", *command] if self.folders else command

    def close(self) -> None:
        """Remove the folders. What still runs in them keeps them."""
        for folder in self.folders:
            with suppress(OSError):
                folder.rmdir()


def group(memory: int, processes: int, mount: Path = MOUNT, lines: str | None = None) -> Group:
    """A group of so many bytes and processes, as far as groups can be made here; else one without folders.

    `lines` are those of /proc/self/cgroup (cgroups(7)): in version 2, one tree for all controllers, in version 1 one
    for each.
    """
    if lines is None:
        lines = Path("/proc/self/cgroup").read_text()
    own = {names: path for _, names, path in (line.split(":", 2) for line in lines.splitlines())}
    name = f"texrepair-{os.getpid()}-{os.urandom(6).hex()}"
    if (mount / "cgroup.controllers").exists():
        parent = _delegated(mount, own.get("", "/"))
        limits = {"memory.max": memory, "memory.swap.max": 0, "pids.max": processes}
        return Group([] if parent is None else _made(parent, name, limits))
    made: list[Path] = []
    # The limit with swap (memsw) must not be below that without, so it comes second; not every kernel has it.
    limits = {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory, "pids.max": processes}
    for controller in ("memory", "pids"):
        if controller in own:
            made += _made(mount / controller / own[controller].lstrip("/"), name, limits)
    return Group(made)


def _delegated(mount: Path, own: str) -> Path | None:
    """The nearest group above ours in which we may make one: with members of its own a group has no controllers."""
    place = mount / own.lstrip("/")
    while place != mount.parent:
        with suppress(OSError):
            if "memory" in (place / "cgroup.subtree_control").read_text().split() and os.access(
                place / "cgroup.procs", os.W_OK
            ):
                return place
        place = place.parent
    return None


def _made(parent: Path, name: str, limits: dict[str, int]) -> list[Path]:
    """The new folder, with those of the limits that it knows; nothing where it cannot be made."""
    folder = parent / name
    try:
        for left in parent.glob("texrepair-*-*"):
            if not Path("/proc", left.name.split("-")[1]).exists():
                left.rmdir()  # of one that was killed
        folder.mkdir()
    except OSError:
        return []
    for file, value in limits.items():
        with suppress(OSError):
            if (folder / file).exists():
                (folder / file).write_text(str(value))
    return [folder]
