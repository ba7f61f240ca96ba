"""Springs, tension and flexible elements, constraints, symmetry (sections 4.3.4 to 4.5, 5.1).

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.closures as _closures
    import solver.project.couplings as _couplings
    import solver.project.geometry as _geometry
    import solver.project.links as _links
    from manikin.schema.closures import (
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
    from manikin.schema.couplings import BeltDrive, Coupled, Gear, Rack, Screw
    from manikin.schema.geometry import FrameRef, PointRef, SurfaceRef
    from manikin.schema.numbers import Matrix3, Vec3


class LinearSpring(Element, total=False):
    """Join two points by x (k + k2 |x|) + v (c + c2 |v|), x beyond the rest length."""

    kind: Required[Literal["linear"]]
    """Kind ("linear"): Spring and damper by coefficients."""
    a: Required[PointRef | _geometry.PointRef]
    """Point A (required): One end."""
    b: Required[PointRef | _geometry.PointRef]
    """Point B (required): Other end."""
    rest_length_m: float | None
    """Rest length (m, ≥ 0, none): Length without force; none for the length at the start."""
    stiffness_n_per_m: float
    """Stiffness (N/m, ≥ 0, 0.0): k."""
    stiffness_n_per_m2: float
    """Quadratic stiffness (N/m2, ≥ 0, 0.0): k2."""
    damping_ns_per_m: float
    """Damping (N*s/m, ≥ 0, 0.0): c."""
    damping_ns2_per_m2: float
    """Quadratic damping (N*s2/m2, ≥ 0, 0.0): c2."""
    tension_only: bool
    """Tension only (false): Whether it goes slack below the rest length."""


class TabulatedSpring(Element, total=False):
    """Join two points by functions of elongation and of its rate."""

    kind: Required[Literal["tabulated"]]
    """Kind ("tabulated"): Spring and damper by functions."""
    a: Required[PointRef | _geometry.PointRef]
    """Point A (required): One end."""
    b: Required[PointRef | _geometry.PointRef]
    """Point B (required): Other end."""
    rest_length_m: float | None
    """Rest length (m, ≥ 0, none): Length without force; none for the length at the start."""
    force: str | None
    """Force (id in functions, none): Force by elongation."""
    damping: str | None
    """Damping (id in functions, none): Force by rate of elongation."""
    tension_only: bool
    """Tension only (false): Whether it goes slack below the rest length."""


class Bushing(Element, total=False):
    """Join two frames by six springs and dampers along and about A's axes; dampers may follow the axes of B, as a fluid around it does."""

    kind: Required[Literal["bushing"]]
    """Kind ("bushing"): Six components."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame whose axes the components follow."""
    b: Required[FrameRef | _geometry.FrameRef]
    """Frame B (required): Other frame."""
    stiffness_n_per_m: Vec3
    """Stiffness (N/m, ≥ 0, [0.0, 0.0, 0.0]): Along x, y and z."""
    damping_ns_per_m: Vec3
    """Damping (N*s/m, ≥ 0, [0.0, 0.0, 0.0]): Along x, y and z."""
    stiffness_nm_per_rad: Vec3
    """Turning stiffness (N*m/rad, ≥ 0, [0.0, 0.0, 0.0]): About x, y and z."""
    damping_nms_per_rad: Vec3
    """Turning damping (N*m*s/rad, ≥ 0, [0.0, 0.0, 0.0]): About x, y and z."""
    drag_ns2_per_m2: Vec3
    """Quadratic damping (N*s2/m2, ≥ 0, [0.0, 0.0, 0.0]): Along x, y and z: by the square of each part of the velocity."""
    drag_nms2_per_rad2: Vec3
    """Quadratic turning damping (N*m*s2/rad2, ≥ 0, [0.0, 0.0, 0.0]): About x, y and z."""
    damps_along: Literal["a", "b"]
    """Damps along ("a"): Axes along and about which damping and drag count: those of A, or of B."""


