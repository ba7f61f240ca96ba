"""Which kernels are compiled ahead, for which types, and which of them a model needs, as the kernels themselves say it.

Which: those marked `separate`, and the few that Python calls. For which types: those in their signatures, of which records
(model, memory, workspace) are the same for every model. Who needs them: a kernel of elements, the models that have such
elements. What a signature cannot say stands in `NEEDED`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np

from solver.engine.jit.kernels import Kernel, marked
from solver.model.compile import Model
from solver.model.motions import rows_of_drivers

SMALLEST: dict[str, Any] = {
    "format": "manikin-project",
    "schema_version": 4,
    "segments": [{"id": "body", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}],
    "runs": [{"id": "run", "duration_s": 0.01}],
}
"""A project whose arrays have the types of every other's."""


TABLES = {"torque", "force", "warm", "space"}
"""Parameters that are arrays of two dimensions, and not yet marked so in signatures."""


class Example:
    """Values of the types that kernels take: records of the smallest model, and numbers and arrays beside them."""

    def __init__(self) -> None:
        from solver.engine.dynamics.tree import IntArray
        from solver.engine.forces.system import make_work
        from solver.engine.integrate.flow import make_flow
        from solver.engine.integrate.plan import Plan, make_history
        from solver.engine.integrate.samples import make_samples
        from solver.engine.maths.spatial import Array, Table
        from solver.model.compile import compile_model, method_of
        from solver.project import validated

        project = validated(SMALLEST)
        model = compile_model(project)
        work = make_work(model.system, model.trees.speeds, model.rows)
        flow = make_flow(model.q, model.v, model.z, model.states, *model.marks())
        samples, history = make_samples(model.system, work, flow, 1), make_history(1)
        plan = Plan(model.breaks, 1.0, np.zeros(1))
        method = method_of(project.runs[0], model)
        self._of: dict[Any, Any] = {
            Array: np.zeros(1), Table: np.zeros((1, 1)), IntArray: np.zeros(1, np.int64),
            float: 0.0, int: 0, bool: False,
        }  # fmt: skip
        for record in (model.system, work, flow, samples, history, plan, method):
            self._of |= _records(record)

    def of(self, hint: Any) -> Any:
        """A value of a type that a signature names."""
        if hint not in self._of:
            if get_origin(hint) is tuple:
                self._of[hint] = tuple(map(self.of, get_args(hint)))
            elif hasattr(hint, "_fields"):
                self._of[hint] = hint(*map(self.of, _hints(hint).values()))
            else:
                raise TypeError(f"no kernel that is compiled on its own takes {hint}")
        return self._of[hint]


class Part(NamedTuple):
    """One kernel that is compiled on its own."""

    kernel: Any

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.kernel.py_func.__name__)

    def arguments(self, example: Example) -> tuple[Any, ...]:
        """Return arguments of the types it gets."""
        return tuple(map(example.of, self._takes()))

    def is_needed(self, model: Model) -> bool:
        """Whether runs of a model call it: if nothing else is known, where its first elements have entries."""
        if self.name in NEEDED:
            return NEEDED[self.name](model)
        elements = _records(model.system)
        first = next((elements[hint] for hint in self._takes() if hint in elements), None)
        return first is None or _entries(first) > 0

    def size(self) -> int:
        """The length of its Python code with all that is linked into it: the longer, the longer to compile."""
        return _length(self.kernel.py_func, set())

    def _takes(self) -> list[Any]:
        from solver.engine.maths.spatial import Array, Table

        hints = _hints(self.kernel.py_func)
        wide = TABLES if "torque" in hints else TABLES - {"force"}
        return [Table if hint == Array and name in wide else hint for name, hint in hints.items()]


