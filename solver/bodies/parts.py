"""What dummies and people with spine and chest are put together from: segments, joints, curves and their sources."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from solver.bodies.body import LEFT, RIGHT, Body, BodyError, id_as_words, tidy3
from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from
from solver.project.azimuths import GlobographicStop, LibraryContour, PolynomialContour, library
from solver.project.functions import Function, Polynomial
from solver.project.geometry import Frame, Orientation
from solver.project.joints import BallJoint
from solver.project.pose import turn

Vector = tuple[float, float, float]
Data = dict[str, Any]
ASSUMED = "assumed"
ELLIPSOID = "moments of a solid ellipsoid of the part's size: assumed"
UP, DOWN, ACROSS = 0.0, -math.pi, math.pi / 2
"""Azimuths towards which a joint bends, from its frame's x."""
G = 9.80665


@dataclass(frozen=True)
class Ribs:
    """The numbers of a chest of Lobdell's form, SI."""

    stiffness: float
    beyond: float
    knee_m: float
    series: float
    series_damping: float
    damping_in: float
    damping_out: float
    outward: float = 300e3
    """Stiffness (N/m) against what pulls the sternum out: assumed."""
    growth: float = 0.0
    """By which damping inwards grows with deflection (N s/m2)."""


@dataclass(frozen=True)
class Origin:
    """Say where numbers of a body are from, and how its limbs compare with the 50th dummy's in length."""

    masses: str
    places: str
    fitted: str
    limbs: float = 1.0


