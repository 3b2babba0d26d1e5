"""Prints as TeX prints (tex.web part 5), so that a log can be had broken at any width."""

# Logs have long lines.
# ruff: noqa: E501
from __future__ import annotations


class Printer:
    """A log under way. `unit` is `bytes` (pdfTeX) or `characters` (XeTeX)."""

    def __init__(self, width: int = 79, unit: str = "bytes") -> None:
        self.width = width
        self.unit = unit
        self._out = bytearray()
        self._offset = 0

    @property
    def log(self) -> bytes:
        return bytes(self._out)

    def line(self) -> None:
        """print_ln"""
        self._out += b"\n"
        self._offset = 0

    def _units(self, text: str) -> list[bytes]:
        if self.unit == "bytes":
            return [bytes([byte]) for byte in text.encode()]
        return [character.encode() for character in text]

    def put(self, text: str) -> None:
        """print, character by character"""
        for piece in self._units(text):
            if piece == b"\n":
                self.line()
                continue
            self._out += piece
            self._offset += 1
            if self._offset == self.width:
                self.line()

    def fresh(self, text: str) -> None:
        """print_nl"""
        if self._offset > 0:
            self.line()
        self.put(text)

    def banner(self, engine: str) -> None:
        """The first lines, which are never broken."""
        name, form = {"pdflatex": ("pdfTeX", "pdflatex"), "xelatex": ("XeTeX", "xelatex")}[engine]
        self._out += f"This is {name}, Version 3.14 (TeX Live 2022) (preloaded format={form} 2026.1.1)  1 JAN 2026 10:00\n".encode()
        self._out += b"entering extended mode\n**main.tex\n"
        self._offset = 0

    def open(self, name: str) -> None:
        if self._offset + len(name) > self.width - 2:
            self.line()
        elif self._offset > 0:
            self.put(" ")
        self.put(f"({name}")

    def close(self) -> None:
        self.put(")")

    def message(self, text: str) -> None:
        """\\message"""
        if self._offset + len(text) > self.width - 2:
            self.line()
        elif self._offset > 0:
            self.put(" ")
        self.put(text)

    def write(self, text: str) -> None:
        """\\typeout, \\wlog"""
        self.fresh(text)
        self.line()

    def context(self, prefix: str, read: str, rest: str) -> None:
        """Two lines, broken where TeX had read to; cut at 50 and 79 columns, never broken."""
        if self._offset > 0:
            self.line()
        head, tail = self._units(prefix + read), self._units(rest)
        if len(head) > 50:
            head = [*self._units(prefix), *self._units("..."), *head[-(47 - len(prefix)) :]]
        if len(head) + len(tail) > 79:
            tail = [*tail[: 76 - len(head)], *self._units("...")]
        self._out += b"".join(head) + b"\n" + b" " * len(head) + b"".join(tail)
        self._offset = len(head) + len(tail)

    def error(
        self, message: str, line: int, read: str, rest: str, help_text: tuple[str, ...] = (), place: str = ""
    ) -> None:
        self.fresh(f"{place}:{line}: " if place else "! ")
        self.put(message + ".")
        self.context(f"l.{line} ", read, rest)
        for text in help_text:
            self.fresh(text)
        self.line()
        self.line()

    def package_message(self, kind: str, name: str, text: str, more: tuple[str, ...], line: int | None) -> None:
        """\\GenericWarning and \\GenericInfo"""
        if kind != "Info":
            self.fresh("")
            self.line()
        self.fresh(f"Package {name} {kind}: {text}")
        for part in more:
            self.fresh(f"({name}){' ' * 16}{part}")
        self.put(f" on input line {line}." if line is not None else ".")
        self.line()
        if kind != "Info":
            self.line()

    def overfull(self, size: str, first: int, last: int, picture: str) -> None:
        self.line()
        self.fresh(f"Overfull \\hbox ({size}pt too wide) in paragraph at lines {first}--{last}")
        self.line()
        self.put(picture)
        self.line()
        self.fresh(" []")
        self.line()
        self.line()

    def end(self) -> None:
        self.put(" )")
        self.line()
        self._out += b"Here is how much of TeX's memory you used:\n 437 strings out of 477967\n"
        self._offset = 0
        self.put("Output written on main.pdf (1 page, 12007 bytes).")
        self.line()
