"""Limits of coordinates, and what joins bodies beside the tree, as parts of a project."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array
from solver.exchange.trees.body import Axis, Body, End, Limit, Link
from solver.exchange.trees.told import Told
from solver.project.angles import angles_from
from solver.project.document import Project
from solver.project.pose import start_pose
from solver.project.reading import validated

Named = Callable[[str, str, str], str]
"""Gives a free id: list, wanted, otherwise."""

FAR = 10.0
"""How far (rad, m) beyond a limit its force still grows."""


def line(id_: str, x_unit: str, y_unit: str, slope: float, far: float = FAR) -> dict[str, Any]:
    """Write a force in proportion."""
    form = {"kind": "table", "x": [0.0, far], "y": [0.0, slope * far]}
    return {"id": id_, "x_unit": x_unit, "y_unit": y_unit, "form": form}


def stops(
    axis: Axis, joint: str, named: Named
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Give functions, and forces on a joint's coordinate, of its limits."""
    turns = axis.motion == "hinge"
    units = ("rad", "N*m") if turns else ("m", "N")
    functions, forces = list[dict[str, Any]](), list[dict[str, Any]]()
    for limit in axis.limits:
        side = "upper" if limit.is_upper else "lower"
        curve = named("functions", f"{joint}_{side}_stop", "stop")
        functions.append(line(curve, *units, limit.stiffness))
        ratio = 0.0 if limit.damping else 1.0
        laws: list[dict[str, Any]] = [{"kind": "stop", side: limit.at, "above": curve, "energy_ratio": ratio}]  # fmt: skip
        if limit.damping:
            drag, gate = (named("functions", f"{joint}_{side}_{what}", what) for what in ("drag", "gate"))  # fmt: skip
            functions += _damper(limit, drag, gate, units)
            laws.append({"kind": "rate", "factor": drag, "gate": gate})
        forces.append({
            "id": named("forces", f"{joint}_{side}_stop", "stop"), "zero": 0.0, "laws": laws,
            "coordinate": {"kind": "joint", "joint": joint, "axis": "angle" if turns else "slide"},
        })  # fmt: skip
    return functions, forces


def _damper(limit: Limit, drag: str, gate: str, units: tuple[str, str]) -> list[dict[str, Any]]:
    """Write a damper beyond a limit, while it is pressed: a factor by the coordinate, a gate by its rate."""
    rows = [(limit.at, 0.0), (limit.at + EDGE, limit.damping), (limit.at + FAR, limit.damping)]
    open_ = [(-1e3, 0.0), (0.0, 0.0), (1e3, 1e3)]
    if not limit.is_upper:
        rows = [(2.0 * limit.at - x, y) for x, y in reversed(rows)]
        open_ = [(-x, -y) for x, y in reversed(open_)]
    return [
        {"id": id_, "x_unit": x_unit, "y_unit": y_unit, "form": {"kind": "table", "x": [x for x, _ in told], "y": [y for _, y in told]}}
        for id_, x_unit, y_unit, told in ((drag, units[0], units[1], rows), (gate, f"{units[0]}/s", "1", open_))
    ]  # fmt: skip


EDGE = 1e-3
"""How far (rad, m) beyond a limit its damper is full."""
FARTHEST = 1000.0
"""A range whose ends are so far (rad, m) has none."""


def stop_at_ends(bodies: list[Body], told: Told) -> None:
    """Turn ranges without a stiffness into stops, by the inertia that each joint carries in the drawn pose."""
    R, p = list[Array](), list[Array]()
    for body in bodies:
        R_p, p_p = (R[body.parent], p[body.parent]) if body.parent >= 0 else (np.eye(3), np.zeros(3))  # fmt: skip
        R.append(R_p @ body.R)
        p.append(p_p + R_p @ body.place)
    mass, moment, inertia = _carried(bodies, R, p)
    for n, body in enumerate(bodies):
        for axis in body.joints:
            if axis.ends is None:
                continue
            carried = mass[n]
            if axis.motion != "slide":
                e = R[n] @ axis.axis / np.linalg.norm(axis.axis)
                x = p[n] + R[n] @ axis.place
                # of all that is carried, about an axis through the joint's place
                carried = float(
                    e @ inertia[n] @ e - 2.0 * (moment[n] @ x - (e @ x) * (e @ moment[n]))
                )
                carried += mass[n] * float(x @ x - (e @ x) ** 2)
            stiff = carried / axis.end_time**2
            for at, is_upper in zip(axis.ends, (False, True), strict=True):
                if stiff > 0.0 and abs(at) < FARTHEST:
                    axis.limits.append(Limit(at, is_upper, stiff, 2.0 * stiff * axis.end_time))
            told.say("Limits are stops that bring back what each joint carries within the time that the file says, or 0.02 s (assumed), damped while they are pressed.")  # fmt: skip


