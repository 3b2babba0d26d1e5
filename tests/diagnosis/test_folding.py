"""Each error says whether it stands on its own or follows from an earlier one."""

# Logs have long lines.
# ruff: noqa: E501
from __future__ import annotations

import pytest

from texrepair.diagnosis.causes import classified
from texrepair.diagnosis.folding import fold
from texrepair.diagnosis.found import Found


def found(message, line, before="x", reason=None):
    cause = classified(message)
    detail = {**cause.detail, "reason": reason} if reason else cause.detail
    return Found("error", "error", message, cause.code, "main.tex", line, cause.token, before=before, detail=detail)


CASES = [
    ("two slips in two paragraphs", [("Missing $ inserted", 3), ("Missing $ inserted", 9)], [True, True]),
    ("the end of the paragraph closes the formula", [("Missing $ inserted", 3), ("Missing $ inserted", 4, "")], [True, False]),
    ("a fraction outside a formula", [("Missing $ inserted", 3), ("Extra }, or forgotten $", 3)], [True, False]),
    ("double subscripts are slips of their own", [("Missing $ inserted", 3), ("Double subscript", 3)], [True, True]),
    (
        "an environment that is not known",
        [
            ("LaTeX Error: Environment x undefined", 3),
            ("Misplaced alignment tab character &", 4),
            ("LaTeX Error: \\begin{document} ended by \\end{x}", 5),
            ("Misplaced alignment tab character &", 9),
        ],
        [True, False, False, True],
    ),
    (
        "crossed environments",
        [("LaTeX Error: \\begin{a} on input line 2 ended by \\end{b}", 5), ("LaTeX Error: \\begin{b} on input line 1 ended by \\end{a}", 6)],
        [True, False],
    ),
    ("a length from nothing", [("Missing number, treated as zero", 3), ("Illegal unit of measure (pt inserted)", 3)], [True, False]),
    ("after an unknown command", [("Undefined control sequence", 3), ("Missing number, treated as zero", 3)], [True, False]),
    ("text after a slip in the preamble", [("Undefined control sequence", 2), ("LaTeX Error: Missing \\begin{document}", 2)], [True, False]),
    ("text in the preamble", [("Undefined control sequence", 2), ("LaTeX Error: Missing \\begin{document}", 8)], [True, True]),
    ("the brace that comes too late", [("Paragraph ended before \\x was complete", 3), ("Too many }'s", 7)], [True, False]),
    ("a font and its loading", [('Package fontspec Error: The font "A B" cannot be found', 3), ("Font TU/AB(0)/m/n/10=\"A B\" not loadable: x", 5)], [True, False]),
    ("a stop after an error", [("Undefined control sequence", 3), ("Emergency stop", 4)], [True, False]),
    ("unknown commands stand each on its own", [("Undefined control sequence", 3), ("Undefined control sequence", 4)], [True, True]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "errors", "independent"), CASES, ids=[case[0] for case in CASES])
def test_cascades(name, errors, independent):
    every = [found(*error) for error in errors]
    fold(every)
    assert [one.independent for one in every] == independent


def test_a_missing_end_is_its_own_error_unless_something_swallowed_it():
    reason = "job aborted, no legal \\end found"
    alone = [found("Undefined control sequence", 3), found("Emergency stop", None, reason=reason)]
    swallowed = [found("File ended while scanning use of \\x", None), found("Emergency stop", None, reason=reason)]
    fold(alone)
    fold(swallowed)
    assert [(one.code, one.independent) for one in alone][1] == ("missing-end-document", True)
    assert [(one.code, one.independent) for one in swallowed][1] == ("missing-end-document", False)
