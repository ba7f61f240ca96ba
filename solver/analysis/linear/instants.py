"""A run taken to an instant: its start, any time of it, a state, or the start of the settled model."""

from __future__ import annotations

from collections.abc import Sequence

from solver.analysis.equilibrium import settle
from solver.analysis.linear.refusal import LinearError
from solver.model.refusal import SimulationError
from solver.project.checks import Checked, checked
from solver.project.document import Project
from solver.project.fields import ZERO3
from solver.project.reading import parse
from solver.results.trajectory import Trajectory
from solver.running.checkpoint import from_bytes
from solver.running.course import Course
from solver.running.simulation import Simulation
from solver.running.state import State


def settled(project: Project | Checked, free: Sequence[str] | None = None) -> Project:
    """Give a project whose start is at rest; raises SettleError where none is found.

    Where nothing is driven start speeds are left out, so that no event at the start comes of them.
    """
    found = settle(project, free).project
    if found.motions or found.drivers or found.frame_drivers:
        return found
    start = found.initial
    still = start.model_copy(update={
        "roots": tuple(one.model_copy(update={"velocity_m_per_s": ZERO3}) for one in start.roots),
        "attitudes": tuple(one.model_copy(update={"angular_velocity_rad_per_s": ZERO3}) for one in start.attitudes),
        "joints": tuple(one.model_copy(update={"rates": ()}) for one in start.joints),
    })  # fmt: skip
    return found.model_copy(update={"initial": still})


def course_of(
    project: Project | Checked, at: float | State = 0.0, run: str | None = None
) -> Course:
    """Give a run that stands at a time (s) or in a state; constraints and events of that instant have been seen to."""
    simulation = Simulation(project, run)
    course = simulation.begin()
    if isinstance(at, State):
        course.set_state(at)
        return course
    return _taken(course, at, simulation.run.duration_s)


def course_of_results(results: Trajectory, at: float | None = None) -> Course:
    """Give the run of results at a time (s), or at its last frame; it goes on from the last checkpoint before."""
    project = checked(parse(results.project_json.decode()).project)
    simulation = Simulation(project, getattr(results, "run_id", "") or None)
    course = simulation.begin()
    time = results.time
    if at is None:
        at = float(time[-1]) if len(time) else 0.0
    before = [one for one in results.checkpoints() if one[0] < at]
    if before:
        _, data = max(before, key=lambda one: one[0])
        try:
            course.set_state(from_bytes(data, project.project), is_read=True)
        except SimulationError:
            # of another version: from the start, the run takes the same way
            course = simulation.begin()
    return _taken(course, at, simulation.run.duration_s)


def _taken(course: Course, at: float, duration: float) -> Course:
    if not 0.0 <= at <= duration * (1.0 + 1e-12):
        raise LinearError(
            "The run goes from 0 to {duration:g} s; {at:g} s is outside.", duration=duration, at=at
        )
    if course.time > at:
        raise LinearError("The state is from after {at:g} s.", at=at)
    course.go_on([], min(at, duration), exactly=at > 0.0)
    if course.outcome.status != "completed":
        raise LinearError(
            "The run does not come to {at:g} s: {message}", at=at, message=course.outcome.message
        )
    return course
