"""Check that what holds people goes along with them, and that planes are met by something (third pass)."""

from __future__ import annotations

from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.belts import AnchorPoint, Belt, Harness, RingPoint
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, finds, problem
from solver.project.document import Project
from solver.project.posing import root_of
from solver.project.problems import Problem, listed
from solver.project.segments import GROUND


@finds(
    PHYSICS,
    warning={
        "anchor-stays": "A belt is anchored on ground, but whom it holds starts on what moves."
    },
)
def left_behind(index: Index) -> Iterator[Problem]:
    """Find anchors and rings on ground of belts over somebody who starts with a vehicle that is driven."""
    if not _rides(index.project):
        return
    for name in ("belts", "harnesses"):
        for belt, path in index.elements(name):
            carrier = carrier_of(index.project, belt)
            if carrier is None:
                continue
            for where, segment in _held(belt):
                if segment == GROUND:
                    sentence = Sentence(
                        "This end of '{belt}' stays on ground while '{carrier}' moves away with whom it holds.",
                        belt=belt.id,
                        carrier=carrier,
                    )
                    hint = Sentence("Let '{carrier}' carry it.", carrier=carrier)
                    yield problem("anchor-stays", f"{path}/{where}", sentence, hint)


def carrier_of(project: Project, belt: Belt | Harness) -> str | None:
    """Name the driven segment with which somebody under a belt starts; none where nobody does."""
    rides = _rides(project)
    over = {root_of(project, one) for one in _over(belt)} if rides else set()
    return next((rides[root] for root in sorted(over) if root in rides), None)


def _rides(project: Project) -> dict[str, str]:
    driven = {motion.segment for motion in project.motions}
    return {r.segment: r.moves_with for r in project.initial.roots if r.moves_with in driven}


@finds(PHYSICS, note={"plane-untouched": "No element meets a plane."})
def untouched(index: Index) -> Iterator[Problem]:
    """Find planes that nothing refers to: whatever comes there goes through."""
    met = {ref.value for ref in index.refs if ref.field.to == "planes"}
    found = [(plane.id, path) for plane, path in index.elements("planes") if plane.id not in met]
    if not found:
        return
    names = [id_ for id_, _ in found]
    sentence = Sentence("Nothing may touch '{plane}'; it is only seen.", plane=names[0])
    if len(found) > 1:
        sentence = Sentence(
            "Nothing may touch {count} planes, which are only seen: {names}.",
            count=len(found),
            names=listed(names),
        )
    hint = "Let something touch it in 'Who may touch what', where that is meant."
    yield problem("plane-untouched", found[0][1], sentence, hint)


def _over(belt: Belt | Harness) -> set[str]:
    """Name the segments that a belt lies on."""
    if isinstance(belt, Belt):
        return {belt.surface.segment}
    points = [point for strap in belt.straps for point in strap.points]
    surfaces = [getattr(point, "surface", None) for point in points]
    return {one.segment for one in surfaces if one is not None}


def _held(belt: Belt | Harness) -> Iterator[tuple[str, str]]:
    """Give where a belt is held, and by which segment."""
    if isinstance(belt, Belt):
        yield "anchor_a/segment", belt.anchor_a.segment
        yield "anchor_b/segment", belt.anchor_b.segment
        return
    for strap in belt.straps:
        for n, point in enumerate(strap.points):
            if isinstance(point, AnchorPoint | RingPoint):
                yield f"straps/{strap.id}/points/{n}/segment", point.segment
