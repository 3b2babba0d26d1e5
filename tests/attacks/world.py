"""A small world with canaries around one build, looked at from outside: the build's own word counts for nothing."""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import socket
import stat
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

TEXREPAIR = Path(sys.executable).with_name("texrepair")
LETTERS = "BCDGHJKMNPQRSTVWXZ23456789"  # no ligatures, and nothing that TeX minds

# What outlives the command becomes a child of this one, which tells and ends it.
KEEPER = """
import ctypes, json, os, signal, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
ran = subprocess.Popen(sys.argv[2:])
code, left = ran.wait(), []
children = lambda: [int(p) for p in open(f"/proc/self/task/{os.getpid()}/children").read().split()]
for pid in children():
    if open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] != "Z":
        left.append(open(f"/proc/{pid}/cmdline").read().replace("\\0", " "))
    os.kill(pid, signal.SIGKILL)
json.dump({"code": code, "pid": ran.pid, "left": left}, open(sys.argv[1], "w"))
"""


def canary() -> str:
    return "KNRY" + "".join(secrets.choice(LETTERS) for _ in range(18))


def png(text: str) -> bytes:
    """A grey picture whose pixels are the text."""

    def chunk(tag: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    head = struct.pack(">IIBBBBB", len(text), 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" + text.encode()))
        + chunk(b"IEND", b"")
    )


def pdf(text: str) -> bytes:
    """A page with the text."""
    page = b"BT /F 12 Tf 9 9 Td (%s) Tj ET" % text.encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 30]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1"
        b"/BaseFont/Courier>>>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(page), page),
    ]
    body, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    return body + b"xref\n0 5\n0000000000 65535 f \n" + table + end


@dataclass
class Outcome:
    """What is seen from outside after a build."""

    code: int
    said: bytes
    violations: list[str]
    world: World

    @property
    def texts(self) -> bytes:
        """All that the build wrote, and said."""
        return self.said + b"".join(data for _, data in self.world.made())


