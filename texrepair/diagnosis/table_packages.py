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
            r"(?:keyval|enumitem): (?P<token>.+?) undefined",
            r"xkeyval: `(?P<token>.*?)' undefined in famil",
            r"\S*: The key(?:-value pair)? '(?P<token>[^']*)' is unknown",
            r"\S*: Unknown (?:key|option) '(?P<token>[^']*)'",
            r"\S*: Choice '(?P<token>[^']*)' unknown",
        ),
    ),
    (
        "undefined-language",
        "The language is not loaded, or the file that defines it is not installed.",
        (
            r"babel: Unknown (?:option|language) [`'](?P<token>.*?)'",
            r"babel: You haven't (?:defined|loaded) the (?:language|option) [`']?(?P<token>[^\s`']+)",
            r"babel: You haven't specified a language",
            r"polyglossia: .{0,60}[`'](?P<token>[^`']+)'",
            r"[Ll]istings: (?:Couldn't load requested language|language (?P<token>\S+) undefined)",
        ),
    ),
    (
        "library-not-found",
        "The package has no library of this name, or it is not installed.",
        (
            r"\S+: I did not find the \w+ (?:data visualization )?library '(?P<token>[^']*)'",
            r"pgfplots: .{0,40}library.{0,20}'(?P<token>[^']*)'",
            r"tcolorbox: .{0,40}library.{0,10}[`'](?P<token>[^`']*)'",
        ),
    ),
    (
        "file-not-found",
        "TeX did not find this file: the name, the folder or the ending is wrong, or the file was not sent along.",
        (
            r"pgfplots: .{0,20}could not read .{0,20}file '(?P<token>[^']*)'",
            r"[Ll]istings: File \"(?P<token>[^\"]*)\" not found",
            r"(?:minted|fancyvrb|csvsimple|datatool|catchfile): .{0,30}[`'\"](?P<token>[^`'\"]+\.\w+)['\"]",
        ),
    ),
    (
        "tikz-path",
        "A TikZ or pgfplots path has something that does not belong there; most often its semicolon is missing.",
        (r"(?:tikz|pgf\w*): (?:Giving up on this path|.{0,60}[Dd]id you forget (?:a|the) semicolon|Cannot parse)",),
    ),
    (
        "undefined-shape",
        "There is no node, shape, arrow or picture of this name.",
        (
            r"pgf: No shape named [`']?(?P<token>.+?)[`']? is known",
            r"pgf: Unknown (?:shape|arrow tip kind|arrow kind) [`'\"](?P<token>[^`'\"]*)",
        ),
    ),
    (
        "bad-expression",
        "An arithmetic expression cannot be evaluated.",
        (
            r"PGF Math(?: \([^)]*\))?: (?:Unknown (?:function|operator) [`'](?P<token>.*?)'|.)",
            r"graphics: Division by 0",
            r"calc: ",
        ),
    ),
    (
        "bad-number",
        "siunitx cannot read this number or unit.",
        (r"siunitx: (?:Invalid number|Undefined symbolic unit|Unit|.{0,30}number) ?[`']?(?P<token>[^`']*)'?",),
    ),
    (
        "font-not-found",
        "This font is not installed under this name.",
        (
            r"fontspec: The font \"(?P<token>[^\"]*)\" cannot be found",
            r"ctex: CTeX fontset `(?P<token>.*?)' is unavailable",
        ),
    ),
    (
        "bad-column-spec",
        "The column specification of a table is wrong or missing.",
        (
            r"\S+: Illegal pream-token \((?P<token>.*?)\)",
            r"\S+: (?:Empty preamble|Only one column-spec\. allowed|\\extracolsep)",
            r"tabularx: X columns too narrow",
        ),
    ),
    (
        "bad-equation-structure",
        "An environment of amsmath stands where it cannot: split and aligned belong inside equation, align outside.",
        (
            r"amsmath: \\begin\s?\{(?P<token>\w+\*?)\} (?:won't work|allowed only)",
            r"amsmath: (?:Erroneous nesting|Incomplete environment|Old form|\\intertext not allowed|Invalid use)",
        ),
    ),
    (
        "misplaced-tag",
        "\\tag is allowed once in each numbered line of a display.",
        (r"amsmath: (?:Multiple \\tag|\\tag not allowed)",),
    ),
    (
        "unicode-not-set-up",
        "This engine has no definition for this character; xelatex and lualatex take it from the font.",
        (
            r"inputenc: Unicode char(?:acter)? (?P<token>\S+)\s*(?:\((?P<codepoint>U\+[0-9A-Fa-f]+)\))?",
            r"inputenc: Keyboard character used is undefined",
        ),
    ),
    (
        "invalid-character",
        "The file holds bytes that are not UTF-8: it was saved in another encoding.",
        (r"inputenc: Invalid UTF-8 byte",),
    ),
    (
        "undefined-entry",
        "There is no glossary or acronym entry of this name.",
        (r"glossaries: (?:Glossary )?[Ee]ntry [`'](?P<token>.*?)' has not been defined", r"acronym: "),
    ),
    (
        "incompatible-packages",
        "Two packages do not go together, or are loaded in the wrong order.",
        (
            r"\S+: Incompatible package[s]? '(?P<token>[^']*)'",
            r"\S+: (?P<token>\S+) must be loaded (?:after|before)",
            r"natbib: Bibliography not compatible with author-year",
            r"\S+: .{0,60}(?:is incompatible with|incompatible package|cannot be (?:used|loaded) (?:together )?with)",
        ),
    ),
    (
        "only-in-preamble",
        "This command is allowed only before \\begin{document}.",
        (r"\S+: '?(?P<token>\\\S+?)'? can (?:only be used|be used only) in (?:the )?preamble",),
    ),
    (
        "wrong-engine",
        "The document needs another engine than the one that ran.",
        (
            r"\S*: The (?P<token>\S+) package requires either XeTeX or\s+LuaTeX",
            r"\S+: .{0,80}(?:can ?not|does not|doesn't) (?:be used|work|run) (?:with|under|in) (?:pdf|Xe|Lua)\w*TeX",
            r"\S+: .{0,80}requires? (?:either )?(?:Xe|Lua|pdf)(?:La)?TeX",
            r"hyperref: Wrong (?:DVI mode )?driver option [`'](?P<token>.*?)'",
        ),
    ),
    (
        "shell-escape-needed",
        "The package runs another program, which is not allowed here.",
        (
            r"\S+: You must invoke LaTeX with the -+shell-escape flag",
            r"\S+: You must have [`'](?P<token>\w+)' installed",
            r"\S+: .{0,80}shell[- ]escape",
        ),
    ),
    ("package-error", "A package stopped at this place.", ()),
    ("class-error", "The document class stopped at this place.", ()),
)
