"""Marker data of tests: tracks, the pose and the motion that they give a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from manikin.curves import Curve
from manikin.model import Model, the_model
from solver.analysis.tracking import (
    Ends,
    Followed,
    PoseFit,
    Tracks,
    Weigh,
    driven,
    fit_pose,
    follow,
    read_tracks,
    write_tracks,
)

if TYPE_CHECKING:
    from manikin.schema.numbers import Numbers


def tracks(path: Path | str, unit: str | None = None, axes: str = "x y z") -> Tracks:
    """Read tracks of markers from a CSV, TRC or C3D file (docs/markers.md).

    `unit` stands in place of what the file says of lengths; `axes` says which of its axes are the
    ground's x, y and z, as `x -z y`. Raises TrackError.
    """
    return read_tracks(path, unit, axes)


def save_tracks(path: Path | str, tracks: Tracks, unit: str = "mm") -> Path:
    """Write tracks to a CSV, TRC or C3D file, in ground axes. Raises TrackError."""
    return write_tracks(path, tracks, unit)


def pose_from_markers(
    model: Model,
    seen: Mapping[str, Numbers],
    free: Sequence[str] = ("all",),
    hold: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    weigh: Weigh = "distances",
    ranges: Mapping[str, Ends] | None = None,
) -> PoseFit:
    """Find the pose in which a model's markers lie nearest to where they were seen (m, ground axes).

    `seen` is what `Tracks.at` or `Tracks.mean` gives. The pose is in `project`, with misses, deviations
    and what is weakly determined beside it. `weights` multiply distances, so a weight of 3 counts 9 times in
    the sum of squares; with `weigh="squares"` it counts 3 times, as OpenSim's weights do. `ranges`, as those of a model that
    `read_tree` read, are values that coordinates of joints do not leave. Raises TrackError.

    >>> model = mk.sample("double_pendulum").add_marker("tip", segment="lower", point_m=(0.0, 0.0, 0.5))
    >>> found = mk.pose_from_markers(model, {"tip": (0.0, 0.0, 1.9)})
    >>> round(found.rms, 9), found.condition < 100
    (0.0, True)
    >>> mk.Model(found.project).problems
    ()
    """
    import numpy as np

    places = {name: np.asarray(place, float) for name, place in seen.items()}
    return fit_pose(
        the_model(model).project, places, free, hold, weights, weigh=weigh, ranges=ranges
    )


def motion_from_markers(
    model: Model,
    seen: Tracks,
    free: Sequence[str] = ("all",),
    hold: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    weigh: Weigh = "distances",
    setup: Path | str | None = None,
    ranges: Mapping[str, Ends] | None = None,
) -> Followed:
    """Find the motion of a model from tracks, each pose from the one before.

    `weights`, `weigh` and `ranges` count as in `pose_from_markers`. `setup` is a set-up of OpenSim's inverse kinematics: its weights multiply squares,
    its times and coordinates count, and `weights` come before its own. Raises TrackError and TreeError.
    """
    project = the_model(model).project
    if setup is None:
        return follow(project, seen, free, hold, weights, weigh=weigh, ranges=ranges)
    from solver.exchange.opensim import read_tasks

    tasks = read_tasks(setup)
    asked = {**tasks.weights_of(project), **(weights or {})}
    return follow(project, seen.between(tasks.begin_s, tasks.end_s), free, hold, asked, weigh="squares", wanted=tasks.wanted, ranges=ranges)  # fmt: skip


def save_storage(path: Path | str, curves: Followed | Sequence[Curve]) -> Path:
    """Write a motion, or curves with the same times, as a table of OpenSim (.mot, .sto), angles in degrees; `read_test` reads such files.

    Raises ResultsError.
    """
    from solver.exchange.opensim import write_storage
    from solver.results import Channel

    if isinstance(curves, Followed):
        return write_storage(
            path, [Channel(name, curves.time, value, unit) for name, value, unit in curves.named()]
        )
    return write_storage(path, [Channel(c.name, c.time, c.value, c.unit) for c in curves])


def curves_of_motion(motion: Followed) -> list[Curve]:
    """Each coordinate of a motion as a curve, in rad or m."""
    return [
        Curve(c.label, motion.time, values, "rad" if c.turns else "m")
        for c, values in zip(motion.coordinates, motion.value.T, strict=True)
    ]


def driven_by_motion(model: Model, motion: Followed) -> Model:
    """The model that starts in the first pose of a motion and is driven along it."""
    return Model(driven(the_model(model).project, motion))
