"""What joins bodies beside the tree, as parts of a project: springs, bushings, and lines through points and round obstacles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.exchange.trees.bodies import (
    Axis,
    End,
    Limit,
    Line,
    Link,
    Model,
    Move,
    Over,
    Tension,
)
from solver.exchange.trees.motors import motor_forces
from solver.exchange.trees.stopping import Named, damper, line
from solver.exchange.trees.sums import axis_of, chain
from solver.exchange.trees.taking import frame, lifted, turn
from solver.project.document import Project
from solver.project.reading import validated

LISTS = ("springs", "functions", "coordinate_forces", "segments", "joints", "constraints", "loads")
SOON = 1e-6
"""Time (s) after the start at which a muscle is first asked for what its control says."""
SLIDE_RATE = 0.01
"""Rate (m/s) from which dry friction along a line is full."""


def with_links(
    project: Project, model: Model, of: Sequence[str], joint_of: dict[int, str], named: Named
) -> Project:
    """Put what joins bodies into a project."""
    if not model.links and not model.tensions:
        return project
    writing = _Writing(project, model, of, joint_of, named)
    for link in model.links:
        writing.link(link)
    for tension in model.tensions:
        writing.tension(tension)
    initial = {**project.initial.model_dump(), "joints": [*project.initial.joints, *writing.starts]}
    return validated({**project.model_dump(), **writing.data, "initial": initial})


class _Writing:
    def __init__(
        self, project: Project, model: Model, of: Sequence[str], joint_of: dict[int, str], named: Named
    ) -> None:  # fmt: skip
        self.bodies, self.gravity, self.of, self.joint_of, self.named = model.bodies, model.gravity, of, joint_of, named  # fmt: skip
        self.starts = list[Any]()
        self.data: dict[str, list[Any]] = {name: list(getattr(project, name)) for name in LISTS}

    def _point(self, end: End) -> dict[str, Any]:
        segment, centre = self._on(end[0])
        return {"segment": segment, "position_m": tuple(map(float, end[1] - centre))}

    def _on(self, number: int) -> tuple[str, Any]:
        return ("ground", np.zeros(3)) if number < 0 else (self.of[number], self.bodies[number].centre)  # fmt: skip

    def _framed(self, end: End) -> dict[str, Any]:
        segment, centre = self._on(end[0])
        return {"segment": segment, "frame": frame(end[1] - centre, end[2])}

    def link(self, one: Link) -> None:
        """Write a bushing, a spring, a path or a muscle."""
        if one.kind in ("muscle", "path"):
            self._force(one.name, one.kind, one.rest, self._laws(one), self._line(one.name, one.ends, one.line), "above" if one.kind == "path" else "both")  # fmt: skip
            return
        id_ = self.named("springs", one.name, one.kind)
        made: dict[str, Any] = {"id": id_, "name": one.name}
        if one.kind == "bushing":
            a, b = (
                {"segment": self._on(end[0])[0], "frame": {"position_m": self._point(end)["position_m"], "orientation": turn(end[2])}}
                for end in one.ends
            )  # fmt: skip
            made |= {
                "kind": "bushing", "a": a, "b": b, "stiffness_n_per_m": one.stiffness[:3], "stiffness_nm_per_rad": one.stiffness[3:],
                "damping_ns_per_m": one.damping[:3], "damping_nms_per_rad": one.damping[3:],
            }  # fmt: skip
            if one.drag:
                made |= {"drag_ns2_per_m2": one.drag[:3], "drag_nms2_per_rad2": one.drag[3:], "damps_along": "b"}  # fmt: skip
        else:
            a, b = (self._point(end) for end in one.ends)
            made |= {"a": a, "b": b, "rest_length_m": one.rest}
            if one.pull:
                curve = self._pull(one)
                made |= {"kind": "tabulated", "force": curve, "tension_only": True}
            else:
                made |= {"kind": "linear", "stiffness_n_per_m": one.stiffness[0]}
        self.data["springs"].append(made)

    def _laws(self, one: Link) -> list[dict[str, Any]]:
        if one.kind == "muscle":
            law: dict[str, Any] = {"kind": "hill", **one.muscle}
            if one.control is not None:
                curve = self.named("functions", f"{one.name}_control", "control")
                self._function({"id": curve, "x_unit": "s", "y_unit": "1", "form": one.control})
                law |= {"activation": curve, "resting": law["activation"], "delay_s": SOON}
            return [law]
        law = {"kind": "rate", "base": self._pull(one)}
        if one.dissipation:
            # T = k x (1 + d x')
            factor, gate = (self.named("functions", f"{one.name}_{what}", what) for what in ("more", "rate"))  # fmt: skip
            strain, force = one.pull[-1]
            self._function(line(factor, "m", "N", one.dissipation * force / (strain * one.rest)))
            self._function({"id": gate, "x_unit": "m/s", "y_unit": "1", "form": {"kind": "table", "x": [-1e3, 1e3], "y": [-1e3, 1e3]}})  # fmt: skip
            law |= {"factor": factor, "gate": gate}
        return [law]

    def _pull(self, one: Link) -> str:
        """Write a pull by elongation; from no stretch and no force on."""
        id_ = self.named("functions", f"{one.name}_pull", "pull")
        rows = [(strain * one.rest, max(force, 0.0)) for strain, force in one.pull if strain > 0.0]
        x, y = zip((0.0, 0.0), *rows, strict=True)
        form = {"kind": "table", "x": x, "y": y}
        self._function({"id": id_, "x_unit": "m", "y_unit": "N", "form": form})
        return id_

    def _function(self, made: dict[str, Any]) -> None:
        self.data["functions"].append(made)

    def _force(
        self, name: str, kind: str, zero: float, laws: list[dict[str, Any]], coordinate: dict[str, Any], side: str = "both"
    ) -> None:  # fmt: skip
        self.data["coordinate_forces"].append({
            "id": self.named("forces", name, kind), "name": name, "zero": zero, "laws": laws, "coordinate": coordinate, "side": side,
        })  # fmt: skip

    def tension(self, one: Tension) -> None:
        """Write springs, dampers, stops and friction of a line, and each law that counts from a length of its own."""
        if one.total and all(axis.is_held for axis, _, _ in one.total):
            return
        coordinate = self._sum(one) if one.total else self._line(one.name, one.ends, one.line)
        laws, (low, high) = list[dict[str, Any]](), one.slack
        if one.stiffness and low == high:
            laws.append({"kind": "linear", "stiffness": one.stiffness})
        elif one.stiffness:
            curve = self.named("functions", f"{one.name}_pull", "pull")
            self._function(line(curve, "m", "N", one.stiffness))
            laws += [{"kind": "stop", side: at - low, "above": curve} for side, at in (("lower", low), ("upper", high))]  # fmt: skip
        if one.damping:
            laws.append({"kind": "viscous", "damping": one.damping})
        if one.friction:
            laws.append({"kind": "coulomb", "size": one.friction, "full_rate": SLIDE_RATE})
        if one.range is not None:
            laws += self._ends(one, low)
        if laws:
            self._force(one.name, "tendon", low, laws, coordinate)
        for servo in one.servos:
            drive = {"kind": "actuator", "target": servo.target, "proportional": servo.gain, "derivative": servo.rate_gain, "limit": servo.limit}  # fmt: skip
            self._force(servo.name, "drive", 0.0, [drive], coordinate)
        self.data["coordinate_forces"] += motor_forces(one, one.name, coordinate, self.named)
        for law in one.laws:
            rest = {k: v for k, v in law.items() if k not in ("name", "zero")}
            self._force(law["name"], "muscle", law["zero"], [rest], coordinate)

    def _sum(self, one: Tension) -> dict[str, Any]:
        """Write a sum of axes as the way of the last of a chain of links; inertia moves with that link, and does not weigh."""
        still = sum(c * axis.start + at for axis, c, at in one.total if axis.is_held)
        kept = [(axis, [at, c]) for axis, c, at in one.total if not axis.is_held]
        kept[0][1][0] += still
        parts, last = chain(one.name, kept, self.joint_of, self.named)
        self.starts += parts.pop("starts")
        if one.armature:
            parts["segments"][-1] |= {"mass_kg": one.armature, "inertia_kgm2": [one.armature] * 3}
            functions, loads = lifted(last, -one.armature * self.gravity, self.named)
            self.data["functions"] += functions
            self.data["loads"] += loads
        for name, more in parts.items():
            self.data[name] += more
        return {
            "kind": "component",
            "a": {"segment": "ground"},
            "b": {"segment": last},
            "axis": "z",
        }

    def _ends(self, one: Tension, zero: float) -> list[dict[str, Any]]:
        """Stops at the ends of a range of lengths, damped while they are pressed."""
        laws = list[dict[str, Any]]()
        assert one.range is not None
        for side, at in zip(("lower", "upper"), one.range, strict=True):
            curve, drag, gate = (self.named("functions", f"{one.name}_{side}_{what}", what) for what in ("stop", "drag", "gate"))  # fmt: skip
            limit = Limit(at - zero, side == "upper", one.range_stiffness, one.range_damping)
            self._function(line(curve, "m", "N", limit.stiffness))
            self.data["functions"] += damper(limit, drag, gate, ("m", "N"))
            laws += [
                {"kind": "stop", side: limit.at, "above": curve, "energy_ratio": 0.0},
                {"kind": "rate", "factor": drag, "gate": gate},
            ]
        return laws

    # Lines.

    def _line(self, name: str, ends: Sequence[End], beside: Line) -> dict[str, Any]:
        """Write the length of a line through points and round obstacles."""
        points = [self._point(end) for end in ends]
        for n, moves in beside.moves.items():
            points[n]["moves"] = [self._move(name, one) for one in moves]
        for n, (axis, low, high) in beside.only.items():
            points[n]["only"] = {"coordinate": self._axis(axis), "lower": low, "upper": high}
        over = [self._over(one) for one in beside.over]
        return {"kind": "distance", "a": points[0], "b": points[-1], "via": points[1:-1], "over": over}  # fmt: skip

    def _axis(self, axis: Axis) -> dict[str, str]:
        return axis_of(axis, self.joint_of)

    def _move(self, name: str, one: Move) -> dict[str, Any]:
        form = {"kind": "table", "x": list(one.x), "y": list(one.y), "between": "spline" if len(one.x) > 2 else "lines"}  # fmt: skip
        unit = "m" if one.by.motion == "slide" else "rad"
        known = next((f["id"] for f in self.data["functions"] if isinstance(f, dict) and f["form"] == form and f["x_unit"] == unit), None)  # fmt: skip
        if known is None:
            known = self.named("functions", f"{name}_{'xyz'[one.axis]}", "course")
            self._function({"id": known, "x_unit": unit, "y_unit": "m", "form": form})
        return {"axis": "xyz"[one.axis], "coordinate": self._axis(one.by), "function": known}

    def _over(self, one: Over) -> dict[str, Any]:
        made = self._framed(one.end) | {
            "kind": one.kind, "name": one.name, "from_point": one.first, "to_point": one.last,
            "side_m": None if one.side is None else [float(v) for v in one.side],
        }  # fmt: skip
        if one.kind == "ellipsoid":
            return made | {"semi_axes_m": [float(v) for v in one.size]}
        made |= {"radius_m": float(one.size[0]), "within": one.within}
        return made | ({"length_m": one.length} if one.kind == "cylinder" else {})
