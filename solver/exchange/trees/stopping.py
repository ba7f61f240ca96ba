"""Limits of joints as stops, and joints that dampers hold: by what each joint carries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array
from solver.exchange.trees.bodies import Axis, Body, Limit, ReadNotes

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
        at = {"kind": "joint", "joint": joint, "axis": "angle" if turns else "slide"}
        if limit.transition:
            share = named("functions", f"{joint}_{side}_share", "share")
            functions.append(_step(share, units[0], limit.transition))
            forces.append({
                "id": named("forces", f"{joint}_{side}_stop", "stop"), "zero": 0.0, "coordinate": at,
                "laws": [_growing(limit, share, at)],
            })  # fmt: skip
            continue
        curve = named("functions", f"{joint}_{side}_stop", "stop")
        functions.append(line(curve, *units, limit.stiffness))
        ratio = 0.0 if limit.damping else 1.0
        laws: list[dict[str, Any]] = [{"kind": "stop", side: limit.at, "above": curve, "energy_ratio": ratio}]  # fmt: skip
        if limit.damping:
            drag, gate = (named("functions", f"{joint}_{side}_{what}", what) for what in ("drag", "gate"))  # fmt: skip
            functions += damper(limit, drag, gate, units)
            laws.append({"kind": "rate", "factor": drag, "gate": gate})
        forces.append({
            "id": named("forces", f"{joint}_{side}_stop", "stop"), "zero": 0.0, "laws": laws,
            "coordinate": at,
        })  # fmt: skip
    return functions, forces


def _step(id_: str, unit: str, width: float) -> dict[str, Any]:
    """Write a step from 0 to 1 with level slopes and no curvature at both ends: 10 x^3 - 15 x^4 + 6 x^5 of its width."""
    form = {
        "kind": "polynomial", "x_max": width,
        "coefficients": [0.0, 0.0, 0.0, 10.0 / width**3, -15.0 / width**4, 6.0 / width**5],
    }  # fmt: skip
    return {"id": id_, "x_unit": unit, "y_unit": "1", "form": form}


def _growing(limit: Limit, share: str, at: dict[str, Any]) -> dict[str, Any]:
    """Write a stop that comes in by a step: - s(x) (k x + c x'), x being how far beyond the limit."""
    out = 1.0 if limit.is_upper else -1.0
    sensors = [{"name": name, "coordinate": at, "zero": 0.0, "quantity": name} for name in ("value", "rate")]  # fmt: skip
    blocks = [
        {"kind": "sum", "name": "beyond", "inputs": [{"of": "value", "gain": out}], "bias": -out * limit.at},
        {"kind": "curve", "name": "share", "inputs": [{"of": "beyond"}], "function": share},
        {"kind": "sum", "name": "full", "inputs": [{"of": "beyond", "gain": -out * limit.stiffness}, {"of": "rate", "gain": -limit.damping}]},
        {"kind": "product", "name": "load", "inputs": [{"of": "share"}, {"of": "full"}]},
    ]  # fmt: skip
    return {"kind": "blocks", "sensors": sensors, "blocks": blocks, "output": "load"}


def damper(limit: Limit, drag: str, gate: str, units: tuple[str, str]) -> list[dict[str, Any]]:
    """Write a damper beyond a limit, while it is pressed: a factor by the coordinate, a gate by its rate."""
    rows = [(limit.at, 0.0), (limit.at + EDGE, limit.damping), (limit.at + FAR, limit.damping)]
    open_ = [(-1e3, 0.0), (0.0, 0.0), (1e3, 1e3)]
    if not limit.is_upper:
        rows = [(2.0 * limit.at - x, y) for x, y in reversed(rows)]
        open_ = [(-x, -y) for x, y in reversed(open_)]
    return [
        {"id": id_, "x_unit": x_unit, "y_unit": y_unit, "form": {"kind": "table", "x": [x for x, _ in read_notes], "y": [y for _, y in read_notes]}}
        for id_, x_unit, y_unit, read_notes in ((drag, units[0], units[1], rows), (gate, f"{units[0]}/s", "1", open_))
    ]  # fmt: skip


EDGE = 1e-3
"""How far (rad, m) beyond a limit its damper is full."""
FARTHEST = 1000.0
"""A range whose ends are so far (rad, m) has none."""


CREEPS = 1e-6
"""Time (s, assumed) below which a damper that stops what its joint carries holds it."""


def hold_and_stop(bodies: list[Body], read_notes: ReadNotes) -> None:
    """Hold what dampers hold, and make stops of ranges without a stiffness, by the inertia that each joint carries in the drawn pose."""
    R, p = list[Array](), list[Array]()
    for body in bodies:
        R_p, p_p = (R[body.parent], p[body.parent]) if body.parent >= 0 else (np.eye(3), np.zeros(3))  # fmt: skip
        R.append(R_p @ body.R)
        p.append(p_p + R_p @ body.place)
    mass, moment, inertia = _carried(bodies, R, p)
    for n, body in enumerate(bodies):
        for axis in body.joints:
            if axis.motion == "ball" or not (axis.damping or axis.ends):
                continue
            carried = mass[n]
            if axis.motion == "hinge":
                e = R[n] @ axis.axis / np.linalg.norm(axis.axis)
                x = p[n] + R[n] @ axis.place
                # of all that is carried, about an axis through the joint's place
                carried = float(
                    e @ inertia[n] @ e - 2.0 * (moment[n] @ x - (e @ x) * (e @ moment[n]))
                )
                carried += mass[n] * float(x @ x - (e @ x) ** 2)
            _held(axis, carried + axis.armature, read_notes)
            _stopped(axis, carried + axis.armature, read_notes)


def _held(axis: Axis, carried: float, read_notes: ReadNotes) -> None:
    """Hold a joint whose damper stops it before anything moves: no run could take such steps."""
    time = carried / axis.damping if axis.damping else CREEPS
    if 0.0 < time < CREEPS and not axis.is_held:
        axis.is_held, axis.damping, axis.speed = True, 0.0, 0.0
        axis.ends = None
        read_notes.say("Joint '{name}' is held: its damper stops what it carries within {time:.1g} s.", name=axis.name, time=time)  # fmt: skip


def _stopped(axis: Axis, carried: float, read_notes: ReadNotes) -> None:
    if axis.ends is None:
        return
    stiff = carried / axis.end_time**2
    for at, is_upper in zip(axis.ends, (False, True), strict=True):
        if stiff > 0.0 and abs(at) < FARTHEST:
            axis.limits.append(Limit(at, is_upper, stiff, 2.0 * stiff * axis.end_time))
    read_notes.say("Limits are stops that bring back what each joint carries within the time that the file says, or 0.02 s (assumed), damped while they are pressed.")  # fmt: skip


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
