"""Diagnosis: what the logs of TeX and of the programs around it report, and where.

Nothing else in texrepair reads logs.
"""

from __future__ import annotations

from collections.abc import Mapping

from texrepair.diagnosis.causes import Cause, causes, classified
from texrepair.diagnosis.excerpts import excerpt, fingerprint
from texrepair.diagnosis.found import merged
from texrepair.diagnosis.lines import Lines
from texrepair.diagnosis.log import Run
from texrepair.diagnosis.model import Diagnosis

__all__ = ["Cause", "Diagnosis", "causes", "classified", "diagnose", "excerpt", "fingerprint"]


def diagnose(
    log: bytes | str, *, sources: Mapping[str, str] | None = None, recorder: bytes | str | None = None
) -> Diagnosis:
    """What a log reports: of a TeX engine, bibtex, biber, makeindex, makeglossaries, xindy or xdvipdfmx, in any form.

    `sources` are the project's text files by path, `recorder` is the .fls file of the run; both make places surer.
    Never raises, whatever the bytes.
    """
    run = Run(Lines(log)).read()
    return Diagnosis(
        tuple(f.diagnostic() for f in merged(run.errors)),
        tuple(f.diagnostic() for f in merged(run.warnings)),
        run.engine,
        run.counts,
        run.finished,
    )