class Disc(Element, total=False):
    """Join two plates by a short elastic column: an intervertebral disc (002, (57) to (65)).

    Its bending and its shear hang together as in a beam that shear deforms; both are a bushing at half of
    its height.
    """

    kind: Required[Literal["disc"]]
    """Kind ("disc"): Short elastic column."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Centre of the plate below; z along the disc to B."""
    b: Required[FrameRef | _geometry.FrameRef]
    """Frame B (required): Centre of the plate above, with the axes of A."""
    height_m: Required[float]
    """Height (m, > 0, required): h."""
    area_m2: Required[float]
    """Area (m2, > 0, required): A."""
    moment_y_m4: Required[float]
    """Moment about y (m4, > 0, required): I1, for bending about y."""
    moment_x_m4: Required[float]
    """Moment about x (m4, > 0, required): I2, for bending about x."""
    polar_m4: Required[float]
    """Polar moment (m4, > 0, required): J, for twisting."""
    elastic_pa: Required[float]
    """Elastic modulus (Pa, > 0, required): E, for bending."""
    shear_pa: Required[float]
    """Shear modulus (Pa, > 0, required): G."""
    axial_pa: float | None
    """Axial modulus (Pa, > 0, none): d1, for stretching; none: as for bending."""
    axial_damping_pas: float
    """Axial damping (Pa*s, ≥ 0, 0.0): d2."""
    shear_factor_x: float
    """Shear factor along x (1, ≥ 0, 1.2): kx; 1.2 for a rectangle, 1.11 for a circle."""
    shear_factor_y: float
    """Shear factor along y (1, ≥ 0, 1.2): ky."""
    damping_nms_per_rad: Vec3
    """Turning damping (N*m*s/rad, ≥ 0, [0.0, 0.0, 0.0]): About x, y and z; the seed has none."""


class TensionElement(Element, total=False):
    """Stretch a heavy string between two points; it pulls and never pushes (section 4.4)."""

    a: Required[PointRef | _geometry.PointRef]
    """Point A (required): End A."""
    b: Required[PointRef | _geometry.PointRef]
    """Point B (required): End B."""
    mass_a_kg: float
    """M_A (kg, ≥ 0, 0.0): Mass that moves with A (equation 4.51)."""
    mass_b_kg: float
    """M_B (kg, ≥ 0, 0.0): Mass that moves with B."""
    mass_ab_kg: float
    """M_AB (kg, ≥ 0, 0.0): Mass that couples A and B."""
    stiffness_n_per_m: Required[float]
    """Stiffness (N/m, ≥ 0, required): k (equation 4.43)."""
    damping_ns_per_m: float
    """Damping (N*s/m, ≥ 0, 0.0): d."""
    damping_law: Literal["along", "printed"]
    """Damping acts ("along"): along: along the string while it is taut, and never so that it pushes; printed: against the whole velocity of one end seen from the other (equation 4.59), slack or not, so that two that turn about each other lose their spin."""
    rest_length_m: Required[float]
    """Rest length (m, > 0, required): L0."""


class Bend(TypedDict, total=False):
    """Give the turn of one inner segment as a polynomial of the end-to-end angles (equation 4.64)."""

    bias_rad: Vec3
    """Bias (rad, [0.0, 0.0, 0.0]): Angles that are always added."""
    linear: Required[Matrix3]
    """Linear (f) (1, required): Row i: factors of the three end angles in angle i."""
    interaction_per_rad: Matrix3
    """Interaction (g) (1/rad, [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]): Row i: factors of 2x3, 3x1 and 1x2."""
    quadratic_per_rad: Matrix3
    """Quadratic (h) (1/rad, [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]): Row i: factors of the three squares."""


class FlexibleElement(Element, total=False):
    """Slave the inner segments of a chain to its ends: a neck or a spine (section 4.5)."""

    segments: Required[Sequence[str]]
    """Segments (id in segments, at least 3 entries, at most 100 entries, required): Chain from one end to the other, joined by ball joints or Euler joints; at least three."""
    bends: Required[Sequence[Bend | _links.Bend]]
    """Bends (at least 1 entry, at most 98 entries, required): One for each inner segment, in order."""


