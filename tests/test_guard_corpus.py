"""The guard on the corpus: it accepts every expert's repair, and refuses what a cheating model makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import corpus_cases
import pytest
from hostile import file_variants, variants

from texrepair.guard import guard

pytestmark = [pytest.mark.corpus, corpus_cases.needed, pytest.mark.timeout(1800)]


def test_every_experts_repair_is_accepted() -> None:
    refused = {
        case.name: verdict.reason
        for case in corpus_cases.cases()
        if not (verdict := guard(case.broken, case.fixed, case.main, case.assets)).accepted
    }
    assert not refused


def test_hostile_variants_of_every_repair_are_refused(record_property: Callable[[str, object], None]) -> None:
    total: Counter[str] = Counter()
    missed = []
    for case in corpus_cases.cases():
        made = [(kind, case.main, text) for kind, text in variants(case.fixed.text(case.main), case.name)]
        made += file_variants(case.fixed.texts, case.main, case.name)
        for kind, path, text in made:
            total[kind] += 1
            if guard(case.broken, case.fixed.replace(path, text), case.main, case.assets).accepted:
                missed.append((kind, case.name, path))
    found = f"{total.total() - len(missed)}/{total.total()}"
    record_property("detected", found)
    print(f"\nhostile variants detected: {found}")
    assert total.total() >= 300
    assert not missed, found
