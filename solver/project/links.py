"""Springs, tension and flexible elements, constraints, symmetry (sections 4.3.4 to 4.5, 5.1)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from solver.project.closures import (
    Cylindrical,
    ParallelAxes,
    PointOnCurve,
    PointOnLine,
    PointOnPlane,
    Prismatic,
    Revolute,
    UniversalClosure,
    Weld,
)
from solver.project.couplings import BeltDrive, Coupled, Gear, Rack, Screw
from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Element,
    Flag,
    Id,
    Matrix3,
    NotNegative3,
    Number,
    Part,
    Vec3,
    choice,
    function,
    number,
    ref,
)
from solver.project.geometry import FrameRef, PointRef, SurfaceRef


class LinearSpring(Element):
    """Join two points by x (k + k2 |x|) + v (c + c2 |v|), x beyond the rest length."""

    kind: Literal["linear"] = choice("linear", "Kind", "Spring and damper by coefficients.")
    a: PointRef = choice(REQUIRED, "Point A", "One end.")
    b: PointRef = choice(REQUIRED, "Point B", "Other end.")
    rest_length_m: Number | None = number(
        None,
        "m",
        "Rest length",
        "Length without force; none for the length at the start.",
        ge=0,
    )
    stiffness_n_per_m: Number = number(0.0, "N/m", "Stiffness", "k.", ge=0)
    stiffness_n_per_m2: Number = number(0.0, "N/m2", "Quadratic stiffness", "k2.", ge=0)
    damping_ns_per_m: Number = number(0.0, "N*s/m", "Damping", "c.", ge=0)
    damping_ns2_per_m2: Number = number(0.0, "N*s2/m2", "Quadratic damping", "c2.", ge=0)
    tension_only: Flag = choice(
        False, "Tension only", "Whether it goes slack below the rest length."
    )


class TabulatedSpring(Element):
    """Join two points by functions of elongation and of its rate."""

    kind: Literal["tabulated"] = choice("tabulated", "Kind", "Spring and damper by functions.")
    a: PointRef = choice(REQUIRED, "Point A", "One end.")
    b: PointRef = choice(REQUIRED, "Point B", "Other end.")
    rest_length_m: Number | None = number(
        None,
        "m",
        "Rest length",
        "Length without force; none for the length at the start.",
        ge=0,
    )
    force: Id | None = function(None, "m", "N", "Force", "Force by elongation.")
    damping: Id | None = function(None, "m/s", "N", "Damping", "Force by rate of elongation.")
    tension_only: Flag = choice(
        False, "Tension only", "Whether it goes slack below the rest length."
    )


class Bushing(Element):
    """Join two frames by six springs and dampers along and about A's axes; dampers may follow the axes of B, as a fluid around it does."""

    kind: Literal["bushing"] = choice("bushing", "Kind", "Six components.")
    a: FrameRef = choice(REQUIRED, "Frame A", "Frame whose axes the components follow.")
    b: FrameRef = choice(REQUIRED, "Frame B", "Other frame.")
    stiffness_n_per_m: NotNegative3 = number(ZERO3, "N/m", "Stiffness", "Along x, y and z.")
    damping_ns_per_m: NotNegative3 = number(ZERO3, "N*s/m", "Damping", "Along x, y and z.")
    stiffness_nm_per_rad: NotNegative3 = number(
        ZERO3, "N*m/rad", "Turning stiffness", "About x, y and z."
    )
    damping_nms_per_rad: NotNegative3 = number(
        ZERO3, "N*m*s/rad", "Turning damping", "About x, y and z."
    )
    drag_ns2_per_m2: NotNegative3 = number(
        ZERO3, "N*s2/m2", "Quadratic damping", "Along x, y and z: by the square of each part of the velocity."
    )  # fmt: skip
    drag_nms2_per_rad2: NotNegative3 = number(
        ZERO3, "N*m*s2/rad2", "Quadratic turning damping", "About x, y and z."
    )
    damps_along: Literal["a", "b"] = choice(
        "a",
        "Damps along",
        "Axes along and about which damping and drag count: those of A, or of B.",
    )


