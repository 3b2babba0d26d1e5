"""Hostile zips, names, and files that lie in wait in the user's folder; looked at from outside."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from documents import tex
from world import World

from texrepair.sandboxes import SANDBOXES, chosen

DOCUMENT = tex("Text.")

pytestmark = pytest.mark.tex


@pytest.fixture(scope="module")
def any_sandbox() -> str:
    """What comes in is looked at before any sandbox opens: the first that works will do."""
    return next((n for n, s in SANDBOXES.items() if n != "none" and s.trouble() is None), "") or chosen().name


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "world")
    yield made
    made.close()


# zips


def entry(name: str, data: bytes = b"x", mode: int = 0o100644) -> tuple[zipfile.ZipInfo, bytes]:
    info = zipfile.ZipInfo(name)
    info.external_attr, info.create_system = mode << 16, 3
    return info, data


def zipped(*entries: tuple[zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for info, data in (entry("main.tex", DOCUMENT.encode()), *entries):
            archive.writestr(info, data, compress_type=method)
    return packed.getvalue()


def through_a_link(world: World) -> bytes:
    return zipped(entry("way", os.fsencode(world.root / "watch"), 0o120777), entry("way/new.tex"))


def lying_sizes(_: World) -> bytes:
    """Headers that promise one byte where the stream gives a hundred million."""
    data = bytearray(zipped(entry("large.tex", b"\0" * 100_000_000), method=zipfile.ZIP_DEFLATED))
    for mark, place in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        at = data.find(mark, data.find(mark) + 4)
        data[at + place : at + place + 4] = struct.pack("<I", 1)
    return bytes(data)


def overlapping(_: World) -> bytes:
    """Entries that all share one compressed stream."""
    body = zlib.compress(b"\0" * 20_000_000, 9)[2:-4]
    crc = zlib.crc32(b"\0" * 20_000_000)
    local = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(body), 20_000_000, 5, 0) + b"a.tex" + body
    central = b"".join(
        struct.pack(
            "<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(body), 20_000_000, 8, 0, 0, 0, 0, 0, 0
        )
        + b"%04d.tex" % number
        for number in range(500)
    )
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 500, 500, len(central), len(local), 0)
    return local + central + end


def nested(_: World) -> bytes:
    inner = zipped(entry("deep.tex", b"\0" * 50_000_000), method=zipfile.ZIP_DEFLATED)
    return zipped(*(entry(f"{n}.zip", inner) for n in range(50)))


def huge_dictionary(_: World) -> bytes:
    """An LZMA entry that asks for a dictionary of four gigabytes (APPNOTE 5.8.8)."""
    data = bytearray(zipped(entry("a.tex", b"x" * 1000), method=zipfile.ZIP_LZMA))
    at = data.find(b"a.tex") + len("a.tex") + 5  # behind the version, the size and the first property
    data[at : at + 4] = b"\xff" * 4
    return bytes(data)


ZIPS: dict[str, Callable[[World], bytes]] = {
    "absolute name": lambda w: zipped(entry(f"{w.root}/watch/new.tex")),
    "name with backslashes": lambda w: zipped(entry("..\\..\\watch\\new.tex")),
    "name with a drive": lambda w: zipped(entry("C:\\watch\\new.tex")),
    "name through a link": through_a_link,
    "device": lambda w: zipped(entry("null", b"", 0o020666)),
    "pipe": lambda w: zipped(entry("chapter.tex", b"", 0o010644)),
    "sizes that lie": lying_sizes,
    "entries that overlap": overlapping,
    "zips in a zip": nested,
    "ratio of another method": lambda w: zipped(entry("a.tex", b"\0" * 90_000_000), method=zipfile.ZIP_LZMA),
    "two main files": lambda w: zipped(entry("./main.tex", b"\\input{%s/secret/secret.tex}" % os.fsencode(w.root))),
    "file as a folder": lambda w: zipped(entry("main.tex/x")),
    "name with escapes": lambda w: zipped(entry("\x1b]0;owned\x07\x1b[2J.tex"), entry("\u202etxt.exe")),
    "name with a nul": lambda w: zipped(entry("a.texQ../../watch/new")).replace(b"Q", b"\0"),
    "names without end": lambda w: zipped(entry("a/" * 20_000 + "x.tex")),
    "deep folders": lambda w: zipped(*(entry("/".join(map(str, range(n, n + 2000)))) for n in range(300))),
    "names of sixty thousand letters": lambda w: zipped(*(entry("a" * 60_000 + f"{n}.tex") for n in range(50))),
    "dictionary of four gigabytes": huge_dictionary,
    "results as input": lambda w: zipped(entry("main.pdf", b"%PDF-"), entry("main.texrepair/run.json", b"{}")),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("make", ZIPS.values(), ids=ZIPS)
def test_a_zip_writes_nothing_elsewhere(make: Callable[[World], bytes], world: World, any_sandbox: str) -> None:
    world.lay({"input.zip": make(world)})
    outcome = world.build(any_sandbox, "input.zip")
    assert outcome.violations == [], outcome.said
    assert outcome.code in (0, 5, 65), outcome.said


# names of the main file, which come near a command line


@pytest.mark.parametrize(
    "name",
    [
        "-shell-escape.tex",
        "--help.tex",
        "&pdflatex.tex",
        "|touch x.tex",
        "a;touch x.tex",
        "$(touch x).tex",
        "`touch x`.tex",
        "a\nb.tex",
        "\\write18{touch x}.tex",
        "%s%n.tex",
        "\x1b[2J.tex",
        "a'b\"c.tex",
        "~root.tex",
        "x" * 240 + ".tex",
    ],
)
def test_a_name_is_a_name(name: str, world: World, any_sandbox: str) -> None:
    world.lay({name: DOCUMENT})
    outcome = world.build(any_sandbox, f"./{name}")
    assert outcome.violations == [], outcome.said
    assert outcome.code == 0, outcome.said


# what lies beside the document


@pytest.mark.parametrize(
    "line",
    [
        'sandbox = "none"',
        'rules = "rules"',
        'model = "cmd:touch @WATCH@/ran"',
        'base_url = "http://127.0.0.1:@PORT@"\nmodel = "openai:x"',
        'docker_image = "evil"',
        'model = "anthropic:claude"',
        'extra_body = {model = "dear"}',
        "price_in = 0",
        "rounds = 1000",
        "memory_mb = 100000",
        'disk_mb = "100000"',
        "budget = inf",
    ],
)
def test_settings_beside_a_document_may_not_run_anything(line: str, world: World, any_sandbox: str) -> None:
    run = "import pathlib; pathlib.Path('@WATCH@/ran').touch()\n"
    world.lay({"main.tex": tex("\\undefined"), "texrepair.toml": line + "\n", "rules/own.py": run})
    outcome = world.build(any_sandbox)
    assert outcome.violations == []
    assert outcome.code == 64
    assert b"may not set" in outcome.said


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 100_000, "#" * 100_000, 'a = "\x1b[2J'], ids=["deep", "long", "escape"]
)
def test_settings_that_cannot_be_read_are_no_fault(text: str, world: World, any_sandbox: str) -> None:
    world.lay({"main.tex": DOCUMENT, "texrepair.toml": text})
    outcome = world.build(any_sandbox)
    assert outcome.violations == []
    assert outcome.code == 64


def test_settings_are_not_read_through_a_link(world: World, any_sandbox: str) -> None:
    world.lay({"main.tex": DOCUMENT})
    (world.root / "secret/secret.txt").write_text(f'base_url = "{world.hidden("a setting")}"\n')
    (world.root / "project/texrepair.toml").symlink_to(world.root / "secret/secret.txt")
    outcome = world.build(any_sandbox)
    assert outcome.violations == []
    assert outcome.code == 64


def test_a_run_log_beside_a_document_removes_no_file(world: World, any_sandbox: str) -> None:
    world.lay({"main.tex": DOCUMENT, "other.tex": "mine"})
    digest = hashlib.sha256(b"mine").hexdigest()
    paths = ("other.tex", "../project/other.tex", "main.texrepair/../other.tex", str(world.root / "project/other.tex"))
    forged = json.dumps({"texrepair": 1, "files": dict.fromkeys(paths, digest)}, indent=1)
    world.lay({"main.texrepair/run.json": forged})
    outcome = world.build(any_sandbox)
    assert outcome.violations == []
    (world.root / "out/run.json").write_text(forged)
    assert world.build(any_sandbox).violations == []


def test_links_in_the_way_of_results_are_not_followed(world: World, any_sandbox: str) -> None:
    world.lay({"main.tex": DOCUMENT})
    for name in ("main.pdf", "run.json", "main.diff", "main-export.zip", "main.tex"):
        (world.root / "out" / name).symlink_to(world.root / "secret/secret.txt")
    outcome = world.build(any_sandbox)
    changed = [one for one in outcome.violations if not one.startswith("special")]
    assert changed == []
    assert (world.root / "out/main.pdf").read_bytes().startswith(b"%PDF-")


def test_links_and_devices_beside_a_document_are_left_out(world: World, any_sandbox: str) -> None:
    world.lay({"main.tex": tex("\\input{chapter}\\input{part/one}\\input{pipe}")})
    project = world.root / "project"
    (project / "chapter.tex").symlink_to(world.root / "secret/secret.tex")
    (project / "part").symlink_to(world.root / "secret")
    (project / "one.tex").hardlink_to(project / "main.tex")
    os.mkfifo(project / "pipe.tex")
    outcome = world.build(any_sandbox)
    assert outcome.violations == []
    assert outcome.code in (0, 5)