class Parts:
    """What is known while a body is put together; places are from the middle of the hips, z down."""

    def __init__(self, length: Callable[[str], float], origin: Origin) -> None:
        """Begin with nothing; `length` gives lengths (m) by name, 'hip_x' and 'hip_z' among them."""
        self._, self.origin = length, origin
        self.fitted = origin.fitted
        self.places: dict[str, Vector] = {}
        self.segments: list[Data] = []
        self.joints: list[Data] = []
        self.functions: list[Data] = []
        self.contact_laws: list[Data] = []
        self.coordinate_forces: list[Data] = []
        self.outputs: list[Data] = []

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
        """The friction that just holds a limb's weight (572.36 (l)), and a little that is viscous."""
        holds = mass * G * arm
        return {"coulomb_nm": round(holds, 4), "viscous_nms_per_rad": round(0.02 * holds, 5)}

    def _stop(
        self, joint: str, upper: float, lower: float, linear: float, quadratic: float
    ) -> None:
        """Add the torque of a pin that is free between two angles."""
        grown = self.origin.limbs**3
        ways = (0.0, 0.1, 0.3, 0.6)
        torque = [grown * (linear * way + quadratic * way * way) for way in ways]
        angles = [*(lower - way for way in reversed(ways)), *(upper + way for way in ways)]
        values = [*(-t for t in reversed(torque)), *torque]
        self._function(
            f"{joint}_stop",
            f"{id_as_words(joint)}: torque of the stops",
            "rad",
            "N*m",
            angles,
            values,
            ASSUMED,
        )

    def _azimuths(self, flexion: str, extension: str, sideways: str) -> Data:
        """The curves of a ball by azimuth; x of its frame goes where it bends in flexion."""
        around = [
            {"azimuth_rad": DOWN, "torque": extension}, {"azimuth_rad": -ACROSS, "torque": sideways},
            {"azimuth_rad": UP, "torque": flexion}, {"azimuth_rad": ACROSS, "torque": sideways},
        ]  # fmt: skip
        return {"around": around}

    def _iliac(self, half: float, flesh: float) -> None:
        """Add the front of the pelvis, the last segment, rounded above so that a belt may slip over it."""
        wide = 1.37 * half  # between the iliac spines: 0.24 m of the 50th man
        high = 0.2 * wide
        front, deep = 0.19 * wide + flesh, 0.27 * wide
        # its upper end is at the spines, its middle as much below them as it is high
        centre = (front - deep, 0.0, high - 0.3 * wide)
        pelvis = self.segments[-1]
        pelvis["surfaces"].append(
            {
                "kind": "hyperellipsoid", "id": "iliac", "name": "Iliac crests, front", "powers": (3.0, 4.0, 2.5),
                "semi_axes_m": tuple(round(v, 5) for v in (deep, 0.5 * wide + flesh, high)),
                "centre_m": tuple(round(p - q, 6) + 0.0 for p, q in zip(centre, self.places[pelvis["id"]], strict=True)),
            }
        )  # fmt: skip

    def _jacket(self, place: Vector, semi: Vector) -> None:
        """Add the jacket to the last segment, the upper torso: an airbag presses on it, past the sternum.

        Its load goes around the sternum, as the gauge feels a belt more than a bag.
        """
        chest = self.segments[-1]
        chest["surfaces"].append(
            {
                "kind": "ellipsoid", "id": "jacket", "name": "Jacket",
                "semi_axes_m": tuple(round(v, 5) for v in semi),
                "centre_m": tuple(round(p - q, 6) + 0.0 for p, q in zip(place, self.places["upper_torso"], strict=True)),
            }
        )  # fmt: skip
        chest["note"] += "; an airbag presses on 'jacket', past the sternum: assumed"

    def _chin(self, head: Vector, top: Vector, grown: float) -> None:
        """Add the chin to the head and the collar to the upper torso, `top` its upper end at the neck's base.

        They meet where the head bends far forward; places and sizes are assumed.
        """
        a, b, c = head
        deep, high = 0.075 * grown, 0.045 * grown
        place = (top[0], top[1], top[2] + high)
        for id_, shape, semi, centre in (
            ("head", "chin", (0.25 * a, 0.35 * b, 0.3 * c), (0.6 * a, 0.0, 0.7 * c)),
            ("upper_torso", "collar", (deep, deep, high), tuple(p - q for p, q in zip(place, self.places["upper_torso"], strict=True))),
        ):  # fmt: skip
            segment = next(one for one in self.segments if one["id"] == id_)
            segment["surfaces"].append(
                {
                    "kind": "ellipsoid", "id": shape, "name": id_as_words(shape),
                    "semi_axes_m": tuple(round(v, 5) for v in semi),
                    "centre_m": tuple(round(v, 6) + 0.0 for v in centre),
                }
            )  # fmt: skip
        for id_, words in (
            ("head", "'chin' meets 'collar'"),
            ("upper_torso", "'collar' is where the chin comes to rest"),
        ):
            segment = next(one for one in self.segments if one["id"] == id_)
            segment["note"] += f"; {words}: place and size assumed"

    def _ribs(self, place: Vector, ribs: Ribs, form_from: str = "form of Lobdell (1973)") -> None:
        """Let a sternum slide into the chest: spring with a knee, dampers in and out, spring and damper in a row."""
        inwards = {"angles_rad": (0.0, -math.pi / 2, 0.0)}
        self._joint(
            "sternum", "slip", "upper_torso", "sternum", place, self.fitted, rotation="none",
            parent_turn=inwards, child_turn=inwards,
        )  # fmt: skip
        knee, ends = ribs.knee_m, 0.15
        growing = {"growth": ribs.growth, "upper": 0.0} if ribs.growth else {}
        self._function(
            "ribs_force", "Ribs: force by deflection", "m", "N", (0.0, knee, ends),
            (0.0, ribs.stiffness * knee, ribs.stiffness * knee + ribs.beyond * (ends - knee)),
            f"slopes: {self.fitted}; they change at {1e3 * knee:g} mm (Lobdell 1973, from memory)",
        )  # fmt: skip
        self._function(
            "ribs_outward", "Ribs: force outwards", "m", "N", (0.0, 0.1), (0.0, 0.1 * ribs.outward), ASSUMED
        )  # fmt: skip
        self.coordinate_forces.append(
            {
                "id": "ribs", "name": "Ribs", "source": f"{form_from}; {self.fitted}",
                "coordinate": {"kind": "joint", "joint": "sternum", "axis": "slide"}, "zero": 0.0,
                "laws": [
                    {"kind": "rest", "above": "ribs_force", "below": "ribs_outward"},
                    {"kind": "one_way_damper", "acts": "growing", "damping": ribs.damping_in, **growing},
                    {"kind": "one_way_damper", "acts": "falling", "damping": ribs.damping_out},
                    {"kind": "muscle", "stiffness": ribs.series, "damping": ribs.series_damping},
                ],
            }
        )  # fmt: skip

    def _segment(
        self, id_: str, mass: float, place: Vector, semi: Vector | None, note: str, *, centre: Vector | None = None,
        size: Vector | None = None, inertia: Vector | None = None, inertia_from: str = ELLIPSOID, turned: bool = False,
        surface: str = "body",
    ) -> None:  # fmt: skip
        self.places[id_] = place
        extent = size or semi
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
                    "name": id_as_words(id_),
                    "semi_axes_m": tuple(round(v, 5) for v in semi),
                    "centre_m": off,
                }
            )
        twin = {RIGHT: LEFT, LEFT: RIGHT}
        other = next((twin[s] + id_[len(s) :] for s in twin if id_.startswith(s)), None)
        self.segments.append(
            {
                "id": id_, "name": id_as_words(id_), "note": note, "source": f"mass: {self.origin.masses}; {inertia_from}",
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
        for name, segment, turned in (
            ("parent_frame", parent, parent_turn),
            ("child_frame", child, child_turn),
        ):
            at = tuple(
                round(p - q, 6) + 0.0 for p, q in zip(place, self.places[segment], strict=True)
            )
            if segment.endswith("foot"):
                # its own z goes to the toes, its x up
                at = (-at[2], at[1], at[0])
            frames[name] = {"position_m": at, **({"orientation": turned} if turned else {})}
        self.joints.append(
            {
                "kind": kind, "id": id_, "name": id_as_words(id_), "parent": parent, "child": child,
                "source": f"place: {self.origin.places}; law: {source}", **frames, **more,
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


# Globographic stops instead of the cone of a flexure stop, on chosen joints.

CONTOUR_OF = {
    "pelvis": "lumbar",
    "waist": "lumbar",
    "neck_pivot": "neck",
    "head_pivot": "neck",
    "shoulder": "shoulder",
    "wrist": "wrist",
    "hip": "hip",
    "ankle": "ankle",
}
"""Ball joints of a body, and the printed joint sinus that is measured on such a joint."""
FARTHEST_RAD = 3.2


def contour_joints(body: Body) -> tuple[str, ...]:
    """Name the joints of a body that can take a globographic stop."""
    return tuple(
        joint.id
        for joint in body.joints
        if _plain(joint.id) in CONTOUR_OF
        and isinstance(joint, BallJoint)
        and joint.by_azimuth is None
    )


def with_contours(
    body: Body, joints: Sequence[str] | None = None, *, centred_on_pose: bool = False
) -> Body:
    """Give joints a globographic stop (section 6.2) in place of their flexure stop.

    A joint may be named with its side or without; all ball joints if none is named. The pole of the
    sphere is the direction of the limb at which the printed stop has its middle, or the one of the
    body's present pose. The printed figures do not say which way their azimuth counts: it is taken from
    the joint's x axis towards y on the right side, and mirrored on the left. The torque beyond the
    contour is the quadratic one of the flexure stop that it replaces.
    """
    chosen = _chosen(body, joints)
    made, functions = [], {f.id: f for f in body.functions}
    for joint in body.joints:
        if joint.id not in chosen or not isinstance(joint, BallJoint):
            made.append(joint)
            continue
        spring = joint.flexure
        if joint.globographic is not None:
            raise BodyError("The joint '{joint}' has a globographic stop already.", joint=joint.id)
        function = f"{_plain(joint.id)}_stop"
        functions[function] = Function(
            id=function,
            name=f"Torque beyond the contour, {_plain(joint.id).replace('_', ' ')}",
            source=joint.source,
            x_unit="rad",
            y_unit="N*m",
            form=Polynomial(
                coefficients=(0.0, 0.0, spring.quadratic_nm_per_rad2), x_max=FARTHEST_RAD
            ),
        )
        name = CONTOUR_OF[_plain(joint.id)]
        stop = GlobographicStop(
            contour=_contour(name, joint.id.startswith(LEFT)),
            torque=function,
            returned_ratio=spring.returned_ratio,
        )
        made.append(
            joint.model_copy(
                update={
                    "globographic": stop,
                    "flexure": type(spring)(),
                    **_frames(body, joint, centred_on_pose),
                }
            )
        )
    return replace(body, joints=tuple(made), functions=tuple(functions.values()))


def _plain(joint: str) -> str:
    return joint.removeprefix(RIGHT).removeprefix(LEFT)


def _chosen(body: Body, joints: Sequence[str] | None) -> set[str]:
    able = contour_joints(body)
    if joints is None:
        return set(able)
    chosen = set()
    for name in joints:
        found = {id_ for id_ in able if name in (id_, _plain(id_))}
        if not found:
            body_has = ", ".join(dict.fromkeys(_plain(id_) for id_ in able))
            raise BodyError(
                "'{name}' can take no globographic stop; these ball joints can: {body_has}.",
                name=name,
                body_has=body_has,
            )
        chosen |= found
    return chosen


def _contour(name: str, left: bool) -> LibraryContour | PolynomialContour:
    """A printed contour, or its mirror image: the sine of the azimuth changes sign."""
    if not left:
        return LibraryContour.model_validate({"name": name})
    mirrored = tuple(c if n % 2 == 0 else -c for n, c in enumerate(library()[name]))
    return PolynomialContour(coefficients=mirrored)


def _frames(body: Body, joint: BallJoint, centred_on_pose: bool) -> dict[str, Frame]:
    """Lay the child's frame along the child's own axes, and the parent's so that its z is the pole.

    All turn goes from the child's frame into the parent's: the joint's angles are zero where the
    child's z axis points along the pole.
    """
    R_C = turn(joint.child_frame.orientation)
    R_P = turn(joint.parent_frame.orientation) @ R_C.T
    if centred_on_pose:
        R_P = turn(body.attitudes[joint.parent]).T @ turn(body.attitudes[joint.child])
    return {
        "parent_frame": joint.parent_frame.model_copy(update={"orientation": _turned(R_P)}),
        "child_frame": joint.child_frame.model_copy(update={"orientation": Orientation()}),
    }


def _turned(R: Array) -> Orientation:
    return Orientation(angles_rad=tidy3(angles_from(R, "zyx")))
