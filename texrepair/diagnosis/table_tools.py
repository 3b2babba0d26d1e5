"""Errors of the programs beside TeX: code and explanation."""

from __future__ import annotations

from texrepair.diagnosis.table_tex import Row

TOOLS: tuple[Row, ...] = (
    ("bibtex-error", "BibTeX could not read the bibliography at this place.", ()),
    ("biber-error", "Biber could not read the bibliography at this place.", ()),
    ("index-error", "The index program could not make the index.", ()),
    ("bibtex-warning", "BibTeX misses something in an entry.", ()),
    ("biber-warning", "Biber misses something in an entry.", ()),
    ("index-warning", "The index program found something odd in an entry.", ()),
    ("driver-warning", "The program that writes the PDF found something odd.", ()),
    ("driver-error", "The program that writes the PDF failed.", ()),
)
