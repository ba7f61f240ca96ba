"""Gather what a new element needs from what is selected and what there is, making what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from solver.base.words import msgid, tr
from solver.editing.naming import free_id, taken
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.changes import checked
from solver.project.contact import StrapLaw
from solver.project.geometry import Ellipsoid
from solver.project.schema import models
from solver.project.segments import GROUND, Segment
from solver.scene.placing import Pose, in_ground, pose_at_start

NEEDS = msgid("{what} needs {noun}: add one first.")
A_SEGMENT = msgid("a segment")

_CURVES_WORDS: dict[str, str] = {
    "force": "Force by deflection",
    "webbing_force": "Tension by strain",
    "push": "Force by time",
    "twist": "Torque by time",
    "stop_torque": "Torque beyond the stop",
    "stroke": "Stroke by time",
    "gas_flow": "Gas flow by time",
    "pulse": "Pulse",
    "damping": "Force by speed",
    "rate_gate": "Factor by speed",
    "webbing_damping": "Tension by rate of strain",
    "webbing_gate": "Factor by rate of strain",
    "contour": "Stop angle by azimuth",
    "function": "Function",
}

MODELS = {model.__name__: model for model in models()}

_CURVES: dict[tuple[str, str], tuple[str, list[float], list[float]]] = {
    ("m", "N"): (
        "force",
        [0.0, 0.02, 0.05, 0.1],
        [0.0, 500.0, 2500.0, 9000.0],
    ),
    ("1", "N"): ("webbing_force", [0.0, 0.05, 0.1], [0.0, 4000.0, 9000.0]),
    ("s", "N"): ("push", [0.0, 0.05, 0.1], [0.0, 100.0, 0.0]),
    ("s", "N*m"): ("twist", [0.0, 0.05, 0.1], [0.0, 10.0, 0.0]),
    ("rad", "N*m"): ("stop_torque", [0.0, 0.2, 0.5], [0.0, 20.0, 120.0]),
    ("s", "m"): ("stroke", [0.0, 0.01], [0.0, 0.1]),
    ("s", "kg/s"): ("gas_flow", [0.0, 0.005, 0.03], [0.0, 2.0, 0.0]),
    ("s", "m/s2"): ("pulse", [0.0, 0.04, 0.08], [0.0, -200.0, 0.0]),
    ("m/s", "N"): ("damping", [0.0, 1.0], [0.0, 100.0]),
    ("m/s", "1"): ("rate_gate", [0.0, 1.0], [1.0, 1.5]),
    ("1/s", "N"): ("webbing_damping", [0.0, 10.0], [0.0, 100.0]),
    ("1/s", "1"): ("webbing_gate", [0.0, 10.0], [1.0, 1.2]),
    ("rad", "rad"): ("contour", [0.0, 6.283185307179586], [0.7, 0.7]),
}
"""Curves to begin with, by units of argument and value."""


class CannotMake(Exception):
    """Say in a sentence what has to be there first."""


class Bench:
    """A project that grows, and what the person has selected."""

    def __init__(self, project: Project, chosen: Sequence[str] = ()) -> None:
        self.project = project
        self.chosen = tuple(chosen)
        self.made: list[str] = []

    @cached_property
    def pose(self) -> Pose:
        """The start pose of the project as it was at first."""
        return pose_at_start(self.project)

    def part(self, model: str, **fields: Any) -> Any:
        """Make a part of the schema by its name."""
        return checked(MODELS[model], fields)

    def add(self, list_name: str, model: str, id_: str, **fields: Any) -> str:
        """Append an element under a free id, and give that id."""
        id_ = free_id(id_, taken(self.project, list_name))
        self.append(list_name, self.part(model, id=id_, **fields))
        return id_

    def append(self, list_name: str, item: Any) -> None:
        """Append an element that has a free id."""
        items = (*getattr(self.project, list_name), item)
        self.project = self.project.model_copy(update={list_name: items})
        self.made.append(f"{list_name}/{item.id}")

    def picked(self, list_name: str) -> list[str]:
        """The ids of the selected elements of a list, in the order of selection."""
        ahead = f"{list_name}/"
        return [path.removeprefix(ahead) for path in self.chosen if path.startswith(ahead)]

    def segments(self) -> list[Segment]:
        """The selected segments, then the others."""
        by_id = {segment.id: segment for segment in self.project.segments}
        first = [by_id[name] for name in self.picked("segments") if name in by_id]
        return [*first, *(s for s in self.project.segments if s not in first)]

    def segment(self, what: str) -> Segment:
        """The selected segment, or the first."""
        for segment in self.segments():
            return segment
        raise CannotMake(tr(NEEDS, what=what, noun=tr(A_SEGMENT)))

    def one(self, list_name: str, what: str, noun: str) -> str:
        """The selected element of a list, or the first."""
        ids = [*self.picked(list_name), *(item.id for item in getattr(self.project, list_name))]
        if not ids:
            raise CannotMake(tr(NEEDS, what=what, noun=noun))
        return str(ids[0])

    def surface(self, what: str, plain: bool = False) -> tuple[Segment, Ellipsoid]:
        """A surface of the selected segment, or the first; `plain` leaves hyperellipsoids out."""
        for segment in self.segments():
            for surface in segment.surfaces:
                if not plain or type(surface) is Ellipsoid:
                    return segment, surface
        noun = tr("an ellipsoid") if plain else tr("a surface")
        raise CannotMake(
            tr("{what} needs {noun}: add a segment with one first.", what=what, noun=noun)
        )

    def carrier(self) -> str:
        """What the model is fixed to: a segment that moves as prescribed, or ground."""
        for motion in self.project.motions:
            if any(s.id == motion.segment for s in self.project.segments):
                return str(motion.segment)
        return GROUND

    def function(self, x_unit: str, y_unit: str) -> str:
        """A selected function of these units, or make one to begin with."""
        wanted = set(self.picked("functions"))
        for one in self.project.functions:
            if one.id in wanted and (one.x_unit, one.y_unit) == (x_unit, y_unit):
                return one.id
        start = ("function", [0.0, 1.0], [0.0, 1.0])
        id_, x, y = _CURVES.get((x_unit, y_unit), start)
        form = {"kind": "table", "x": x, "y": y}
        return self.add(
            "functions",
            "Function",
            id_,
            name=_CURVES_WORDS[id_],
            x_unit=x_unit,
            y_unit=y_unit,
            form=form,
        )

    def law(self, webbing: bool) -> str:
        """The selected law, the first that fits, or a new one."""
        fit = [law for law in self.project.contact_laws if isinstance(law, StrapLaw) == webbing]
        picked = set(self.picked("contact_laws"))
        for law in sorted(fit, key=lambda one: one.id not in picked):
            return law.id
        if webbing:
            base = self.function("1", "N")
            return self.add("contact_laws", "WebbingLaw", "webbing", name="Webbing", base=base)
        return self.add(
            "contact_laws",
            "HystereticLaw",
            "padding",
            name="Padding",
            base=self.function("m", "N"),
            energy_ratio=0.4,
            offset_ratio=0.1,
            friction=0.3,
        )

    def seen_from(self, segment: str, point_W: Array) -> tuple[float, float, float]:
        """A point of ground in a segment's axes, to a tenth of a millimetre (m)."""
        at = self.pose[segment]
        x, y, z = (round(float(c), 4) + 0.0 for c in at.R_WS.T @ (point_W - at.p_W))
        return x, y, z

    def centre(self, segment: Segment) -> Array:
        """The middle of what is seen of a segment, in ground axes (m)."""
        local = segment.surfaces[0].centre_m if segment.surfaces else (0.0, 0.0, 0.0)
        return in_ground(self.pose, segment.id, local)

    def reach(self, segment: Segment, along_W: Array) -> float:
        """How far a segment's first surface reaches from its centre along a direction (m)."""
        if not segment.surfaces:
            return 0.0
        surface = segment.surfaces[0]
        from solver.project.pose import turn

        R = self.pose[segment.id].R_WS @ turn(surface.orientation)
        return float(np.linalg.norm(np.array(surface.semi_axes_m) * (R.T @ along_W)))
