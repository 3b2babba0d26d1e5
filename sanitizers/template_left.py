r"""What a template engine should have replaced is still there: \VAR{name}, {% for … %}, {{ a_name }}, %%NAME%%.

Why it breaks: \VAR and \BLOCK are defined nowhere; {% opens a group and hides the rest of the line; a name with an
underscore needs mathematics; %% hides the brace that closes an argument.

What is done: control tags, which print nothing, are removed; a variable whose value nobody knows becomes its name, in
typewriter type, where it can be seen.

When nothing is done: in verbatim text and comments; for names that only look like variables and break nothing.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._template import Variable, variables

_WORDS = (
    "for|endfor|if|elif|else|endif|set|block|endblock|include|macro|endmacro|raw|endraw|extends|with|"
    "endwith|import|from|call"
    "|endcall|filter|endfilter"
)
_TAG = re.compile(
    rf"\{{%[-+]?[ \t]*(?:{_WORDS})\b[^\n%]*%\}}|\{{#[^\n]*?#\}}|\\BLOCK\{{[^{{}}\n]*\}}|"
    rf"\\#\{{[^{{}}\n]*\}}"
)
_PERCENT = re.compile(r"\{(%%[A-Za-z][\w.\- ]*%%)\}")


def propose(case: Case) -> Iterator[Candidate]:
    if case.diagnostic is None or case.path.endswith(".bib"):
        return
    source = case.source
    edits = [_without(case, match) for match in _TAG.finditer(case.text) if _seen(source, match.start())]
    percents = [match for match in _PERCENT.finditer(case.text) if _seen(source, match.start())]
    for match in percents:
        edits.append(Edit(case.path, *match.span(1), match[1].replace("%", "\\%").replace("_", "\\_")))
    names = [v for v in variables(case.text) if v.form != "percent" and _seen(source, v.start)]
    if edits or any(_breaks(case, variable) for variable in names):
        taken = [(edit.start, edit.end) for edit in edits]
        for variable in names:
            inside = any(start < variable.end and variable.start < end for start, end in taken)
            if not inside and source.mode(variable.start) is not Mode.ARGUMENT:
                edits.append(Edit(case.path, variable.start, variable.end, _shown(variable.name)))
    if edits:
        edits.sort(key=lambda edit: edit.start)
        yield Candidate(tuple(edits), "show the names of a template's variables, remove its tags", 0.96)


def _seen(source: Source, pos: int) -> bool:
    return source.mode(pos) not in (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD)


def _without(case: Case, match: re.Match[str]) -> Edit:
    """Removes the tag, with its line if it stands alone on it."""
    start, end = case.source.line_span(case.source.line(match.start()))
    if case.text[start : match.start()].strip() or case.text[match.end() : end].strip():
        return Edit(case.path, *match.span(), "")
    behind = 2 if case.text.startswith("\r\n", end) else 1 if end < len(case.text) else 0
    return Edit(case.path, start, end + behind, "")


def _breaks(case: Case, variable: Variable) -> bool:
    if variable.form == "var":
        return "VAR" not in case.defined
    return variable.form != "under" and re.search(r"(?<!\\)[_&#]", variable.name) is not None


def _shown(name: str) -> str:
    return "\\texttt{" + re.sub(r"(?<!\\)([_&#%])", r"\\\1", name) + "}"


_HEAD = "\\documentclass{article}\n\\begin{document}\n"
RULE = Rule(
    id="template-left",
    fix=propose,
    answers=(
        "undefined-control-sequence",
        "runaway-argument",
        "missing-dollar",
        "missing-brace",
        "extra-brace",
        "parameter-character",
        "illegal-parameter",
        "misplaced-noalign",
        "misplaced-alignment",
        "missing-cr",
        "end-inside-group",
        "environment-mismatch",
        "missing-end-document",
    ),
    deletes="control tags of a template ({% for … %}, {# … #}, \\BLOCK{…})",
    examples=(
        Example(
            _HEAD + "For \\VAR{customer.name}\n{% for item in items %}\nBench {{ item.n_x }}\n{% endfor %}\n"
            "\\BLOCK{include footer}\n"
            "\\end{document}\n",
            _HEAD + "For \\texttt{customer.name}\nBench \\texttt{item.n\\_x}\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\VAR",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\title{%%MY_TITLE%%}\n\\begin{document}\n\\maketitle\n\\end{document}\n",
            "\\documentclass{article}\n\\title{\\%\\%MY\\_TITLE\\%\\%}\n\\begin{document}\n\\maketitle\n"
            "\\end{document}\n",
            message="File ended while scanning use of \\title",
            code="runaway-argument",
            line=5,
        ),
        Example(
            _HEAD + "{{bold}} and {{ name }}, {% a comment\n}, \\verb|{% if x %}| % {% if y %}\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\x",
            line=3,
        ),
    ),
)
