"""Hostile documents through the whole command, in every sandbox that works here; looked at from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from documents import ATTACKS, Attack, lua, tex
from world import World

from texrepair.sandboxes import Sandbox

NAMED = [pytest.param(attack, id=name) for name, attack in ATTACKS.items()]
BITING = [pytest.param(attack, id=name) for name, attack in ATTACKS.items() if attack.bites]

pytestmark = pytest.mark.tex


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "world")
    yield made
    made.close()


@pytest.mark.parametrize("attack", NAMED)
def test_it_stays_inside(attack: Attack, protecting: Sandbox, world: World) -> None:
    world.lay(attack.files)
    outcome = world.build(protecting.name)
    assert outcome.violations == [], (attack.tries, outcome.said)
    # What a document does is data: never a fault of ours (1), nor a sandbox that is said to be missing (69).
    assert outcome.code in (0, 2, 3, 4, 5), outcome.said


@pytest.mark.parametrize("attack", BITING)
def test_it_is_a_real_one(attack: Attack, world: World) -> None:
    world.lay(attack.files)
    assert world.build("none").violations


def test_one_build_leaves_nothing_for_the_next(protecting: Sandbox, world: World) -> None:
    write = "local f = io.open(place .. '/left', 'w'); if f then f:write('LEFT' .. 'BEHIND'); f:close() end"
    read = "local f = io.open(place .. '/left'); if f then show(f:read('a')) end"
    places = "'/tmp', '/var/tmp', '/dev/shm', '..', '/session', os.getenv('TMPDIR'), os.getenv('HOME')"
    world.lay(lua(f"for _, place in ipairs{{{places}}} do {write} end"))
    assert world.build(protecting.name).violations == []
    world.lay(lua(f"for _, place in ipairs{{{places}}} do {read} end"))
    outcome = world.build(protecting.name)
    assert outcome.violations == []
    assert b"LEFTBEHIND" not in outcome.texts


def test_a_right_document_builds(protecting: Sandbox, world: World) -> None:
    world.lay({"main.tex": tex("Right.")})
    outcome = world.build(protecting.name)
    assert outcome.code == 0, outcome.said
    assert (world.root / "out/main.pdf").read_bytes().startswith(b"%PDF-")
    assert outcome.violations == []
