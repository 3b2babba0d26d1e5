"""How the lines of a TeX log begin: the patterns that tell messages from everything else."""

from __future__ import annotations

import re

OK = re.compile(rb"(?:! |[^\n]*:\d+: )OK(?: \(see the transcript file\))?\.$")
"""TeX's end of what \\showbox and its kin show: not an error."""
FATAL = re.compile(rb"!? *==> Fatal error occurred")
PLAIN = re.compile(rb"!(?:(?:pdf|Lua|Xe|LuaHB)?TeX error(?: \([^)]*\))?:| (?:LuaTeX )?error: ? ?\(|pdfTeX error)")
"""Errors of the back ends, which come without a context."""
PLACED = re.compile(rb"(?P<file>[^\n]{1,1000}?):(?P<line>\d{1,9}): (?P<message>.*)", re.S)
"""`file:line: message`, of -file-line-error."""
NUMBERED = re.compile(rb":\d{1,9}: ")
FILE = re.compile(rb"(?:\.{0,2}/|[A-Za-z]:[\\/])|.*\.[A-Za-z]\w{0,9}$", re.S)
LUA = re.compile(rb"(?:\[\\?[A-Za-z][^\]\n]{0,80}\]|[^\s:()\[\]][^\n:()\[\]]{0,200}\.lua):\d+: ")
"""A Lua error begins with its chunk."""
RUNAWAY = re.compile(rb"Runaway (?:argument|definition|preamble|text)\?$")
ALLOCATED = re.compile(
    rb"\\.*=\\(?:count|dimen|skip|muskip|box|toks|read|write|insert|language|mathgroup|marks|catcodetable|attribute|"
    rb"luafunction|XeTeXcharclass|whatsit|char)\s*\d+$|\\openout\d+ = "
)
"""Written by \\newcount and its kin, and \\openout."""
TRACE = re.compile(rb"\{[^{}]*\}$|#\d<-|[^\s(]{1,40} ?[^\n]{0,80}->|@")
"""What \\tracingall prints."""
STARTS = re.compile(
    rb"(?:LaTeX3?(?: [A-Za-z]\S*)?|(?:Package|Class|Module) \S+) (?:Warning|Info|Message|Note|Error): |"
    rb"\([^()\s][^()]{0,60}\)(?: {3,}|$)|(?:Over|Under)full \\|(?:Loose|Tight) \\|Missing character: |\\openout|"
    rb"\\\S+=\\[a-z]+\d|(?:File|Package|Document Class|Language|Dictionary|Library): \S|l\.\d+ |<\*> |"
    rb"<(?:argument|inserted text|to be read again|recently read|template)> |Runaway [a-z]+\?|Output written on |"
    rb"No pages of output|Here is how much |Transcript written on |### |> \S|No file .*\.$|"
    rb"\((?:\.{1,2}/|/|[A-Z]:[\\/])|pdfTeX warning|\(That makes 100 errors|\(\\end occurred |This is \S*TeX|"
    rb"stack traceback:|Invalid UTF-8 |Enter file name:|Type X to quit|"
    rb"[A-Z][\w ]{1,20}: \S+ \d{4}[/-]\d\d[/-]\d\d| \[\]$"
)
"""Lines that begin a message of their own, so that a full line before them was not broken there."""
CONTINUED = re.compile(rb"\((?P<name>[^()\s][^()]{0,60})\) {2,}|\([^()\s][^()]{0,60}\)$| {15}(?=\S)")
"""A further line of a message of LaTeX or a package."""
HELP = re.compile(
    rb"See the .{1,80} (?:for explanation|for further information|documentation)|Type +H <return>|For immediate help"
)
"""What LaTeX's own errors print behind the message."""
ENDED = re.compile(
    rb"Here is how much of \S*TeX's memory|Output written on |No pages of output\.|Transcript written on "
)
ENGINE_WARNING = re.compile(rb"(?:pdfTeX|Lua\w*TeX) warning(?: \([^)]*\))?: |warning  ?\([^)]*\): ")
REPLACED = re.compile(rb"Invalid UTF-8 byte or sequence at line (\d{1,9}) replaced by U\+FFFD")
DRIVER_FAILED = re.compile(rb"Error \d+ \(driver return code\) generating output")
NO_FORMAT = re.compile(rb"(?:---! )?(?:I can't find the format file|Fatal format file error)")
BOX = re.compile(
    rb"(?P<how>Over|Under)full \\(?P<box>[hv])box "
    rb"\((?:(?P<size>-?[\d.]+)pt too (?:wide|high)|badness (?P<badness>\d{1,9}))\) "
    rb"(?:(?:in paragraph|in alignment) at lines (?P<first>\d{1,9})--(?P<last>\d{1,9})|"
    rb"detected at line (?P<line>\d{1,9})|has occurred while \\output is active)"
)
LOOSE = re.compile(rb"(?:Loose|Tight) \\[hv]box \(")
MISSING = re.compile(
    rb"Missing character: There is no (?P<character>.+?)(?: \((?P<code>U\+[0-9A-F]+|\"[0-9A-F]+)\))? in font "
)
WARNING = re.compile(
    rb"(?P<who>LaTeX3?(?: [A-Za-z]\S*)?|(?:Package|Class|Module|Library) (?P<name>[^:]{1,80}?)) [Ww]arning: ?"
)
INFO = re.compile(
    rb"(?:LaTeX3?(?: [A-Za-z]\S*)?|(?:Package|Class|Module|Library) [^:]{1,80}?) (?:Info|Message|Note): |"
    rb"(?:File|Package|Document Class|Document Style|Language|Dictionary|Library|Style|Class|LaTeX Info): \S"
)
