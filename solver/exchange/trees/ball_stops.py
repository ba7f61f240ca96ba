"""Limits of balls: a stop on the size of the turn from the drawn pose, whatever its axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solver.exchange.trees.bodies import Axis
from solver.exchange.trees.stopping import EDGE, Named

POINTS = 200
"""Places at which a stop's curve over the square of the turn is given."""
MOST_RATE = 1e6
"""Largest t t' (rad2/s) that counts."""


def ball_stops(axis: Axis, joint: str, named: Named) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:  # fmt: skip
    """Give functions, and forces on the components r of a ball's rotation vector, of its limits.

    With t = |r| and U(t) its energy a stop gives dU/dr = U'(t) r / t, here k (t - end) / t r, and while it is pressed d t' r / t more, t t' = r r'.
    """
    functions, forces = list[dict[str, Any]](), list[dict[str, Any]]()
    for limit in axis.limits:
        # evenly in t, so that the bend at its end is sharp
        t = np.concatenate(([0.0], np.linspace(limit.at, math.pi, POINTS)))
        push = limit.stiffness * np.maximum(t - limit.at, 0.0) / np.maximum(t, limit.at)
        drag = (
            limit.damping * np.clip((t - limit.at) / EDGE, 0.0, 1.0) / np.maximum(t, limit.at) ** 2
        )
        names = [named("functions", f"{joint}_stop_{what}", "stop") for what in ("push", "drag")]
        for name, y in zip(names, (push, drag), strict=True):
            form = {"kind": "table", "x": (t**2).tolist(), "y": y.tolist()}
            functions.append({"id": name, "x_unit": "1", "y_unit": "1", "form": form})
        for letter in "xyz":
            at = {"kind": "joint", "joint": joint, "axis": f"turn_{letter}"}
            forces.append({
                "id": named("forces", f"{joint}_stop_{letter}", "stop"), "zero": 0.0, "coordinate": at, "laws": [_law(joint, letter, names)],
            })  # fmt: skip
    return functions, forces


def _law(joint: str, letter: str, curves: list[str]) -> dict[str, Any]:
    def wires(*names: str) -> list[dict[str, Any]]:
        return [{"of": name} for name in names]

    sensors = [
        {"name": f"{quantity}_{k}", "coordinate": {"kind": "joint", "joint": joint, "axis": f"turn_{k}"}, "zero": 0.0, "quantity": quantity}
        for quantity in ("value", "rate") for k in "xyz"
    ]  # fmt: skip
    blocks: list[dict[str, Any]] = [{"kind": "product", "name": f"square_{k}", "inputs": wires(f"value_{k}", f"value_{k}")} for k in "xyz"]  # fmt: skip
    blocks += [{"kind": "product", "name": f"going_{k}", "inputs": wires(f"value_{k}", f"rate_{k}")} for k in "xyz"]  # fmt: skip
    push, drag = curves
    blocks += [
        {"kind": "sum", "name": "square", "inputs": wires("square_x", "square_y", "square_z")},
        {"kind": "sum", "name": "going", "inputs": wires("going_x", "going_y", "going_z")},
        {"kind": "limiter", "name": "pressed", "inputs": wires("going"), "lower": 0.0, "upper": MOST_RATE},
        {"kind": "curve", "name": "push", "inputs": wires("square"), "function": push},
        {"kind": "curve", "name": "drag", "inputs": wires("square"), "function": drag},
        {"kind": "product", "name": "damping", "inputs": wires("drag", "pressed")},
        {"kind": "sum", "name": "back", "inputs": wires("push", "damping")},
        {"kind": "product", "name": "load", "inputs": wires("back", f"value_{letter}")},
    ]  # fmt: skip
    return {"kind": "blocks", "sensors": sensors, "blocks": blocks, "output": "load", "gain": -1.0}
