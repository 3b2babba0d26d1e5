"""The numbers that headings, floats, equations and theorems get in LaTeX's own classes."""

from __future__ import annotations

_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_MOST_THEOREMS = 200


class Numbers:
    """The counters of LaTeX's own classes (article.cls, report.cls)."""

    def __init__(self, chapters: bool) -> None:
        self._levels = [level for level in _LEVELS if chapters or level != "chapter"]
        self._deepest = 2 if chapters else 3
        self._counts: dict[str, int] = {}
        self._within = dict.fromkeys(("figure", "table", "equation"), "chapter" if chapters else "")
        self._like: dict[str, str] = {}
        self._appendix = False
        self.main_matter = True
        self.current = ("section", "", "")

    def heading(self, kind: str, title: str) -> str:
        """The number of the next heading of that kind; empty for one that has none."""
        if kind not in self._levels or _LEVELS.index(kind) - 1 > self._deepest or not self.main_matter:
            return ""
        self._step(kind)
        self.current = (kind, self._number(kind), title)
        return self.current[1]

    def numbered(self, kind: str) -> str:
        """The number of the next float, equation or theorem of that kind."""
        counter = self._like.get(kind, kind)
        self._step(counter)
        within = self._within.get(counter, "")
        number = f"{self._number(within)}." if within in self._levels and self._counts.get(within) else ""
        return f"{number}{self._counts[counter]}"

    def theorem(self, name: str, like: str | None, within: str | None) -> None:
        """Take a \\newtheorem in."""
        if len(self._like) < _MOST_THEOREMS:
            self._like[name] = self._like.get(like or name, like or name)
            self._within.setdefault(name, within or "")

    def is_theorem(self, name: str) -> bool:
        return name in self._like

    def restart(self) -> None:
        """Count from nothing."""
        self._counts.clear()
        self.current = ("section", "", "")

    def appendix(self) -> None:
        self._appendix = True
        self._counts[self._top] = 0
        self._reset(self._top)

    @property
    def _top(self) -> str:
        return self._levels[1]

    def _step(self, counter: str) -> None:
        self._counts[counter] = self._counts.get(counter, 0) + 1
        self._reset(counter)

    def _reset(self, counter: str) -> None:
        if counter in self._levels[1:]:
            below = self._levels[self._levels.index(counter) + 1 :]
            outer = {counter, *below}
            self._counts |= dict.fromkeys(below, 0)
            self._counts |= {name: 0 for name, within in self._within.items() if within in outer}

    def _number(self, kind: str) -> str:
        if kind == "part":
            return "I" * min(self._counts["part"], 3)  # as wide as it is; nobody counts parts beyond three
        chain = self._levels[1 : self._levels.index(kind) + 1]
        numbers = [str(self._counts.get(level, 0)) for level in chain]
        if self._appendix and 0 < self._counts.get(self._top, 0) <= 26:
            numbers[0] = chr(ord("@") + self._counts[self._top])
        return ".".join(numbers)
