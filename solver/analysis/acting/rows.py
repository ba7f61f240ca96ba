"""Put what acts at an instant into rows: sources, and the elements of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.analysis.acting.account import Account
from solver.analysis.acting.share import SOURCES, Share
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.names import called_at

Way = Literal["along", "x", "y", "z"]
WAYS: tuple[Way, ...] = ("along", "x", "y", "z")
WORDS = {
    "weight": msgid("Weight"),
    "joints": msgid("Joints"),
    "contacts": msgid("Contacts"),
    "belts": msgid("Belts"),
    "airbags": msgid("Airbags"),
    "springs": msgid("Springs, discs and strings"),
    "muscles": msgid("Muscles and other laws"),
    "constraints": msgid("Constraints"),
    "drivers": msgid("Drivers"),
    "loads": msgid("Loads"),
    "winds": msgid("Winds"),
    "motion": msgid("Prescribed motion"),
    "rest": msgid("Not told by results"),
}
LEAST_N = 1.0
"""Smaller forces have no row and no arrow."""


@dataclass(frozen=True, slots=True)
class Row:
    """Hold a force at an instant: whose it is, how large, and its part in the direction asked for (N)."""

    source: str
    element: str
    name: str
    force: Array
    part: float
    point: Array | None = None

    @property
    def size(self) -> float:
        """Give how large it is (N)."""
        return float(np.linalg.norm(self.force))


def direction(account: Account, way: Way) -> Array:
    """Give the direction asked for at each frame (T, 3): an axis of ground, or along the acceleration."""
    if way != "along":
        return np.tile(np.eye(3)["xyz".index(way)], (len(account.time), 1))
    size = np.linalg.norm(account.acceleration, axis=1, keepdims=True)
    out: Array = account.acceleration / np.maximum(size, 1e-12)
    return out


def rows(project: Project, account: Account, frame: int, way: Way) -> dict[str, list[Row]]:
    """Give the elements that act at a frame, the largest first, by their sources."""
    towards = direction(account, way)[frame]
    found: dict[str, list[Row]] = {}
    for source in SOURCES:
        shares: dict[str, list[Share]] = {}
        for share in account.shares:
            if share.source == source:
                shares.setdefault(share.element, []).append(share)
        made = [_row(project, source, shares[one], frame, towards) for one in shares]
        made = [row for row in made if row.size >= LEAST_N]
        if made:
            found[source] = sorted(made, key=lambda row: -row.size)
    return found


def _row(project: Project, source: str, shares: list[Share], frame: int, towards: Array) -> Row:
    """Join the forces of one element; they act in the middle of their places, by their sizes."""
    forces = np.array([share.forces[frame] for share in shares])
    total = forces.sum(axis=0)
    sizes = np.linalg.norm(forces, axis=1)
    known = [(size, share.points[frame]) for size, share in zip(sizes, shares, strict=True) if share.points is not None and size > 0.0]  # fmt: skip
    point = None
    if known:
        point = np.average([p for _, p in known], axis=0, weights=[s for s, _ in known])
    element = shares[0].element
    name = tr(WORDS[source]) if source in ("weight", "rest") else called_at(project, element)
    return Row(source, element, name, total, float(total @ towards), point)
