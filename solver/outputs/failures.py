"""Say why a run could not go on."""

from __future__ import annotations

from solver.integrate import control
from solver.integrate.flow import WORST, Flow, T
from solver.model.compile import Model


def why(code: int, model: Model, flow: Flow) -> str:
    """Say why a run could not go on: place, time, remedy."""
    name = model.segment_of(int(flow.counters[WORST]))
    when = f"At {1e3 * flow.clock[T]:.6g} ms"
    if code == control.SINGULAR:
        return (
            f"{when} nothing determines how '{name}' moves: it, or what it carries, has no mass "
            "or inertia in a direction in which it is free. Give it some, or lock its joint."
        )
    if code == control.STUCK:
        return (
            f"{when} the smallest step was reached; '{name}' moves least smoothly. Look at what "
            "acts on it there, loosen the tolerances, or allow a smaller step."
        )
    if code == control.APART:
        return (
            f"{when} the constraints contradict each other: no motion of the segments brings all "
            "points together. Look at their places at the start."
        )
    if code == control.FORKED:
        return (
            f"{when} the constraints stand at a singular position, as links that fold into one line: "
            "from there the motion could go on in more than one way. Keep the mechanism off it, or "
            "let a spring or a stop decide."
        )
    if code == control.FROZEN:
        return (
            f"{when} events at '{name}' follow each other without end. Look at its locks, stops "
            "and constraints."
        )
    return (
        f"{when} the motion of '{name}' blew up. Look at what acts on it just before; with a "
        "method of fixed step, take a smaller one."
    )
