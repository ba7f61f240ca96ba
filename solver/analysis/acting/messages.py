"""Put what acts at an instant into rows, and say it in one sentence: 'belt 61 %, bag 23 %; against it: seat 12 %'."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.analysis.acting.account import SOURCES, Account, Share
from solver.base.units import convert, display_unit, plain, pretty
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.memo import memoised
from solver.project.names import called_at, distinct, in_full, name_of

# Put what acts at an instant into rows: sources, and the elements of each.

Way = Literal["along", "slide", "x", "y", "z"]
WAYS: tuple[Way, ...] = ("along", "slide", "x", "y", "z")
WORDS = {
    "weight": msgid("Weight"),
    "joints": msgid("Joints"),
    "contacts": msgid("Contacts"),
    "belts": msgid("Belts"),
    "airbags": msgid("Airbags"),
    "springs": msgid("Springs, discs and strings"),
    "muscles": msgid("Muscles and other laws"),
    "constraints": msgid("Constraints"),
    "drivers": msgid("Drivers"),
    "loads": msgid("Loads"),
    "winds": msgid("Winds"),
    "motion": msgid("Prescribed motion"),
    "rest": msgid("Not told by results"),
}
LEAST_N = 1.0
"""Smaller forces have no row and no arrow."""


@dataclass(frozen=True, slots=True)
class Row:
    """A force at an instant: whose it is, how large, and its part in the direction asked for (N)."""

    source: str
    element: str
    name: str
    force: Array
    part: float
    point: Array | None = None

    @property
    def size(self) -> float:
        """How large it is (N)."""
        return float(np.linalg.norm(self.force))


def direction(account: Account, way: Way) -> Array:
    """The direction asked for at each frame (T, 3): an axis of ground, the way of what slides, or along the acceleration."""
    if way == "slide" and account.slide is not None:
        return account.slide
    if way in ("x", "y", "z"):
        return np.tile(np.eye(3)["xyz".index(way)], (len(account.time), 1))
    size = np.linalg.norm(account.acceleration, axis=1, keepdims=True)
    out: Array = account.acceleration / np.maximum(size, 1e-12)
    return out


def rows(project: Project, account: Account, frame: int, way: Way) -> dict[str, list[Row]]:
    """The elements that act at a frame, the largest first, by their sources."""
    towards = direction(account, way)[frame]
    found: dict[str, list[Row]] = {}
    for source in SOURCES:
        shares: dict[str, list[Share]] = {}
        for share in account.shares:
            if share.source == source:
                shares.setdefault(share.element, []).append(share)
        made = [_row(project, source, shares[one], frame, towards) for one in shares]
        made = [row for row in made if row.size >= LEAST_N]
        if made:
            found[source] = sorted(made, key=lambda row: -row.size)
    return found


def _row(project: Project, source: str, shares: list[Share], frame: int, towards: Array) -> Row:
    """Join the forces of one element; they act in the middle of their places, by their sizes."""
    forces = np.array([share.forces[frame] for share in shares])
    total = forces.sum(axis=0)
    sizes = np.linalg.norm(forces, axis=1)
    known = [(size, share.points[frame]) for size, share in zip(sizes, shares, strict=True) if share.points is not None and size > 0.0]  # fmt: skip
    point = None
    if known:
        point = np.average([p for _, p in known], axis=0, weights=[s for s, _ in known])
    element = shares[0].element
    name = tr(WORDS[source]) if source in ("weight", "rest") else called_at(project, element)
    return Row(source, element, name, total, float(total @ towards), point)


# Say what acts at an instant in one sentence: 'belt 61 %, bag 23 %; against it: seat 12 %'.

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
    """What acts at a frame, and each one's part along the acceleration over mass times acceleration; nothing of what rests."""
    total = account.mass_kg * float(np.linalg.norm(account.acceleration[frame]))
    if total == 0.0:
        return []
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


@memoised
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


