"""A sum of axes of joints as a way: links without mass slide on each other, each as far as its axis says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.exchange.trees.bodies import Axis
from solver.exchange.trees.stopping import Named

Parts = dict[str, list[Any]]
"""By the names of lists of a project: what is added to them."""


def axis_of(of: Axis, joint_of: dict[int, str]) -> dict[str, str]:
    """Write an axis of a joint."""
    return {"joint": joint_of[id(of)], "axis": "slide" if of.motion == "slide" else "angle"}


def chain(
    name: str, terms: Sequence[tuple[Axis, Sequence[float]]], joint_of: dict[int, str], named: Named
) -> tuple[Parts, str]:
    """Write a link for each term, a polynomial of an axis; give them, and the last link, whose way along z is the sum."""
    made: Parts = {"segments": [], "joints": [], "constraints": [], "starts": []}
    below = "ground"
    for of, numbers in terms:
        link = named("segments", f"{name}_sum", "sum")
        slide = named("joints", link, "sum")
        made["segments"].append({"id": link, "mass_kg": 0.0, "inertia_kgm2": [0.0, 0.0, 0.0]})
        made["joints"].append({"id": slide, "kind": "slip", "rotation": "none", "parent": below, "child": link})  # fmt: skip
        made["constraints"].append({
            "id": named("constraints", f"{name}_term", "term"), "kind": "coupled", "first": axis_of(of, joint_of),
            "second": {"joint": slide, "axis": "slide"}, "coefficients": numbers,
        })  # fmt: skip
        f = np.polynomial.Polynomial(numbers)
        made["starts"].append({"joint": slide, "values": [float(f(of.start))], "rates": [float(f.deriv()(of.start)) * of.speed]})  # fmt: skip
        below = link
    return made, below
