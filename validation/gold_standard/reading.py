"""What was measured on the sled, and what a run finds in its place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

import manikin as mk
from solver.bodies import Body
from solver.engine.maths.rotation import Array, matrices
from solver.project import Project
from validation.gold_standard.rig import FOLDER, man, scene

PATHS = {
    "head": ("head", None), "T1": ("upper_torso", "disc_1"), "T8": ("upper_torso", "thoracic_2"), "L2": ("centre_torso", "lumbar_3"),
    "L4": ("lumbar_1", "lumbar_2"), "pelvis": ("lower_torso", "lumbar_1"),
}  # fmt: skip
"""Measured points, each a segment and the joint nearest to it; none is the mass centre."""
LOWER = {"hip": "right_hip", "knee": "right_knee"}
"""Joints whose ways forward were measured, too."""
TURNED_MS = (50.0, 75.0, 100.0)
PRESSED_S = 0.08


@dataclass(frozen=True)
class Found:
    """What was found at times (s): ways of points (mm), forward and down, and belt forces (kN), lower and upper."""

    time: Array
    path: dict[str, Array]
    belt: dict[str, Array]
    sternum: Array
    """Of the breastbone into the chest (mm, inwards below zero)."""
    start: dict[str, Array]
    """Where the points stand at the start (mm), forward and down."""
    lap: Array
    """Force of the lap belt on the side of the shoulder (kN)."""
    lower: dict[str, Array]
    """Ways of hip and knee forward (mm)."""
    pelvis: Array
    """How far the pelvis has turned forward (degrees)."""

    def turns(self, low: str, high: str) -> tuple[Array, Array]:
        """How far the line between two points has turned forward (degrees) at the instants shown: here, and the subjects' mean.

        Both from the ways of its ends alone: they differ by a chord, and the line is as long as the model's.
        """
        asked, at = measured(), 1e-3 * np.array(TURNED_MS)
        long = float(np.linalg.norm(self.start[high] - self.start[low]))

        def turned(chord: Array) -> Array:
            return np.degrees(
                2.0 * np.arcsin(np.minimum(0.5 * np.linalg.norm(chord, axis=0) / long, 1.0))
            )

        chords = self.path[high] - self.path[low]
        mine = np.array([np.interp(at, self.time, chords[:, k]) for k in (0, 1)])
        theirs = np.array([
            np.interp(at, asked["paths_time"], asked[f"{high}_{axis}_mean_mm"] - asked[f"{low}_{axis}_mean_mm"]) for axis in "xz"
        ])  # fmt: skip
        return turned(mine), turned(theirs)

    def pressed(self) -> float:
        """The part of the time, from 80 ms, in which the breastbone lies within the subjects' corridor."""
        late, asked = self.time >= PRESSED_S, measured()
        low, high = (
            np.interp(self.time[late], asked["sternum_time"], asked[f"{end}_mm"])
            for end in ("low", "high")
        )
        return float(np.mean((self.sternum[late] >= low) & (self.sternum[late] <= high)))

    def inside(self, point: str, axis: str) -> float:
        """The part of the time in which a point lies between the lowest and the highest of the subjects."""
        asked = measured()
        low, high = (
            np.interp(self.time, asked["paths_time"], asked[f"{point}_{axis}_{end}_mm"])
            for end in ("lo", "hi")
        )
        found = self.path[point][:, "xz".index(axis)]
        return float(np.mean((found >= low) & (found <= high)))

    def near(self, belt: str, deviations: float = 2.0) -> float:
        """The part of the time in which a belt force lies within standard deviations of the subjects' mean."""
        asked = measured()
        mean, sd = (
            np.interp(self.time, asked["belts_time"], asked[f"{belt}_{name}_kN"])
            for name in ("mean", "sd")
        )
        return float(np.mean(np.abs(self.belt[belt] - mean) <= deviations * sd))


@cache
def measured() -> dict[str, Array]:
    """Read ways (mm) and belt forces (kN)."""
    out: dict[str, Array] = {}
    for name in ("paths", "belts", "sternum", "lower"):
        data = np.genfromtxt(FOLDER / f"{name}.csv", delimiter=",", names=True)
        out |= {one: np.asarray(data[one], float) for one in data.dtype.names if one != "t_ms"}
        out[f"{name}_time"] = data["t_ms"] * 1e-3
    return out


@cache
def solved() -> tuple[Project, mk.Run]:
    """Run the test."""
    project = scene()
    return project, mk.run(mk.Model(project))


def found(run: mk.Run | None = None, body: Body | None = None) -> Found:
    """Give paths and belt forces of a run."""
    body, run = body or man(), run or solved()[1]
    sled, path, start = run.trajectory.segment("sled").position, {}, {}

    def placed(segment: str, joint: str | None) -> Array:
        moved, off = run.trajectory.segment(f"p_{segment}"), np.zeros(3)
        if joint is not None:
            one = body.joint(joint)
            frame = one.parent_frame if one.parent == segment else one.child_frame
            off = np.array(frame.position_m)
        way: Array = moved.position + matrices(moved.quaternion_wxyz) @ off - sled
        return way

    for name, (segment, joint) in PATHS.items():
        way = placed(segment, joint)
        path[name], start[name] = 1e3 * (way - way[0])[:, [0, 2]], 1e3 * way[0, [0, 2]]
    legs = {name: placed(body.joint(one).parent, one)[:, 0] for name, one in LOWER.items()}
    chest, bone = (run.trajectory.segment(f"p_{one}") for one in ("upper_torso", "sternum"))
    deep = np.einsum("tji,tj->ti", matrices(chest.quaternion_wxyz), bone.position - chest.position)[
        :, 0
    ]
    turn = matrices(run.trajectory.segment("p_lower_torso").quaternion_wxyz)
    pitch = np.degrees(np.arctan2(turn[:, 0, 2], turn[:, 2, 2]))
    pull, lap = np.moveaxis(1e-3 * run.trajectory.table("harnesses")["tension"], 1, 0)
    return Found(
        np.asarray(run.time),
        path,
        {"lower": pull[:, 0], "upper": pull[:, 1]},
        1e3 * (deep - deep[0]),
        start,
        lap[:, 1],
        {name: 1e3 * (way - way[0]) for name, way in legs.items()},
        pitch[0] - pitch,
    )
