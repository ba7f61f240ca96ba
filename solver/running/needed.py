"""Which models need the kernels of which their signatures do not say it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.engine.forces.coordinates.arrays import LINE_LENGTH
from solver.engine.forces.coordinates.obstacles import ELLIPSOID
from solver.engine.integrate.radau import Equations
from solver.engine.integrate.vei import Exponential
from solver.engine.integrate.weighing import Balance
from solver.model.compile import Model
from solver.model.motions import rows_of_drivers
from solver.project.runs import EnergyMomentum, StepsByError, VectorExponential


def entries(record: Any) -> int:
    """Count the elements of a record: the entries of `kind`, or of its first array."""
    first = getattr(record, "kind", record[0])
    return entries(first) if hasattr(first, "_fields") else len(first)


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


def _has_bristles(model: Model) -> bool:
    s = model.system
    return len(s.contacts.workspace.bristle) > 0 or bool((s.bags.model.grip > 0.0).any())


def _strikes_something(model: Model) -> bool:
    from solver.engine.forces.strikes import impact_room

    s = model.system
    return impact_room(s.contacts, s.laws, s.switches)[0] > 0


def _has_sampled_laws(model: Model) -> bool:
    coordinates = model.system.coordinates
    return len(coordinates.period) + len(coordinates.stop_law) > 0


def _has_bent_lines(model: Model) -> bool:
    return bool((model.system.coordinates.kind == LINE_LENGTH).any())


def _has_obstacles(model: Model) -> bool:
    return len(model.system.coordinates.paths.over_kind) > 0


def _has_ellipsoids_in_the_way(model: Model) -> bool:
    return bool((model.system.coordinates.paths.over_kind == ELLIPSOID).any())


METHODS: dict[Any, Any] = {
    Exponential: VectorExponential,
    Equations: (StepsByError, EnergyMomentum),
    Balance: EnergyMomentum,
}
"""Which integrators use the kernels that take a record of a method."""

NEEDED: dict[str, Callable[[Model], bool]] = {
    # called whatever there is
    **dict.fromkeys(("drive", "joint_torques", "resisted"), _always),
    # called by Python here and there, and compiled then unless they are there already
    **dict.fromkeys(
        (
            "laid",
            "lead",
            "follow",
            "rays",
            "where_normal",
            "move",
            "bag_volume",
            "shell_inertia",
            "solid_inertia",
            "find_sides",
            "contour_load",
            "curve_area",
            "curve_at",
            "profile_at",
            "_go",
            "belt_path",
            "normal_force",
            "ball_parts",
            "_area",
            "profile_piece",
        ),
        _never,
    ),
    **dict.fromkeys(("constrain", "find_impulses", "gather_rows", "_correct"), _has_rows),
    "driver_rows": lambda model: rows_of_drivers(model.system.drivers) > 0,
    "least_other": _meets_along_normals,
    **dict.fromkeys(("meet_by_points", "closest_points", "touch_scaled"), _has_hyperellipsoids),
    "rub": _has_bristles,
    "collide": _strikes_something,
    "draw_in": lambda model: entries(model.system.straps) > 0,
    "take_samples": _has_sampled_laws,
    "switch_coordinate": lambda model: len(model.system.coordinates.row) > 0,
    **dict.fromkeys(("lay", "pull_along"), _has_bent_lines),
    **dict.fromkeys(("lay_over", "round_obstacle"), _has_obstacles),
    "follow_geodesic": _has_ellipsoids_in_the_way,
    "keep_sensed": lambda model: len(model.system.coordinates.lag) > 0,
}
"""Who needs a kernel of which its signature does not say it, by its name."""
