"""What a dummy is put together from: segments, joints, curves and their sources."""

from __future__ import annotations

from typing import Any

from solver.bodies.body import LEFT, RIGHT, said
from tools.dummies.figures import ELLIPSOID, Size, length
from tools.dummies.laws import Laws

Vector = tuple[float, float, float]
Data = dict[str, Any]
FITTED = "fitted on the bench tests of the dummy (docs/dummies.md)"
ASSUMED = "assumed"
G = 9.80665


class Parts:
    """Hold what is known while a dummy is put together; places are from the middle of the hips, z down."""

    def __init__(self, size: Size, laws: Laws) -> None:
        """Begin with nothing."""
        self.size, self.laws = size, laws
        self.fitted = (
            FITTED
            if size.has_bench
            else f"50th man's in proportion (tools/dummies/fit.py): {ASSUMED}"
        )
        self.places: dict[str, Vector] = {}
        self.segments: list[Data] = []
        self.joints: list[Data] = []
        self.functions: list[Data] = []
        self.contact_laws: list[Data] = []
        self.coordinate_forces: list[Data] = []

    def _(self, name: str) -> float:
        return length(self.size, name)

    def _at(self, x: float, z: float, y: float = 0.0) -> Vector:
        """Give a place from the line of the back and the seat, from the middle of the hips."""
        return (x - self._("hip_x"), y, self._("hip_z") - z)

    def _cubic(self, id_: str, name: str, a: float, b: float, source: str = "") -> None:
        self.functions.append(
            {
                "id": id_, "name": name, "source": source or self.fitted, "x_unit": "rad", "y_unit": "N*m",
                "form": {"kind": "polynomial", "coefficients": (0.0, a, 0.0, b), "x_min": 0.0, "x_max": 1.5},
            }
        )  # fmt: skip

    def _signed(
        self, id_: str, name: str, flexion: tuple[float, float], extension: tuple[float, float]
    ) -> None:
        """Add a moment by angle about y; flexion is below zero."""
        first, second = (
            {"kind": "polynomial", "coefficients": (0.0, a, 0.0, b), "x_min": low, "x_max": high}
            for (a, b), low, high in ((flexion, -1.5, 0.0), (extension, 0.0, 1.5))
        )
        form = {"kind": "two_ranges", "split": 0.0, "first": first, "second": second}
        self.functions.append(
            {
                "id": id_,
                "name": name,
                "source": self.fitted,
                "x_unit": "rad",
                "y_unit": "N*m",
                "form": form,
            }
        )

    def _one_g(self, mass: float, arm: float) -> Data:
        """Give the friction that just holds a limb's weight (572.36 (l)), and a little that is viscous."""
        holds = mass * G * arm
        return {"coulomb_nm": round(holds, 4), "viscous_nms_per_rad": round(0.02 * holds, 5)}

    def _stop(
        self, joint: str, upper: float, lower: float, linear: float, quadratic: float
    ) -> None:
        """Add the torque of a pin that is free between two angles."""
        grown = self.size.limbs**3
        ways = (0.0, 0.1, 0.3, 0.6)
        torque = [grown * (linear * way + quadratic * way * way) for way in ways]
        angles = [*(lower - way for way in reversed(ways)), *(upper + way for way in ways)]
        values = [*(-t for t in reversed(torque)), *torque]
        self._function(
            f"{joint}_stop",
            f"{said(joint)}: torque of the stops",
            "rad",
            "N*m",
            angles,
            values,
            ASSUMED,
        )

    def _segment(
        self, id_: str, mass: float, place: Vector, semi: Vector | None, note: str, *, centre: Vector | None = None,
        size: Vector | None = None, inertia: Vector | None = None, inertia_from: str = ELLIPSOID, turned: bool = False,
        surface: str = "body",
    ) -> None:  # fmt: skip
        self.places[id_] = place
        extent = semi or size
        assert extent is not None
        a, b, c = extent
        inertia = inertia or (
            mass / 5 * (b * b + c * c),
            mass / 5 * (a * a + c * c),
            mass / 5 * (a * a + b * b),
        )
        shapes = []
        if semi is not None:
            off = tuple(round(p - q, 6) + 0.0 for p, q in zip(centre or place, place, strict=True))
            shapes.append(
                {
                    "kind": "ellipsoid",
                    "id": surface,
                    "name": said(id_),
                    "semi_axes_m": tuple(round(v, 5) for v in semi),
                    "centre_m": off,
                }
            )
        twin = {RIGHT: LEFT, LEFT: RIGHT}
        other = next((twin[s] + id_[len(s) :] for s in twin if id_.startswith(s)), None)
        self.segments.append(
            {
                "id": id_, "name": said(id_), "note": note, "source": f"mass: {self.size.masses_from}; {inertia_from}",
                "mass_kg": round(mass, 5), "inertia_kgm2": tuple(float(f"{v:.5g}") for v in inertia),
                "surfaces": shapes, "mirror": other,
                **({"surfaces_are": "part"} if not shapes or turned else {}),
            }
        )  # fmt: skip

    def _joint(
        self, id_: str, kind: str, parent: str, child: str, place: Vector, source: str, *,
        parent_turn: Data | None = None, child_turn: Data | None = None, **more: Any,
    ) -> None:  # fmt: skip
        frames = {}
        for name, segment, turn in (
            ("parent_frame", parent, parent_turn),
            ("child_frame", child, child_turn),
        ):
            at = tuple(
                round(p - q, 6) + 0.0 for p, q in zip(place, self.places[segment], strict=True)
            )
            if segment.endswith("foot"):
                # its own z goes to the toes, its x up
                at = (-at[2], at[1], at[0])
            frames[name] = {"position_m": at, **({"orientation": turn} if turn else {})}
        self.joints.append(
            {
                "kind": kind, "id": id_, "name": said(id_), "parent": parent, "child": child,
                "source": f"place: {self.size.places_from}; law: {source}", **frames, **more,
            }
        )  # fmt: skip

    def _function(
        self, id_: str, name: str, x_unit: str, y_unit: str, x: Any, y: Any, source: str
    ) -> None:
        form = {
            "kind": "table",
            "x": tuple(round(v, 6) for v in x),
            "y": tuple(round(v, 4) for v in y),
        }
        self.functions.append(
            {
                "id": id_,
                "name": name,
                "source": source,
                "x_unit": x_unit,
                "y_unit": y_unit,
                "form": form,
            }
        )
