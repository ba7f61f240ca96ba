"""What a steering column that gives would do in the default sample: why its head figures are too high.

In the sample the wheel and the bag in it are fixed to the car. Columns of cars give at a load that they are made for
(Wesely and Steffan 2021, abstract); which load that is in this car is not known, so a range is tried and none is chosen.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

import manikin as mk
from solver.project.document import Project
from solver.project.functions import Function, Table
from solver.project.geometry import Frame, Orientation
from solver.project.joints import Slide, SlipJoint
from solver.project.pose import start_pose

LOADS = (3e3, 4e3, 5e3, 6e3)
STROKE_M = 0.1
"""Way of the column: assumed. Wheel and bag together are as light as such parts are, 3.4 kg: assumed."""
WHEEL, MODULE = "car_steering_wheel", "driver_airbag_module"
MASSES = {WHEEL: 2.2, MODULE: 1.2}


def giving(project: Project, load: float) -> Project:
    """Give the project with a column that slides along itself where more than a load (N) presses, the bag's housing on its wheel."""
    pose = start_pose(project)
    wheel, module = pose[WHEEL], pose[MODULE]
    x, y, z = (float(f"{v:.9g}") for v in wheel.R_WS.T @ (module.p_W - wheel.p_W))
    mounts = {joint.child: joint for joint in project.joints if joint.child in MASSES}
    old, housing = mounts[WHEEL], mounts[MODULE]
    (pitch,) = {old.parent_frame.orientation.angles_rad[1]}
    level = housing.parent_frame.model_copy(
        update={
            "position_m": (x, y, z),
            "orientation": Orientation(angles_rad=(0.0, -pitch, 0.0)),
        }
    )

    def along(angle: float) -> Orientation:
        """Lay the frame's z along the column."""
        return Orientation(angles_rad=(0.0, angle + math.pi / 2, 0.0))

    column = SlipJoint(
        id=old.id,
        name=old.name,
        group=old.group,
        parent=old.parent,
        child=WHEEL,
        parent_frame=old.parent_frame.model_copy(update={"orientation": along(pitch)}),
        child_frame=Frame(orientation=along(0.0)),
        rotation="none",
        slide=Slide(force="stroke", locked=True, release_above_n=load, keeps_force=True),
    )
    new = {
        old.id: column,
        housing.id: housing.model_copy(update={"parent": WHEEL, "parent_frame": level}),
    }
    ends = Table(x=(-0.01, 0.0, STROKE_M, STROKE_M + 0.01), y=(-20e3, 0.0, 0.0, 20e3))
    return project.model_copy(
        update={
            "joints": tuple(new.get(joint.id, joint) for joint in project.joints),
            "segments": tuple(
                s.model_copy(update={"mass_kg": MASSES.get(s.id, s.mass_kg)})
                for s in project.segments
            ),
            "functions": (
                *project.functions,
                Function(id="stroke", x_unit="m", y_unit="N", form=ends),
            ),
        }
    )


@cache
def solved(load: float) -> mk.Run:
    """Run the sample with a column that gives at a load."""
    return mk.run(mk.Model(giving(mk.sample("frontal").project, load)))


def way(run: mk.Run) -> float:
    """Give how far the wheel goes in the car (m)."""
    tr = run.trajectory
    gone = tr.segment(WHEEL).position - tr.segment("vehicle").position
    return float(np.linalg.norm(gone - gone[0], axis=1).max())