@dataclass
class World:
    """Folders: project (the current one), secret, home, watch (nothing may appear there), out, tmp."""

    root: Path
    canaries: dict[str, str] = field(default_factory=dict)
    before: dict[str, object] = field(default_factory=dict)
    listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    def __post_init__(self) -> None:
        for name in ("project", "secret", "home/.ssh", "watch", "out", "tmp"):
            (self.root / name).mkdir(parents=True)
        self.listener.setblocking(False)
        made: dict[str, Callable[[str], bytes]] = {
            "secret.txt": lambda text: text.encode() + b"\n",
            "secret.tex": lambda text: text.encode() + b"\n",
            "secret.bib": lambda text: b"@misc{x, author={A. N. Other}, title={{%s}}, year=2020}\n" % text.encode(),
            "secret.ist": lambda text: b'preamble "%s"\n' % text.encode(),
            "secret.png": png,
            "secret.pdf": pdf,
        }
        for name, make in made.items():
            (self.root / "secret" / name).write_bytes(make(self.hidden(name)))
        (self.root / "secret" / self.hidden("a name")).write_bytes(b"its name is the secret\n")
        (self.root / "home/.ssh/id").write_text(self.hidden("home") + "\n")

    def hidden(self, name: str) -> str:
        return self.canaries.setdefault(name, canary())

    def fill(self, text: str) -> str:
        words = {"SECRET": self.root / "secret", "WATCH": self.root / "watch", "HOME": self.root / "home"}
        for word, path in words.items():
            text = text.replace(f"@{word}@", str(path))
        up = os.path.relpath(self.root / "secret", self.root / "project")
        return text.replace("@UP@", up).replace("@PORT@", str(self.listener.getsockname()[1]))

    def lay(self, files: Mapping[str, str | bytes]) -> None:
        for name, text in files.items():
            path = self.root / "project" / self.fill(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else self.fill(text).encode())

    def build(self, sandbox: str, main: str = "main.tex", *options: str) -> Outcome:
        """Run the command in the project, and look."""
        self.before = self.seen()
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root / "home"),
            "TMPDIR": str(self.root / "tmp"),
            "OPENAI_API_KEY": "sk-" + self.hidden("OPENAI_API_KEY"),
            "ANTHROPIC_API_KEY": "sk-" + self.hidden("ANTHROPIC_API_KEY"),
        }
        told = self.root / "told.json"
        command = [str(TEXREPAIR), "build", main, "--no-llm", "-o", "../out", "--sandbox", sandbox, *options]
        ran = subprocess.run(
            [sys.executable, "-I", "-c", KEEPER, str(told), *command],
            cwd=self.root / "project",
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=280,
        )
        about = json.loads(told.read_text())
        if sandbox == "docker":
            mine = ["docker", "ps", "--all", "--quiet", "--filter", f"name=^texrepair-{about['pid']}-"]
            about["left"] += subprocess.run(mine, capture_output=True, text=True, check=True).stdout.split()
        said = ran.stdout + ran.stderr
        return Outcome(about["code"], said, [*self.violated(said), *(f"left: {one}" for one in about["left"])], self)

    def close(self) -> None:
        self.listener.close()

    def seen(self) -> dict[str, object]:
        """Everything that no build may change."""
        found: dict[str, object] = {}
        for folder in ("project", "secret", "home", "watch"):
            for here, folders, files in os.walk(self.root / folder):
                if folder == "home" and ".cache" in folders:
                    folders.remove(".cache")
                for name in folders + files:
                    path = Path(here, name)
                    about = path.lstat()
                    held = (path.read_bytes(), about.st_mtime_ns) if stat.S_ISREG(about.st_mode) else None
                    found[str(path.relative_to(self.root))] = (about.st_mode, held)
        return found

    def made(self) -> Iterator[tuple[Path, bytes]]:
        for path in sorted([*(self.root / "out").rglob("*"), *(self.root / "home").rglob(".cache/**/*")]):
            if path.is_file() and not path.is_symlink():
                yield path, path.read_bytes()

    def violated(self, said: bytes) -> list[str]:
        found = [f"leak: {name} in what it said" for name in self.leaks(said)]
        for path, data in self.made():
            found += [f"leak: {name} in {path.name}" for name in self.leaks(data + os.fsencode(path.name))]
        now = self.seen()
        found += [f"changed: {path}" for path in sorted({*now, *self.before}) if now.get(path) != self.before.get(path)]
        for path in (self.root / "out").rglob("*"):
            if not (path.is_dir() or path.is_file()) or path.is_symlink():
                found.append(f"special: {path.name}")
        found += [f"left: {path.name}" for path in (self.root / "tmp").iterdir()]
        try:
            with closing(self.listener.accept()[0]):
                found.append("connected")
        except BlockingIOError:
            pass
        text = said.decode("utf-8", "replace")
        if bad := re.findall("[\0-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]", text):
            found.append(f"control characters: {sorted(set(bad))!r}")
        return found + (["traceback"] if "Traceback (most recent" in text else [])

    def leaks(self, data: bytes) -> Iterator[str]:
        held = b"\0".join(_layers(data))
        held = (held + b"\0" + re.sub(rb"[\s\0-]+", b"", held)).lower()
        for name, text in self.canaries.items():
            raw = text.encode()
            forms = (raw, raw[::-1], raw.hex().encode(), *(base64.b64encode(b"x" * n + raw)[4:-4] for n in range(3)))
            if any(form.lower() in held for form in forms):
                yield name


def _layers(data: bytes) -> Iterator[bytes]:
    """The data, and what is packed in it."""
    yield data
    if data.startswith(b"%PDF-"):
        for match in re.finditer(rb"stream\r?\n", data):
            try:
                yield zlib.decompressobj().decompress(data[match.end() :], 1 << 24)
            except zlib.error:
                continue
        shown = subprocess.run(["pdftotext", "-", "-"], input=data, capture_output=True)
        yield shown.stdout
    if data.startswith(b"PK"):
        with zipfile.ZipFile(BytesIO(data)) as packed:
            for name in packed.namelist():
                yield name.encode()
                yield from _layers(packed.read(name))
