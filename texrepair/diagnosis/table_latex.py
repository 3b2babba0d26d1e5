"""The errors of the LaTeX kernel (latex.ltx): code, explanation, patterns (matched behind `LaTeX Error:`)."""

from __future__ import annotations

from texrepair.diagnosis.table_tex import Row

LATEX: tuple[Row, ...] = (
    (
        "undefined-environment",
        "LaTeX does not know this environment. It is misspelled, or the package that defines it is not loaded.",
        (r"Environment (?P<token>.+?) undefined",),
    ),
    (
        "undefined-control-sequence",
        "TeX does not know this command. It is misspelled, or the package that defines it is not loaded.",
        (r"Command `?(?P<token>\\.+?)'? undefined", r"Unknown function (?P<token>\S+)"),
    ),
    (
        "environment-mismatch",
        "An environment was closed by the \\end of another one: an \\end is missing, misspelled or in the wrong order.",
        (
            r"\\begin\s?\{(?P<token>.+?)\}(?: on input line (?P<begun>\d+))? ended by \\end\s?\{(?P<ended>.*?)\}",
            r"\\begin\{(?P<token>.+?)\} allowed only in",
        ),
    ),
    (
        "missing-begin-document",
        "Text stands before \\begin{document}, or that line is missing.",
        (r"Missing \\begin\s?\{document\}",),
    ),
    (
        "package-not-found",
        "This package is not installed, or its name is misspelled.",
        (r"File `(?P<token>[^']+?)\.sty' not found",),
    ),
    (
        "class-not-found",
        "This document class is not installed, or its name is misspelled.",
        (r"File `(?P<token>[^']+?)\.cls' not found",),
    ),
    (
        "image-not-found",
        "This picture was not found, or is not of a kind that the engine reads.",
        (
            r"File `(?P<token>[^']+?\.(?i:pdf|png|jpe?g|eps|ps|gif|svg|bmp|tiff?|mps|webp))' not found",
            r"Cannot determine size of graphic in (?P<token>.+?) \(no BoundingBox\)",
            r"Unknown graphics extension: (?P<extension>\S+?)\.?$",
        ),
    ),
    (
        "file-not-found",
        "TeX did not find this file: the name, the folder or the ending is wrong, or the file was not sent along.",
        (r"File `(?P<token>[^']*)' not found", r"`(?P<token>[^']+)' not found"),
    ),
    (
        "option-clash",
        "The package was loaded before with other options. Give all options where it is loaded first.",
        (r"Option clash for (?:package|class) (?P<token>\S+?)\.?$",),
    ),
    (
        "unknown-option",
        "The package or class has no such option.",
        (
            r"Unknown option [`'](?P<option>.*?)' for (?:package|class) ?`(?P<token>.*?)'",
            r"The key '(?P<option>[^']*)' is unknown and is being ignored",
        ),
    ),
    (
        "no-line-to-end",
        "\\\\ or \\newline stands between paragraphs, where there is no line to end.",
        (r"There's no line here to end",),
    ),
    (
        "undefined-counter",
        "There is no counter of this name.",
        (r"No counter [`'](?P<token>.*?)' defined", r"No such counter"),
    ),
    (
        "bad-column-spec",
        "The column specification of a table is wrong or missing.",
        (
            r"Illegal character in array arg",
            r"Missing (?:@-exp|p-arg) in array arg",
            r"Illegal pream-token \((?P<token>.*?)\)",
        ),
    ),
    (
        "only-in-preamble",
        "This command is allowed only before \\begin{document}.",
        (r"Can be used only in preamble", r"(?P<token>\\\S+) (?:can|may) only be used in (?:the )?preamble"),
    ),
    (
        "two-documentclasses",
        "A document has one \\documentclass.",
        (r"Two \\documentclass or \\documentstyle commands", r"Two \\LoadClass"),
    ),
    (
        "usepackage-before-class",
        "\\documentclass must stand before \\usepackage.",
        (r"\\(?P<token>usepackage|RequirePackage) before \\documentclass", r"\\usepackage before"),
    ),
    (
        "missing-item",
        "A list holds text before its first \\item, or none at all.",
        (r"Something's wrong--perhaps a missing \\item", r"Lonely \\item--perhaps a missing list environment"),
    ),
    (
        "not-in-outer-par-mode",
        "A float, \\marginpar or page command stands inside a box, another float or a footnote.",
        (r"Not in outer par mode",),
    ),
    ("outside-float", "\\caption is allowed only in figure and table.", (r"\\caption outside float",)),
    (
        "too-deeply-nested",
        "Lists are nested deeper than LaTeX allows (four of a kind, six in all).",
        (r"Too deeply nested",),
    ),
    (
        "already-defined",
        "There is already a command, environment or counter of this name.",
        (
            r"Command (?P<token>\\end\.\.\.)",
            r"Command `?(?P<token>\\\S+?)'?\s+already\s+defined",
            r"Command [`']?(?P<token>\\.+?)'? already",
            r"Environment [`']?(?P<token>.+?)'? already defined",
        ),
    ),
    (
        "bad-math-environment",
        "\\( \\) \\[ \\] do not match: a formula begins inside another, or ends where none began.",
        (r"Bad math environment delimiter",),
    ),
    (
        "wrong-mode",
        "This command is not allowed here: it belongs in a formula, between paragraphs, or in a table.",
        (
            r"Command (?P<token>\\\S+?) ?invalid in math mode",
            r"Command (?P<token>\\\S+?)not provided in base",
            r"(?P<token>\\\S+?) ?allowed only in (?:math|text|paragraph|vertical|horizontal) mode",
        ),
    ),
    (
        "unicode-not-set-up",
        "This engine has no definition for this character; xelatex and lualatex take it from the font.",
        (
            r"Unicode character (?P<token>\S+)\s*\(?(?P<codepoint>U\+[0-9A-Fa-f]+)?\)?\s*not set up for use with LaTeX",
            r"Keyboard character used is undefined",
            r"Command (?P<token>\\\S+) unavailable in encoding (?P<encoding>\S+)",
        ),
    ),
    (
        "verb-error",
        "\\verb must begin and end on one line and cannot stand in the argument of another command.",
        (r"\\verb (?:illegal in argument|ended by end of line)",),
    ),
    (
        "undefined-tab",
        "The tabbing environment: a tab stop is used that was not set.",
        (r"Undefined tab position", r"Tab overflow", r"\\pushtabs and \\poptabs don't match", r"\\< in mid line"),
    ),
    (
        "too-many-floats",
        "More figures and tables are waiting than LaTeX can hold. \\clearpage sets them.",
        (r"Too many unprocessed floats", r"Float\(s\) lost"),
    ),
    (
        "counter-too-large",
        "A counter is too large for its form: letters end at 26, footnote symbols at 9.",
        (r"Counter too large",),
    ),
    ("unknown-float-option", "A float takes the letters h t b p ! H.", (r"Unknown float option `(?P<token>.*?)'",)),
    ("no-title", "\\maketitle needs \\title.", (r"No \\title given",)),
    (
        "nested-include",
        "\\include cannot stand in a file that is itself \\include'd: use \\input.",
        (r"\\include cannot be nested",),
    ),
    (
        "font-not-found",
        "This font is not installed under this name.",
        (
            r"Font family `(?P<token>.*?)' unknown",
            r"Encoding scheme\s+`(?P<token>.*?)' unknown",
            r"Font (?P<token>\S+) ?not found",
            r"The font size command",
            r"This NFSS system isn't set up properly",
        ),
    ),
    (
        "math-alphabet",
        "Math fonts: an alphabet or symbol font is not known, or there are more than sixteen.",
        (
            r"Too many (?:math alphabets|symbol fonts)",
            r"(?:Symbol font|Math version|Unknown symbol font) ?`(?P<token>.*?)'",
            r"Math\s+alphabet\s+identifier\s+(?P<token>\S+)",
        ),
    ),
    (
        "invalid-character",
        "The file holds bytes that are not UTF-8: it was saved in another encoding.",
        (r"Invalid UTF-8 byte",),
    ),
    (
        "unknown-glyph",
        "There is no definition of this character or command in the font encoding that is in force.",
        (r"(?P<token>\S+) undeclared in encoding",),
    ),
    (
        "page-too-high",
        "The page would become higher than is reasonable.",
        (r"Suggested extra height", r"Page height already too large"),
    ),
    (
        "overwrites-source",
        "filecontents would overwrite the document's own file.",
        (r"Trying to overwrite `(?P<token>.*?)'", r"Unknown filecontents option (?P<token>\S+)"),
    ),
    (
        "too-many-columns",
        "eqnarray has three columns; use align.",
        (r"Too many columns in eqnarray environment",),
    ),
    (
        "bad-line-argument",
        "\\line and \\vector take slopes from -6 to 6 without common divisor; load pict2e for others.",
        (r"Bad \\line or \\vector argument",),
    ),
    (
        "not-a-command",
        "A command name with a backslash was expected here.",
        (r"Not a command name: `(?P<token>.*?)'", r"Command `?(?P<token>\\.+?)'? not defined as a math alphabet"),
    ),
    (
        "wrong-release",
        "A date or version was asked for that the installed LaTeX or package does not have.",
        (
            r"Suspicious rollback date",
            r"Requested version",
            r".{0,40}\\?(?:IncludeInRelease|NewModuleRelease|EndModuleRelease)",
            r"This file needs format",
        ),
    ),
    (
        "class-file-order",
        "A package or class file loads others in the wrong place.",
        (
            r"\\LoadClass in package file",
            r"\\RequirePackage or \\LoadClass in Options Section",
            r"The (?:package|class) "
            r"(?P<token>\S+) failed to load",
        ),
    ),
    ("latex-error", "LaTeX stopped at this place.", ()),
)