class ConstraintBreakage(TypedDict, total=False):
    """Open a constraint when its load passes a limit; over a ramp the load fades as the parts come away."""

    ramp_m: float | None
    """Ramp (m, > 0, none): Separation over which the load at the break fades; none: it is gone at once."""
    heals_below_m: float | None
    """Heals below (m, > 0, none): Separation within which parts that come back close again, with limits as low as the load has become; none: never."""


class PointBreakage(ConstraintBreakage, total=False):
    """Limit what two points bear that are kept together."""

    force_n: float | None
    """Force (N, > 0, none): Size at which it breaks."""
    force_x_n: float | None
    """Force along x (N, > 0, none): Of point B's segment, either way."""
    force_y_n: float | None
    """Force along y (N, > 0, none): Of point B's segment, either way."""
    force_z_n: float | None
    """Force along z (N, > 0, none): Of point B's segment, either way."""


class DistanceBreakage(ConstraintBreakage, total=False):
    """Limit what a distance bears."""

    force_n: float | None
    """Force (N, > 0, none): Pull or thrust at which it breaks."""
    pull_n: float | None
    """Pull (N, > 0, none): Pull at which it breaks."""


class SurfaceBreakage(ConstraintBreakage, total=False):
    """Limit what surfaces bear that roll or slide."""

    pull_n: float | None
    """Pull (N, > 0, none): Pull along the normal at which it breaks."""


class EdgeBreakage(TypedDict, total=False):
    """Limit what edges bear that lie along each other."""

    across_n: float | None
    """Force across (N, > 0, none): Force across the edge at which it breaks."""
    ramp_m: float | None
    """Ramp (m, > 0, none): Separation over which the load at the break fades; none: it is gone at once."""


class ZeroDistance(Element, total=False):
    """Hold two points together: closes a loop (equation 4.18)."""

    kind: Required[Literal["zero_distance"]]
    """Kind ("zero_distance"): Two points in one place."""
    a: Required[PointRef | _geometry.PointRef]
    """Point A (required): Point of one segment."""
    b: Required[PointRef | _geometry.PointRef]
    """Point B (required): Point of the other segment."""
    breakage: PointBreakage | _links.PointBreakage | None
    """Breakage (none): Loads at which it breaks."""


class FixedDistance(Element, total=False):
    """Hold two points at a distance (equation 4.20)."""

    kind: Required[Literal["fixed_distance"]]
    """Kind ("fixed_distance"): Two points at a distance."""
    a: Required[PointRef | _geometry.PointRef]
    """Point A (required): Point of one segment."""
    b: Required[PointRef | _geometry.PointRef]
    """Point B (required): Point of the other segment."""
    distance_m: float | None
    """Distance (m, > 0, none): Distance to hold; none for the distance at the start."""
    breakage: DistanceBreakage | _links.DistanceBreakage | None
    """Breakage (none): Loads at which it breaks."""


class RollSlide(Element, total=False):
    """Keep an ellipsoid on a plane or an ellipsoid, rolling or sliding (equations 4.26 to 4.39)."""

    kind: Required[Literal["roll_slide"]]
    """Kind ("roll_slide"): Rolling and sliding."""
    surface: Required[SurfaceRef | _geometry.SurfaceRef]
    """Surface (required): Ellipsoid that rolls or slides."""
    plane: str | None
    """Plane (id in planes, none): Plane that it rolls on."""
    other: SurfaceRef | _geometry.SurfaceRef | None
    """Other surface (none): Ellipsoid that it rolls on."""
    inside: bool
    """Inside (false): Whether it rolls inside the other surface."""
    mode: Literal["auto", "roll", "slide"]
    """Mode ("auto"): auto: roll as long as static friction holds it, else slide; slide: static friction is the sliding one."""
    static_friction: float
    """Static friction (1, ≥ 0, ≤ 10, 0.0): Coefficient up to which it rolls."""
    sliding_friction: float
    """Sliding friction (1, ≥ 0, ≤ 10, 0.0): Coefficient while it slides."""
    friction_law: Literal["coefficient", "force"]
    """Friction law ("coefficient"): coefficient: friction is a part of the load along the normal; force: it is given (seed 004)."""
    static_force_n: float
    """Static force (N, ≥ 0, 0.0): Of the law by force: up to which it rolls."""
    sliding_force_n: float
    """Sliding force (N, ≥ 0, 0.0): Of the law by force: against the motion while it slides."""
    viscous_ns_per_m: float
    """Viscous (N*s/m, ≥ 0, 0.0): Force by sliding speed, besides."""
    holds: Literal["always", "pressing"]
    """Holds ("always"): always: also against a pull; pressing: lets go where it would have to pull, until it touches again."""
    starts: Literal["at_once", "on_touch"]
    """Starts ("at_once"): Whether the surfaces touch from the start, or are caught on touch."""
    breakage: SurfaceBreakage | _links.SurfaceBreakage | None
    """Breakage (none): Pull at which it breaks."""


