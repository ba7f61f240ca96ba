"""Lines round obstacles have mirror images."""

from __future__ import annotations

import numpy as np

from solver.editing.mirroring import mirrored
from solver.model.paths import Courses
from solver.project import validated
from solver.scene.placing import pose_at_start
from tests.models import base
from tests.window.test_mirroring import M, errors


def test_lines_round_obstacles_and_points_that_move_have_twins() -> None:
    """Mirrored, a line is as long as its twin at the mirrored pose, whichever way its knee turns."""
    course = {"id": "course", "x_unit": "rad", "y_unit": "m", "form": {"kind": "table", "x": [-2.0, -0.5, 0.5, 2.0], "y": [0.05, 0.02, -0.01, -0.03]}}  # fmt: skip
    hinge = {"angles_rad": [0.4, 0.0, 0.9]}
    legs = [
        {"id": f"leg_{side}", "mass_kg": 2.0, "inertia_kgm2": [0.1, 0.1, 0.02]} for side in "rl"
    ]
    joints = [
        {"id": f"knee_{side}", "kind": "pin", "parent": "ground", "child": f"leg_{side}", "parent_frame": {"position_m": [0.1, y, 0.0], "orientation": hinge}}
        for side, y in (("r", 0.2), ("l", -0.2))
    ]  # fmt: skip
    knee = {"joint": "knee_r", "axis": "angle"}
    moves = [{"axis": axis, "coordinate": knee, "function": "course"} for axis in "xyz"]
    line = {
        "kind": "distance", "a": {"segment": "ground", "position_m": [0.3, 0.25, -0.2]},
        "via": [{"segment": "leg_r", "position_m": [0.05, 0.3, 0.1], "moves": moves, "only": {"coordinate": knee, "lower": 0.2, "upper": 0.9}}],
        "b": {"segment": "leg_r", "position_m": [-0.2, -0.1, 0.3]},
        "over": [{"kind": "cylinder", "segment": "leg_r", "radius_m": 0.05, "side_m": [0.1, 0.5, 0.0], "frame": {"position_m": [-0.08, 0.1, 0.19], "orientation": {"angles_rad": [0.3, 0.2, 0.1]}}}],
    }  # fmt: skip
    data = base(
        0.1, segments=legs, joints=joints, functions=[course],
        coordinate_forces=[{"id": "muscle_r", "coordinate": line, "laws": [{"kind": "linear", "stiffness": 10.0}]}],
        initial={"joints": [{"joint": "knee_r", "values": [0.6]}]},
    )  # fmt: skip
    made = validated(data)
    done = mirrored(made, ["segments/leg_r", "joints/knee_r", "coordinate_forces/muscle_r"]).project
    assert not errors(done)
    pose, by_id = pose_at_start(done), {one.id: one.coordinate for one in done.coordinate_forces}
    assert np.allclose(pose["leg_l"].R_WS, M @ pose["leg_r"].R_WS @ M)
    right, left = (Courses(done, [by_id[f"muscle_{side}"]]).laid(pose) for side in "rl")  # type: ignore[list-item]
    assert len(right.knots(0)) == 5, "it runs through the point and round the obstacle"
    assert np.allclose(left.course(0), right.course(0) @ M, atol=1e-12)
