"""Say what acts at an instant in one sentence: 'belt 61 %, bag 23 %; against it: seat 12 %'."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from solver.acting.account import Account
from solver.acting.rows import Row, rows
from solver.project import Project
from solver.project.names import called_at
from solver.units import convert, display_unit, plain, pretty
from solver.words import tr

G = 9.80665
_TWICE = re.compile(r"([^›]+) › \1(?= |$)")
"""A surface that is named as its segment."""
SAID = 0.03
"""Part of mass times acceleration from which an element is named."""
MOST = 5
"""So many are named on each side."""
SQUEEZED = 3.0
"""Where something gives more than so many times what moves a part, others hold nearly all of it: forces then say more, *assumed*."""


def shares_at(project: Project, account: Account, frame: int) -> list[tuple[Row, float]]:
    """Give what acts at a frame, and each one's part along the acceleration over mass times acceleration."""
    total = account.mass_kg * float(np.linalg.norm(account.acceleration[frame]))
    found = [row for each in rows(project, account, frame, "along").values() for row in each]
    return sorted(((row, row.part / total) for row in found), key=lambda pair: -pair[1])


def brief(project: Project, path: str) -> str:
    """Call an element as in a sentence: the only belt 'belt'; others by their names up to the first comma."""
    list_, belts = path.partition("/")[0], len(project.belts) + len(project.harnesses)
    if list_ in ("belts", "harnesses") and belts == 1:
        return tr("belt")
    if list_ == "airbags" and len(project.airbags) == 1:
        return tr("airbag")
    name = _TWICE.sub(r"\1", called_at(project, path).partition(", ")[0])
    return tr("{name} (joint)", name=name) if list_ == "joints" else name


def cancel(parts: Iterable[float], total: float) -> bool:
    """Tell whether parts nearly cancel each other: as shares of what little is left they would mean nothing."""
    return max(map(abs, parts), default=0.0) > SQUEEZED * abs(total)


def said_shares(project: Project, account: Account, frame: int, units: str = "metric") -> str:
    """Say by what share each thing makes the acceleration of a frame; all that is not named stands as the rest."""
    found = shares_at(project, account, frame)
    said = [(named(project, row), share) for row, share in found]
    for_it = [(name, share) for name, share in said if share >= SAID][:MOST]
    against = [(name, share) for name, share in said[::-1] if share <= -SAID][:MOST]
    rest = 1.0 - sum(share for _, share in (*for_it, *against))
    if cancel((share for _, share in said), 1.0):
        return _squeezed(account, frame, for_it, against, units)
    parts = [_said(name, share) for name, share in for_it]
    if not parts:
        return ""
    words = ", ".join(parts)
    if against:
        held = ", ".join(_said(name, -share) for name, share in against)
        words = tr("{words}; less what holds against it: {held}", words=words, held=held)
    if abs(rest) >= 0.005:
        words = tr("{words}; the rest {rest:.0f} %", words=words, rest=100.0 * rest)
    return words


def _squeezed(
    account: Account,
    frame: int,
    for_it: list[tuple[str, float]],
    against: list[tuple[str, float]],
    units: str,
) -> str:
    """Say what squeezes a part as forces: as shares of what little moves it they would mean nothing."""
    unit = display_unit("N", units)
    whole = convert(account.mass_kg * float(np.linalg.norm(account.acceleration[frame])), "N", unit)
    one, other = (
        ", ".join(f"{name} {plain(abs(share) * whole, 3)} {pretty(unit)}" for name, share in side)
        for side in (for_it, against)
    )
    return tr("{words}; against it: {held}", words=one, held=other) if other else one


def said_acceleration(account: Account, frame: int) -> str:
    """Say how large the acceleration of a frame is: '54.2 g'."""
    return f"{float(np.linalg.norm(account.acceleration[frame])) / G:.1f} g"


def named(project: Project, row: Row) -> str:
    """Call what acts as in a sentence."""
    return row.name.lower() if row.source in ("weight", "rest") else brief(project, row.element)


def _said(name: str, share: float) -> str:
    return f"{name} {100.0 * share:.0f} %"
