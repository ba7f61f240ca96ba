"""How modal bodies are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from solver.engine.maths.rotation import from_angles
from solver.project import validated
from solver.project.pose import Placed, start_pose
from solver.scene.modal import modal_beams_of


def test_a_modal_beam_is_drawn_as_the_force_at_its_tip_bends_it() -> None:
    """Clamped, with its tip held aside by d and turned by 3 d/2 L: d (3 L x^2 - x^3) / (2 L^3)."""
    steel = {"elastic_pa": 2.1e11, "shear_pa": 8.1e10, "density_kg_per_m3": 7850.0}
    bends = {"kind": "beam", "length_m": 1.0, "section": {"kind": "circle", "diameter_m": 0.02}, **steel, "bending_y": 4, "bending_z": 4}  # fmt: skip
    project = validated(
        {
            "format": "manikin-project",
            "schema_version": 4,
            "segments": [{"id": s, "mass_kg": 1.0, "inertia_kgm2": [1.0] * 3} for s in ("hub", "tip")],
            "joints": [{"id": "end", "kind": "locked", "parent": "hub", "child": "tip", "parent_frame": {"position_m": [1.0, 0.0, 0.0]}}],
            "modal_bodies": [{"id": "rod", "segment": "hub", "nodes": ["end"], "shapes": bends}],
        }
    )  # fmt: skip
    d = 0.02
    aside = Placed(from_angles((1.5 * d, 0.0, 0.0), "zyx"), np.array([1.0, d, 0.0]))
    pose = {**start_pose(project), "tip": aside}
    ((_, mesh),) = modal_beams_of(project, pose)
    points = mesh.points
    middle = points[np.abs(points[:, 0] - 0.5) < 0.01]
    assert middle[:, 1].mean() == pytest.approx(0.3125 * d, rel=0.02)
    assert np.abs(points[:, 2]).max() < 0.0101


def test_a_body_of_nodes_is_drawn_by_its_faces_or_from_node_to_node() -> None:
    """A plate of four nodes with two triangles, and without them: the tip is held aside, and the middle goes by its shape."""
    nodes = [
        {"position_m": [x, y, 0.0], "mass_kg": 1.0, "shapes_m": [[0.0, 0.0, x * x]], "turns_rad": [[0.0, -2.0 * x, 0.0]]}
        for x, y in ((0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (0.5, 0.5))
    ]  # fmt: skip
    shapes = {"kind": "nodes", "nodes": nodes, "modal_mass_kg": [[1.0]], "modal_stiffness_n_per_m": [[1.0]]}  # fmt: skip
    aside = Placed(from_angles((0.0, -0.2, 0.0), "zyx"), np.array([1.0, 0.0, 0.1]))
    for faces, triangles in (([[0, 1, 3], [1, 2, 3]], 2), ([], 0)):
        project = validated(
            {
                "format": "manikin-project", "schema_version": 4,
                "segments": [{"id": s, "mass_kg": 1.0, "inertia_kgm2": [1.0] * 3} for s in ("hub", "tip")],
                "joints": [{"id": "end", "kind": "locked", "parent": "hub", "child": "tip", "parent_frame": {"position_m": [1.0, 0.0, 0.0]}}],
                "modal_bodies": [{"id": "plate", "segment": "hub", "nodes": ["end"], "shapes": {**shapes, "faces": [[float(k) for k in one] for one in faces]}}],
            }
        )  # fmt: skip
        ((_, mesh),) = modal_beams_of(project, {**start_pose(project), "tip": aside})
        middle = mesh.points[np.abs(mesh.points - [0.5, 0.5, 0.025]).max(axis=1) < 0.01]
        assert len(middle)
        assert middle[:, 2].mean() == pytest.approx(0.025, abs=2e-3)
        # three rods hold four nodes together
        assert len(mesh.faces) == (triangles or 3 * (12 + 12))
