"""Sandboxes: where the programs that read a document run. Adapters of one protocol, in one table."""

from __future__ import annotations

from texrepair.errors import SandboxError
from texrepair.sandboxes.base import PROJECT, Box, Limits, Ran, Run, Sandbox
from texrepair.sandboxes.bubblewrap import Bubblewrap, contained
from texrepair.sandboxes.docker import IMAGE, Docker
from texrepair.sandboxes.landlock import Landlock
from texrepair.sandboxes.none import Unprotected

__all__ = ["PROJECT", "SANDBOXES", "Box", "Limits", "Ran", "Run", "Sandbox", "chosen", "sandboxes"]


def sandboxes(docker_image: str = IMAGE) -> dict[str, Sandbox]:
    """Every sandbox by the name that settings use, that of the first choice first."""
    return {"bwrap": Bubblewrap(), "docker": Docker(docker_image), "landlock": Landlock(), "none": Unprotected()}


SANDBOXES = sandboxes()


def chosen(name: str = "auto", docker_image: str = IMAGE) -> Sandbox:
    """The sandbox of that name, tried out. `auto` is bubblewrap; else Docker; else, in a container, Landlock.

    Raises SandboxError, with the cure, where it does not work here; never falls back to less than was asked for.
    """
    table = sandboxes(docker_image)
    if name != "auto":
        trouble = table[name].trouble()
        if trouble is not None:
            raise SandboxError(f"{trouble}.")
        return table[name]
    # A container that forbids namespaces is a wall of its own: inside it, Landlock is enough.
    order = ("bwrap", "docker", "landlock") if contained() else ("bwrap", "docker")
    troubles = []
    for name in order:
        trouble = table[name].trouble()
        if trouble is None:
            return table[name]
        troubles.append(trouble)
    raise SandboxError(f"No sandbox works here. {troubles[0][0].upper()}{troubles[0][1:]}.")
