"""Say what acts at an instant in one sentence: 'belt 61 %, bag 23 %; against it: seat 12 %'."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from solver.analysis.acting.account import Account
from solver.analysis.acting.rows import Row, rows
from solver.base.units import convert, display_unit, plain, pretty
from solver.base.words import tr
from solver.project import Project
from solver.project.kept import kept
from solver.project.names import distinct, in_full, name_of

G = 9.80665
_TWICE = re.compile(r"([^›(]+)( \([^)]*\))? › \1(?= |$)")
"""A surface that is named as its segment: 'Lower torso (Driver) › Lower torso'."""
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
    """Call an element as in a sentence: the only belt 'belt'; others by their names up to the first comma, and whose they are."""
    list_, _, id_ = path.partition("/")
    if list_ in ("belts", "harnesses"):
        return _webbing(project).get(path, id_)
    if list_ == "airbags" and len(project.airbags) == 1:
        return tr("airbag")
    name = _TWICE.sub(r"\1\2", _short(project, list_).get(id_, id_))
    return tr("{name} (joint)", name=name) if list_ == "joints" else name


@kept
def _webbing(project: Project) -> Mapping[str, str]:
    """Name belts and harnesses; where all have one name and differ by whose they are, each is somebody's belt."""
    lists = [name for name in ("belts", "harnesses") if getattr(project, name)]
    names = {f"{name}/{id_}": word for name in lists for id_, word in _short(project, name).items()}
    items = [item for name in lists for item in getattr(project, name)]
    if len(lists) == 1 and len({name_of(item) for item in items}) == 1:
        name = name_of(items[0])
        marks = [distinct(project, lists[0], item.id).removeprefix(name) for item in items]
        return {path: tr("belt") + mark for path, mark in zip(names, marks, strict=True)}
    return names


@kept
def _short(project: Project, list_: str) -> Mapping[str, str]:
    """Name the elements of a list up to the first comma, and in full where that is not one's own."""
    whole = {item.id: in_full(project, list_, item) for item in getattr(project, list_, ())}
    short = {id_: name.partition(", ")[0] for id_, name in whole.items()}
    count = Counter(short.values())
    return {id_: name if count[name] == 1 else whole[id_] for id_, name in short.items()}


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
