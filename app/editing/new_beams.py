"""New beams, and what else bends."""

from __future__ import annotations

from typing import Any

from app.editing.new_bodies import Row
from solver.editing.bench import Bench
from solver.project.segments import GROUND

STEEL = {"elastic_pa": 2.1e11, "shear_pa": 8.1e10, "density_kg_per_m3": 7850.0}


def _beam(bench: Bench) -> str:
    """Clamp a steel tube to the selected segment, and to the second one where two are selected."""
    picked = bench.picked("segments")
    tube = {"kind": "tube", "diameter_m": 0.025, "wall_m": 0.002}
    held: dict[str, Any] = {"start": {"segment": picked[0] if picked else GROUND}}
    if len(picked) > 1:
        held["end"] = {"segment": picked[1], "fixing": "ball"}
    else:
        held["length_m"] = 0.5
    return bench.add("beams", "Beam", "beam", section=tube, **STEEL, **held)


BEAMS: tuple[Row, ...] = (("beams", "", _beam),)
