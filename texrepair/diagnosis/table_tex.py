"""The errors of TeX itself (tex.web, etex.ch, pdftex.web, xetex.web, LuaTeX): code, explanation, patterns.

A pattern is matched at the start of the message; its group `token` is what the message is about.
"""

from __future__ import annotations

Row = tuple[str, str, tuple[str, ...]]
"""Code, explanation for a person, patterns of messages."""

TEX: tuple[Row, ...] = (
    (
        "undefined-control-sequence",
        "TeX does not know this command. It is misspelled, or the package that defines it is not loaded.",
        (r"Undefined control sequence",),
    ),
    (
        "missing-dollar",
        "A command or sign that is allowed only in formulas stands in text, or a formula was not closed before its "
        "paragraph ended. Put the formula between dollar signs, or escape the sign (\\_, \\^{}).",
        (r"Missing \$(?:\$)? inserted", r"Display math should end with \$\$"),
    ),
    (
        "extra-brace",
        "There is a closing brace too many, or the opening one is missing; an unclosed formula or \\begingroup gives "
        "the same message.",
        (r"Too many \}'s", r"Extra \}, or forgotten (?P<token>\\?\S+)", r"Extra (?P<token>\\endgroup)"),
    ),
    (
        "missing-brace",
        "A brace is missing: a group was closed by something else, or a definition or argument does not begin with {.",
        (r"Missing [{}] inserted", r"Missing left brace"),
    ),
    (
        "missing-delimiter",
        "\\left, \\right, \\middle and \\big need a delimiter such as ( or . behind them.",
        (r"Missing delimiter",),
    ),
    (
        "extra-right",
        "\\left and \\right must come in pairs within one formula and one table cell.",
        (r"Extra (?P<token>\\right|\\middle)", r"Missing \\right\s?\. inserted"),
    ),
    (
        "runaway-argument",
        "The argument of a command never ended: its closing brace is missing, and TeX noticed at the next empty line "
        "or at the end of the file. The cause stands where the command was used.",
        (
            r"(?:File ended|Forbidden control sequence found) while scanning (?:use|definition|text|preamble) of "
            r"(?P<token>\\?.+?)\s*\.?$",
            r"Paragraph ended before (?P<token>\\?.+?) was complete",
            r"Argument of (?P<token>\\?.+?) has an extra \}",
            r"File ended within \\read",
        ),
    ),
    (
        "use-does-not-match",
        "A command was followed by something other than what its definition asks for.",
        (r"Use of (?P<token>\\.+?) doesn't match its definition",),
    ),
    (
        "end-inside-group",
        "The document ended while a group or environment was still open: a } or \\end is missing.",
        (r"\(?\\end occurred", r"Missing \\endgroup inserted"),
    ),
    (
        "missing-end-document",
        "The file ended before \\end{document}: the line is missing, or an open argument or \\iffalse swallowed it.",
        (
            r"(?:\*\*\* )?\(job aborted, no legal \\end found\)",
            r"File ended on the terminal",
            r"End of file on the terminal",
        ),
    ),
    (
        "misplaced-alignment",
        "The sign & separates the columns of a table or alignment; elsewhere it must be written \\&.",
        (r"Misplaced (?:alignment tab character|character tab|alignment tab)(?: (?P<token>\S))?",),
    ),
    (
        "extra-alignment",
        "A row of a table or alignment has more & than the table has columns.",
        (r"Extra alignment tab has been changed to",),
    ),
    (
        "misplaced-noalign",
        "\\hline, \\midrule and the like are allowed only at the start of a table row, after \\\\.",
        (r"Misplaced \\noalign",),
    ),
    (
        "misplaced-cr",
        "The end of a table row stands where no table is; a brace or environment around it may be broken.",
        (r"Misplaced \\cr(?:cr)?\b",),
    ),
    (
        "misplaced-omit",
        "\\multicolumn must be the first thing in its table cell.",
        (r"Misplaced \\(?:omit|span)",),
    ),
    (
        "missing-cr",
        "The row of a table or alignment did not end with \\\\, or the environment ended inside a cell.",
        (r"Missing \\cr inserted", r"Missing # inserted in alignment preamble", r"Only one # is allowed per tab"),
    ),
    ("double-subscript", "Two subscripts follow one symbol: write x_{a_b} or x_{ab}.", (r"Double subscript",)),
    ("double-superscript", "Two superscripts follow one symbol: write x^{a^b} or x^{ab}.", (r"Double superscript",)),
    (
        "ambiguous-fraction",
        "Two \\over, \\atop or \\choose in one group; use \\frac, or braces around each.",
        (r"Ambiguous; you need another \{ and \}",),
    ),
    (
        "parameter-character",
        "The sign # stands for a parameter inside definitions; in text it must be written \\#.",
        (r"You can't use `macro parameter character (?P<token>\S+?)'",),
    ),
    (
        "illegal-parameter",
        "A definition uses #1, #2 … beyond the number of arguments that it declares, or a # that should be \\#.",
        (
            r"Illegal parameter number in definition of (?P<token>\S+)",
            r"Parameters must be numbered consecutively",
            r"You already have nine parameters",
        ),
    ),
    (
        "missing-number",
        "A number or length was expected and something else stands there, perhaps an empty argument.",
        (r"Missing number, treated as zero", r"Missing [=`]?='? ?inserted for (?P<token>\\\S+)", r"Missing = inserted"),
    ),
    (
        "illegal-unit",
        "A length needs a unit that TeX knows: pt, mm, cm, in, em or ex.",
        (r"Illegal unit of measure", r"Incompatible glue units"),
    ),
    (
        "dimension-too-large",
        "A length or number is larger than TeX can hold (about 5.7 m, or 2147483647).",
        (r"Dimension too large", r"Number too big", r"Arithmetic overflow", r"Huge page cannot be shipped out"),
    ),
    (
        "wrong-mode",
        "This command is not allowed here: it belongs in a formula, between paragraphs, or in a table.",
        (
            r"You can't use `(?P<token>.+?)' (?:in|after|before)",
            r"You can't use (?:a prefix with )?`(?P<token>.+?)'",
            r"Improper \\(?:halign|prevdepth|spacefactor|discretionary|setbox|hyphenation)",
            r"Improper discretionary list",
            r"Limit controls must follow a math operator",
            r"A <box> was supposed to be here",
            r"Leaders not followed by proper glue",
        ),
    ),
    (
        "missing-control-sequence",
        "A definition such as \\newcommand or \\def needs a command name with a backslash behind it.",
        (r"Missing control sequence inserted",),
    ),
    ("missing-to", "\\vsplit and \\read need the word `to'.", (r"Missing `to' inserted",)),
    (
        "missing-font",
        "A font command was expected here.",
        (r"Missing font identifier", r"Improper `at' size"),
    ),
    (
        "invalid-character",
        "The file holds a character that TeX cannot read, often a control character from copying.",
        (
            r"Text line contains an invalid character",
            r"String contains an invalid utf-?8 sequence",
            r"Invalid UTF-8",
        ),
    ),
    (
        "missing-endcsname",
        "The name of a label, counter, environment or key holds a command that cannot be part of a name.",
        (r"Missing \\endcsname inserted",),
    ),
    ("extra-endcsname", "\\endcsname without \\csname.", (r"Extra \\endcsname",)),
    (
        "extra-or",
        "\\else, \\or or \\fi without its \\if.",
        (r"Extra (?P<token>\\(?:or|else|fi|unless))",),
    ),
    (
        "incomplete-conditional",
        "An \\if has no \\fi: everything up to the end of the file was skipped.",
        (r"Incomplete (?P<token>\\if\S*?); all text was ignored after line (?P<begun>\d+)", r"Incomplete \\if"),
    ),
    (
        "expression",
        "An arithmetic expression is wrong: a parenthesis or operator is missing.",
        (r"Missing \) inserted for expression",),
    ),
    (
        "capacity-exceeded",
        "TeX ran out of memory, nearly always because a macro calls itself for ever.",
        (
            r"TeX capacity exceeded, sorry \[(?P<resource>[^=\]]+)",
            r"I can't go on meeting you like this",
            r"This can't happen",
            r"\S* ?stack overflow",
        ),
    ),
    (
        "output-loop",
        "The page builder made no progress, usually a float or box larger than the page.",
        (r"Output loop---", r"Unbalanced output routine", r"Output routine didn't use all of", r"\\box255 is not void"),
    ),
    (
        "infinite-shrinkage",
        "Something with unlimited shrinkability (\\hss, \\vss) stands in a paragraph or page.",
        (r"Infinite glue shrinkage",),
    ),
    (
        "font-not-found",
        "This font is not installed under this name.",
        (
            r"Font (?P<command>\\?\S+?)=\"?(?P<token>\[[^\]]*\]|(?<=\")[^\"]*|[^\s:\"]+).* not loadable",
            r"Font (?P<token>\S+) not found",
            r"Font (?P<command>\\?\S+?)=(?P<token>\S+).* not loaded: Not enough room",
            r"Font (?P<token>\S+) has only",
        ),
    ),
    (
        "file-not-found",
        "TeX did not find this file: the name, the folder or the ending is wrong, or the file was not sent along.",
        (r"I can't find file `(?P<token>[^']*)'", r"I can't write on file `(?P<token>[^']*)'"),
    ),
    (
        "image-not-found",
        "This picture was not found, or is not of a kind that the engine reads.",
        (
            r"Unable to load picture or PDF file '(?P<token>[^']*)'",
            r"(?:pdfTeX|LuaTeX)? ?error: .{0,40}?\(file (?P<token>[^)]*)\).*?: cannot find image file",
            r"pdfTeX error: .{0,40}?: cannot find image file '?(?P<token>[^']+)'?",
        ),
    ),
    (
        "font-expansion",
        "microtype's font expansion needs scalable fonts; load lmodern or cm-super, or switch expansion off.",
        (r"pdfTeX error \(font expansion\)",),
    ),
    (
        "pdf-inclusion",
        "The included picture or PDF is damaged or of a kind that the engine cannot read.",
        (
            r"(?:pdfTeX|LuaTeX)? ?error: .{0,40}?\(file (?P<token>[^)]*)\)",
            r"(?:pdfTeX|LuaTeX) error[^:]*:",
        ),
    ),
    (
        "interrupted",
        "The run was stopped from outside while it was here, perhaps in an endless loop.",
        (r"Interruption",),
    ),
    (
        "emergency-stop",
        "TeX could not go on; the cause is the error before this one.",
        (r"Emergency stop", r"(?:==> )?Fatal error occurred", r"\(That makes 100 errors"),
    ),
    ("no-pages", "The document produced no page.", (r"No pages of output",)),
    (
        "lua-error",
        "Lua code failed.",
        (
            r"\[\\?(?:directlua|latelua|luafunction|string)[^\]]*\]:\d+: ",
            r"[^:]{1,200}\.lua:\d+: ",
            r"error loading module",
            r"LuaTeX (?:error )?callback",
        ),
    ),
    (
        "bad-value",
        "A number is outside the range that is allowed here.",
        (
            r"Bad (?:number|\w+ code|mathchar|space factor|\\prevgraf|interaction mode|flag)",
            r"Invalid code \(",
            r"Improper alphabetic constant",
            r"Illegal magnification|Incompatible magnification",
        ),
    ),
    (
        "wrong-box",
        "A box of another kind was expected here.",
        (
            r"Insertions can only be added to a vbox",
            r"\\vsplit needs a \\vbox",
            r"Incompatible list can't be unboxed",
            r"You can't \\insert255",
        ),
    ),
    (
        "math-fonts",
        "The fonts for formulas are not set up at this size.",
        (r"Math formula deleted: Insufficient",),
    ),
    (
        "write-braces",
        "What is written to a file holds braces that do not match.",
        (r"Unbalanced write command",),
    ),
    (
        "hyphenation",
        "Hyphenation patterns or exceptions hold something other than letters, or come too late.",
        (
            r"Too late for \\patterns",
            r"Patterns can be loaded only",
            r"Duplicate pattern",
            r"Nonletter",
            r"Not a letter$",
            r"Bad \\patterns",
        ),
    ),
    (
        "discretionary",
        "A discretionary break holds what it may not hold.",
        (r"Discretionary list is too long", r"Illegal math \\discretionary"),
    ),
    (
        "format-error",
        "The engine's format file is missing or of another version: the TeX installation has to be repaired.",
        (r"(?:---! )?.{0,80}I can't find the format file", r"Fatal format file error"),
    ),
    ("tex-error", "TeX stopped at this place.", ()),
)
