"""Put a neck together: bones, discs, ligaments, ends of motion and muscles, in a posture that holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.project import Project
from tools.necks.bones import BONES, Posture, bones
from tools.necks.muscles import Activity, muscle_forces, segment, supports, tone_of
from tools.necks.tissues import Softness, beside, discs, end_moments, ends, ligaments, nuchal


@dataclass(frozen=True)
class Neck:
    """Say all that may differ from neck to neck."""

    posture: Posture
    softness: Softness
    passive_strain: float


def piece(neck: Neck, activity: Activity) -> Project:
    """Give head and neck as a piece of a project that its carrier, T1, holds."""
    posture, soft = neck.posture, neck.softness
    stops, stop_functions = ends(posture)
    sides, side_functions = beside(posture, soft)
    springs, pulls = ligaments(posture)
    band, band_pull = nuchal(posture, soft)
    tone = tone_of(posture, activity, end_moments(posture))
    borne = supports(posture, activity, tone)
    data: dict[str, Any] = {
        "segments": [_segment(posture, bone) for bone in BONES[1:]],
        "springs": [*discs(posture, soft, borne), *springs, band],
        "coordinate_forces": [*stops, *sides, *muscle_forces(posture, activity, tone, neck.passive_strain)],
        "functions": [*stop_functions, *side_functions, *pulls, band_pull],
        "initial": {
            "roots": [
                {"segment": segment(b), "position_m": _place(posture, b), "moves_with": "ground"} for b in BONES[1:]
            ],
            "attitudes": [
                {"segment": segment(b), "orientation": {"angles_rad": (0.0, round(-posture.tilts[b], 9), 0.0)}}
                for b in BONES[1:]
            ],
        },
    }  # fmt: skip
    return Project.model_validate(data)


def _place(posture: Posture, bone: str) -> tuple[float, float, float]:
    forward, up = posture.centre(bone)
    return round(float(forward), 6), 0.0, round(float(-up), 6)


def _segment(posture: Posture, bone: str) -> dict[str, Any]:
    known, part = bones()[bone], posture.mass(bone) / bones()[bone].mass
    out: dict[str, Any] = {
        "id": segment(bone), "name": "Head" if bone == "skull" else f"Vertebra {bone}", "group": "Head and neck",
        "mass_kg": posture.mass(bone), "inertia_kgm2": tuple(part * float(known.inertia[k, k]) for k in (0, 2, 1)),
    }  # fmt: skip
    if bone == "skull":
        # forward and up there, forward and down here
        out |= {"products_kgm2": (0.0, -part * known.inertia[0, 1], 0.0), "products_are": "entries"}
        out["surfaces"] = [
            {"id": "skull", "name": "Head", "kind": "ellipsoid", "semi_axes_m": (0.0994, 0.078, 0.1143), "centre_m": (0.0, 0.0, -0.01), "note": "Drawn only; assumed."}
        ]  # fmt: skip
    else:
        out |= {"note": "With the flesh of its slice of the neck.", "surfaces_are": "part"}
        plates = (
            (known.pivot("C2"),) if bone == "C1" else map(known.plate, ("superior", "inferior"))
        )
        middle = np.mean(list(plates), axis=0)
        out["surfaces"] = [
            {"id": "body", "name": f"Body of {bone}", "kind": "ellipsoid", "semi_axes_m": (0.0085, 0.011, 0.0075),
             "centre_m": posture.local(bone, np.array([0.0, *middle])), "note": "Drawn only; assumed."}
        ]  # fmt: skip
    return out
