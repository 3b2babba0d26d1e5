"""The shipped fake: a sandbox that runs nothing and plays what it was told, for tests without TeX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from texrepair.errors import EngineMissing
from texrepair.sandboxes.base import PROJECT, Limits, Ran
from texrepair.sandboxes.wire import contents


@dataclass(frozen=True, slots=True)
class Scene:
    """What one program does: how it ends, and the files that it leaves."""

    ran: Ran = field(default_factory=lambda: Ran(0))
    files: Mapping[str, bytes] = field(default_factory=dict)
    program: str | None = None
    """The program that must be asked for; None for any."""


@dataclass(slots=True)
class ScriptedRun:
    ran: Ran
    fed: bytes = b""
    stopped: bool = False

    def feed(self, data: bytes) -> None:
        self.fed += data

    def finish(self, data: bytes, whole: bytes, seconds: float | None = None) -> None:
        self.fed += data

    def wait(self) -> Ran:
        return self.ran

    def stop(self) -> None:
        self.stopped = True


class ScriptedBox:
    """Folders are dictionaries; each program that is started plays the next scene."""

    def __init__(self, scenes: Iterable[Scene]) -> None:
        self.scenes = list(scenes)
        self.folders: dict[str, dict[str, bytes]] = {}
        self.commands: list[tuple[str, ...]] = []
        self.runs: list[ScriptedRun] = []
        self.closed = False

    def put(self, files: Mapping[str, bytes | Path], folder: str = PROJECT, absent: Iterable[str] = ()) -> None:
        held = {name: contents(file) if isinstance(file, Path) else file for name, file in files.items()}
        there = self.folders.setdefault(folder, {})
        there.update(held)
        for name in absent:
            there.pop(name, None)

    def copy(self, source: str, target: str) -> None:
        self.folders.setdefault(target, {}).update(self.folders.get(source, {}))

    def start(
        self,
        command: Sequence[str],
        folder: str,
        *,
        seconds: float | None = None,
        warm: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> ScriptedRun:
        if not self.scenes or self.scenes[0].program not in (None, command[0]):
            raise EngineMissing(f"{command[0]} is not in the script.")
        scene = self.scenes.pop(0)
        self.commands.append(tuple(command))
        self.put(scene.files, folder)
        self.runs.append(ScriptedRun(scene.ran))
        return self.runs[-1]

    def fetch(self, names: Iterable[str], folder: str) -> dict[str, bytes]:
        held = self.folders.get(folder, {})
        return {name: held[name] for name in names if name in held}

    def drop(self, folder: str) -> None:
        self.folders.pop(folder, None)

    def close(self) -> None:
        self.closed = True


class Scripted:
    """A sandbox whose boxes play these scenes, one after the other."""

    name = "scripted"
    warning: str | None = None

    def __init__(self, *scenes: Scene) -> None:
        self.scenes = scenes
        self.boxes: list[ScriptedBox] = []

    def trouble(self) -> str | None:
        return None

    def open(self, files: Mapping[str, bytes | Path], limits: Limits) -> ScriptedBox:
        box = ScriptedBox(self.scenes)
        box.put(files)
        self.boxes.append(box)
        return box
