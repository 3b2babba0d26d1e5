"""The lexer on every document of the corpora: spans cover the text, and right documents are read without complaint."""

from __future__ import annotations

import corpus_cases
import pytest

from texrepair.latex import lex

pytestmark = [pytest.mark.corpus, corpus_cases.needed]


def test_spans_cover_every_document_of_the_corpora() -> None:
    seen = 0
    for path in sorted(corpus_cases.FOLDER.rglob("*.tex")):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        source = lex(text, "main" if "\\documentclass" in text else "body")
        assert [0, *(span.end for span in source.spans)] == [*(span.start for span in source.spans), len(text)], path
        seen += 1
    assert seen > 500


def test_prefixes_of_documents_survive() -> None:
    for case in corpus_cases.cases():
        text = case.broken.text(case.main)
        for end in range(0, len(text), max(1, len(text) // 25)):
            assert sum(span.end - span.start for span in lex(text[:end]).spans) == end


def test_repaired_documents_hold_nothing_unclosed() -> None:
    """Three clean documents open a group or an environment in one branch of a conditional, or behind \\lowercase."""
    complaints = {}
    for case in corpus_cases.cases():
        for path, text in case.fixed.texts.items():
            if path.endswith(".tex"):
                source = lex(text, "main" if path == case.main else "body")
                found = len(source.stray_closers) + len(source.stray_ends) + len(source.open_math)
                found += sum(e.end is None for e in source.environments) + sum(g.close is None for g in source.groups)
                if found:
                    complaints[case.name] = path
    assert len(complaints) <= 2, complaints
