"""What is written down while a program is used for long: what was done, raised and still held, and the memory."""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

GROWTH = 0.20
"""So much may the program grow after its first minutes."""
_SETTLED_S = 150.0
"""After so long everything that is kept on purpose has been kept."""
GO_WITH_WINDOWS = {"MainWindow", "Document", "RunRecord", "Replay", "Solving", "MemoryTrajectory"}


@dataclass(slots=True)
class Diary:
    """What was done and what came of it; memory in MB against seconds."""

    done: list[str] = field(default_factory=list)
    raised: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """What of windows and runs was still held once all windows were closed."""

    def growth(self, settled_s: float = _SETTLED_S) -> float:
        """The growth from the median about the settled time to that of the end, as a ratio."""
        early = [mb for t, mb in self.memory if 0.8 * settled_s <= t <= 1.2 * settled_s]
        late = [mb for _, mb in self.memory[-max(1, len(self.memory) // 5) :]]
        if not early:
            return 0.0
        return sorted(late)[len(late) // 2] / sorted(early)[len(early) // 2] - 1.0


def hold_within(most: int) -> None:
    """Refuse this program memory beyond so many bytes, where the system knows such a limit."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def memory_mb() -> float:
    """The memory that the process holds (MB); 0 where the system does not say it so."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


def holders(names: list[str], depth: int = 5) -> list[str]:
    """Tell of each of these objects by which path of holders it is reached, as far as is looked."""
    told, seen = [], set[int]()
    for held in [one for one in gc.get_objects() if type(one).__name__ in GO_WITH_WINDOWS]:
        lines, level = [], [held]
        for _ in range(depth):
            of = {id(one): one for one in gc.get_referrers(*level)}
            skipped = {id(level), id(of), *seen} | {id(sys._getframe(n)) for n in range(4)}
            seen |= {id(one) for one in level}
            level = [one for key, one in of.items() if key not in skipped | seen][:12]
            if not level:
                break
            lines.append("   held by " + "; ".join(_named(one) for one in level))
        told.append("\n".join(lines))
    return told[: len(names)] + [""] * (len(names) - len(told))


def _named(one: object) -> str:
    """Name an object for somebody who looks for what it holds."""
    if isinstance(one, dict):
        return f"dict of {', '.join(map(str, list(one)[:4]))}"
    if isinstance(one, (list, tuple, set)):
        return f"{type(one).__name__} of {len(one)} ({', '.join({type(i).__name__ for i in one})[:60]})"
    return str(getattr(one, "__qualname__", type(one).__qualname__))