@cache
def parts() -> tuple[Part, ...]:
    """All of them, the longest first."""
    from solver import engine
    from solver.engine.forces.coordinates.kernels import lead
    from solver.engine.forces.joints.kernels import resisted
    from solver.engine.integrate.advance import advance
    from solver.engine.integrate.control import ready
    from solver.engine.maths.sections import ray, where_normal
    from solver.model.law_paths import follow

    # what a run can call is imported with `advance`; the others draw laws and lay belts before there is a model
    ours = [one for one in marked if one.py_func.__module__.startswith(engine.__name__)]
    found = [
        Part(one) for one in (*ours, advance, ready, lead, resisted, follow, ray, where_normal)
    ]
    return tuple(sorted(found, key=Part.size, reverse=True))


@cache
def _hints(function: Any) -> dict[str, Any]:
    """The types that a signature or a record names, without what is given back."""
    hints = get_type_hints(function, include_extras=True)
    return {name: hint for name, hint in hints.items() if name != "return"}


def _records(record: Any) -> dict[Any, Any]:
    """A record and all within it, by their classes."""
    found = {type(record): record}
    for part in record:
        if hasattr(part, "_fields"):
            found |= _records(part)
    return found


def _entries(record: Any) -> int:
    """Count the elements of a record: the entries of its first array."""
    first = record[0]
    return _entries(first) if hasattr(first, "_fields") else len(first)


def _length(function: Any, seen: set[Any]) -> int:
    seen.add(function)
    code = function.__code__
    called = (function.__globals__.get(name) for name in code.co_names)
    linked = {one.py_func for one in called if isinstance(one, Kernel)}
    return len(code.co_code) + sum(_length(one, seen) for one in linked if one not in seen)


def _always(_: Model) -> bool:
    return True


def _never(_: Model) -> bool:
    return False


def _has_rows(model: Model) -> bool:
    return model.rows > 0


def _has_contacts(model: Model) -> bool:
    return len(model.system.contacts.model.kind) > 0


def _meets_along_normals(model: Model) -> bool:
    return bool(model.system.contacts.model.normal.any())


def _has_hyperellipsoids(model: Model) -> bool:
    return _has_contacts(model) and bool(model.system.surfaces.is_hyper.any())


def _strikes_something(model: Model) -> bool:
    from solver.engine.forces.strikes import impact_room

    s = model.system
    return impact_room(s.contacts, s.laws, s.switches)[0] > 0


def _has_straps(model: Model) -> bool:
    return len(model.system.straps.model.kind) > 0


def _has_sampled_laws(model: Model) -> bool:
    coordinates = model.system.coordinates
    return len(coordinates.period) + len(coordinates.stop_law) > 0


def _has_vei(model: Model) -> bool:
    return any(run.integrator.kind == "vei" for run in model.project.runs)


def _has_implicit(model: Model) -> bool:
    from solver.project.runs import StepsByError

    return any(isinstance(run.integrator, StepsByError) for run in model.project.runs)


NEEDED: dict[str, Callable[[Model], bool]] = {
    # called whatever there is
    **dict.fromkeys(("drive", "joint_torques", "resisted"), _always),
    # for drawings of laws, and where a belt is laid before there is a model
    **dict.fromkeys(("lead", "follow", "ray", "where_normal"), _never),
    **dict.fromkeys(("constrain", "find_impulses", "gather_rows", "_correct"), _has_rows),
    "driver_rows": lambda model: rows_of_drivers(model.system.drivers) > 0,
    "touch_pair": _has_contacts,
    "least_other": _meets_along_normals,
    **dict.fromkeys(("meet_by_points", "closest_points", "touch_scaled"), _has_hyperellipsoids),
    "collide": _strikes_something,
    **dict.fromkeys(
        ("strap_forces", "remember_straps", "turn_straps", "end_straps", "draw_in"), _has_straps
    ),
    "take_samples": _has_sampled_laws,
    "switch_coordinate": lambda model: len(model.system.coordinates.row) > 0,
    "keep_sensed": lambda model: len(model.system.coordinates.lag) > 0,
    **dict.fromkeys(("take_in", "predict", "judge"), _has_vei),
    **dict.fromkeys(("factor", "factor_pair", "solve_single", "solve_pair"), _has_implicit),
}
"""Who needs a kernel of which its signature does not say it, by its name."""
