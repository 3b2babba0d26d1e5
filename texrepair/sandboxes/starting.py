"""How a supervisor starts: its program comes over the pipe, before the first request.

So what runs is this version's, whatever an image holds; and an interpreter of this one's kind gets it compiled, which
it would take longer to do than to start.
"""

from __future__ import annotations

import marshal
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER
from pathlib import Path

_START = """\
import os
from importlib.util import MAGIC_NUMBER
from marshal import loads

def read(size):
    data = b""
    while len(data) < size:
        data += os.read(0, size - len(data)) or os._exit(1)
    return data

text, code = read({text}), read({code})
known = MAGIC_NUMBER == {magic}
exec(loads(code) if known else compile(text, "supervisor", "exec"), {{"__name__": "__main__"}})
"""


def arguments() -> list[str]:
    """Those of an interpreter that becomes a supervisor: isolated from the environment and without site-packages."""
    text, code = _program()
    return ["-I", "-S", "-B", "-c", _START.format(text=len(text), code=len(code), magic=MAGIC_NUMBER)]


def preamble() -> bytes:
    """What it reads first."""
    return b"".join(_program())


@cache
def _program() -> tuple[bytes, bytes]:
    """The supervisor's text, and the bytecode that importlib has of it or makes; MAGIC_NUMBER tells of which kind."""
    path = str(Path(__file__).with_name("supervisor.py"))
    loader = SourceFileLoader("texrepair.sandboxes.supervisor", path)
    return loader.get_data(path), marshal.dumps(loader.get_code(loader.name))
