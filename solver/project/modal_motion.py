"""How the shapes of a modal body move and turn a place of its segment: closed forms, near enough to see where they do not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.project.modal import BESIDE, BeamShapes, GivenShapes, ModalBody
from solver.project.pose import turn

Array = NDArray[np.float64]

ROOTS = {
    "clamped": (1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349),
    "free": (4.7300407449, 7.8532046241, 10.9956078380, 14.1371654913),
    "pinned": (np.pi, 2.0 * np.pi, 3.0 * np.pi, 4.0 * np.pi),
}
"""Roots of the characteristic equations of beams (Blevins, Table 8-1); so many modes are looked at."""

STILL = 1e-3
"""Part of the largest motion (for turns: by the length) below which a place counts as still."""

NEAR_M = 1e-6
"""How far (m) from a given node a place moves as it does, at least."""


class Motion(NamedTuple):
    """Hold how far each mode moves and turns a place (modes, 3), segment axes, as parts of what it does at most."""

    shift: Array
    turn: Array


def motion_at(body: ModalBody, place: Array) -> Motion:
    """Give the motion of a place that is fixed to the body there; none where given nodes are far."""
    s = body.shapes
    # numbers that another check finds fault with may be beyond all
    with np.errstate(all="ignore"):
        return _of_beam(s, place) if isinstance(s, BeamShapes) else _of_nodes(s, place)


def moves(motions: Array, axes: Array | None = None) -> bool:
    """Whether any mode moves (or turns) along one of the axes (rows); of none along any."""
    with np.errstate(all="ignore"):
        along = motions if axes is None else motions @ axes.T
    return bool(along.size) and float(np.abs(along).max()) > STILL


def _of_nodes(s: GivenShapes, place: Array) -> Motion:
    places = np.array([one.position_m for one in s.nodes])
    away = np.sqrt(((places - place) ** 2).sum(axis=1))
    near = BESIDE * float(np.sqrt((np.ptp(places, axis=0) ** 2).sum()))
    if away.min() > max(near, NEAR_M):
        return Motion(np.zeros((0, 3)), np.zeros((0, 3)))
    nearest = s.nodes[int(np.argmin(away))]
    top_shift = max((abs(x) for one in s.nodes for row in one.shapes_m for x in row), default=0.0)
    top_turn = max((abs(x) for one in s.nodes for row in one.turns_rad for x in row), default=0.0)
    shift = np.array(nearest.shapes_m).reshape(-1, 3) / (top_shift or 1.0)
    turned = np.array(nearest.turns_rad).reshape(-1, 3) / (top_turn or 1.0)
    return Motion(shift, turned)


def _of_beam(s: BeamShapes, place: Array) -> Motion:
    R = turn(s.frame.orientation)
    at = R.T @ (place - np.array(s.frame.position_m)) / s.length_m
    x = min(max(float(at[0]), 0.0), 1.0)
    off = at - [x, 0.0, 0.0]
    shifts: list[list[float]] = []
    turns: list[list[float]] = []
    for n in range(len(ROOTS[s.ends])):
        value, slope = _bent(s.ends, n, x)
        axial = np.cos((n + 1.0) * np.pi * x) if s.ends == "free" else np.sin((n + 0.5) * np.pi * x)
        for count, shift, turned in (
            (s.bending_y, [0.0, value, 0.0], [0.0, 0.0, slope]),
            (s.bending_z, [0.0, 0.0, value], [0.0, -slope, 0.0]),
            (s.twist, [0.0, 0.0, 0.0], [axial, 0.0, 0.0]),
            (s.stretch, [axial, 0.0, 0.0], [0.0, 0.0, 0.0]),
        ):
            if n < count:
                shifts.append(shift)
                turns.append(turned)
    all_turns = np.array(turns).reshape(-1, 3)
    moved = np.array(shifts).reshape(-1, 3) + np.cross(all_turns, off)
    return Motion(moved @ R.T, all_turns @ R.T)


def _bent(ends: str, n: int, x: float) -> tuple[float, float]:
    """Give value and slope, by the length, of a bending mode that is 1 where it is largest."""
    b = ROOTS[ends][n]
    if ends == "pinned":
        return float(np.sin(b * x)), float(b * np.cos(b * x))
    # clamped with minus, free with plus
    sign = -1.0 if ends == "clamped" else 1.0
    ratio = (np.cosh(b) - sign * np.cos(b)) / (np.sinh(b) - sign * np.sin(b))
    even, odd = np.cosh(b * x) + sign * np.cos(b * x), np.sinh(b * x) + sign * np.sin(b * x)
    slope = np.sinh(b * x) - sign * np.sin(b * x) - ratio * (np.cosh(b * x) + sign * np.cos(b * x))
    return float(even - ratio * odd) / 2.0, float(b * slope) / 2.0
