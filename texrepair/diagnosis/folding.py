"""Which errors follow from an earlier one: TeX recovers by guessing, and guesses wrong again and again."""

from __future__ import annotations

from texrepair.diagnosis.causes import causes
from texrepair.diagnosis.found import Found

_MATH = frozenset(
    {"missing-dollar", "extra-brace", "missing-brace", "extra-right", "missing-delimiter", "bad-math-environment"}
)
_TABLE = frozenset(
    {
        "misplaced-alignment",
        "extra-alignment",
        "missing-cr",
        "misplaced-noalign",
        "misplaced-omit",
        "misplaced-cr",
        "missing-item",
        "outside-float",
        "undefined-tab",
    }
)
# On the line of another error these are TeX's stumbling over what it dropped or put in there.
_ECHOES = frozenset(
    {
        "missing-number",
        "illegal-unit",
        "missing-brace",
        "extra-brace",
        "missing-dollar",
        "wrong-mode",
        "use-does-not-match",
        "extra-or",
        "missing-endcsname",
        "extra-endcsname",
        "missing-control-sequence",
        "missing-begin-document",
        "missing-cr",
        "misplaced-alignment",
        "misplaced-noalign",
        "misplaced-omit",
        "missing-delimiter",
        "misplaced-cr",
        "end-inside-group",
    }
)
_SWALLOWED = frozenset({"runaway-argument", "incomplete-conditional", "capacity-exceeded"})
_NEAR = 3
"""Lines within which TeX usually gets over a slip."""
_RUNAWAY_REACH = 60
"""Lines within which the closing brace of a runaway argument comes to light."""


def fold(errors: list[Found]) -> None:
    """Mark, in place, the errors of one run that follow from an earlier one."""
    state = _Fold()
    for error in errors:
        error.independent = not state.follows(error)
        state.remember(error)


def fold_copies(errors: list[Found]) -> None:
    """Mark, in place, the errors of generated files that the source shows as well: LaTeX wrote it there from here."""
    at = {(one.file, one.line, one.message, one.token) for one in errors}
    for one in errors:
        if one.origin is not None and (one.origin.file, one.origin.line, one.message, one.token) in at:
            one.independent = False


class _Fold:
    def __init__(self) -> None:
        self._at: dict[tuple[str | None, int], set[str]] = {}
        """The codes of the errors at each place."""
        self._last: dict[str, Found] = {}
        """The last error of each family: `math`, `runaway`, `any`."""
        self._undefined: dict[str, Found] = {}
        """Undefined environments whose \\end has not come yet."""
        self._crossed: set[str] = set()
        """Environments that were closed by another one's \\end."""
        self._fonts: list[str] = []
        self._any = False
        self._structural = False
        self._swallowed = False

    def follows(self, error: Found) -> bool:
        """Does it follow from what was remembered?"""
        code = error.code
        if code == "emergency-stop":
            return self._stop_follows(error)
        if not self._any:
            return False
        if code in ("driver-error", "no-pages") and error.tool == "driver":
            return True
        if self._echoes(error):
            return True
        if code == "environment-mismatch":
            return self._mismatch_follows(error)
        if code in _TABLE and self._near(self._last.get("runaway"), error, _RUNAWAY_REACH):
            return True
        if code in _TABLE and any(_before(env, error) for env in self._undefined.values()):
            return True
        if code in _MATH and self._math_follows(error):
            return True
        if code == "missing-begin-document":
            return self._near(self._last.get("any"), error, 1)
        if code == "font-not-found":
            message = error.message.replace(" ", "")
            return message.startswith("Font") and any(font in message for font in self._fonts)
        return code == "nested" or (self._structural and self._at_end(error))

    def remember(self, error: Found) -> None:
        """Take it in as a cause of later ones."""
        self._any = True
        code = error.code
        if error.line is not None:
            self._at.setdefault((error.file, error.line), set()).add(code)
        self._last["any"] = error
        if code in _MATH:
            self._last["math"] = error
        if code == "runaway-argument":
            self._last["runaway"] = error
        if code in _SWALLOWED:
            self._swallowed = True
        if code in _MATH or code in _TABLE or code in ("runaway-argument", "environment-mismatch"):
            self._structural = True
        if code == "undefined-environment" and error.token:
            self._undefined[error.token] = error
        if code == "environment-mismatch":
            self._undefined.pop(str(error.detail.get("ended", "")), None)
            if error.token:
                self._crossed.add(error.token)
        if code == "font-not-found" and error.token:
            self._fonts.append(error.token.replace(" ", ""))

    def _echoes(self, error: Found) -> bool:
        """Is it what TeX stumbles over on the line where another error was?"""
        here = self._at.get((error.file, error.line), set()) if error.line is not None else set()
        if error.code == "runaway-argument":
            return bool(here & {"runaway-argument", "verb-error"})
        if error.code == "missing-dollar":
            return bool(here & (_MATH | _TABLE | {"runaway-argument"}))
        return error.code in _ECHOES and bool(here - {"double-subscript", "double-superscript"})

    def _stop_follows(self, error: Found) -> bool:
        if "no legal \\end" not in str(error.detail.get("reason", "")):
            return self._any
        error.code = "missing-end-document"
        error.explanation = causes()["missing-end-document"].explanation
        return self._swallowed

    def _mismatch_follows(self, error: Found) -> bool:
        ended = str(error.detail.get("ended", ""))
        return ended in self._undefined or ended in self._crossed or (ended == "document" and bool(self._crossed))

    def _math_follows(self, error: Found) -> bool:
        last = self._last.get("math")
        if error.code == "missing-dollar":
            # TeX closes the formula that it opened itself at the end of the paragraph.
            return not error.before.strip() and self._near(last, error, _RUNAWAY_REACH)
        if error.code == "extra-brace" and self._near(self._last.get("runaway"), error, _RUNAWAY_REACH):
            return True
        if error.code == "extra-brace" and last is not None and last.code == "extra-brace":
            return False
        return self._near(last, error, _NEAR) or (error.code == "missing-brace" and self._at_end(error))

    def _at_end(self, error: Found) -> bool:
        return error.code in _ECHOES and error.before.rstrip().endswith("\\end{document}")

    @staticmethod
    def _near(earlier: Found | None, error: Found, lines: int) -> bool:
        if earlier is None or earlier.file != error.file or earlier.line is None or error.line is None:
            return False
        return 0 <= error.line - earlier.line <= lines


def _before(earlier: Found, error: Found) -> bool:
    return earlier.file == error.file and (earlier.line or 0) <= (error.line or 0)
