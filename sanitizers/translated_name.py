r"""A command or environment whose name was translated.

Why it breaks: a translator, man or machine, also translated what is no text: \begin{定理}, \引用{key}.

What is done: the name is translated back, everywhere, where LaTeX or the document has the English one.

When nothing is done: the word is not in the list, or the document defines the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.names import is_known, is_known_environment
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_WORDS = {
    "theorem": "定理 théorème theoreme satz teorema теорема stelling",
    "lemma": "引理 lemme hilfssatz lema лемма",
    "proof": "证明 證明 preuve démonstration beweis demostración prueba доказательство bewijs dimostrazione",
    "definition": "定义 定義 définition definición definizione определение definitie",
    "corollary": "推论 推論 corollaire korollar corolario corollario следствие",
    "proposition": "命题 命題 proposición proposizione утверждение",
    "example": "例 例子 示例 exemple beispiel ejemplo esempio пример voorbeeld",
    "remark": "注 注记 备注 註 remarque bemerkung observación nota замечание opmerking",
    "figure": "图 图片 圖 abbildung figura рисунок figuur",
    "table": "表 表格 tableau tabelle tabla tabella таблица tabel",
    "equation": "公式 方程 等式 équation gleichung ecuación equazione уравнение vergelijking",
    "abstract": "摘要 résumé zusammenfassung resumen riassunto аннотация samenvatting",
    "itemize": "列表 无序列表 liste aufzählung lista",
    "enumerate": "枚举 有序列表 编号列表 énumération aufzaehlung enumeración",
    "quote": "引文 引言块 citation zitat cita",
    "document": "文档 文件 dokument documento документ",
    "section": "节 章节 一节 abschnitt sección sezione раздел sectie",
    "subsection": "小节 子节 sous-section unterabschnitt subsección подраздел",
    "chapter": "章 chapitre kapitel capítulo capitolo глава",
    "caption": "标题说明 图题 题注 图注 légende legende beschriftung leyenda подпись",
    "title": "标题 題目 题目 titre titel título titolo заголовок",
    "author": "作者 auteur autor autore автор",
    "cite": "引用 文献引用 citer zitieren citar citare",
    "ref": "参考 交叉引用 référence verweis",
    "label": "标签 标记 étiquette marke etiqueta",
    "footnote": "脚注 腳註 fußnote fussnote сноска voetnoot",
    "textbf": "粗体 加粗 gras fett negrita",
    "emph": "强调 强調 betonen énfasis",
    "item": "条目 项目 项 élément eintrag",
    "includegraphics": "插图 包含图片",
    "centering": "居中 zentrieren centrer",
    "algorithm": "算法 algorithme algorithmus algoritmo",
    "frame": "帧 幻灯片 folie",
}
NAMES = {word: name for name, words in _WORDS.items() for word in words.split()}
"""Translations (Chinese, French, German, Spanish, Italian, Russian, Dutch) of common names."""

_CALL = re.compile(r"\\(?P<kind>begin|end)[ \t]*\{(?P<name>[^{}\\\s]+?)(?P<star>\*?)\}|\\(?P<command>[^\W\d_]+)")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for found in _CALL.finditer(source.text):
            if not source.live(found.start()):
                continue
            group = "name" if found["kind"] else "command"
            name = found[group]
            right = NAMES.get(name) or NAMES.get(name.lower())
            # Characters may follow a command without a space.
            cut = name
            while right is None and group == "command" and len(cut) > 1 and not name.isascii():
                cut = cut[:-1]
                right = NAMES.get(cut) if not cut.isascii() else None
            if right is None or name in case.defined or name == right:
                continue
            environment = group == "name"
            known = is_known_environment(right, case.packages) if environment else is_known(right, case.packages)
            taken = is_known_environment(name, case.packages) if environment else is_known(name, case.packages)
            if (known or right in case.defined) and not taken:
                start = found.start(group)
                gap = "{}" if len(cut) < len(name) else ""
                edits.append(Edit(path, start, start + len(cut), right + gap))
    if edits:
        yield Candidate(tuple(edits), "translate the names of commands and environments back", 0.94)


RULE = Rule(
    id="translated-name",
    fix=propose,
    answers=("undefined-environment", "undefined-control-sequence", "environment-mismatch", "missing-begin-document"),
    examples=(
        Example(
            "\\documentclass{article}\n\\newtheorem{theorem}{定理}\n\\begin{document}\n\\begin{定理}\n见\\引用{a}。\n"
            "\\end{定理}\n\\begin{Abbildung}\\end{Abbildung}\n\\end{document}\n",
            "\\documentclass{article}\n\\newtheorem{theorem}{定理}\n\\begin{document}\n\\begin{theorem}\n见\\cite{a}。\n"
            "\\end{theorem}\n\\begin{figure}\\end{figure}\n\\end{document}\n",
            message="LaTeX Error: Environment 定理 undefined",
            token="定理",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\newenvironment{定理}{}{}\n\\begin{document}\n\\begin{定理}\n\\end{定理}\n"
            "\\end{document}\n",
            None,
            message="LaTeX Error: Environment 定理 undefined",
            token="定理",
            line=4,
        ),
    ),
)
