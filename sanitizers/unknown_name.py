r"""A command or environment that nobody knows.

Why it breaks: the document uses a macro of a template or of its author's that did not come along.

What is done, as the last resort, so that no text is lost: a line at the end of the preamble defines the command as
what its arguments hold (in the preamble, where it is a setting, as nothing), or as its own name where it stands in
a formula without arguments, as nothing where it stands alone on its line; and the environment as its content.
What many documents define for themselves in one way (\N, \norm{x}) is defined so. Theorem-like environments (lemma,
remark ...) are declared with \newtheorem. \renewcommand of an unknown command becomes \newcommand.

When nothing is done: the command is another engine's, or one that is there with two letters exchanged; the name holds
other characters than letters, or a common
package defines it: then it means more than its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Mode, Source
from texrepair.latex.names import ENGINES, is_known, nearest, popularity, providers
from texrepair.latex.preamble import package_line, preamble_line
from texrepair.latex.preferences import OWN_NAMES
from texrepair.rules import Candidate, Case, Edit, Example, Rule

THEOREMS = {
    "theorem": ("Theorem", "定理"),
    "thm": ("Theorem", "定理"),
    "lemma": ("Lemma", "引理"),
    "lem": ("Lemma", "引理"),
    "corollary": ("Corollary", "推论"),
    "cor": ("Corollary", "推论"),
    "proposition": ("Proposition", "命题"),
    "prop": ("Proposition", "命题"),
    "definition": ("Definition", "定义"),
    "defn": ("Definition", "定义"),
    "example": ("Example", "例"),
    "remark": ("Remark", "注"),
    "rem": ("Remark", "注"),
    "note": ("Note", "注"),
    "claim": ("Claim", "断言"),
    "conjecture": ("Conjecture", "猜想"),
    "axiom": ("Axiom", "公理"),
    "assumption": ("Assumption", "假设"),
    "hypothesis": ("Hypothesis", "假设"),
    "property": ("Property", "性质"),
    "observation": ("Observation", "观察"),
    "fact": ("Fact", "事实"),
    "question": ("Question", "问题"),
    "problem": ("Problem", "问题"),
    "exercise": ("Exercise", "练习"),
    "solution": ("Solution", "解"),
    "notation": ("Notation", "记号"),
    "convention": ("Convention", "约定"),
    "criterion": ("Criterion", "准则"),
    "algorithm": ("Algorithm", "算法"),
    "case": ("Case", "情形"),
    "condition": ("Condition", "条件"),
}
"""Environments that are nearly always made with \\newtheorem: their headings in English and Chinese."""


NUMBER_SETS = frozenset("NRZQCEFK")
"""Letters that documents define as themselves in blackboard bold."""

FENCES = {"norm": ("\\|", "\\|"), "abs": ("|", "|"), "ceil": ("\\lceil", "\\rceil"), "floor": ("\\lfloor", "\\rfloor")}
"""What documents' own commands put around their argument."""

COMMON = 50
"""A name that a package of at least this popularity defines has a meaning that a line of ours cannot give it."""


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not found.token:
        return
    name = found.token.removeprefix("\\")
    kind = "environment" if found.code == "undefined-environment" else "command"
    own = kind == "command" and name in OWN_NAMES
    if not own and any(popularity(p.package) >= COMMON for p in providers(name, kind)) and not _theorem(name):
        return
    if kind == "command" and any(is_known(name, engine=engine) for engine in ENGINES):
        return  # What another engine does cannot be imitated by printing its arguments.
    if found.code == "undefined-environment":
        yield from _environment(case, name)
    elif found.message.startswith("LaTeX Error"):
        yield from _renewed(case, name)
    elif re.fullmatch(r"[A-Za-z]+", name) and not _swapped(case, name):
        yield from _command(case, name)


def _swapped(case: Case, name: str) -> bool:
    """Whether it is a known command with two letters exchanged: \\gsl for \\gls prints more than its argument."""
    return any(sorted(near) == sorted(name) for near in nearest(name, "command", case.packages) if len(name) > 2)


def _theorem(name: str) -> bool:
    return name.rstrip("*").lower() in THEOREMS


