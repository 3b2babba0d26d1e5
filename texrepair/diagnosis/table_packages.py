"""Errors of packages that people meet often: code, explanation, patterns (matched against `x: message`)."""

from __future__ import annotations

from texrepair.diagnosis.table_tex import Row

PACKAGES: tuple[Row, ...] = (
    (
        "undefined-colour",
        "There is no colour of this name. Define it with \\definecolor, or load xcolor with the option that has it.",
        (r"\S*: Undefined colou?r (?:model )?[`'](?P<token>.*?)'",),
    ),
    (
        "undefined-theorem-style",
        "There is no theorem style of this name.",
        (r"\S*: Unknown theoremstyle `(?P<token>.*?)'", r"\S*: Theorem style (?P<token>\S+) undefined"),
    ),
    (
        "unknown-key",
        "The package does not know this key; it is misspelled or belongs to another package or library.",
        (
            r"\S+: I do not know the key '(?P<token>[^']*)'",
            r"keyval: (?P<token>.+?) undefined",
            r"\S*: The key(?:-value pair)? '(?P<token>[^']*)' is unknown",
            r"\S*: Unknown key",
        ),
    ),
    (
        "font-not-found",
        "This font is not installed under this name.",
        (r"fontspec: The font \"(?P<token>[^\"]*)\" cannot be found",),
    ),
    (
        "wrong-engine",
        "The document needs another engine than the one that ran.",
        (
            r"\S*: The (?P<token>\S+) package requires either XeTeX or\s+LuaTeX",
            r"\S+: .{0,80}(?:can ?not|does not|doesn't) (?:be used|work|run) (?:with|under|in) (?:pdf|Xe|Lua)\w*TeX",
            r"\S+: .{0,80}requires? (?:either )?(?:Xe|Lua|pdf)(?:La)?TeX",
        ),
    ),
    (
        "shell-escape-needed",
        "The package runs another program, which is not allowed here.",
        (r"\S+: You must invoke LaTeX with the -+shell-escape flag", r"\S+: .{0,80}shell[- ]escape"),
    ),
    ("package-error", "A package stopped at this place.", ()),
    ("class-error", "The document class stopped at this place.", ()),
)
