"""Is a file a whole picture, of a kind that \\includegraphics reads?"""

from __future__ import annotations

from pathlib import Path

_KINDS = (
    (b"\x89PNG\r\n", b"IEND"),
    (b"\xff\xd8\xff", b"\xff\xd9"),
    (b"%PDF-", b"%%EOF"),
    (b"%!PS", b""),
    (b"\xc5\xd0\xd3\xc6", b""),
)
"""How PNG, JPEG, PDF and EPS begin, and what stands at their end."""


def whole_picture(file: Path | bytes) -> bool:
    """True for a picture that is neither cut off nor something else under a picture's name (a Git LFS pointer, a page
    of HTML). Reads the ends of the file alone; an absent file is none."""
    if isinstance(file, Path):
        if not file.is_file():
            return False
        with file.open("rb") as stream:
            head = stream.read(16)
            stream.seek(max(0, file.stat().st_size - 1024))
            tail = stream.read()
    else:
        head, tail = file[:16], file[-1024:]
    return any(head.startswith(magic) and end in tail for magic, end in _KINDS)
