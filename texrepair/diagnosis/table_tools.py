"""Errors of the programs beside TeX: code and explanation."""

from __future__ import annotations

from texrepair.diagnosis.table_tex import Row

TOOLS: tuple[Row, ...] = (
    ("bibtex-error", "BibTeX could not read the bibliography at this place.", ()),
    ("biber-error", "Biber could not read the bibliography at this place.", ()),
    ("index-error", "The index program could not make the index.", ()),
    ("driver-error", "The program that writes the PDF failed.", ()),
)
