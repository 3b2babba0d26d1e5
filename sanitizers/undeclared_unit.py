r"""A unit that siunitx does not know: \SI{0.1}{\Molar}, \SI{5}{\kcal}.

Why it breaks: siunitx defines the units of the SI and some beside them; others are declared by the author:
"Undefined control sequence" in the unit's argument.

What is done: those that are in use with one symbol are declared by it at the end of the preamble.

When nothing is done: no symbol is known for the name, or it stands outside a unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._siunitx import UNITS

_SYMBOLS = dict(
    entry.split("=")
    for entry in (
        r"Molar=M molar=M molal=m calorie=cal kcal=kcal cal=cal kilocalorie=kcal atm=atm atmosphere=atm"
        r" torr=Torr Torr=Torr"
        r" mmHg=mmHg gauss=G Gauss=G inch=in foot=ft feet=ft mile=mi yard=yd pound=lb ounce=oz psi=psi"
        r" gallon=gal rpm=rpm"
        r" ppm=ppm ppb=ppb ppt=ppt poise=P erg=erg dyne=dyn curie=Ci roentgen=R rem=rem fahrenheit=\text{\textdegree}F"
        r" year=a years=a month=mo week=wk weeks=wk permil=\text{\textperthousand} permille=\text{\textperthousand}"
        r" micron=\micro\metre lightyear=ly ly=ly parsec=pc pc=pc knot=kn knots=kn mph=mph kmh=\kilo\metre\per\hour"
        r" bit=bit byte=B bps=bps pixel=px px=px dpi=dpi fps=fps euro=\text{€} dollar=\text{\$} USD=USD EUR=EUR"
        r" VA=VA var=var Wh=Wh kWh=kWh watthour=Wh Ah=Ah mAh=mAh amperehour=Ah sample=S samples=S"
        r" cycle=cycle cycles=cycles"
        r" revolution=rev turn=turn count=counts counts=counts event=event events=events FLOPS=FLOPS flops=FLOPS"
        r" wtpercent=wt\% volpercent=vol\% mol=mol unitless={} angstrom=\text{Å} dBm=dBm dBi=dBi dB=dB jansky=Jy"
        r" solarmass=M_\odot msun=M_\odot enzymeunit=U cells=cells OD=OD basepair=bp bp=bp kDa=kDa rad=rad"
    ).split()
)


def propose(case: Case) -> Iterator[Candidate]:
    name = (case.diagnostic.token or "").removeprefix("\\") if case.diagnostic else ""
    if name not in _SYMBOLS or "siunitx" not in case.packages or name in case.defined:
        return
    uses = [(s, c) for s in case.read for c in s.command_named(name) if s.live(c.start)]
    inside = [any(g.opener in UNITS for g in s.groups_at(c.start)) for s, c in uses]
    line = preamble_line(case.lexed(case.main), f"\\DeclareSIUnit{{\\{name}}}{{{_SYMBOLS[name]}}}")
    if uses and all(inside) and line is not None:
        yield Candidate((Edit(case.main, line[0], line[0], line[1]),), f"declare the unit \\{name}", 0.95)


_HEAD = "\\documentclass{article}\n\\usepackage{siunitx}\n"
_BODY = "\\begin{document}\n\\SI{0.1}{\\Molar}\n\\end{document}\n"

RULE = Rule(
    id="undeclared-unit",
    fix=propose,
    answers=("undefined-control-sequence",),
    examples=(
        Example(
            _HEAD + _BODY,
            _HEAD + "\\DeclareSIUnit{\\Molar}{M}\n" + _BODY,
            message="Undefined control sequence",
            token="\\Molar",
            line=4,
        ),
        Example(
            _HEAD + _BODY.replace("\\SI{0.1}", "\\textbf"),
            None,
            message="Undefined control sequence",
            token="\\Molar",
            line=4,
        ),
    ),
)
