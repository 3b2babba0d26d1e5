"""What processes run, as /proc tells."""

from __future__ import annotations

import os
from pathlib import Path


def descendants(parent: int) -> set[int]:
    """The living processes that a process started, and those that they started."""
    found: set[int] = set()
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, above = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state not in "ZX":
            parents[int(folder.name)] = int(above)
    while new := {pid for pid, above in parents.items() if above in found | {parent}} - found:
        found |= new
    return found


def engines(pids: set[int]) -> set[int]:
    """Those that are XeTeX at work."""
    alive = set()
    for pid in pids:
        try:
            name = Path(f"/proc/{pid}/comm").read_text().strip()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if name in ("xelatex", "xetex"):
            alive.add(pid)
    return alive


def await_end(pids: set[int]) -> None:
    """Wait until none of them is alive any more; the test's own time limit is the bound."""
    while any(_alive(pid) for pid in pids):
        os.sched_yield()


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
