#!/usr/bin/env python3
"""Fuzz sessions with a hostile program inside, for as long as you like.

    python tests/fuzz/fuzz_session.py [SANDBOX] [SECONDS] [FIRST_SEED]

A seed that fails is printed, and makes the same work again. Not collected by pytest.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "sandboxes"))

from mangling import mangle

from texrepair.sandboxes import chosen


def main(name: str = "auto", seconds: str = "60", first: str = "0") -> None:
    sandbox, until, seed = chosen(name), time.monotonic() + float(seconds), int(first)
    with tempfile.TemporaryDirectory() as folder:
        canary = Path(folder, "canary")
        canary.write_bytes(b"KNRY-secret")
        while time.monotonic() < until:
            print(f"\r{sandbox.name} {seed}", end="", flush=True)
            mangle(sandbox, seed, 200, canary)
            seed += 1
    print(f"\r{sandbox.name}: {seed - int(first)} sessions of 200 steps, nothing found")


if __name__ == "__main__":
    main(*sys.argv[1:])
