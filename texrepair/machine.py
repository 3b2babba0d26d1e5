"""How busy the machine is, as the kernel tells it (proc(5), loadavg)."""

from __future__ import annotations

from pathlib import Path


def running() -> int:
    """How many threads there are, which is at least as many as this user has."""
    return _threads()[2]


def wanting() -> float:
    """How many threads want a core: now, but no more than over the last minute. What an earlier document has started is
    remembered for as long, and would lend the next one its time."""
    over_a_minute, now, _ = _threads()
    return min(over_a_minute, float(now))


def _threads() -> tuple[float, int, int]:
    """Those that want a core, on average over the last minute and now; all that there are."""
    over_a_minute, _, _, threads, _ = Path("/proc/loadavg").read_text().split()
    now, _, all_of_them = threads.partition("/")
    return float(over_a_minute), int(now), int(all_of_them)
