"""Check that what holds people goes along with them (third pass)."""

from __future__ import annotations

from collections.abc import Iterator

from solver.project.belts import AnchorPoint, Belt, Harness, RingPoint
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, finds, problem
from solver.project.posing import root_of
from solver.project.problems import Problem
from solver.project.segments import GROUND
from solver.words import Sentence


@finds(
    PHYSICS,
    warning={
        "anchor-stays": "A belt is anchored on ground, but whom it holds starts on what moves."
    },
)
def left_behind(index: Index) -> Iterator[Problem]:
    """Find anchors and rings on ground of belts over somebody who starts with a vehicle that is driven."""
    driven = {motion.segment for motion in index.project.motions}
    rides = {r.segment: r.moves_with for r in index.project.initial.roots if r.moves_with in driven}
    if not rides:
        return
    for name in ("belts", "harnesses"):
        for belt, path in index.elements(name):
            over = {root_of(index.project, one) for one in _over(belt)}
            carrier = next((rides[root] for root in sorted(over) if root in rides), None)
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
