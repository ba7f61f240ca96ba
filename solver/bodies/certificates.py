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
from solver.project.canonical import to_json
from solver.project.document import Project

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
    """Hold one test: what it is called, its paragraph, its figures and how many lie in their corridors."""

    title: str
    paragraph: str
    figures: int
    inside: int
    margin: float
    """The least distance to an end of a corridor, in halves of it."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Hold what the bench found of a dummy."""

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
    """Give what the bench found of a dummy; none where no test is known for it."""
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
    """Give what an element is, without its place and with the ids of the library."""
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
