"""Chains and loops by their geometry alone: how far a point reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from manikin.changing import Point, point_of
from manikin.model import Model, the_model
from solver.analysis.linkages import Envelope, reach_envelope, tip_of, with_envelope


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
