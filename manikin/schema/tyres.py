"""Wheels with tyres that roll on roads, with brake and drive.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Required

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from manikin.schema.numbers import Vec3


class Tyre(Element, total=False):
    """Let a segment roll on a road as a wheel with a tyre: spring, slip by the brush model, brake and drive.

    Fiala 1954; Pacejka, Tire and Vehicle Dynamics, 3rd edition 2012, chapters 3 and 7 (docs/vehicles.md).
    """

    wheel: Required[str]
    """Wheel (id in segments, required): Segment that turns with the tyre."""
    centre_m: Vec3
    """Centre (m, [0.0, 0.0, 0.0]): Middle of the wheel from the segment's mass centre, segment axes."""
    axle: Vec3
    """Axle (1, [0.0, 1.0, 0.0]): Direction of the axle, to the right as one looks ahead, segment axes; any length."""
    carrier: str | None
    """Carrier (id in segments, none): Segment that brake and drive react on; none: the parent of the wheel's joint."""
    roads: Sequence[str]
    """Roads (id in planes, at most 50 entries, []): Planes that it rolls on; of several roads, meshes with them, the one that presses it most counts."""
    meshes: Sequence[str]
    """Mesh roads (id in meshes, at most 50 entries, []): Meshes that it rolls on, on the side from which the corners of their triangles go round to the left."""
    profile: str | None
    """Profile (id in functions, none): Height of the road over its planes, by the distance from the plane's first corner along its first edge."""
    radius_m: Required[float]
    """Radius (m, > 0, required): Of the tyre without load."""
    crown_m: float
    """Crown radius (m, ≥ 0, 0.0): How round its tread is from side to side: at most half of its width. 0: a thin disc."""
    stiffness_n_per_m: Required[float]
    """Radial stiffness (N/m, > 0, required): Of its spring against the road."""
    damping_ns_per_m: float
    """Radial damping (N*s/m, ≥ 0, 0.0): Of its damper beside the spring."""
    rim_at_m: float | None
    """Rim at (m, > 0, none): Deflection at which the rim strikes through; none: never."""
    rim_stiffness_n_per_m: float
    """Rim stiffness (N/m, ≥ 0, 1000000.0): What is added from there on."""
    cornering_n_per_rad: Required[float]
    """Cornering stiffness (N/rad, > 0, required): Side force by small slip angle."""
    camber_n_per_rad: float
    """Camber stiffness (N/rad, ≥ 0, 0.0): Side force by small camber; assumed: 0.05 to 0.25 of the cornering stiffness, least for radial tyres."""
    slip_stiffness_n: Required[float]
    """Slip stiffness (N, > 0, required): Force along by small slip ratio, for a slip of one."""
    load_n: float | None
    """Nominal load (N, > 0, none): Load at which all stiffnesses of slip are as given: they grow with it. None: the same at any load."""
    peak_load_n: float | None
    """Load of the peak (N, > 0, none): Load at which the cornering stiffness is largest, after C = c1 sin(2 atan(N / N_peak)); none: in proportion to the load."""
    friction: float | str
    """Friction (id in functions, 1, 1.0): Coefficient of tyre on road, constant or by the distance along the road: along its plane's first edge, or its mesh's x."""
    across_ratio: float
    """Friction across (1, > 0, 1.0): Friction across in parts of that along."""
    friction_falls_s_per_m: float
    """Friction falls (s/m, ≥ 0, 0.0): By how much friction falls with sliding speed: mu / (1 + a v)."""
    relaxation_m: float
    """Relaxation length across (m, > 0, 0.3): Way in which side force comes up: cornering stiffness by stiffness of the carcass."""
    relaxation_along_m: float
    """Relaxation length along (m, > 0, 0.15): The same for force along."""
    carcass_damping_s: float
    """Carcass damping (s, ≥ 0, 0.005): Damping of the carcass by its stiffness."""
    patch_m: float | None
    """Half contact length (m, > 0, none): Of the tread on the road at the nominal load, for the aligning moment; it grows with the root of the load. None: half the chord that the road cuts off the tyre."""
    rolling_resistance: float
    """Rolling resistance (1, ≥ 0, 0.0): Moment by load and radius."""
    brake_nm: float | str
    """Brake (id in functions, N*m, 0.0): Torque that its brake holds at most, constant or by time."""
    drive_nm: float | str
    """Drive (id in functions, N*m, 0.0): Torque that drives it ahead, constant or by time."""
    width_m: float
    """Width (m, > 0, 0.2): Of the tyre, for show alone."""
