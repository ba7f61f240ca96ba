"""Crush of car bodies by the coefficients of CRASH3, as a law of contacts.

CRASH3 (Technical Manual, DOT-HS-805-732, 1981) says that a body whose residual crush is C has been pressed by A + B C for each metre of width, and has taken
A C + B C^2 / 2 + A^2 / 2B. That is the line B x of the crush x = C + A / B that includes what springs back: so the law loads along B x for the width, and springs
back by A / B, along a line unless a restitution is given (McHenry's, SAE 970960: restitution falls with crush as here).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.bodies.suspension import VehicleError
from solver.project import Project
from solver.project.changes import with_value

DEEPEST = 2.0
"""Crush (m) up to which a law is written."""


@dataclass(frozen=True)
class Crush:
    """Coefficients of one side of a body: A (N/m), B (N/m2), and the width (m) that is crushed."""

    a_n_per_m: float
    b_n_per_m2: float
    width_m: float

    @property
    def stiffness(self) -> float:
        """Force for each metre of crush (N/m)."""
        return self.b_n_per_m2 * self.width_m

    @property
    def springs_back(self) -> float:
        """Crush without residue (m)."""
        return self.a_n_per_m / self.b_n_per_m2


def crush_of(car: Crush, other: Crush | None = None) -> tuple[float, float]:
    """Stiffness (N/m) and way that springs back (m), of a body against a rigid barrier, or of two one behind the other."""
    both = (car,) if other is None else (car, other)
    if any(min(one.a_n_per_m, one.b_n_per_m2, one.width_m) <= 0.0 for one in both):
        raise VehicleError("Coefficients of crush and width are above zero.")
    stiffness = 1.0 / sum(1.0 / one.stiffness for one in both)
    return stiffness, sum(one.springs_back for one in both)


def with_crush(
    project: Project,
    id_: str,
    car: Crush,
    other: Crush | None = None,
    *,
    restitution: float | None = None,
    friction: float = 0.5,
) -> Project:
    """Put a law of crush into a project, with its curves: of a body against a barrier, or against another body.

    With a `restitution` so much of the speed comes back at any crush, and the residue is what that leaves; without one it springs back by A / B.
    """
    stiffness, back = crush_of(car, other)
    if restitution is not None and not 0.0 <= restitution <= 1.0:
        raise VehicleError("A restitution is between 0 and 1.")
    x = np.unique(np.concatenate([np.linspace(0.0, DEEPEST, 201), [back]]))
    # along a line the part of the way that springs back is the part of the energy that comes back
    returned = np.where(x > back, back / np.maximum(x, 1e-9), 1.0)
    if restitution is not None:
        returned = np.full(len(x), restitution**2)
    source = "CRASH3 Technical Manual, DOT-HS-805-732 (1981); coefficients as given"
    curves: list[Any] = [
        {"id": f"{id_}_{name}", "x_unit": "m", "y_unit": unit, "source": source,
         "form": {"kind": "table", "x": x.tolist(), "y": y.tolist()}}
        for name, unit, y in (
            ("force", "N", stiffness * x), ("returned", "1", returned), ("kept", "1", 1.0 - returned),
        )
    ]  # fmt: skip
    law = {
        "id": id_, "name": "Crush of a car", "kind": "hysteretic", "base": f"{id_}_force", "energy_ratio": f"{id_}_returned",
        "offset_ratio": f"{id_}_kept", "friction": friction, "source": source,
    }  # fmt: skip
    project = with_value(project, "functions", [*project.functions, *curves])
    return with_value(project, "contact_laws", [*project.contact_laws, law])
