"""The documents of the benchmark: the same bytes every time."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

NOUNS = "basin bridge canal delta estuary ferry gauge harbour inlet jetty lagoon mooring pier quay reef weir".split()
VERBS = "crosses drains feeds flanks floods follows guards limits meets narrows shelters widens".split()


def letter(folder: Path) -> None:
    """One page, no packages: what starting costs."""
    rng = random.Random(11)
    _write(folder / "main.tex", "\\documentclass{article}", _paragraph(rng))


def article(folder: Path) -> None:
    """Ten pages with formulas, tables, cross-references and BibTeX."""
    rng = random.Random(12)
    body = ["\\title{On tides}\\author{N. N.}\\date{May 2026}\\maketitle\\tableofcontents"]
    for section in range(9):
        body.append(f"\\section{{Part {section}}}\\label{{s{section}}}")
        for _ in range(5):
            body.append(f"{_paragraph(rng)} See \\cref{{s{(section + 4) % 9}}} and \\cite{{k{rng.randrange(30)}}}.")
        body += [_formula(rng, f"e{section}"), _table(rng, f"t{section}")]
    body.append("\\bibliographystyle{plain}\n\\bibliography{refs}")
    packages = (
        "\\usepackage{fontspec,amsmath,unicode-math,booktabs,geometry}\n\\usepackage{hyperref}\n\\usepackage{cleveref}"
    )
    _write(folder / "main.tex", f"\\documentclass[11pt]{{article}}\n{packages}", *body)
    (folder / "refs.bib").write_text(_entries(rng, 30), encoding="utf-8")


def graphs(folder: Path) -> None:
    """Plots that TeX computes: the time goes into the body."""
    rng = random.Random(13)
    body = []
    for number in range(5):
        points = " ".join(f"({x},{rng.uniform(0, 9):.2f})" for x in range(100))
        body.append(f"\\section{{Station {number}}}\n{_paragraph(rng)}\n")
        body.append("\\begin{tikzpicture}\\begin{axis}[width=10cm,height=6cm]")
        body.append(f"\\addplot coordinates {{{points}}};\\addplot[domain=0:99,samples=120] {{4+2*cos(9*x)}};")
        body.append("\\end{axis}\\end{tikzpicture}")
    _write(folder / "main.tex", "\\documentclass{article}\n\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.17}", *body)


def book(folder: Path) -> None:
    """A hundred pages in chapters of their own, with lists of contents and tables, and BibTeX."""
    rng = random.Random(14)
    names = [f"chapter{number}" for number in range(7)]
    for number, name in enumerate(names):
        text = [f"\\chapter{{Coast {number}}}\\label{{c{number}}}"]
        for section in range(6):
            text.append(f"\\section{{Reach {section}}}")
            text += [f"{_paragraph(rng)} Compare \\cref{{c{(number + 2) % 7}}}, \\citep{{k{rng.randrange(60)}}}."] * 7
            text += [_formula(rng, f"e{number}-{section}"), _table(rng, f"t{number}-{section}")]
        (folder / f"{name}.tex").write_text("\n\n".join(text) + "\n", encoding="utf-8")
    packages = (
        "\\usepackage{fontspec,amsmath,amsthm,graphicx,booktabs,longtable,caption,geometry,setspace,fancyhdr,xcolor}\n"
        "\\usepackage[round]{natbib}\n\\usepackage{hyperref}\n\\usepackage{cleveref}\\onehalfspacing"
    )
    includes = [f"\\include{{{name}}}" for name in names]
    ends = ["\\bibliographystyle{plainnat}\n\\bibliography{refs}"]
    _write(
        folder / "main.tex",
        f"\\documentclass{{report}}\n{packages}",
        "\\tableofcontents\\listoftables",
        *includes,
        *ends,
    )
    (folder / "refs.bib").write_text(_entries(rng, 60), encoding="utf-8")


DOCUMENTS: dict[str, Callable[[Path], None]] = {make.__name__: make for make in (letter, article, graphs, book)}


def _write(path: Path, head: str, *body: str) -> None:
    text = "\n\n".join(body)
    path.write_text(f"{head}\n\\begin{{document}}\n{text}\n\\end{{document}}\n", encoding="utf-8")


def _paragraph(rng: random.Random) -> str:
    def sentence() -> str:
        one, two, three = rng.sample(NOUNS, 3)
        return f"The {one} {rng.choice(VERBS)} the {two} for {rng.randint(2, 90)} metres beyond the {three}."

    return " ".join(sentence() for _ in range(8))


def _formula(rng: random.Random, label: str) -> str:
    a, b = rng.randint(2, 9), rng.randint(2, 9)
    return (
        f"\\begin{{equation}}\\label{{{label}}}\n"
        f"h(t) = \\sum_{{n=1}}^{{{a}}} A_n \\cos(\\omega_n t + \\varphi_n) + \\frac{{{b}}}{{1 + t^2}}\n"
        "\\end{equation}"
    )


def _table(rng: random.Random, label: str) -> str:
    rows = "\n".join(f"{rng.choice(NOUNS)} & {rng.uniform(0, 9):.2f} & {rng.randint(1, 99)} \\\\" for _ in range(7))
    return (
        f"\\begin{{table}}[htbp]\\centering\\caption{{Levels.}}\\label{{{label}}}\n"
        f"\\begin{{tabular}}{{lrr}}\\toprule\nPlace & Mean & Days \\\\ \\midrule\n{rows}\n"
        "\\bottomrule\\end{tabular}\n\\end{table}"
    )


def _entries(rng: random.Random, count: int) -> str:
    return "".join(
        f"@article{{k{n}, author={{{rng.choice(NOUNS).title()}, N.}}, title={{On the {rng.choice(NOUNS)}}}, "
        f"journal={{Coasts}}, year={{{rng.randint(1990, 2024)}}}, volume={{{n}}}}}\n"
        for n in range(count)
    )