def _renewed(case: Case, name: str) -> Iterator[Candidate]:
    source = case.source
    for command in source.command_named("renewcommand"):
        target = re.compile(r"\*?[ \t]*(?:\{[ \t]*)?\\" + re.escape(name) + r"(?![A-Za-z@])").match(
            source.text, command.end
        )
        if target and source.live(command.start):
            edit = Edit(case.path, command.start, command.end, "\\newcommand")
            yield Candidate((edit,), f"define \\{name} with \\newcommand: it does not exist yet", 0.8)
            return


def _meant(case: Case, name: str, formulas: bool, braced: int) -> Candidate | None:
    """The definition that documents give the command themselves, if its use fits."""
    main = case.lexed(case.main)
    if formulas and name in NUMBER_SETS:
        definition = f"\\newcommand{{\\{name}}}{{\\ensuremath{{\\mathbb{{{name}}}}}}}"
    elif formulas and name in FENCES and braced:
        left, right = FENCES[name]
        definition = f"\\newcommand{{\\{name}}}[1]{{\\left{left} #1\\right{right}}}"
    else:
        return None
    lines = [preamble_line(main, definition)]
    if name in NUMBER_SETS and not is_known("mathbb", case.packages):
        lines.insert(0, package_line(main, "amssymb"))
    edits = tuple(Edit(case.main, line[0], line[0], line[1]) for line in lines if line is not None)
    return Candidate(edits, f"define \\{name} as documents do", 0.8) if len(edits) == len(lines) else None


def _command(case: Case, name: str) -> Iterator[Candidate]:
    uses = [(s, c) for s in case.read for c in s.command_named(name) if s.live(c.start)]
    main = case.lexed(case.main)
    if not uses:
        return
    counts = [[a.optional for a in s.arguments(c, 9)] for s, c in uses]
    optional = any(count[:1] == [True] for count in counts)
    braced = min(sum(not o for o in count) for count in counts)
    formulas = all(s.mode(c.start) in (Mode.INLINE, Mode.DISPLAY) or s.in_definition(c.start) for s, c in uses)
    meant = _meant(case, name, formulas, braced)
    if meant is not None:
        yield meant
    number = min(braced + optional, 9)
    setting = all(s.in_preamble(c.start) for s, c in uses)
    shown = " ".join(f"#{n}" for n in range(1 + optional, number + 1))
    if setting or (not number and not formulas and all(_alone(s, c) for s, c in uses)):
        body = ""
    elif braced:
        body = shown
    elif any(s.mode(c.start) is Mode.TEXT and not s.in_definition(c.start) for s, c in uses):
        return  # it stands for words that are not there: its name in their place would change what the text says
    else:
        style = "operatorname" if is_known("operatorname", case.packages) else "mathrm"
        body = f"\\ensuremath{{\\{style}{{{name}}}}}"
    arguments = (f"[{number}]" if number else "") + ("[]" if optional else "")
    where = min((c.start for s, c in uses if s is main), default=None) if setting else None
    line = preamble_line(main, f"\\newcommand{{\\{name}}}{arguments}{{{body}}}")
    if where is not None:
        start = main.line_span(main.line(where))[0]
        line = (start, f"\\newcommand{{\\{name}}}{arguments}{{{body}}}\n")
    if line is not None:
        why = f"define the unknown \\{name} as " + (
            "its arguments" if braced and body else "its name" if body else "nothing"
        )
        yield Candidate((Edit(case.main, line[0], line[0], line[1]),), why, 0.15)


def _alone(source: Source, command: Command) -> bool:
    """Does the command stand at the start of its line, or alone in it: not a word in running text?"""
    start, end = source.line_span(source.line(command.start))
    return not source.text[start : command.start].strip() or not source.text[command.end : end].strip("{} \t")