class Disc(Element):
    """Join two plates by a short elastic column: an intervertebral disc (002, (57) to (65)).

    Its bending and its shear hang together as in a beam that shear deforms; both are a bushing at half of
    its height.
    """

    kind: Literal["disc"] = choice("disc", "Kind", "Short elastic column.")
    a: FrameRef = choice(REQUIRED, "Frame A", "Centre of the plate below; z along the disc to B.")
    b: FrameRef = choice(REQUIRED, "Frame B", "Centre of the plate above, with the axes of A.")
    height_m: Number = number(REQUIRED, "m", "Height", "h.", gt=0)
    area_m2: Number = number(REQUIRED, "m2", "Area", "A.", gt=0)
    moment_y_m4: Number = number(REQUIRED, "m4", "Moment about y", "I1, for bending about y.", gt=0)
    moment_x_m4: Number = number(REQUIRED, "m4", "Moment about x", "I2, for bending about x.", gt=0)
    polar_m4: Number = number(REQUIRED, "m4", "Polar moment", "J, for twisting.", gt=0)
    elastic_pa: Number = number(REQUIRED, "Pa", "Elastic modulus", "E, for bending.", gt=0)
    shear_pa: Number = number(REQUIRED, "Pa", "Shear modulus", "G.", gt=0)
    axial_pa: Number | None = number(
        None, "Pa", "Axial modulus", "d1, for stretching; none: as for bending.", gt=0
    )
    axial_damping_pas: Number = number(0.0, "Pa*s", "Axial damping", "d2.", ge=0)
    shear_factor_x: Number = number(
        1.2, "1", "Shear factor along x", "kx; 1.2 for a rectangle, 1.11 for a circle.", ge=0
    )
    shear_factor_y: Number = number(1.2, "1", "Shear factor along y", "ky.", ge=0)
    damping_nms_per_rad: NotNegative3 = number(
        ZERO3, "N*m*s/rad", "Turning damping", "About x, y and z; the seed has none."
    )


Spring = Annotated[LinearSpring | TabulatedSpring | Bushing | Disc, Field(discriminator="kind")]


class TensionElement(Element):
    """Stretch a heavy string between two points; it pulls and never pushes (section 4.4)."""

    a: PointRef = choice(REQUIRED, "Point A", "End A.")
    b: PointRef = choice(REQUIRED, "Point B", "End B.")
    mass_a_kg: Number = number(0.0, "kg", "M_A", "Mass that moves with A (equation 4.51).", ge=0)
    mass_b_kg: Number = number(0.0, "kg", "M_B", "Mass that moves with B.", ge=0)
    mass_ab_kg: Number = number(0.0, "kg", "M_AB", "Mass that couples A and B.", ge=0)
    stiffness_n_per_m: Number = number(REQUIRED, "N/m", "Stiffness", "k (equation 4.43).", ge=0)
    damping_ns_per_m: Number = number(0.0, "N*s/m", "Damping", "d.", ge=0)
    damping_law: Literal["along", "printed"] = choice(
        "along",
        "Damping acts",
        "along: along the string while it is taut, and never so that it pushes; printed: against the whole velocity of "
        "one end seen from the other (equation 4.59), slack or not, so that two that turn about each other lose their spin.",
    )
    rest_length_m: Number = number(REQUIRED, "m", "Rest length", "L0.", gt=0)


class Bend(Part):
    """Give the turn of one inner segment as a polynomial of the end-to-end angles (equation 4.64)."""

    bias_rad: Vec3 = number(ZERO3, "rad", "Bias", "Angles that are always added.")
    linear: Matrix3 = number(
        REQUIRED,
        "1",
        "Linear (f)",
        "Row i: factors of the three end angles in angle i.",
    )
    interaction_per_rad: Matrix3 = number(
        (ZERO3, ZERO3, ZERO3),
        "1/rad",
        "Interaction (g)",
        "Row i: factors of 2x3, 3x1 and 1x2.",
    )
    quadratic_per_rad: Matrix3 = number(
        (ZERO3, ZERO3, ZERO3),
        "1/rad",
        "Quadratic (h)",
        "Row i: factors of the three squares.",
    )


