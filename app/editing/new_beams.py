"""New beams, and what else bends."""

from __future__ import annotations

from typing import Any

from app.editing.new_bodies import Row
from solver.base.words import tr
from solver.editing.bench import A_SEGMENT, NEEDS, Bench, CannotMake
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


def _crash_frame(bench: Bench) -> str:
    """Stand a rail of two bent members before the selected segment; it folds as its front is pushed."""
    picked = bench.picked("segments")
    box = {"kind": "box", "width_m": 0.08, "height_m": 0.06, "wall_m": 0.002}
    nodes = [
        {"id": "root", "position_m": (0.0, 0.0, 0.0), "held": "fixed"},
        {"id": "knee", "position_m": (0.35, 0.0, 0.03)},
        {"id": "front", "position_m": (0.7, 0.0, 0.0), "mass_kg": 5.0},
    ]
    members = [
        {"id": "rear", "a": "root", "b": "knee", "section": box},
        {"id": "fore", "a": "knee", "b": "front", "section": box},
    ]
    return bench.add(
        "crash_frames", "CrashFrame", "rail", segment=picked[0] if picked else GROUND, nodes=nodes, members=members,
        elastic_pa=2.1e11, yield_pa=3.0e8, density_kg_per_m3=7850.0,
    )  # fmt: skip


def _modal(bench: Bench) -> str:
    """Let the selected segment bend as a steel tube along its x, a metre long."""
    segments = bench.segments()
    if not segments:
        raise CannotMake(tr(NEEDS, what=tr("A modal body"), noun=tr(A_SEGMENT)))
    tube = {"kind": "tube", "diameter_m": 0.025, "wall_m": 0.002}
    beam = {
        "kind": "beam",
        "length_m": 1.0,
        "section": tube,
        **STEEL,
        "bending_y": 2,
        "bending_z": 2,
    }
    name = segments[0].id
    return bench.add(
        "modal_bodies", "ModalBody", f"{name}_bends", segment=name, shapes=beam, damping=(0.01,)
    )


BEAMS: tuple[Row, ...] = (
    ("beams", "", _beam), ("crash_frames", "", _crash_frame), ("modal_bodies", "", _modal),
)  # fmt: skip