def _environment(case: Case, name: str) -> Iterator[Candidate]:
    main = case.lexed(case.main)
    plain = name.rstrip("*")
    if not re.fullmatch(r"[A-Za-z]+", plain):
        return
    english, chinese = THEOREMS.get(plain.lower(), ("", ""))
    chinese_text = bool({"ctex", "ctexart", "ctexrep", "ctexbook", "xeCJK"} & set(case.packages))
    heading = chinese if chinese_text else english
    if heading:
        star = "*" if plain != name and "amsthm" in case.packages else ""
        line = preamble_line(main, f"\\newtheorem{star}{{{name}}}{{{heading}}}")
        if line is not None:
            edit = Edit(case.main, line[0], line[0], line[1])
            yield Candidate((edit,), f"declare the environment {name} with \\newtheorem", 0.7)
    uses = [(s, e) for s in case.read for e in s.environments if e.name == name]
    if not uses:
        return
    counts = [[a.optional for a in s.arguments_at(e.begin_end, 9)] for s, e in uses]
    optional = any(count[:1] == [True] for count in counts)
    braced = min(sum(not o for o in count) for count in counts)
    options = [
        s.inner(s.arguments_at(e.begin_end, 1)[0]) for (s, e), c in zip(uses, counts, strict=True) if c[:1] == [True]
    ]
    number = min(braced + optional, 9)
    first = 1 if optional and not any("=" in o for o in options) else 1 + optional
    shown = " ".join(f"#{n}" for n in range(first, number + 1))
    head = f"\\par\\noindent\\textbf{{{shown}}}\\par" if shown else "\\par"
    arguments = (f"[{number}]" if number else "") + ("[]" if optional else "")
    line = preamble_line(main, f"\\newenvironment{{{name}}}{arguments}{{{head}}}{{\\par}}")
    if line is not None:
        edit = Edit(case.main, line[0], line[0], line[1])
        yield Candidate((edit,), f"define the unknown environment {name} as its content", 0.15)


RULE = Rule(
    id="unknown-name",
    fix=propose,
    answers=("undefined-control-sequence", "undefined-environment"),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\nAsk \\clientname{Ann} now.\n\\end{document}\n",
            "\\documentclass{article}\n\\newcommand{\\clientname}[1]{#1}\n\\begin{document}\n"
            "Ask \\clientname{Ann} now.\n"
            "\\end{document}\n",
            message="Undefined control sequence",
            token="\\clientname",
            line=3,
            context_before="Ask \\clientname",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{lemma}\nx\n\\end{lemma}\n\\end{document}\n",
            "\\documentclass{article}\n\\newtheorem{lemma}{Lemma}\n\\begin{document}\n\\begin{lemma}\nx\n\\end{lemma}\n"
            "\\end{document}\n",
            message="LaTeX Error: Environment lemma undefined",
            code="undefined-environment",
            token="lemma",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\renewcommand{\\draftnote}[1]{#1}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\newcommand{\\draftnote}[1]{#1}\n\\begin{document}\nx\n\\end{document}\n",
            message="LaTeX Error: Command \\draftnote undefined",
            token="\\draftnote",
            line=2,
            context_before="\\renewcommand{\\draftnote}",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n$n \\in \\N$\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amssymb}\n\\newcommand{\\N}{\\ensuremath{\\mathbb{N}}}\n\\begin{document}\n"
            "$n \\in \\N$\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\N",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n$\\norm{x}$\n\\end{document}\n",
            "\\documentclass{article}\n\\newcommand{\\norm}[1]{\\left\\| #1\\right\\|}\n"
            "\\begin{document}\n$\\norm{x}$\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\norm",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\highlight{x}\n\\end{document}\n",
            "\\documentclass{article}\n\\newcommand{\\highlight}[1]{#1}\n\\begin{document}\n\\highlight{x}\n"
            "\\end{document}\n",
            message="Undefined control sequence",
            token="\\highlight",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n\\[\n\\myoperator(c)\n\\]\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\newcommand{\\myoperator}{\\ensuremath{\\operatorname{myoperator}}}\n"
            "\\begin{document}\n\\[\n\\myoperator(c)\n\\]\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\myoperator",
            line=5,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nFor \\client.\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\client",
            line=3,
            context_before="For \\client",
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{glossaries}\n\\begin{document}\nA \\gsl{x}.\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\gsl",
            line=4,
            context_before="A \\gsl",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nA \\my@thing{x}.\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\my@thing",
            line=3,
            context_before="A \\my@thing",
        ),
    ),
)