class FlexibleElement(Element):
    """Slave the inner segments of a chain to its ends: a neck or a spine (section 4.5)."""

    segments: tuple[Id, ...] = ref(
        REQUIRED,
        "segments",
        "Segments",
        "Chain from one end to the other, joined by ball joints or Euler joints; at least three.",
        min_length=3,
        max_length=100,
    )
    bends: tuple[Bend, ...] = choice(
        REQUIRED,
        "Bends",
        "One for each inner segment, in order.",
        min_length=1,
        max_length=98,
    )

    @property
    def names_in_results(self) -> tuple[str, ...]:
        """Name its members as results do: element.segment."""
        return tuple(f"{self.id}.{segment}" for segment in self.segments)


class ConstraintBreakage(Part):
    """Open a constraint when its load passes a limit; over a ramp the load fades as the parts come away."""

    ramp_m: Number | None = number(
        None,
        "m",
        "Ramp",
        "Separation over which the load at the break fades; none: it is gone at once.",
        gt=0,
    )
    heals_below_m: Number | None = number(
        None,
        "m",
        "Heals below",
        "Separation within which parts that come back close again, with limits as low as the load has become; "
        "none: never.",
        gt=0,
    )


class PointBreakage(ConstraintBreakage):
    """Limit what two points bear that are kept together."""

    force_n: Number | None = number(None, "N", "Force", "Size at which it breaks.", gt=0)
    force_x_n: Number | None = number(
        None, "N", "Force along x", "Of point B's segment, either way.", gt=0
    )
    force_y_n: Number | None = number(
        None, "N", "Force along y", "Of point B's segment, either way.", gt=0
    )
    force_z_n: Number | None = number(
        None, "N", "Force along z", "Of point B's segment, either way.", gt=0
    )


class DistanceBreakage(ConstraintBreakage):
    """Limit what a distance bears."""

    force_n: Number | None = number(None, "N", "Force", "Pull or thrust at which it breaks.", gt=0)
    pull_n: Number | None = number(None, "N", "Pull", "Pull at which it breaks.", gt=0)


class SurfaceBreakage(ConstraintBreakage):
    """Limit what surfaces bear that roll or slide."""

    pull_n: Number | None = number(
        None, "N", "Pull", "Pull along the normal at which it breaks.", gt=0
    )


class EdgeBreakage(Part):
    """Limit what edges bear that lie along each other."""

    across_n: Number | None = number(
        None, "N", "Force across", "Force across the edge at which it breaks.", gt=0
    )
    ramp_m: Number | None = number(
        None,
        "m",
        "Ramp",
        "Separation over which the load at the break fades; none: it is gone at once.",
        gt=0,
    )


class ZeroDistance(Element):
    """Hold two points together: closes a loop (equation 4.18)."""

    kind: Literal["zero_distance"] = choice("zero_distance", "Kind", "Two points in one place.")
    a: PointRef = choice(REQUIRED, "Point A", "Point of one segment.")
    b: PointRef = choice(REQUIRED, "Point B", "Point of the other segment.")
    breakage: PointBreakage | None = choice(None, "Breakage", "Loads at which it breaks.")


class FixedDistance(Element):
    """Hold two points at a distance (equation 4.20)."""

    kind: Literal["fixed_distance"] = choice("fixed_distance", "Kind", "Two points at a distance.")
    a: PointRef = choice(REQUIRED, "Point A", "Point of one segment.")
    b: PointRef = choice(REQUIRED, "Point B", "Point of the other segment.")
    distance_m: Number | None = number(
        None,
        "m",
        "Distance",
        "Distance to hold; none for the distance at the start.",
        gt=0,
    )
    breakage: DistanceBreakage | None = choice(None, "Breakage", "Loads at which it breaks.")


