"""Diagnosis: what the logs of TeX and of the programs around it report, and where.

Nothing else in texrepair reads logs.
"""

from __future__ import annotations

from texrepair.diagnosis.causes import Cause, causes, classified
from texrepair.diagnosis.diagnose import diagnose
from texrepair.diagnosis.excerpts import excerpt, fingerprint
from texrepair.diagnosis.model import Diagnosis

__all__ = ["Cause", "Diagnosis", "causes", "classified", "diagnose", "excerpt", "fingerprint"]
