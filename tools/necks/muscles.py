"""Muscles: lines over points, the tone that holds the posture, and what braced people do.

Tone is what static optimisation finds: the activations nearest to wanted ones that leave no moment about
any joint of the neck, under the weight of all above it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import lsq_linear

from solver.engine.maths.rotation import Array
from tools.necks.bones import BONES, MM, Posture, rows, tilted

GRAVITY = 9.80665
SPEED = 5.0
"""Best lengths per second at which it shortens freely, as in that source."""
FIBRES = {
    "sternocleidomastoid": 0.66, "semispinalis capitis": 0.55, "splenius capitis": 0.65, "upper trapezius": 0.5,
    "levator scapula": 0.84, "splenius cervicis": 0.47, "semispinalis cervicis": 0.71, "longissimus capitis": 0.75,
    "longissimus cervicis": 0.76, "illiocostalis cervicis": 0.76, "anterior scalene": 0.44, "middle scalene": 0.45,
    "posterior scalene": 0.46, "longus capitis": 0.48, "rectus capitis posterior major": 0.62,
    "rectus capitis posterior minor": 0.53, "obliquus capitis superior": 0.55, "obliquus capitis inferior": 0.71,
}  # fmt: skip
"""Best length of the fibres in parts of the whole: Mortensen, Vasavada and Merryweather (2018)."""
FIBRE = 0.6
"""The same of all others (assumed)."""
HOLDS = 1e3
"""Weight of moments beside activations in the search for the tone."""


@dataclass(frozen=True)
class Activity:
    """Say how active muscles are: those that end on the skull and the others.

    Tone is what they are wanted to have at rest; extensors rise to `braced` values `delay_s` after the start.
    `stress_pa` is the greatest stress of all.
    """

    tone_skull: float
    tone: float
    braced_skull: float
    braced: float
    delay_s: float
    stress_pa: float = 35e4


@dataclass(frozen=True)
class Line:
    """One line of a muscle on the right side: its points by bone, its strength."""

    muscle: str
    number: int
    strength: float
    points: tuple[tuple[str, Array], ...]

    @property
    def on_skull(self) -> bool:
        """Whether it ends on the skull."""
        return "skull" in (self.points[0][0], self.points[-1][0])


@functools.cache
def lines(stress_pa: float) -> list[Line]:
    """Read all lines; via points stand behind both ends in the table."""
    found: list[Line] = []
    for muscle, section, text in rows("muscles"):
        points = []
        for one in text.split(";"):
            bone, *numbers = one.split()
            points.append((bone, MM * np.array([float(n) for n in numbers])))
        origin, insertion, *via = points
        number = 1 + sum(line.muscle == muscle for line in found)
        strength = float(section) * 1e-4 * stress_pa
        found.append(Line(muscle, number, strength, (origin, *via, insertion)))
    return found


def length(posture: Posture, line: Line, joint: int = -1, angle: float = 0.0) -> float:
    """A line's length, with all above a joint (0 below C7) turned forward about it."""
    places = []
    for bone, point in line.points:
        at = posture.place(bone, point[1:])
        if 0 <= joint < BONES.index(bone):
            pivot = posture.middle(BONES[joint + 1])
            at = pivot + tilted(angle) @ (at - pivot)
        places.append(np.array([point[0] * posture.size, *at]))
    return float(sum(np.linalg.norm(q - p) for p, q in pairwise(places)))


def moments(posture: Posture, found: list[Line]) -> Array:
    """The moments that both sides of each line make about the joints at full strength; forward above zero."""
    whole: Array = 2.0 * np.array([line.strength for line in found])[:, None] * _arms(posture)
    return whole


@functools.lru_cache(1)
def _arms(posture: Posture) -> Array:
    """By how much (m for each rad) each line gets shorter by a turn of each joint."""
    small = 1e-4
    return np.array([
        [-(length(posture, line, j, small) - length(posture, line, j, -small)) / (2.0 * small) for j in range(8)]
        for line in lines(1.0)
    ])  # fmt: skip


