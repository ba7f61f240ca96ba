"""Markers: points of segments that were followed in a test."""

from __future__ import annotations

from solver.project.fields import REQUIRED, ZERO3, Element, Id, Vec3, number, ref


class Marker(Element):
    """Mark a point of a segment; tracks of a test go by its id (docs/markers.md). It does nothing in a run."""

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that carries it.")
    point_m: Vec3 = number(ZERO3, "m", "Point", "Where it is, from the mass centre, segment axes.")
