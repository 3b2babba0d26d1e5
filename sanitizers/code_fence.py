r"""A Markdown code fence stands around the whole document.

Why it breaks: models answer in Markdown, and the fence comes along into the file. Before \documentclass it is an
error.

What is done: the fence's lines are removed, and what stands behind the closing one. In an \input file both fences
must be there, as its first and its last line.

When nothing is done: where a fence stands inside a document, which may print one; where only a closing fence stands
behind \end{document}, which TeX never reads.
"""

from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._wrapping import FENCE, class_line, document_start, first_token, tail

_TEX = frozenset(["", "latex", "tex", "xelatex", "pdflatex", "lualatex", "plaintex"])


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if "```" not in text and "~~~" not in text:
        return
    opening = FENCE.match(text, first_token(text))
    if opening is None or not case.path.endswith((".tex", ".ltx", ".sty", ".cls")):
        return
    why = "remove the code fence around the file"
    if case.path != case.main:
        last = _closing_line(text, opening.end())
        if last is not None and opening[2].lower() in _TEX:
            yield Candidate((Edit(case.path, *opening.span(), ""), Edit(case.path, last, len(text), "")), why, 1.0)
        return
    class_at = class_line(text)
    if class_at is None:
        return
    start = document_start(text, class_at)
    if text[opening.end() : start].strip():
        return
    edits = [Edit(case.path, opening.start(), start, "")]
    behind = tail(text, start)
    if behind is not None and FENCE.match(text, behind[0]):
        edits.append(Edit(case.path, *behind, ""))
    yield Candidate(tuple(edits), why, 1.0)


def _closing_line(text: str, after: int) -> int | None:
    """The last line, if it is a bare fence and the only other one in the file."""
    body = text.rstrip()
    start = max(body.rfind("\n"), body.rfind("\r")) + 1
    match = FENCE.fullmatch(body[start:]) if start >= after else None
    if match is None or match[2]:
        return None
    inner = text[after:start]
    return None if "```" in inner or "~~~" in inner else start


RULE = Rule(
    id="code-fence",
    fix=fix,
    phase="wrapping",
    deletes="the fence's two lines and the chat behind it",
    examples=(
        Example(
            "```latex\n\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n```\n\nLet me know!\n",
            "\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n",
        ),
        Example(
            "```\n\\documentclass{article}\n\\begin{document}\nThe answer was cut off\n```\n",
            "\\documentclass{article}\n\\begin{document}\nThe answer was cut off\n",
        ),
        Example("```latex\n\\section{Method}\nText.\n```\n", "\\section{Method}\nText.\n", path="chapters/method.tex"),
        Example("\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n```\n"),
        Example("\\documentclass{article}\n\\begin{document}\n```\nMarkdown\n```\n\\end{document}\n"),
        Example("```python\nprint(1)\n```\nis Python.\n", path="chapters/method.tex"),
    ),
)
