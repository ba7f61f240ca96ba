"""Chains and loops by their geometry alone: how far a point reaches, and every pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from manikin.changing import Point, Vector, point_of, turned_by
from manikin.model import Model, the_model
from solver.analysis.linkages import (
    Envelope,
    Goal,
    InversePoses,
    reach_envelope,
    tip_of,
    with_envelope,
)
from solver.analysis.linkages import inverse_poses as found_poses


def reach(
    model: Model,
    point: Point | str,
    joints: Sequence[str] = (),
    ranges: Mapping[str, tuple[float, float]] | None = None,
    cell_m: float | None = None,
) -> Envelope:
    """Find how far a point reaches while joints go through their ranges: a closed surface, and the volume within.

    `point` is a segment and a place on it; of a segment alone its end is taken, farthest from its joint. `joints` are those that
    move, by default those of the limb. A range ends where the joint's stop begins, or as `ranges` say
    (`{"elbow.angle": (0.0, 2.4)}`, rad or m; of a ball `flexure` and `torsion`). Nothing in the way is looked at.
    Raises LinkageError.

    >>> arm = mk.sample("double_pendulum").add_marker("tip", segment="lower", point_m=(0.0, 0.0, 0.5))
    >>> mk.reach(arm, ("lower", (0.0, 0.0, 0.5)))
    Traceback (most recent call last):
    manikin.LinkageError: 'lower' moves only along a surface or a line there, so that it encloses nothing: let another joint move.
    """
    project = the_model(model).project
    of = tip_of(project, point) if isinstance(point, str) else point_of(point)
    return reach_envelope(project, of, joints, ranges, cell_m)


def show_reach(model: Model, found: Envelope, name: str = "", id: str | None = None) -> Model:
    """Give the model that shows an envelope in its scene, see-through, on the segment from which the chain starts.

    `id` is that of its mesh; one of the same id is replaced.
    """
    project, _ = with_envelope(the_model(model).project, found, name, id)
    return Model(project)


def inverse_poses(
    model: Model,
    at: Sequence[tuple[Point | str, Vector | None]] = (),
    turned: Mapping[str, Vector] | None = None,
    hold: Sequence[str] = (),
    centre_m: Vector | None = None,
    starts: int = 512,
    seed: int = 1,
) -> InversePoses:
    """Find all poses in which points are at places (m, ground axes) and segments in attitudes: all that many starts come to.

    `at` pairs points with places, `turned` names segments and their yaw, pitch and roll (rad). `hold` names joints, roots or
    single coordinates (`base.yaw`) that stay as they start; other roots float. `centre_m` is where the mass centre of all is to
    be. Loops are closed; stops are not looked at. What is not found is bounded by `unseen`, and not excluded. Raises LinkageError.

    >>> arm = mk.sample("double_pendulum")
    >>> found = mk.inverse_poses(arm, [(("lower", (0.0, 0.0, 0.5)), (1.0, 0.0, 1.0))], starts=64)
    >>> len(found.poses), sorted(round(one.coordinates["elbow.angle"], 3) for one in found.poses)
    (2, [-1.571, 1.571])
    """
    goals = [Goal(point_of(point), place) for point, place in at]
    goals += [Goal(point_of(name), None, turned_by(ypr)) for name, ypr in (turned or {}).items()]
    return found_poses(the_model(model).project, goals, hold, centre_m, starts, seed)
