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


def laws(id_: str) -> Laws:
    """The laws of a dummy."""
    return Laws(**json.loads(FITTED.read_text(encoding="utf-8")).get(id_, {}))


def keep(id_: str, found: Laws) -> None:
    """Write the laws of a dummy beside those of the others."""
    known = json.loads(FITTED.read_text(encoding="utf-8"))
    usual = asdict(Laws())
    known[id_] = {k: float(f"{v:.5g}") for k, v in asdict(found).items() if v != usual[k]}
    FITTED.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
