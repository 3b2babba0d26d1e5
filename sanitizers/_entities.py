"""HTML entities, and what they mean in LaTeX."""

import html
import re

ENTITY = re.compile(r"(?<!\\)&(?:#\d{1,6}|#[xX][0-9a-fA-F]{1,5}|[A-Za-z]{2,8}[0-9]{0,2});")

TEXT = {
    "&": "\\&",
    "<": "$<$",
    ">": "$>$",
    "'": "'",
    '"': "''",
    "\u00a0": "~",
    "%": "\\%",
    "#": "\\#",
    "$": "\\$",
    "_": "\\_",
    "{": "\\{",
    "}": "\\}",
    "\\": "\\textbackslash{}",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "—": "---",
    "–": "--",
    "…": "\\ldots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "×": "$\\times$",
    "°": "$^\\circ$",
    "±": "$\\pm$",
    "−": "$-$",
    "→": "$\\rightarrow$",
    "≤": "$\\leq$",
    "≥": "$\\geq$",
    "•": "\\textbullet{}",
    "\u00ad": "\\-",
}


def meaning(entity: str) -> str:
    """The one character that the entity means; "" where it is none."""
    sign = html.unescape(entity)
    return sign if len(sign) == 1 and (sign.isprintable() or sign in "\u00a0\u00ad") else ""
