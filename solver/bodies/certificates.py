"""What the bench found of each dummy of the library, kept beside it; and what of a dummy was changed since.

`resources/dummies/certificates.json` is written by `python -m tools.dummies.certify`; tests run the bench against it.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from solver.base.places import resources
from solver.bodies.dummies import dummy, dummy_file
from solver.bodies.own_contacts import bones, flesh
from solver.project.document import Project
from solver.project.saving import to_json

FILE = "certificates.json"
POSED = ("id", "name", "note", "source", "group", "mirror", "parent_frame", "child_frame", "lock")
"""What a pose, a settled start or a user's words change of an element; none of it is tested."""
LEFT_OUT = ("functions", "contact_laws")
HELD = (
    "locked",
    "release_below_n",
    "release_above_n",
    "lock_force_n",
    "lock_rate_m_per_s",
    "keeps_force",
)


@dataclass(frozen=True, slots=True)
class Tested:
    """One test: what it is called, its paragraph, its figures and how many lie in their corridors."""

    title: str
    paragraph: str
    figures: int
    inside: int
    margin: float
    """The least distance to an end of a corridor, in halves of it."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What the bench found of a dummy."""

    tests: tuple[Tested, ...]
    is_current: bool
    """Whether the dummy's file is the one that was tested."""

    @property
    def passed(self) -> int:
        """Count the tests that are passed."""
        return sum(one.inside == one.figures for one in self.tests)


def fingerprint(name: str) -> str:
    """Name a dummy by what its file holds; by which studies it was fitted changes nothing of it."""
    bare = dummy_file(name).model_copy(update={"studies": ()})
    return hashlib.sha256(to_json(bare).encode()).hexdigest()


@functools.cache
def certificate_of(name: str) -> Certificate | None:
    """What the bench found of a dummy; none where no test is known for it."""
    file = resources() / "dummies" / FILE
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")).get(name, {})
    if not kept:
        return None
    tests = tuple(Tested(**one) for one in kept["tests"])
    return Certificate(tests, kept["of"] == fingerprint(name))


def changed(project: Project, ahead: str, name: str) -> tuple[str, ...]:
    """Name the elements of a dummy, by their paths, that are not as in the library; `ahead` stands before its ids.

    Laws and curves count where they are there: what nothing uses is left out of a crash.
    """
    body = dummy(name)
    also = body.also or Project()
    curves, touching = zip(flesh(), bones(body), strict=True)
    parts = {
        "segments": body.segments,
        "joints": body.joints,
        "functions": (*body.functions, *also.functions, *curves),
        "contact_laws": (*also.contact_laws, *touching),
        "coordinate_forces": also.coordinate_forces,
    }
    return tuple(_differing(project, ahead, parts))


def _differing(project: Project, ahead: str, parts: dict[str, Any]) -> Iterator[str]:
    for kind, wanted in parts.items():
        there = {one.id: one for one in getattr(project, kind)}
        for one in wanted:
            other = there.get(f"{ahead}{one.id}")
            if other is None and kind in LEFT_OUT:
                continue
            if other is None or _plain(other, ahead) != _plain(one, ""):
                yield f"{kind}/{ahead}{one.id}"


def _plain(element: Any, ahead: str) -> Any:
    """What an element is, without its place and with the ids of the library."""
    data = element.model_dump(mode="json", exclude=set(POSED))
    slide = data.get("slide")
    if isinstance(slide, dict):
        data["slide"] = {key: value for key, value in slide.items() if key not in HELD}
    return _renamed(data, ahead)


def _renamed(data: Any, ahead: str) -> Any:
    if isinstance(data, dict):
        return {key: _renamed(value, ahead) for key, value in data.items()}
    if isinstance(data, list):
        return [_renamed(value, ahead) for value in data]
    if isinstance(data, str) and ahead:
        return data.removeprefix(ahead)
    if isinstance(data, float):
        return float(f"{data:.9g}")
    return data


# How far the fitted laws of each dummy may move, and how much other sets that pass its tests differ.
#
# `resources/dummies/families.json` is written by `python -m tools.dummies.family`.

FAMILIES = "families.json"
FURTHEST = 4.0
"""Factor up to which a law was moved either way."""
FASTER = 1.4
"""Second speed, in parts of the speed of the test."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Name a figure of the bench by its test and its place there."""

    test: str
    figure: int


@dataclass(frozen=True, slots=True)
class End:
    """How far a law may move alone, as a factor, and the figure that leaves its corridor there; none: none."""

    factor: float
    fails: Figure | None


@dataclass(frozen=True, slots=True)
class Margin:
    """A fitted number, its ends, and what it moves most: by how many halves of the corridor for a tenth more."""

    law: str
    group: str
    value: float
    lower: End
    upper: End
    by: float
    moves: Figure


@dataclass(frozen=True, slots=True)
class Apart:
    """A curve of the sets that pass: peaks, and how far they lie apart at most in parts of the fitted peak."""

    test: str
    curve: str
    faster: bool
    peak: float
    least: float
    largest: float
    apart: float


@dataclass(frozen=True, slots=True)
class Family:
    """The sets that pass among those that were tried, from the fitted one onwards."""

    group: str
    seed: int
    tried: int
    passed: int
    spread: dict[str, tuple[float, float]]
    curves: tuple[Apart, ...]


@dataclass(frozen=True, slots=True)
class Families:
    """What is known of a dummy's fit."""

    margins: tuple[Margin, ...]
    families: tuple[Family, ...]
    is_current: bool
    """Whether the dummy's file is the one that was looked at."""


@functools.cache
def families_of(name: str) -> Families | None:
    """What is known of a dummy's fit; none where it was not looked at."""
    file = resources() / "dummies" / FAMILIES
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")).get(name, {})
    if not kept:
        return None
    return Families(
        tuple(_margin(one) for one in kept["laws"]),
        tuple(_family(one) for one in kept["families"]),
        kept["of"] == fingerprint(name),
    )


def _margin(one: dict[str, Any]) -> Margin:
    moves = one["moves"]
    return Margin(
        one["law"], one["group"], one["value"], _end(one["lower"]), _end(one["upper"]), moves["by"],
        Figure(moves["test"], moves["figure"]),
    )  # fmt: skip


def _end(one: dict[str, Any]) -> End:
    return End(one["factor"], Figure(one["test"], one["figure"]) if "test" in one else None)


def _family(one: dict[str, Any]) -> Family:
    spread = {law: (ends[0], ends[1]) for law, ends in one["spread"].items()}
    curves = tuple(Apart(**curve) for curve in one["curves"])
    return Family(one["group"], one["seed"], one["tried"], one["passed"], spread, curves)
