"""Sandboxes: where the programs that read a document run. Adapters of one protocol, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from texrepair.errors import SandboxError
from texrepair.sandboxes.base import PROJECT, Box, Limits, Ran, Run, Sandbox
from texrepair.sandboxes.bubblewrap import Bubblewrap, contained
from texrepair.sandboxes.docker import IMAGE, Docker
from texrepair.sandboxes.landlock import Landlock
from texrepair.sandboxes.none import Unprotected

__all__ = ["PROJECT", "SANDBOXES", "Box", "Limits", "Ran", "Run", "Sandbox", "chosen", "opened", "sandboxes"]


def sandboxes(docker_image: str = IMAGE) -> dict[str, Sandbox]:
    """Every sandbox by the name that settings use, that of the first choice first."""
    return {"bwrap": Bubblewrap(), "docker": Docker(docker_image), "landlock": Landlock(), "none": Unprotected()}


SANDBOXES = sandboxes()


def opened(
    files: Mapping[str, bytes | Path], limits: Limits, name: str = "auto", docker_image: str = IMAGE
) -> tuple[Sandbox, Box]:
    """The sandbox of that name, and a box of it with these files. `auto` is bubblewrap; else Docker; else, in a
    container, Landlock.

    Raises SandboxError, with the cure, where it does not work here; never falls back to less than was asked for.
    """
    table = sandboxes(docker_image)
    # A container that forbids namespaces is a wall of its own: inside it, Landlock is enough.
    every = ("bwrap", "docker", "landlock") if contained() else ("bwrap", "docker")
    troubles = []
    for one in every if name == "auto" else (name,):
        try:
            return table[one], table[one].open(files, limits)
        except SandboxError:
            trouble = table[one].trouble()
            if trouble is None:  # it is the files that it cannot take
                raise
            troubles.append(trouble)
    if name != "auto":
        raise SandboxError(f"{troubles[0]}.")
    raise SandboxError(f"No sandbox works here. {troubles[0][0].upper()}{troubles[0][1:]}.")


def chosen(name: str = "auto", docker_image: str = IMAGE) -> Sandbox:
    """The sandbox of that name, tried out. Raises as `opened` does."""
    sandbox, box = opened({}, Limits(), name, docker_image)
    box.close()
    return sandbox
