"""A session goes on from one document to the next if both run the same code, and to no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from texrepair import pipeline
from texrepair.compile.session import Session
from texrepair.relay import Relay
from texrepair.result import BuildResult
from texrepair.settings import Settings

pytestmark = [pytest.mark.tex, pytest.mark.usefixtures("alone")]

LETTER = "\\documentclass{article}\n\\begin{document}\n\\section{Bill}\n\nPaid in June.\n\\end{document}\n"


def build(place: str, text: str, relay: Relay, **settings: object) -> BuildResult:
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return pipeline.build(path, settings=Settings(model=None, **settings), cores=1, relay=relay)  # type: ignore[arg-type]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Session]:
    """The sessions that were opened."""
    sessions: list[Session] = []
    first = Session.__init__

    def told(self: Session, *given: object, **named: object) -> None:
        first(self, *given, **named)  # type: ignore[arg-type]
        sessions.append(self)

    monkeypatch.setattr(Session, "__init__", told)
    return sessions


@pytest.mark.parametrize("engine", ["xelatex", "pdflatex", "lualatex"])
def test_an_engine_that_waits_takes_the_next_document(
    engine: str, opened: list[Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    with Relay() as relay:
        relay.followed = True
        build("May/x.tex", LETTER.replace("June", "May"), relay, engine=engine)
        result = build("June/x.tex", LETTER, relay, engine=engine)
        assert len(opened) == 1
        assert not opened[0].released
        assert [run.warm for run in result.passes if run.program == engine] == [True]
    assert opened[0].released
    alone = build("other/x.tex", LETTER, Relay(), engine=engine, cache=False)
    pages = [Path(one.delivered["pdf"]).read_bytes() for one in (result, alone)]
    assert len(opened) == 2
    assert pages[0] == pages[1] or engine == "lualatex"  # whose trailer names the folder
    assert sorted(map(str, Path().rglob("*.pdf"))) == ["June/x.pdf", "May/x.pdf", "other/x.pdf"]


@pytest.mark.parametrize(
    ("place", "text", "settings"),
    [
        ("June/y.tex", LETTER, {}),
        ("June/x.tex", LETTER.replace("Paid", "\\relax Paid"), {}),
        ("June/x.tex", LETTER.replace("Bill", "Offer"), {}),
        ("June/x.tex", LETTER, {"max_passes": 3}),
    ],
    ids=["another name", "other code", "an argument", "other settings"],
)
def test_other_documents_have_sessions_of_their_own(
    place: str, text: str, settings: dict[str, object], opened: list[Session]
) -> None:
    with Relay() as relay:
        relay.followed = True
        build("May/x.tex", LETTER.replace("June", "May"), relay, engine="pdflatex")
        build(place, text, relay, engine="pdflatex", **settings)
        assert [one.released for one in opened] == [True, False]


def test_another_picture_is_other_code(opened: list[Session]) -> None:
    with Relay() as relay:
        relay.followed = True
        for month, data in (("May", b"one"), ("June", b"two")):
            Path(month).mkdir()
            Path(month, "notes.csv").write_bytes(data)
            build(f"{month}/x.tex", LETTER.replace("June", month), relay, engine="pdflatex")
    assert len(opened) == 2


def test_nothing_waits_after_the_last_one_or_one_that_fails(opened: list[Session]) -> None:
    with Relay() as relay:
        build("May/x.tex", LETTER, relay, engine="pdflatex")
        relay.followed = True
        build("June/x.tex", LETTER.replace("Paid", "\\notdefined"), relay, engine="pdflatex", only=("code-fence",))
        assert [one.released for one in opened] == [True, True]
