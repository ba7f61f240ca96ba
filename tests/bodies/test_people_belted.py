"""A belted person in a frontal pulse: how the body moves, not only figures."""

from __future__ import annotations

import numpy as np
import pytest

import manikin as mk
from solver.bodies import Place, adult_dimensions, body_project, human, insert_body, pose
from solver.bodies.library import insert
from solver.project import Project, validated


@pytest.fixture(scope="module")
def belted() -> mk.Run:
    car = {"id": "car", "mass_kg": 1000.0, "inertia_kgm2": [100.0] * 3}
    project = validated(
        Project(title="Belted").model_dump()
        | {"segments": [car], "initial": {"roots": [{"segment": "car"}]}, "runs": [{"id": "run", "duration_s": 0.1}]}
    )  # fmt: skip
    at = Place(anchor="hips", relative_to="car", moves_with="car")
    project = insert_body(project, pose(human(adult_dimensions("male")), "driving"), "p", at)
    for entry in ("car_seat", "car_passenger", "three_point_slip_left", "car_half_sine"):
        project = insert(project, entry, attach_to="car", on="p")
    return mk.run(mk.Model(project))


def place(run: mk.Run, segment: str, axis: str) -> np.ndarray:
    return np.asarray(run[f"segments/p_{segment}/position/{axis}@car"].value)


def test_the_chest_leans_forward_over_a_pelvis_that_the_belt_holds(belted: mk.Run) -> None:
    pelvis, chest, head = (place(belted, s, "x") for s in ("lower_torso", "upper_torso", "head"))
    assert chest[0] < pelvis[0] - 0.1, "reclined at the start"
    assert 0.02 < pelvis.max() - pelvis[0] < 0.2
    moved = [way.max() - way[0] for way in (pelvis, chest, head)]
    assert moved == sorted(moved), "pelvis, chest, head: each farther than the one below"
    assert moved[2] < 0.55


def test_the_spine_bends_forward_along_its_whole_length(belted: mk.Run) -> None:
    most = {}
    for joint in ("lumbar_2", "lumbar_3", "thoracic_1", "disc_1", "disc_2", "disc_3"):
        bent = np.degrees(belted[f"joints/p_{joint}/angle/2"].value)
        most[joint] = bent.max()
        assert -bent.min() < 3.0, joint
    assert all(1.0 < angle < 30.0 for angle in most.values()), most


def test_energy_closes_and_nothing_of_the_body_passes_through_the_rest_of_it(
    belted: mk.Run,
) -> None:
    account = belted.energy
    turned = np.abs(account["kinetic"]).max()
    assert np.abs(account["balance"]).max() < 1e-6 * turned
    own = [line for line in belted.log if "passed through 'p_" in line]
    assert not own


def test_a_person_s_viscous_criterion_is_of_its_own_chest(belted: mk.Run) -> None:
    """A dummy's depth and factor are not a person's, however near in mass."""
    assert "chest_deflection" in {f.name for f in belted.injury.figures}
    assert not [f for f in belted.injury.figures if f.criterion == "VC"]
    size = adult_dimensions("male", weight_kg=110.0, height_m=1.75)
    asked = {o.id: o for o in body_project(human(size)).outputs}
    chest = asked["chest_VC"]
    assert (chest.depth_m, chest.scale) == (pytest.approx(size["chest_depth_m"], abs=1e-4), 1.0)
    assert (asked[chest.output].joint, asked[chest.output].quantity) == ("sternum", "angle")
