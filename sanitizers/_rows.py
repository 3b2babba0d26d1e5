"""Environments whose rows end with two backslashes."""

import re

ROWS = re.compile(
    r"tabu|array|align|matrix|cases|gather|multline|split|eqn|tblr|longtable|verse|tabbing|substack|flalign"
)
"""Found in the name of every environment in which \\\\ ends a row, amsmath's and the usual packages' included."""
