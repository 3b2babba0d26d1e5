"""The figures as a table, and its place in README.md."""

from __future__ import annotations

import os
import platform
import statistics
from dataclasses import dataclass, field
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"
OPENING, CLOSING = "<!-- bench -->\n", "<!-- /bench -->"
ROWS = {
    "cold": "the first build",
    "again": "the same again, nothing changed",
    "edit": "a word changed, to the new PDF",
    "check": "an error made, until it is found",
}


@dataclass
class Figures:
    """What was measured."""

    ratios: dict[str, dict[str, float]] = field(default_factory=dict)
    """texrepair/latexmk by document and kind."""
    batch: float | None = None
    alone: dict[str, float] = field(default_factory=dict)


def table(figures: Figures) -> str:
    """The figures as Markdown."""
    names = list(figures.ratios)
    lines = []
    for kind, words in ROWS.items():
        values = [figures.ratios[name][kind] for name in names if kind in figures.ratios[name]]
        if values:
            cells = [*(f"{value:.2f}" for value in values), f"**{statistics.geometric_mean(values):.2f}**"]
            lines.append(f"| {words} | {' | '.join(cells)} |")
    if figures.batch is not None:
        lines.append(f"| all of them thrice, on two cores (`batch`) |{' |' * len(names)} **{figures.batch:.2f}** |")
    head = f"| texrepair/latexmk | {' | '.join(names)} | mean |\n|---|{'---|' * (len(names) + 1)}\n"
    parts = [head + "\n".join(lines)] if lines else []
    if figures.alone:
        parts.append(
            "`sanitize` reads {sanitize:.1f} MB/s and `diagnose` {diagnose:.1f} MB/s; `import texrepair` takes "
            "{import_ms:.0f} ms more than bare Python, `texrepair --version` {version_ms:.0f} ms.".format(
                sanitize=figures.alone["sanitize"],
                diagnose=figures.alone["diagnose"],
                import_ms=1000 * figures.alone["import"],
                version_ms=1000 * figures.alone["version"],
            )
        )
    cores = len(os.sched_getaffinity(0))
    parts.append(f"Measured with {cores} cores, Python {platform.python_version()}.")
    return "\n\n".join(parts)


def write_readme(said: str) -> None:
    """Put it between the two markers in README.md."""
    before, _, rest = README.read_text(encoding="utf-8").partition(OPENING)
    _, _, after = rest.partition(CLOSING)
    README.write_text(f"{before}{OPENING}\n{said}\n\n{CLOSING}{after}", encoding="utf-8")
