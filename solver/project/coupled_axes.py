"""What coupled axes do when the one that leads moves, without kernels: for poses and for marker data."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.project.couplings import COUPLINGS, Coupled
from solver.project.document import Project
from solver.project.forms import cubics, value_at
from solver.project.functions import Form, Table
from solver.project.joint_table import row_of
from solver.project.joints import Joint

Slot = tuple[str, int]
"""A joint, and the number of one of its coordinates."""
Course = Callable[[float], tuple[float, float]]
"""Value and slope at an argument."""
STEP = 1e-6
"""Difference (rad, m) by which slopes of functions other than tables and polynomials are found."""


@dataclass(frozen=True, slots=True)
class Follower:
    """An axis that stands where a function of another one says."""

    slot: Slot
    leader: Slot
    course: Course

    def at(self, x: float) -> tuple[float, float]:
        """Its value and slope where the leader stands there."""
        return self.course(x)


def followers(project: Project, start: Mapping[str, Sequence[float]]) -> tuple[Follower, ...]:
    """What follows in a project, leaders first; `start` are the coordinates that couplings without an offset count from.

    Of several couplings of one axis the first counts.
    """
    joints = {joint.id: joint for joint in project.joints}
    functions = {one.id: one for one in project.functions}
    made = dict[Slot, Follower]()
    for item in project.constraints:
        if not isinstance(item, COUPLINGS) or item.first.joint not in joints or item.second.joint not in joints:  # fmt: skip
            continue
        one, two = (_slot(joints[of.joint], of.axis) for of in (item.first, item.second))
        if one is None or two is None or two in made:
            continue
        if not isinstance(item, Coupled):
            course = _polynomial((0.0, item.slope))
        elif item.function is None:
            course = _polynomial(item.coefficients)
        elif item.function in functions:
            course = _of_form(functions[item.function].form, item.scale)
        else:
            continue
        offset = item.offset
        if offset is None:
            x, y = (float((*start[name], *(0.0,) * 6)[k]) for name, k in (one, two))
            offset = y - course(x)[0]
        made[two] = Follower(two, one, _shifted(course, offset))
    order, waiting = list[Follower](), list(made.values())
    while waiting:
        ready = [one for one in waiting if one.leader not in {other.slot for other in waiting}]
        if not ready:
            break
        order += ready
        waiting = [one for one in waiting if one not in ready]
    return tuple(order)


def coupled_joints(project: Project) -> frozenset[str]:
    """Name the joints whose axes are coupled."""
    items = (one for one in project.constraints if isinstance(one, COUPLINGS))
    return frozenset(name for one in items for name in (one.first.joint, one.second.joint))


def led(
    project: Project, start: Mapping[str, Sequence[float]], set_: Mapping[str, Sequence[float]]
) -> dict[str, tuple[float, ...]]:
    """Give the coordinates of joints that follow those that are set; `start` are those of all coupled ones."""
    now = {name: tuple(values) for name, values in {**start, **set_}.items()}
    moved = {(name, k) for name, of in set_.items() for k in range(len(of))}
    found = set[str]()
    for one in followers(project, start):
        if one.leader not in moved or one.slot in moved:
            continue
        (leader, k), (name, n) = one.leader, one.slot
        now[name] = (*now[name][:n], one.at(now[leader][k])[0], *now[name][n + 1 :])
        moved.add(one.slot)
        found.add(name)
    return {name: now[name] for name in found}


def _slot(joint: Joint, axis: str) -> Slot | None:
    names = [one.name for one in row_of(joint).freedoms]
    return (joint.id, names.index(axis)) if axis in names else None


def _shifted(course: Course, offset: float) -> Course:
    def there(x: float) -> tuple[float, float]:
        y, slope = course(x)
        return y + offset, slope

    return there if offset else course


def _polynomial(numbers: Sequence[float]) -> Course:
    def at(x: float) -> tuple[float, float]:
        y = slope = 0.0
        for a in reversed(numbers):
            slope = slope * x + y
            y = y * x + a
        return y, slope

    return at


def _of_form(form: Form, scale: float) -> Course:
    """Give the course of a function; beyond the ends of a table it goes straight on."""
    if not isinstance(form, Table) or form.between == "lines" or len(form.x) < 2:

        def plain(x: float) -> tuple[float, float]:
            y = value_at(form, x) or 0.0
            more, less = (value_at(form, x + d) or 0.0 for d in (STEP, -STEP))
            return scale * y, scale * (more - less) / (2.0 * STEP)

        return plain
    left, pieces = list(form.x), (scale * np.asarray(cubics(form))).tolist()

    def spline(x: float) -> tuple[float, float]:
        near = min(max(x, left[0]), left[-1])
        k = min(max(bisect.bisect_right(left, near) - 1, 0), len(pieces) - 1)
        a, b, c, d = pieces[k]
        s = near - left[k]
        slope = b + s * (2.0 * c + 3.0 * s * d)
        return a + s * (b + s * (c + s * d)) + slope * (x - near), slope

    return spline
