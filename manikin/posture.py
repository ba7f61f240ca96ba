"""Occupants: another in the place of one; those that hold their posture, or follow a motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from manikin.mechanics import standing_at
from manikin.model import Model, the_model
from manikin.results import Run
from solver.analysis.crash.scenes import reseated
from solver.analysis.inverse import course_of_run
from solver.analysis.inverse.saving import course_of_markers
from solver.analysis.tracking import Followed
from solver.bodies import Body
from solver.bodies.body import Holding
from solver.bodies.made_to_measure import body_named
from solver.bodies.posture import JointTargets, held

if TYPE_CHECKING:
    from manikin.schema.belts import ChannelTrigger, TimeTrigger


def brace(
    model: Model,
    segments: Sequence[str] | None = None,
    follow: Run | Followed | None = None,
    *,
    frequency_hz: float = 3.0,
    damping: float = 0.7,
    reflex_s: float = 0.0,
    period_s: float = 0.0,
    delay_s: float = 0.0,
    ramp_s: float = 0.0,
    limit: float | None = None,
    trigger: TimeTrigger | ChannelTrigger | None = None,
) -> Model:
    """The model with an actuator at every axis of the joints between segments, all of them if none are named.

    Each is as stiff as lets what its joint carries swing at `frequency_hz`, with `damping` in parts of the critical one,
    and gives at most `limit` times the torque that bears this held out level. The target is the posture of the
    start, or the motion of a run of this model, or one that was followed from markers. A `trigger` is plain data as in a project.

    >>> held = mk.brace(mk.sample("fall"), frequency_hz=5.0, reflex_s=0.02)
    >>> len(held.project.coordinate_forces)
    34
    """
    how = Holding(
        frequency_hz, damping, reflex_s, period_s, delay_s, ramp_s, limit, trigger
    )  # fmt: skip
    course: JointTargets | None = None
    if isinstance(follow, Run):
        course = course_of_run(standing_at(follow.model, None), follow.trajectory)
    elif follow is not None:
        course = course_of_markers(follow)
    return Model(held(the_model(model).project, segments, how, course))


def replace_body(model: Model, on: str, who: str | Body) -> Model:
    """Give the model with another body, or one of the library by name, in the place of an occupant, by its prefix.

    It sits as the old one did, with hips, feet and hands where they were as far as limbs reach; who would tip over
    with arms stretched so far lays them on its thighs. Contacts and measured channels stay, straps are laid again, and it is settled in its plane.

    >>> small = mk.replace_body(mk.sample("frontal"), "driver", "hybrid_iii_5f")
    >>> round(sum(s.mass_kg for s in small.project.segments if s.group == "Occupant"), 1)
    49.0
    """
    body = body_named(who)
    return Model(reseated(the_model(model).project, on, body).project)