class RollSlide(Element):
    """Keep an ellipsoid on a plane or an ellipsoid, rolling or sliding (equations 4.26 to 4.39)."""

    kind: Literal["roll_slide"] = choice("roll_slide", "Kind", "Rolling and sliding.")
    surface: SurfaceRef = choice(REQUIRED, "Surface", "Ellipsoid that rolls or slides.")
    plane: Id | None = ref(None, "planes", "Plane", "Plane that it rolls on.")
    other: SurfaceRef | None = choice(None, "Other surface", "Ellipsoid that it rolls on.")
    inside: Flag = choice(False, "Inside", "Whether it rolls inside the other surface.")
    mode: Literal["auto", "roll", "slide"] = choice(
        "auto",
        "Mode",
        "auto: roll as long as static friction holds it, else slide; slide: static friction is the sliding one.",
    )
    static_friction: Number = number(
        0.0, "1", "Static friction", "Coefficient up to which it rolls.", ge=0, le=10
    )
    sliding_friction: Number = number(
        0.0, "1", "Sliding friction", "Coefficient while it slides.", ge=0, le=10
    )
    friction_law: Literal["coefficient", "force"] = choice(
        "coefficient",
        "Friction law",
        "coefficient: friction is a part of the load along the normal; force: it is given (seed 004).",
    )
    static_force_n: Number = number(
        0.0, "N", "Static force", "Of the law by force: up to which it rolls.", ge=0
    )
    sliding_force_n: Number = number(
        0.0, "N", "Sliding force", "Of the law by force: against the motion while it slides.", ge=0
    )
    viscous_ns_per_m: Number = number(
        0.0, "N*s/m", "Viscous", "Force by sliding speed, besides.", ge=0
    )
    holds: Literal["always", "pressing"] = choice(
        "always",
        "Holds",
        "always: also against a pull; pressing: lets go where it would have to pull, until it touches again.",
    )
    starts: Literal["at_once", "on_touch"] = choice(
        "at_once",
        "Starts",
        "Whether the surfaces touch from the start, or are caught on touch.",
    )
    breakage: SurfaceBreakage | None = choice(None, "Breakage", "Pull at which it breaks.")


EdgeName = Literal["first", "second", "first_far", "second_far"]


def _edge() -> Any:
    return choice(
        "first",
        "Edge",
        "first: from corner 1 to corner 2; second: from corner 1 to corner 3; far: the one across.",
    )


class EdgeOnEdge(Element):
    """Keep an edge of a plane along an edge of another, held or sliding (seed 003, section 3.5).

    Both are straight lines: they go on beyond their ends, and one may turn about the other.
    """

    kind: Literal["edge_on_edge"] = choice("edge_on_edge", "Kind", "Two edges along each other.")
    plane: Id = ref(REQUIRED, "planes", "Plane", "Plane whose edge is carried.")
    edge: EdgeName = _edge()
    on: Id = ref(REQUIRED, "planes", "On", "Plane whose edge carries it.")
    on_edge: EdgeName = _edge()
    mode: Literal["auto", "held", "slide"] = choice(
        "auto",
        "Mode",
        "auto: held as long as the static force holds it, else sliding; slide: that force is the sliding one.",
    )
    static_force_n: Number = number(
        0.0, "N", "Static force", "Force along the edge up to which it is held.", ge=0
    )
    sliding_force_n: Number = number(
        0.0, "N", "Sliding force", "Force against the motion while it slides.", ge=0
    )
    viscous_ns_per_m: Number = number(
        0.0, "N*s/m", "Viscous", "Force by sliding speed, besides.", ge=0
    )
    breakage: EdgeBreakage | None = choice(None, "Breakage", "Force at which it breaks.")


Coupling = Gear | BeltDrive | Rack | Screw | Coupled
Closure = (
    PointOnLine
    | PointOnPlane
    | ParallelAxes
    | Revolute
    | Cylindrical
    | Prismatic
    | UniversalClosure
    | Weld
)

Constraint = Annotated[
    ZeroDistance | FixedDistance | RollSlide | EdgeOnEdge | Closure | PointOnCurve | Coupling,
    Field(discriminator="kind"),
]


class PlanarSymmetry(Element):
    """Keep a segment in the x-z plane (NSYM = J)."""

    kind: Literal["planar"] = choice("planar", "Kind", "No lateral motion.")
    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that stays in its x-z plane.")


class PairSymmetry(Element):
    """Move two segments as one or as mirror images (NSYM = K or -K)."""

    kind: Literal["average", "mirror"] = choice(
        "mirror",
        "Kind",
        "average: both take the mean motion in the x-z plane; mirror: equal and opposite across it.",
    )
    first: Id = ref(REQUIRED, "segments", "First", "One segment of the pair.")
    second: Id = ref(REQUIRED, "segments", "Second", "The other segment.")


Symmetry = Annotated[PlanarSymmetry | PairSymmetry, Field(discriminator="kind")]
