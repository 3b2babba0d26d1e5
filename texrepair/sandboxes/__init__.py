"""Sandboxes: where the programs that read a document run. Adapters of one protocol, in one table."""

from __future__ import annotations

from texrepair.errors import SandboxError
from texrepair.sandboxes.base import PROJECT, Box, Limits, Ran, Run, Sandbox
from texrepair.sandboxes.bubblewrap import Bubblewrap, contained
from texrepair.sandboxes.landlock import Landlock
from texrepair.sandboxes.none import Unprotected

__all__ = ["PROJECT", "SANDBOXES", "Box", "Limits", "Ran", "Run", "Sandbox", "chosen"]

SANDBOXES: dict[str, Sandbox] = {
    "bwrap": Bubblewrap(),
    "landlock": Landlock(),
    "none": Unprotected(),
}


def chosen(name: str = "auto") -> Sandbox:
    """The sandbox of that name, tried out. `auto` is bubblewrap, or Landlock in a container that forbids namespaces.

    Raises SandboxError, with the cure, where it does not work here; never falls back to less than was asked for.
    """
    if name != "auto":
        sandbox = SANDBOXES[name]
        trouble = sandbox.trouble()
        if trouble is not None:
            raise SandboxError(f"{trouble}.")
        return sandbox
    trouble = SANDBOXES["bwrap"].trouble()
    if trouble is None:
        return SANDBOXES["bwrap"]
    if contained() and SANDBOXES["landlock"].trouble() is None:
        return SANDBOXES["landlock"]
    raise SandboxError(f"No sandbox works here. {trouble[0].upper()}{trouble[1:]}.")