def _carried(
    bodies: list[Body], R: list[Array], p: list[Array]
) -> tuple[list[float], Array, Array]:
    """Give mass, moment of mass and inertia about the origin of each body with all that it carries, in one pass."""
    centre = np.array([p[n] + R[n] @ one.centre for n, one in enumerate(bodies)]).reshape(-1, 3)
    mass = [float(one.mass) for one in bodies]
    moment = np.array([m * c for m, c in zip(mass, centre, strict=True)]).reshape(-1, 3)
    inertia = np.array([
        R[n] @ one.inertia @ R[n].T + one.mass * (centre[n] @ centre[n] * np.eye(3) - np.outer(centre[n], centre[n]))
        for n, one in enumerate(bodies)
    ]).reshape(-1, 3, 3)  # fmt: skip
    for n in range(len(bodies) - 1, -1, -1):
        above = bodies[n].parent
        if above >= 0:
            mass[above] += mass[n]
            moment[above] += moment[n]
            inertia[above] += inertia[n]
    return mass, moment, inertia


def with_links(project: Project, links: list[Link], bodies: list[Body], of: list[str], named: Named) -> Project:  # fmt: skip
    """Put what joins bodies into a project; lengths at the start are those of its start pose."""
    if not links:
        return project
    pose = start_pose(project)
    data: dict[str, list[Any]] = {"springs": [], "harnesses": [], "functions": list(project.functions), "contact_laws": []}  # fmt: skip

    def point(end: End) -> dict[str, Any]:
        number, place, _ = end
        if number < 0:
            return {"segment": "ground", "position_m": tuple(map(float, place))}
        return {"segment": of[number], "position_m": tuple(map(float, place - bodies[number].centre))}  # fmt: skip

    for one in links:
        id_ = named("harnesses" if one.kind == "path" else "springs", one.name, one.kind)
        points = [point(end) for end in one.ends]
        if one.kind == "bushing":
            a, b = (
                {"segment": p["segment"], "frame": {"position_m": p["position_m"], "orientation": turn(end[2])}}
                for p, end in zip(points, one.ends, strict=True)
            )  # fmt: skip
            data["springs"].append({
                "kind": "bushing", "id": id_, "name": one.name, "a": a, "b": b,
                "stiffness_n_per_m": one.stiffness[:3], "stiffness_nm_per_rad": one.stiffness[3:],
                "damping_ns_per_m": one.damping[:3], "damping_nms_per_rad": one.damping[3:],
            })  # fmt: skip
        elif one.kind == "spring" and not one.pull:
            data["springs"].append({
                "kind": "linear", "id": id_, "name": one.name, "a": points[0], "b": points[1], "rest_length_m": one.rest,
                "stiffness_n_per_m": one.stiffness[0],
            })  # fmt: skip
        else:
            curve = named("functions", f"{one.name}_pull", "pull")
            data["functions"].append(_pull(curve, one))
            if one.kind == "spring":
                data["springs"].append({
                    "kind": "tabulated", "id": id_, "name": one.name, "a": points[0], "b": points[1],
                    "rest_length_m": one.rest, "force": curve, "tension_only": True,
                })  # fmt: skip
                continue
            places = [pose[p["segment"]].of(p["position_m"]) for p in points]
            length = sum(float(np.linalg.norm(b - a)) for a, b in itertools.pairwise(places))  # fmt: skip
            law = named("contact_laws", f"{one.name}_law", "law")
            data["contact_laws"].append({"kind": "webbing", "id": law, "base": curve})
            ends = (0, len(points) - 1)
            told = [{"kind": "anchor" if n in ends else "ring", **p} for n, p in enumerate(points)]
            strap = {"id": "path", "law": law, "slack_m": one.rest - length, "width_m": 0.01, "points": told}  # fmt: skip
            data["harnesses"].append({"id": id_, "name": one.name, "straps": [strap]})
    return validated({**project.model_dump(), **data})


def _pull(id_: str, one: Link) -> dict[str, Any]:
    """Write a pull: of a spring by elongation, of a path by strain; from no stretch and no force on."""
    scale = one.rest if one.kind == "spring" else 1.0
    rows = [(strain * scale, max(force, 0.0)) for strain, force in one.pull if strain > 0.0]
    x, y = zip((0.0, 0.0), *rows, strict=True)
    unit = "m" if one.kind == "spring" else "1"
    return {"id": id_, "x_unit": unit, "y_unit": "N", "form": {"kind": "table", "x": x, "y": y}}


def turn(R: Array) -> dict[str, Any]:
    """Write a rotation as yaw, pitch and roll."""
    if np.array_equal(R, np.eye(3)):
        return {}
    return {"angles_rad": [float(a) for a in angles_from(R, "zyx")]}
