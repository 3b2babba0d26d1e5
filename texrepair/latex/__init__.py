"""Knowing LaTeX text without TeX: `lex` a file and ask the Source that comes back."""

from texrepair.latex.lexer import lex
from texrepair.latex.source import (
    Argument,
    Command,
    Environment,
    Fence,
    Group,
    Math,
    Mode,
    Package,
    Part,
    Source,
    Span,
    part_of,
)

__all__ = [
    "Argument",
    "Command",
    "Environment",
    "Fence",
    "Group",
    "Math",
    "Mode",
    "Package",
    "Part",
    "Source",
    "Span",
    "lex",
    "part_of",
]
