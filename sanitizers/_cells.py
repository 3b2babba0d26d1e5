"""Environments whose cells end with &."""

from __future__ import annotations

import re

HOLDS_CELLS = re.compile(
    r"tabu|array|align|matrix|cases|split|table|tblr|eqn|NiceTab|longtable|xtab|gather|tikz|cd\*?$|axis"
)