@memoised
def _short(project: Project, list_: str) -> Mapping[str, str]:
    """Name the elements of a list up to the first comma, and in full where that is not one's own."""
    whole = {item.id: in_full(project, list_, item) for item in getattr(project, list_, ())}
    short = {id_: name.partition(", ")[0] for id_, name in whole.items()}
    count = Counter(short.values())
    return {id_: name if count[name] == 1 else whole[id_] for id_, name in short.items()}


def cancel(parts: Iterable[float], total: float) -> bool:
    """Whether parts nearly cancel each other: as shares of what little is left they would mean nothing."""
    return max(map(abs, parts), default=0.0) > SQUEEZED * abs(total)


def shares_text(project: Project, account: Account, frame: int, units: str = "metric") -> str:
    """Say by what share each thing makes the acceleration of a frame, or how hard it presses what slides; all that is not named stands as the rest."""
    if account.slide is not None:
        return _pressed(project, account, frame, units)
    found = shares_at(project, account, frame)
    shares = [(named(project, row), share) for row, share in found]
    for_it = [(name, share) for name, share in shares if share >= SAID][:MOST]
    against = [(name, share) for name, share in shares[::-1] if share <= -SAID][:MOST]
    rest = 1.0 - sum(share for _, share in (*for_it, *against))
    if cancel((share for _, share in shares), 1.0):
        return _squeezed(account, frame, for_it, against, units)
    parts = [_share_text(name, share) for name, share in for_it]
    if not parts:
        return ""
    words = ", ".join(parts)
    if against:
        held = ", ".join(_share_text(name, -share) for name, share in against)
        words = tr("{words}; less what holds against it: {held}", words=words, held=held)
    if abs(rest) >= 0.005:
        words = tr("{words}; the rest {rest:.0f} %", words=words, rest=100.0 * rest)
    return words


def _pressed(project: Project, account: Account, frame: int, units: str) -> str:
    """Say with what forces a part is pressed along its slide, and what bears it; with its inertia both sides are equal."""
    every = rows(project, account, frame, "slide").values()
    forces = [(named(project, row), row.part) for each in every for row in each]
    moved = account.mass_kg * float(
        account.acceleration[frame] @ direction(account, "slide")[frame]
    )
    forces.append((tr("its inertia"), -moved))
    least = SAID * max(abs(part) for _, part in forces)
    forces = sorted((one for one in forces if abs(one[1]) >= least), key=lambda one: -one[1])
    for_it = [one for one in forces if one[1] > 0.0][:MOST]
    return _in_forces(for_it, [one for one in forces[::-1] if one[1] < 0.0][:MOST], 1.0, units)


def _squeezed(
    account: Account,
    frame: int,
    for_it: list[tuple[str, float]],
    against: list[tuple[str, float]],
    units: str,
) -> str:
    """Say what squeezes a part as forces: as shares of what little moves it they would mean nothing."""
    whole = account.mass_kg * float(np.linalg.norm(account.acceleration[frame]))
    return _in_forces(for_it, against, whole, units)


def _in_forces(
    for_it: list[tuple[str, float]], against: list[tuple[str, float]], whole: float, units: str
) -> str:
    """Say shares of a force (N) as forces."""
    unit = display_unit("N", units)
    one, other = (
        ", ".join(
            f"{name} {plain(convert(abs(share) * whole, 'N', unit), 3)} {pretty(unit)}"
            for name, share in side
        )
        for side in (for_it, against)
    )
    return tr("{words}; against it: {held}", words=one, held=other) if other else one


def acceleration_text(account: Account, frame: int) -> str:
    """Say how large the acceleration of a frame is: '54.2 g'."""
    return f"{float(np.linalg.norm(account.acceleration[frame])) / G:.1f} g"


def named(project: Project, row: Row) -> str:
    """Call what acts as in a sentence."""
    return row.name.lower() if row.source in ("weight", "rest") else brief(project, row.element)


def _share_text(name: str, share: float) -> str:
    return f"{name} {100.0 * share:.0f} %"
