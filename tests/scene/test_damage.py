"""Dents are as deep as law and run say, and stay so; panes break where and when they are struck, once for all."""

from __future__ import annotations

import numpy as np
import pytest

from solver.base.places import samples
from solver.project import load_project
from solver.project.pose import plane_corners
from solver.results.trajectory import Table
from solver.scene.damage import CRACKS_N, Damage
from solver.scene.placing import pose_at_start

PROJECT = load_project(samples() / "pedestrian.json")
POSE = pose_at_start(PROJECT)
GLASS, METAL = "car_head-windscreen_glass", "car_head-bonnet_top"


def struck(id_: str, forces: list[float], depths: list[float], project=PROJECT) -> tuple[Damage, np.ndarray]:  # type: ignore[no-untyped-def, type-arg]  # fmt: skip
    """A run in which one contact acts at the middle of its plane, and that place in the axes of its segment."""
    contact = next(c for c in project.contacts if c.id == id_)
    plane = next(p for p in project.planes if p.id == contact.plane)
    corner, edge, other = plane_corners(plane)
    middle = corner + 0.5 * (edge + other)
    at = POSE[plane.segment]
    count = len(forces)
    table = Table(
        (id_,),
        {
            "force": np.array([[[0.0, 0.0, f]] for f in forces]),
            "penetration": np.array([[d] for d in depths]),
            "point": np.tile(at.R_WS @ middle + at.p_W, (count, 1, 1)),
        },
    )
    return Damage(project, lambda: table, lambda _: POSE), middle


def test_a_bonnet_is_as_deep_as_it_is_pressed_and_keeps_what_its_law_keeps() -> None:
    depths = [0.0, 0.02, 0.06, 0.03, 0.0, 0.0]
    damage, middle = struck(METAL, [0.0, 1e3, 4e3, 1e3, 0.0, 0.0], depths)
    plane = next(p for p in PROJECT.planes if p.id == "car_bonnet_top")
    corner, edge, other = plane_corners(plane)
    front = np.cross(edge, other) / np.linalg.norm(np.cross(edge, other))
    law = next(one for one in PROJECT.contact_laws if one.id == "car_bonnet")
    kept = 0.862 * 0.06
    assert law.offset_ratio == 0.862  # type: ignore[union-attr]
    for frame, deepest in enumerate((0.0, 0.02, 0.06, kept, kept, kept)):
        found = damage.at(frame)
        if deepest == 0.0:
            assert found == {}
            continue
        mesh = found["planes/car_bonnet_top"].mesh
        assert mesh is not None
        deep = -(mesh.points - corner) @ front
        assert deep.max() == pytest.approx(deepest, abs=0.002)
        assert np.linalg.norm(mesh.points[deep.argmax()] - middle) < 0.08
        assert deep.min() > -1e-9
        rim = np.abs(np.linalg.norm(mesh.points - corner, axis=1)) < 1e-9
        assert rim.sum() == 1, "the edges stay where they were"
    assert damage.at(4)["planes/car_bonnet_top"].mesh is damage.at(5)["planes/car_bonnet_top"].mesh


def test_a_windscreen_cracks_where_it_is_struck_and_stays_cracked_and_other_panes_burst() -> None:
    damage, middle = struck(GLASS, [0.0, 0.9 * CRACKS_N, 1.1 * CRACKS_N, 0.0, 0.0], [0.0] * 5)
    assert [bool(damage.at(frame)) for frame in range(5)] == [False, False, True, True, True]
    found = damage.at(2)["planes/car_windscreen_glass"]
    assert found.cracks is not None
    assert not found.has_burst
    assert np.linalg.norm(found.cracks.points[0] - middle) < 0.01
    plane = next(p for p in PROJECT.planes if p.id == "car_windscreen_glass")
    corner, edge, other = plane_corners(plane)
    parts = np.linalg.lstsq(np.column_stack([edge, other]), (found.cracks.points - corner).T, rcond=None)[0]  # fmt: skip
    assert parts.min() > 0.0
    assert parts.max() < 1.0, "cracks end at the frame"
    assert damage.at(4)["planes/car_windscreen_glass"] is found
    named = plane.model_copy(update={"id": "pane", "name": "Side window"})
    contacts = tuple(c.model_copy(update={"plane": "pane"}) if c.id == GLASS else c for c in PROJECT.contacts)  # fmt: skip
    other_project = PROJECT.model_copy(update={"planes": (*PROJECT.planes, named), "contacts": contacts})  # fmt: skip
    burst = struck(GLASS, [2.0 * CRACKS_N], [0.0], other_project)[0].at(0)["planes/pane"]
    assert burst.has_burst
