"""Watch whether heads turn farther on their trunks than necks let them: no stop in a model makes a neck of rubber or bone go on for ever.

The turn of a head on the upper torso since the start is a bend, that of the way from trunk to head, and a twist about that way. A neck
bends to the side where the bend is about the torso's x axis (forward), fore and aft where it is about y.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.dynamics.tree import Array
from solver.injury.parts import occupants
from solver.maths.rotation import matrices
from solver.project.document import Project
from solver.project.pose import start_pose
from solver.words import Sentence, msgid

FORE_AND_AFT, SIDEWAYS, TWIST = (math.radians(a) for a in (132.0, 101.0, 100.0))
"""How far a neck goes: a quarter more (*assumed*) than what its test or people do at most. Fore and aft 106 degrees, extension of the 50th-percentile
dummy (49 CFR 572.33); to the side 81, SID-IIs (49 CFR 572.193); twist 80, adults."""
BENDS = msgid(
    "the neck below '{head}' bends to {degrees:.0f}° at {time:.4g} ms; no neck goes beyond {limit:.0f}° (from {first:.4g} ms on)"
)
TWISTS = msgid(
    "the neck below '{head}' twists to {degrees:.0f}° at {time:.4g} ms; no neck goes beyond {limit:.0f}° (from {first:.4g} ms on)"
)


@dataclass(frozen=True, slots=True)
class Neck:
    """Hold a neck by the head above and the torso below it, and the way from one to the other at the start (torso axes)."""

    head: str
    torso: str
    up: Array
    turned: Array


def necks(project: Project) -> tuple[Neck, ...]:
    """Find the necks of people: between a head and an upper torso that are of one body."""
    found, pose = [], None
    for body in occupants(project):
        head, torso = body.segments.get("head"), body.segments.get("upper_torso")
        if head is None or torso is None:
            continue
        pose = pose or start_pose(project)
        at, on = pose[head], pose[torso]
        way = on.R_WS.T @ (at.p_W - on.p_W)
        if np.linalg.norm(way) > 0.0:
            turned = on.R_WS.T @ at.R_WS
            found.append(Neck(head, torso, way / np.linalg.norm(way), turned))
    return tuple(found)


def reached(neck: Neck, torso: Array, head: Array) -> tuple[Array, Array, Array]:
    """Give bend and twist (rad) of a neck over time, and how far it could bend that way; attitudes are quaternions."""
    T, H = matrices(torso), matrices(head)
    R = np.einsum("tji,tjk,lk->til", T, H, neck.turned)
    way = R @ neck.up
    bend = np.arctan2(np.linalg.norm(np.cross(neck.up, way), axis=1), way @ neck.up)
    axis = np.cross(neck.up, way)
    size = np.maximum(np.linalg.norm(axis, axis=1), 1e-12)
    sideways = np.abs(axis[:, 0]) / size
    across = np.sqrt(np.maximum(1.0 - sideways**2, 0.0))
    most = 1.0 / np.hypot(across / FORE_AND_AFT, sideways / SIDEWAYS)
    # the twist is what is left once the bend is taken back
    spin = 0.5 * np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)  # fmt: skip
    half = np.maximum(1.0 + np.trace(R, axis1=1, axis2=2), 0.0)
    twist = 2.0 * np.arctan2(2.0 * (spin @ neck.up), half)
    twist = np.where(bend < FORE_AND_AFT, (twist + np.pi) % (2.0 * np.pi) - np.pi, 0.0)
    return bend, twist, most


class Necks:
    """Look at frames as they come; keep when a neck first went too far, and how far it went."""

    def __init__(self, project: Project) -> None:
        self._necks = necks(project)
        rows = {segment.id: n for n, segment in enumerate(project.segments)}
        self._rows = [(rows[one.torso], rows[one.head]) for one in self._necks]
        self._found: dict[tuple[int, str], tuple[float, float, float, float]] = {}

    def memory(self) -> dict[tuple[int, str], tuple[float, float, float, float]]:
        """Give what has been seen."""
        return dict(self._found)

    def recall(self, memory: dict[tuple[int, str], tuple[float, float, float, float]]) -> None:
        """Follow on from there."""
        self._found = dict(memory)

    def look(self, time: Array, segments: Mapping[str, Array]) -> None:
        """Look at the next frames."""
        turns = segments["quaternion_wxyz"]
        for n, (neck, (torso, head)) in enumerate(zip(self._necks, self._rows, strict=True)):
            bend, twist, most = reached(neck, turns[:, torso], turns[:, head])
            self._keep(n, BENDS, time, bend, most)
            self._keep(n, TWISTS, time, np.abs(twist), np.full(len(time), TWIST))

    def _keep(self, n: int, way: str, time: Array, angle: Array, most: Array) -> None:
        over = angle / most
        k = int(np.argmax(over))
        if not over[k] > 1.0:
            return
        first, *before = self._found.get((n, way), (float(time[np.argmax(over > 1.0)]), 0.0, 0.0, 1.0))  # fmt: skip
        if not before[1] / before[2] > over[k]:
            before = [float(time[k]), float(angle[k]), float(most[k])]
        self._found[n, way] = (first, before[0], before[1], before[2])

    def sentences(self) -> Iterator[Sentence]:
        """Say which necks went farther than necks do."""
        for (n, way), (first, time, angle, most) in self._found.items():
            yield Sentence(
                way, head=self._necks[n].head, degrees=math.degrees(angle), time=1e3 * time,
                limit=math.degrees(most), first=1e3 * first,
            )  # fmt: skip


def told(found: Sequence[Sentence]) -> Iterator[Any]:
    """Give the lines of a log about necks."""
    for one in found:
        yield Sentence("warning: {what}", what=one)
