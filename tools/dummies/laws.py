"""Laws of a dummy's rubber, skin and ribs: the numbers that its bench tests fit."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

FITTED = Path(__file__).with_name("fitted.json")
RIBS_END_M = 0.15
"""Deflection at which the ribs' curve ends."""


@dataclass(frozen=True)
class Laws:
    """The numbers of the laws, SI; moments are a angle + b angle^3."""

    disc_flexion: float = 320.0
    disc_flexion3: float = 2000.0
    disc_extension: float = 120.0
    disc_extension3: float = 2000.0
    disc_damping: float = 3.0
    nod_flexion: float = 9.0
    nod_flexion3: float = 6272.0
    nod_extension: float = 9.0
    nod_extension3: float = 856.0
    nod_damping: float = 2.24
    skin: float = 5.5e7
    skin_damping: float = 0.3
    ribs: float = 26.3e3
    ribs_beyond: float = 78.9e3
    ribs_knee: float = 0.038
    ribs_series: float = 13.2e3
    ribs_series_damping: float = 175.0
    ribs_damping_in: float = 525.0
    ribs_damping_out: float = 1226.0
    jacket: float = 281e3
    knee_skin: float = 4.0e7
    knee_damping: float = 0.3
    lumbar: float = 730.0
    lumbar3: float = 0.0
    lumbar_damping: float = 12.0


@dataclass(frozen=True)
class SideLaws(Laws):
    """The numbers of the laws of a dummy for side impacts, SI; each dummy uses those of the parts that it has."""

    neck_low: float = 60.0
    neck_low3: float = 60.0
    neck_high: float = 60.0
    neck_high3: float = 60.0
    neck_damping: float = 1.5
    clavicle: float = 60.0
    clavicle_damping: float = 2.0
    rib: float = 30e3
    rib_beyond: float = 40e3
    rib_damping: float = 300.0
    rib_damping_out: float = 600.0
    rib_series: float = 20e3
    rib_series_damping: float = 300.0
    shoulder_rib: float = 40e3
    shoulder_rib_damping: float = 400.0
    flank_skin: float = 400e3
    arm_skin: float = 60e3
    arm_on_ribs: float = 100e3
    belly: float = 60e3
    belly_cells: float = 0.55
    """Part of the belly's foam that lies before its load cells."""
    belly_beyond: float = 300e3
    belly_damping: float = 500.0
    belly_rib: float = 30e3
    belly_rib_damping: float = 300.0
    spine: float = 200.0
    spine3: float = 200.0
    spine_damping: float = 4.0
    pelvis_skin: float = 400e3
    hip_pad: float = 150e3
    hip_cells: float = 1.0
    """Part of the hip's flesh that lies before its load cell."""
    hip_pad_beyond: float = 300e3
    hip_pad_damping: float = 600.0
    sacroiliac: float = 1.5e6
    pubis: float = 1.5e6
    iliac: float = 300e3
    iliac_damping: float = 600.0


SIDE = ("es_2re", "sid_iis")
"""Dummies for side impacts."""


def laws(id_: str) -> Laws:
    """The laws of a dummy."""
    kind = SideLaws if id_ in SIDE else Laws
    return kind(**json.loads(FITTED.read_text(encoding="utf-8")).get(id_, {}))


def keep(id_: str, found: Laws) -> None:
    """Write the laws of a dummy beside those of the others."""
    known = json.loads(FITTED.read_text(encoding="utf-8"))
    usual = asdict(type(found)())
    known[id_] = {k: float(f"{v:.5g}") for k, v in asdict(found).items() if v != usual[k]}
    FITTED.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
