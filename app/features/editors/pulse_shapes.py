"""Handles of pulses, and what dragging one makes of the pulse; pulses of the library in its place; no Qt."""

from __future__ import annotations

from typing import Any

from app.curves.points import moved
from app.editing.naming import free_prefix
from solver.bodies.library import LibraryError, fragment, insert
from solver.bodies.library.pulses import facts, with_speed_change
from solver.project import Project
from solver.project.functions import Function, Table
from solver.project.motions import (
    ConstantHistory,
    HalfSine,
    Haversine,
    History,
    Motion,
    Pulse,
    Trapezoid,
    Triangle,
)

SHAPES: dict[str, type[Any]] = {
    "half_sine": HalfSine, "haversine": Haversine, "triangle": Triangle, "trapezoid": Trapezoid,
}  # fmt: skip
_SHORTEST = 1e-4
"""Least duration (s) to which a pulse is dragged."""


def table_of(project: Project, pulse: Pulse) -> Function | None:
    """Give the function of a pulse, where its points can be dragged."""
    if not isinstance(pulse, History) or pulse.scale == 0.0:
        return None
    found = next((f for f in project.functions if f.id == pulse.function), None)
    is_table = found is not None and isinstance(found.form, Table) and found.form.csv is None
    return found if is_table else None


def handles(project: Project, pulse: Pulse, end: float) -> list[tuple[float, float]]:
    """Give the points (s, SI) by which a pulse is dragged."""
    if isinstance(pulse, History):
        function = table_of(project, pulse)
        form: Any = function.form if function is not None else None
        return [] if form is None else [
            (x, pulse.scale * y) for x, y in zip(form.x, form.y, strict=False)
        ]  # fmt: skip
    if isinstance(pulse, ConstantHistory):
        return [(0.5 * end, pulse.value)]
    t0, T, a = pulse.start_s, pulse.duration_s, pulse.amplitude
    tops = [0.5]
    if isinstance(pulse, Triangle):
        tops = [pulse.peak_ratio]
    elif isinstance(pulse, Trapezoid):
        tops = [pulse.rise_ratio, 1.0 - pulse.fall_ratio]
    return [(t0, 0.0), *((t0 + part * T, a) for part in tops), (t0 + T, 0.0)]


def dragged(pulse: Pulse, number: int, t: float, value: float) -> Pulse:
    """Give the pulse with one of its handles elsewhere."""
    if isinstance(pulse, ConstantHistory):
        return pulse.model_copy(update={"value": value})
    assert not isinstance(pulse, History)
    last = 3 if isinstance(pulse, Trapezoid) else 2
    t0, T = pulse.start_s, pulse.duration_s
    if number == 0:
        start = min(max(t, 0.0), t0 + T - _SHORTEST)
        return pulse.model_copy(update={"start_s": start, "duration_s": t0 + T - start})
    if number == last:
        return pulse.model_copy(update={"duration_s": max(t - t0, _SHORTEST)})
    part = min(max((t - t0) / T, 0.0), 1.0)
    update: dict[str, float] = {"amplitude": value}
    if isinstance(pulse, Triangle):
        update["peak_ratio"] = part
    elif isinstance(pulse, Trapezoid) and number == 1:
        update["rise_ratio"] = min(part, 1.0 - pulse.fall_ratio)
    elif isinstance(pulse, Trapezoid):
        update["fall_ratio"] = min(1.0 - part, 1.0 - pulse.rise_ratio)
    return pulse.model_copy(update=update)


def dragged_table(function: Function, scale: float, number: int, t: float, value: float) -> Table:
    """Give the table of a pulse with one of its points elsewhere."""
    form: Any = function.form
    x, y = moved(form.x, form.y, number, t, value / scale)
    return Table(x=x, y=y, between=form.between)


def as_shape(project: Project, pulse: Pulse, kind: str) -> Pulse:
    """Give a pulse of another shape, with the same start, length and speed change."""
    model = SHAPES[kind]
    try:
        was = facts(pulse, project.functions)
    except LibraryError:
        level = pulse.value if isinstance(pulse, ConstantHistory) else 100.0
        return model(amplitude=level or 100.0, duration_s=0.1)  # type: ignore[no-any-return]
    made = model(
        amplitude=was.peak or 1.0, start_s=max(was.start_s, 0.0), duration_s=was.duration_s
    )
    return with_speed_change(made, was.speed_change) if was.speed_change else made


def exchanged(project: Project, motion: Motion, id_: str, speed: float) -> Project:
    """Give the project with a pulse of the library for the segment of a motion."""
    piece = fragment(id_)
    others = tuple(m for m in project.motions if m.segment != motion.segment)
    prefix = free_prefix(project.model_copy(update={"motions": others}), piece)
    given = piece.motions[0].components[0]
    starts = speed if speed and given.quantity == "acceleration" else None
    return insert(project, id_, prefix, attach_to=motion.segment, from_speed=starts, replace=True)