def weights(posture: Posture) -> Array:
    """The moments of the weight of all above each joint."""
    return np.array([
        sum(
            posture.mass(bone) * GRAVITY * (posture.centre(bone)[0] - posture.middle(BONES[j + 1])[0])
            for bone in BONES[j + 1 :]
        )
        for j in range(8)
    ])  # fmt: skip


def tones(posture: Posture, found: list[Line], wanted: Array, held: Array) -> Array:
    """The activations nearest to the wanted ones under which the posture holds, with what else holds it."""
    strength = np.array([line.strength for line in found])
    share, made = strength / strength.mean(), moments(posture, found)
    holding = lsq_linear(
        np.vstack([np.diag(share), HOLDS * made.T / 40.0]),
        np.append(share * wanted, -HOLDS * (weights(posture) + held) / 40.0),
        bounds=(0.0, 1.0),
    )
    return np.round(holding.x, 4)


def tone_of(posture: Posture, activity: Activity, held: Array) -> Array:
    """The tone of all lines, with the moments about the joints of what else holds the posture."""
    found = lines(activity.stress_pa)
    wanted = np.array([activity.tone_skull if line.on_skull else activity.tone for line in found])
    return tones(posture, found, wanted, held)


def supports(posture: Posture, activity: Activity, tone: Array) -> dict[str, Array]:
    """The force (forward, up) with which each joint holds what is above it, by the bone above."""
    out, found = {}, lines(activity.stress_pa)
    for j, upper in enumerate(BONES[1:]):
        above = set(BONES[j + 1 :])
        pull = np.array([0.0, -GRAVITY * sum(posture.mass(bone) for bone in above)])
        for line, active in zip(found, tone, strict=True):
            places = [
                (bone, np.array([point[0] * posture.size, *posture.place(bone, point[1:])]))
                for bone, point in line.points
            ]
            for (one, p), (other, q) in pairwise(places):
                if (one in above) != (other in above):
                    way = (q - p) if one in above else (p - q)
                    pull += 2.0 * line.strength * active * way[1:] / np.linalg.norm(way)
        out[upper] = -pull
    return out


def muscle_forces(
    posture: Posture, activity: Activity, tone: Array, passive_strain: float
) -> list[dict[str, Any]]:
    """All muscles of both sides as forces on coordinates."""
    found = lines(activity.stress_pa)
    backward = moments(posture, found).sum(axis=1) < 0.0
    out = []
    for line, rest, extends in zip(found, tone, backward, strict=True):
        braced = activity.braced_skull if line.on_skull else activity.braced
        active = max(float(rest), braced) if extends else float(rest)
        law: dict[str, Any] = {
            "kind": "hill",
            "strength": round(line.strength, 4),
            "fibre": round(FIBRES.get(line.muscle, FIBRE) * length(posture, line), 5),
            "speed_per_s": SPEED,
            "passive_strain": passive_strain,
            "activation": active,
        }
        if active != rest:
            law |= {"resting": float(rest), "delay_s": activity.delay_s}
        for side, sign in (("right", 1.0), ("left", -1.0)):
            points = [
                {"segment": segment(bone), "position_m": posture.local(bone, at * (sign, 1.0, 1.0))}
                for bone, at in line.points
            ]
            coordinate: dict[str, Any] = {"kind": "distance", "a": points[0], "b": points[-1]}
            if points[1:-1]:
                coordinate["via"] = points[1:-1]
            plain = line.muscle.replace(" ", "_")
            out.append({
                "id": f"{plain}_{line.number}_{side}", "name": f"{line.muscle.capitalize()} {line.number}, {side}",
                "group": f"Neck muscles, {side}", "coordinate": coordinate, "laws": [law],
            })  # fmt: skip
    return out


def segment(bone: str) -> str:
    """The id of a bone's segment; T1 is what carries the neck."""
    return {"T1": "ground", "skull": "head"}.get(bone, bone.lower())