class EdgeOnEdge(Element, total=False):
    """Keep an edge of a plane along an edge of another, held or sliding (seed 003, section 3.5).

    Both are straight lines: they go on beyond their ends, and one may turn about the other.
    """

    kind: Required[Literal["edge_on_edge"]]
    """Kind ("edge_on_edge"): Two edges along each other."""
    plane: Required[str]
    """Plane (id in planes, required): Plane whose edge is carried."""
    edge: EdgeName
    """Edge ("first"): first: from corner 1 to corner 2; second: from corner 1 to corner 3; far: the one across."""
    on: Required[str]
    """On (id in planes, required): Plane whose edge carries it."""
    on_edge: EdgeName
    """Edge ("first"): first: from corner 1 to corner 2; second: from corner 1 to corner 3; far: the one across."""
    mode: Literal["auto", "held", "slide"]
    """Mode ("auto"): auto: held as long as the static force holds it, else sliding; slide: that force is the sliding one."""
    static_force_n: float
    """Static force (N, ≥ 0, 0.0): Force along the edge up to which it is held."""
    sliding_force_n: float
    """Sliding force (N, ≥ 0, 0.0): Force against the motion while it slides."""
    viscous_ns_per_m: float
    """Viscous (N*s/m, ≥ 0, 0.0): Force by sliding speed, besides."""
    breakage: EdgeBreakage | _links.EdgeBreakage | None
    """Breakage (none): Force at which it breaks."""


class PlanarSymmetry(Element, total=False):
    """Keep a segment in the x-z plane (NSYM = J)."""

    kind: Required[Literal["planar"]]
    """Kind ("planar"): No lateral motion."""
    segment: Required[str]
    """Segment (id in segments, required): Segment that stays in its x-z plane."""


class PairSymmetry(Element, total=False):
    """Move two segments as one or as mirror images (NSYM = K or -K)."""

    kind: Required[Literal["average", "mirror"]]
    """Kind ("mirror"): average: both take the mean motion in the x-z plane; mirror: equal and opposite across it."""
    first: Required[str]
    """First (id in segments, required): One segment of the pair."""
    second: Required[str]
    """Second (id in segments, required): The other segment."""


EdgeName: TypeAlias = Literal["first", "second", "first_far", "second_far"]


Constraint: TypeAlias = "ZeroDistance | _links.ZeroDistance | FixedDistance | _links.FixedDistance | RollSlide | _links.RollSlide | EdgeOnEdge | _links.EdgeOnEdge | PointOnLine | _closures.PointOnLine | PointOnPlane | _closures.PointOnPlane | ParallelAxes | _closures.ParallelAxes | Revolute | _closures.Revolute | Cylindrical | _closures.Cylindrical | Prismatic | _closures.Prismatic | UniversalClosure | _closures.UniversalClosure | Weld | _closures.Weld | PointOnCurve | _closures.PointOnCurve | Gear | _couplings.Gear | BeltDrive | _couplings.BeltDrive | Rack | _couplings.Rack | Screw | _couplings.Screw | Coupled | _couplings.Coupled"


Spring: TypeAlias = "LinearSpring | _links.LinearSpring | TabulatedSpring | _links.TabulatedSpring | Bushing | _links.Bushing | Disc | _links.Disc"


Symmetry: TypeAlias = "PlanarSymmetry | _links.PlanarSymmetry | PairSymmetry | _links.PairSymmetry"
