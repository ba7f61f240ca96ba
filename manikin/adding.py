"""Add elements of every kind to a model, with the types of their fields.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self, Unpack, overload

from manikin.signatures import described

if TYPE_CHECKING:
    from manikin.schema.airbags import Airbag
    from manikin.schema.beams import Beam
    from manikin.schema.belts import Belt, Harness
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
    from manikin.schema.contact import (
        DampedLaw,
        HuntCrossleyLaw,
        HystereticLaw,
        IndentationLaw,
        KelvinVoigtLaw,
        LankaraniLaw,
        PanelLaw,
        PlaneContact,
        RateLaw,
        RateWebbingLaw,
        SurfaceContact,
        WebbingLaw,
    )
    from manikin.schema.coordinate_forces import CoordinateForce
    from manikin.schema.couplings import BeltDrive, Coupled, Gear, Rack, Screw
    from manikin.schema.crash_frames import CrashFrame
    from manikin.schema.frames import OwnFrame, UnitSystem
    from manikin.schema.functions import Function
    from manikin.schema.joints import (
        BallJoint,
        EulerJoint,
        ExtensionalJoint,
        FreeJoint,
        LockedJoint,
        PinJoint,
        SixJoint,
        SlipJoint,
        UniversalJoint,
    )
    from manikin.schema.links import (
        Bushing,
        Disc,
        EdgeOnEdge,
        FixedDistance,
        FlexibleElement,
        LinearSpring,
        PairSymmetry,
        PlanarSymmetry,
        RollSlide,
        TabulatedSpring,
        TensionElement,
        ZeroDistance,
    )
    from manikin.schema.modal import ModalBody
    from manikin.schema.motions import Driver, FrameDriver, Load, Motion, Wind
    from manikin.schema.outputs import (
        BodyOutput,
        ElementOutput,
        InjuryOutput,
        JointOutput,
        PointOutput,
        RotationOutput,
    )
    from manikin.schema.runs import Run
    from manikin.schema.segments import Marker, Plane
    from manikin.schema.studies import (
        AssumedNumber,
        FitStudy,
        GridStudy,
        LocalStudy,
        MorrisStudy,
        OptimumStudy,
        SampleStudy,
        SobolStudy,
        SynthesisStudy,
    )
    from manikin.schema.tyres import Tyre


class Adding:
    """Add elements to a model; what a call gives is checked at once, as a file is."""

    def _added(self, list_: str, id_: str, fields: Mapping[str, object]) -> Self:
        raise NotImplementedError

    @overload
    def add_joint(self, id: str, **fields: Unpack[FreeJoint]) -> Self:
        """Let the child move freely; it only says from where its start pose is counted."""

    @overload
    def add_joint(self, id: str, **fields: Unpack[LockedJoint]) -> Self:
        """Hold the child rigidly in the parent."""

    @overload
    def add_joint(self, id: str, **fields: Unpack[BallJoint]) -> Self:
        """Turn about a point; flexure bends the two z axes apart, torsion twists about them."""

    @overload
    def add_joint(self, id: str, **fields: Unpack[PinJoint]) -> Self:
        """Turn about the common y axis of the two frames."""

    @overload
    def add_joint(self, id: str, **fields: Unpack[UniversalJoint]) -> Self:
        """Turn about the x axis of the parent's frame, then about the y axis of the child's frame."""

    @overload
    def add_joint(self, id: str, **fields: Unpack[EulerJoint]) -> Self:
        """Turn by three massless pins z, x, z, each free or held: eight states (section 6.3, Table 6.1)."""

    @overload
    def add_joint(self, id: str, **fields: Unpack[SlipJoint]) -> Self:
        """Slide along the z axis of the parent's frame, and turn as chosen."""

    @overload
    def add_joint(self, id: str, **fields: Unpack[SixJoint]) -> Self:
        """Slide along x, y and z of the parent's frame, then turn about z, y and x: each with laws of its own."""

    @overload
    def add_joint(self, id: str, **fields: Unpack[ExtensionalJoint]) -> Self:
        """Join two pins by a strut without mass that changes its length (seed 003, section 3.4)."""

    @described("joints")
    def add_joint(self, id: str, **fields: object) -> Self:
        """Add a joint of `parent` and `child`, by its `kind`."""
        return self._added("joints", id, fields)

    @described("planes")
    def add_plane(self, id: str, **fields: Unpack[Plane]) -> Self:
        """Add a flat contact surface of a `segment`, with its `placement`."""
        return self._added("planes", id, fields)

    @described("functions")
    def add_function(self, id: str, **fields: Unpack[Function]) -> Self:
        """Add a curve by its `form`: a table, a polynomial, a pulse."""
        return self._added("functions", id, fields)

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[HystereticLaw]) -> Self:
        """Load along base and inertial spike, unload along a quadratic, reload along a cubic (7.5)."""

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[RateLaw]) -> Self:
        """Add rate terms to a base: F1(d) + F2(d) F3(rate) + F4(rate), never below zero."""

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[DampedLaw]) -> Self:
        """Add a linear dashpot to a base force."""

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[HuntCrossleyLaw]) -> Self:
        """Follow Hunt and Crossley: F = K d^n (1 + c rate)."""

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[LankaraniLaw]) -> Self:
        """Follow Lankarani and Nikravesh: F = K d^n (1 + 3 (1 - e^2) rate / (4 rate at impact))."""

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[IndentationLaw]) -> Self:
        """Load by K d^n and unload to a permanent indentation (Lankarani and Nikravesh)."""

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[PanelLaw]) -> Self:
        """Stiffen exponentially with damping: F = A (exp(B d) - 1) + C exp(B d) rate."""

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[KelvinVoigtLaw]) -> Self:
        """Put a spring and a dashpot side by side: F = k d + c rate, never below zero."""

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[WebbingLaw]) -> Self:
        """Describe belt webbing: force by strain, with memory (sections 7.3, 7.5)."""

    @overload
    def add_contact_law(self, id: str, **fields: Unpack[RateWebbingLaw]) -> Self:
        """Describe webbing by strain and its rate: F1(e) + F2(e) F3(rate) + F4(rate), never below zero."""

    @described("contact_laws")
    def add_contact_law(self, id: str, **fields: object) -> Self:
        """Add a law of contacts, belts or harnesses, by its `kind`."""
        return self._added("contact_laws", id, fields)

    @overload
    def add_contact(self, id: str, **fields: Unpack[PlaneContact]) -> Self:
        """Allow a surface to press on a plane (section 7.1)."""

    @overload
    def add_contact(self, id: str, **fields: Unpack[SurfaceContact]) -> Self:
        """Allow two surfaces to press on each other (section 7.2)."""

    @described("contacts")
    def add_contact(self, id: str, **fields: object) -> Self:
        """Add a pair that may touch, of `kind` plane or surfaces, with its `law`."""
        return self._added("contacts", id, fields)

    @described("belts")
    def add_belt(self, id: str, **fields: Unpack[Belt]) -> Self:
        """Add a simple belt over one surface."""
        return self._added("belts", id, fields)

    @described("harnesses")
    def add_harness(self, id: str, **fields: Unpack[Harness]) -> Self:
        """Add `straps` that slip over several segments, with devices at their ends."""
        return self._added("harnesses", id, fields)

    @described("airbags")
    def add_airbag(self, id: str, **fields: Unpack[Airbag]) -> Self:
        """Add an airbag with its gas, vents, trigger and what it `touches`."""
        return self._added("airbags", id, fields)

    @overload
    def add_spring(self, id: str, **fields: Unpack[LinearSpring]) -> Self:
        """Join two points by x (k + k2 |x|) + v (c + c2 |v|), x beyond the rest length."""

    @overload
    def add_spring(self, id: str, **fields: Unpack[TabulatedSpring]) -> Self:
        """Join two points by functions of elongation and of its rate."""

    @overload
    def add_spring(self, id: str, **fields: Unpack[Bushing]) -> Self:
        """Join two frames by six springs and dampers along and about A's axes; dampers may follow the axes of B, as a fluid around it does."""

    @overload
    def add_spring(self, id: str, **fields: Unpack[Disc]) -> Self:
        """Join two plates by a short elastic column: an intervertebral disc (002, (57) to (65))."""

    @described("springs")
    def add_spring(self, id: str, **fields: object) -> Self:
        """Add a spring, a damper or a bushing, by its `kind`."""
        return self._added("springs", id, fields)

    @described("tyres")
    def add_tyre(self, id: str, **fields: Unpack[Tyre]) -> Self:
        """Add a tyre: a `wheel` that rolls on `roads`, with brake and drive."""
        return self._added("tyres", id, fields)

    @described("coordinate_forces")
    def add_coordinate_force(self, id: str, **fields: Unpack[CoordinateForce]) -> Self:
        """Add `laws` on a `coordinate`: an axis of a joint, a distance, a component or an angle."""
        return self._added("coordinate_forces", id, fields)

    @described("tension_elements")
    def add_tension_element(self, id: str, **fields: Unpack[TensionElement]) -> Self:
        """Add a heavy string."""
        return self._added("tension_elements", id, fields)

    @overload
    def add_constraint(self, id: str, **fields: Unpack[ZeroDistance]) -> Self:
        """Hold two points together: closes a loop (equation 4.18)."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[FixedDistance]) -> Self:
        """Hold two points at a distance (equation 4.20)."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[RollSlide]) -> Self:
        """Keep an ellipsoid on a plane or an ellipsoid, rolling or sliding (equations 4.26 to 4.39)."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[EdgeOnEdge]) -> Self:
        """Keep an edge of a plane along an edge of another, held or sliding (seed 003, section 3.5)."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[PointOnLine]) -> Self:
        """Keep a point of a segment on a straight line of another."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[PointOnPlane]) -> Self:
        """Keep a point of a segment on a plane of another."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[ParallelAxes]) -> Self:
        """Keep an axis of a segment parallel to an axis of another; places stay free."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[Revolute]) -> Self:
        """Close a loop as a pin joint does: one place, one axis, about which both turn."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[Cylindrical]) -> Self:
        """Close a loop by one axis, about which both turn and along which they slide."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[Prismatic]) -> Self:
        """Close a loop by a slide that does not turn."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[UniversalClosure]) -> Self:
        """Close a loop as a universal joint does: one place, and no turn about the third axis."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[Weld]) -> Self:
        """Close a loop by holding two frames together in place and turn."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[PointOnCurve]) -> Self:
        """Keep a point of a segment, or a roller about it, on a curve of another: a cam, a slot."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[Gear]) -> Self:
        """Let one axis turn with another at a ratio: gears, or any drive without slip."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[BeltDrive]) -> Self:
        """Let one axis turn with another by a belt or a chain that does not slip."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[Rack]) -> Self:
        """Let an axis slide as another one turns: a rack and its pinion."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[Screw]) -> Self:
        """Let an axis slide as another one turns: a screw and its nut."""

    @overload
    def add_constraint(self, id: str, **fields: Unpack[Coupled]) -> Self:
        """Let one axis be a function of another: a polynomial, a table or a spline."""

    @described("constraints")
    def add_constraint(self, id: str, **fields: object) -> Self:
        """Add a relation beyond the trees, by its `kind`."""
        return self._added("constraints", id, fields)

    @described("beams")
    def add_beam(self, id: str, **fields: Unpack[Beam]) -> Self:
        """Add a beam of a `section`, which bends, twists and, where asked, stretches."""
        return self._added("beams", id, fields)

    @described("crash_frames")
    def add_crash_frame(self, id: str, **fields: Unpack[CrashFrame]) -> Self:
        """Add a frame of `members` between `nodes` that folds in plastic hinges at their ends."""
        return self._added("crash_frames", id, fields)

    @described("flexible_elements")
    def add_flexible_element(self, id: str, **fields: Unpack[FlexibleElement]) -> Self:
        """Add a chain of segments slaved to its ends."""
        return self._added("flexible_elements", id, fields)

    @described("modal_bodies")
    def add_modal_body(self, id: str, **fields: Unpack[ModalBody]) -> Self:
        """Let a segment bend by `shapes`, those of a beam or given ones."""
        return self._added("modal_bodies", id, fields)

    @described("motions")
    def add_motion(self, id: str, **fields: Unpack[Motion]) -> Self:
        """Add a prescribed motion of a segment."""
        return self._added("motions", id, fields)

    @described("drivers")
    def add_driver(self, id: str, **fields: Unpack[Driver]) -> Self:
        """Add a driver, which moves one `axis` of a `joint` as prescribed."""
        return self._added("drivers", id, fields)

    @described("frame_drivers")
    def add_frame_driver(self, id: str, **fields: Unpack[FrameDriver]) -> Self:
        """Add a driver of one `component` of a frame `moved`, as seen from another."""
        return self._added("frame_drivers", id, fields)

    @described("winds")
    def add_wind(self, id: str, **fields: Unpack[Wind]) -> Self:
        """Add a wind on surfaces."""
        return self._added("winds", id, fields)

    @described("loads")
    def add_load(self, id: str, **fields: Unpack[Load]) -> Self:
        """Add a force or torque by a `history`."""
        return self._added("loads", id, fields)

    @overload
    def add_symmetry(self, id: str, **fields: Unpack[PlanarSymmetry]) -> Self:
        """Keep a segment in the x-z plane (NSYM = J)."""

    @overload
    def add_symmetry(self, id: str, **fields: Unpack[PairSymmetry]) -> Self:
        """Move two segments as one or as mirror images (NSYM = K or -K)."""

    @described("symmetry")
    def add_symmetry(self, id: str, **fields: object) -> Self:
        """Add segments that are held symmetrical, to a plane or to each other."""
        return self._added("symmetry", id, fields)

    @described("markers")
    def add_marker(self, id: str, **fields: Unpack[Marker]) -> Self:
        """Add a marker at `point_m` of a `segment`, that tracks of a test go by."""
        return self._added("markers", id, fields)

    @described("frames")
    def add_frame(self, id: str, **fields: Unpack[OwnFrame]) -> Self:
        """Add an own frame on a `segment` or within another frame: origin, turn, reversed axis, angles between axes."""
        return self._added("frames", id, fields)

    @described("unit_systems")
    def add_unit_system(self, id: str, **fields: Unpack[UnitSystem]) -> Self:
        """Add an own system of `units`, one of each kind."""
        return self._added("unit_systems", id, fields)

    @overload
    def add_output(self, id: str, **fields: Unpack[PointOutput]) -> Self:
        """Follow a point of a segment (cards H.1 to H.3)."""

    @overload
    def add_output(self, id: str, **fields: Unpack[RotationOutput]) -> Self:
        """Follow the turning of a segment (cards H.4 to H.6)."""

    @overload
    def add_output(self, id: str, **fields: Unpack[JointOutput]) -> Self:
        """Follow a joint (cards H.7 and H.9)."""

    @overload
    def add_output(self, id: str, **fields: Unpack[ElementOutput]) -> Self:
        """Follow a contact, belt, harness, airbag, spring or constraint: all its loads and states."""

    @overload
    def add_output(self, id: str, **fields: Unpack[BodyOutput]) -> Self:
        """Follow a set of segments: mass centre, momenta, energy (card H.10)."""

    @overload
    def add_output(self, id: str, **fields: Unpack[InjuryOutput]) -> Self:
        """Compute an injury figure from outputs (card H.12); docs/injury.md says how."""

    @described("outputs")
    def add_output(self, id: str, **fields: object) -> Self:
        """Add channels or an injury figure, by the `kind` of what is recorded."""
        return self._added("outputs", id, fields)

    @described("runs")
    def add_run(self, id: str, **fields: Unpack[Run]) -> Self:
        """Add a way to solve: `duration_s`, `integrator`, rates of frames and channels."""
        return self._added("runs", id, fields)

    @described("assumed")
    def add_assumed_number(self, id: str, **fields: Unpack[AssumedNumber]) -> Self:
        """Add the range of a number that was not measured, by its `path`; a band shows what it leaves open (docs/studies.md)."""
        return self._added("assumed", id, fields)

    @overload
    def add_study(self, id: str, **fields: Unpack[GridStudy]) -> Self:
        """Go through values at even steps from end to end."""

    @overload
    def add_study(self, id: str, **fields: Unpack[SampleStudy]) -> Self:
        """Draw a sample: a design of experiments, or with distributions how robust a design is."""

    @overload
    def add_study(self, id: str, **fields: Unpack[LocalStudy]) -> Self:
        """Take differences about the design as it stands: which number moves what, and which way."""

    @overload
    def add_study(self, id: str, **fields: Unpack[MorrisStudy]) -> Self:
        """Screen many parameters by elementary effects after Morris."""

    @overload
    def add_study(self, id: str, **fields: Unpack[SobolStudy]) -> Self:
        """Share out the variance of each response among the parameters: indices of Sobol."""

    @overload
    def add_study(self, id: str, **fields: Unpack[FitStudy]) -> Self:
        """Fit parameters to measured curves and to corridors of one test or several, by least squares."""

    @overload
    def add_study(self, id: str, **fields: Unpack[OptimumStudy]) -> Self:
        """Find the design that serves the goals best and keeps the limits."""

    @overload
    def add_study(self, id: str, **fields: Unpack[SynthesisStudy]) -> Self:
        """Find dimensions with which a marker follows a path or passes points, by geometry alone (docs/synthesis.md)."""

    @described("studies")
    def add_study(self, id: str, **fields: object) -> Self:
        """Add a study by its `kind`, with its `parameters` and `responses` (docs/studies.md)."""
        return self._added("studies", id, fields)
