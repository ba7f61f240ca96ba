"""Limits of coordinates, and what joins bodies beside the tree, as parts of a project."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from solver.exchange.trees.body import Axis, Body, End, Link
from solver.maths.rotation import Array
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
        forces.append({
            "id": named("forces", f"{joint}_{side}_stop", "stop"), "zero": 0.0,
            "coordinate": {"kind": "joint", "joint": joint, "axis": "angle" if turns else "slide"},
            "laws": [{"kind": "stop", side: limit.at, "above": curve}],
        })  # fmt: skip
    return functions, forces


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
