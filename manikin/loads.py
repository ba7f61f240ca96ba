"""Loads of joints from motions, and inertial parameters from loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from manikin.mechanics import standing_at
from manikin.model import Model, the_model
from manikin.results import Run
from solver.analysis.inverse import (
    BaseParameters,
    Identified,
    InverseError,
    JointLoads,
    Motion,
    Times,
    motion_of_run,
    motion_of_tracks,
    pressing_in,
)
from solver.analysis.inverse import base_parameters as base_of
from solver.analysis.inverse import following_loads as loads_to_follow
from solver.analysis.inverse import identify as identified
from solver.analysis.inverse import joint_loads as loads_of
from solver.analysis.inverse.identify import Rows
from solver.analysis.inverse.motion import loads_in_run, of_joints
from solver.analysis.inverse.saving import save_loads as _save_loads
from solver.results.trajectory import Array


def joint_loads(
    of: Run | Model,
    time: Sequence[float] | Array | None = None,
    tracks: Mapping[str, Array] | None = None,
    cutoff_hz: float | None = None,
    contacts: bool = False,
) -> JointLoads:
    """The loads that joints bear in a motion, beside weight: that of a run, or of tracks of a model.

    Tracks are named as speeds of joints that turn or slide (`joints/elbow/1`), or as position and
    quaternion of a root; with `cutoff_hz` they go through a low pass first (docs/inverse.md). With `contacts` the
    forces that a run has in its contacts are known, and no joint bears them.

    >>> run = mk.run(mk.sample("double_pendulum"), until=0.2)
    >>> loads = mk.joint_loads(run)
    >>> bool(abs(loads["joints/elbow/1"]).max() < 1e-8)
    True
    """
    motion = _motion(of, time, tracks, cutoff_hz)
    if not contacts:
        return loads_of(motion)
    if not isinstance(of, Run):
        raise InverseError("Tracks tell no forces of contacts.")
    return loads_of(motion, pressing_in(motion.at, of.trajectory))


def following_loads(
    model: Model,
    time: Sequence[float] | Array,
    ways: Mapping[str, Array],
    by: Sequence[str],
    before_s: float = Times.before_s,
    after_s: float = Times.after_s,
    step_s: float | None = None,
) -> JointLoads:
    """The loads along a few speeds (`by`) with which points of a model that bends follow `ways`; before and after all is at rest.

    A way is a coordinate of a segment's mass centre (m, `segments/tip/position/z`), and there are as many as loads. Loads
    begin before the way does, and end after it (docs/inverse.md). Without a step there are a hundred instants over the way.

    >>> time = np.linspace(0.0, 0.5, 21)
    >>> ways = {"segments/lower/position/x": 0.02 * np.sin(2 * np.pi * time) ** 6}
    >>> model = mk.sample("double_pendulum")
    >>> loads = mk.following_loads(model, time, ways, ["joints/elbow/1"], 0.1, 0.1, 0.05)
    >>> loads.values.shape
    (15, 1)
    """
    times = Times(before_s, after_s, step_s)
    return loads_to_follow(standing_at(the_model(model), None), np.asarray(time, float), ways, by, times)  # fmt: skip


def save_loads(loads: JointLoads, path: Path | str) -> Path:
    """Write loads of joints over time by the ending of the file: a table (`.csv`), `.npz` or `.mat`.

    >>> loads = mk.joint_loads(mk.run(mk.sample("double_pendulum"), until=0.1))
    >>> mk.save_loads(loads, "loads.csv").read_text().splitlines()[0][:4]
    'time'
    """
    _save_loads(loads, Path(path))
    return Path(path)


def base_parameters(
    model: Model, rows: Rows = "joints", segments: Sequence[str] = ()
) -> BaseParameters:
    """What can be told of inertial parameters from loads of joints, or from the reaction of the ground.

    >>> found = mk.base_parameters(mk.sample("double_pendulum"))
    >>> len(found), found.names[-1]
    (6, 'lower/Jyy')
    """
    return base_of(standing_at(the_model(model), None), rows, segments)


def identify(
    of: Run | Model,
    loads: Array | None = None,
    rows: Rows = "joints",
    segments: Sequence[str] = (),
    measured: Sequence[str] | None = None,
    time: Sequence[float] | Array | None = None,
    tracks: Mapping[str, Array] | None = None,
    cutoff_hz: float | None = None,
) -> Identified:
    """Find inertial parameters by least squares from a motion and the loads in it.

    Without `loads` (instants, rows) those are taken that the run itself has in its joints. `measured` names the
    speeds along which there are loads, all of joints if none are named. Of segments that are not named the
    model's values hold.
    """
    motion = _motion(of, time, tracks, cutoff_hz)
    if rows == "reaction" and measured is not None:
        raise InverseError("The ground bears six loads together; leave out `measured`.")
    numbers = None if rows == "reaction" else of_joints(motion.at, measured)
    if loads is None:
        if not isinstance(of, Run):
            raise InverseError("Tracks bear no loads: give `loads`.")
        loads = loads_in_run(motion, of.trajectory, rows)
        loads = loads if numbers is None else loads[:, numbers]
    return identified(motion, np.asarray(loads), rows, segments, numbers)


def _motion(
    of: Run | Model,
    time: Sequence[float] | Array | None,
    tracks: Mapping[str, Array] | None,
    cutoff_hz: float | None,
) -> Motion:
    if isinstance(of, Run):
        if time is not None or tracks is not None or cutoff_hz is not None:
            raise TypeError("A run has a motion of its own; tracks are for models.")
        return motion_of_run(standing_at(of.model, None), of.trajectory)
    model = the_model(of)
    if time is None or tracks is None:
        raise TypeError("A model moves by tracks: give `time` and `tracks`.")
    return motion_of_tracks(standing_at(model, None), np.asarray(time, float), tracks, cutoff_hz)
