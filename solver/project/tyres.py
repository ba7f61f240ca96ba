"""Wheels with tyres that roll on roads, with brake and drive."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Element,
    Id,
    Number,
    NumberOrFunction,
    Vec3,
    function,
    number,
    ref,
    value_or_function,
)


class Tyre(Element):
    """Let a segment roll on a road as a wheel with a tyre: spring, slip by the brush model, brake and drive.

    Fiala 1954; Pacejka, Tire and Vehicle Dynamics, 3rd edition 2012, chapters 3 and 7 (docs/vehicles.md).
    """

    wheel: Id = ref(REQUIRED, "segments", "Wheel", "Segment that turns with the tyre.")
    centre_m: Vec3 = number(
        ZERO3, "m", "Centre", "Middle of the wheel from the segment's mass centre, segment axes."
    )
    axle: Vec3 = number(
        (0.0, 1.0, 0.0),
        "1",
        "Axle",
        "Direction of the axle, to the right as one looks ahead, segment axes; any length.",
    )
    carrier: Id | None = ref(
        None,
        "segments",
        "Carrier",
        "Segment that brake and drive react on; none: the parent of the wheel's joint.",
    )
    roads: Annotated[tuple[Id, ...], Field(max_length=50)] = ref(
        (),
        "planes",
        "Roads",
        "Planes that it rolls on; of several roads, meshes with them, the one that presses it most counts.",
    )
    meshes: Annotated[tuple[Id, ...], Field(max_length=50)] = ref(
        (),
        "meshes",
        "Mesh roads",
        "Meshes that it rolls on, on the side from which the corners of their triangles go round to the left.",
    )
    profile: Id | None = function(
        None,
        "m",
        "m",
        "Profile",
        "Height of the road over its planes, by the distance from the plane's first corner along its first edge.",
    )
    radius_m: Number = number(REQUIRED, "m", "Radius", "Of the tyre without load.", gt=0)
    crown_m: Number = number(
        0.0,
        "m",
        "Crown radius",
        "How round its tread is from side to side: at most half of its width. 0: a thin disc.",
        ge=0,
    )
    stiffness_n_per_m: Number = number(
        REQUIRED, "N/m", "Radial stiffness", "Of its spring against the road.", gt=0
    )
    damping_ns_per_m: Number = number(
        0.0, "N*s/m", "Radial damping", "Of its damper beside the spring.", ge=0
    )
    rim_at_m: Number | None = number(
        None, "m", "Rim at", "Deflection at which the rim strikes through; none: never.", gt=0
    )
    rim_stiffness_n_per_m: Number = number(
        1e6, "N/m", "Rim stiffness", "What is added from there on.", ge=0
    )
    cornering_n_per_rad: Number = number(
        REQUIRED, "N/rad", "Cornering stiffness", "Side force by small slip angle.", gt=0
    )
    camber_n_per_rad: Number = number(
        0.0,
        "N/rad",
        "Camber stiffness",
        "Side force by small camber; assumed: 0.05 to 0.25 of the cornering stiffness, least for radial tyres.",
        ge=0,
    )
    slip_stiffness_n: Number = number(
        REQUIRED, "N", "Slip stiffness", "Force along by small slip ratio, for a slip of one.", gt=0
    )
    load_n: Number | None = number(
        None,
        "N",
        "Nominal load",
        "Load at which all stiffnesses of slip are as given: they grow with it. None: the same at any load.",
        gt=0,
    )
    peak_load_n: Number | None = number(
        None,
        "N",
        "Load of the peak",
        "Load at which the cornering stiffness is largest, after C = c1 sin(2 atan(N / N_peak)); none: in proportion to the load.",
        gt=0,
    )
    friction: NumberOrFunction = value_or_function(
        1.0,
        "1",
        "m",
        "Friction",
        "Coefficient of tyre on road, constant or by the distance along the road: along its plane's first edge, or its mesh's x.",
    )
    across_ratio: Number = number(
        1.0, "1", "Friction across", "Friction across in parts of that along.", gt=0
    )
    friction_falls_s_per_m: Number = number(
        0.0,
        "s/m",
        "Friction falls",
        "By how much friction falls with sliding speed: mu / (1 + a v).",
        ge=0,
    )
    relaxation_m: Number = number(
        0.3,
        "m",
        "Relaxation length across",
        "Way in which side force comes up: cornering stiffness by stiffness of the carcass.",
        gt=0,
    )
    relaxation_along_m: Number = number(
        0.15, "m", "Relaxation length along", "The same for force along.", gt=0
    )
    carcass_damping_s: Number = number(
        0.005, "s", "Carcass damping", "Damping of the carcass by its stiffness.", ge=0
    )
    patch_m: Number | None = number(
        None,
        "m",
        "Half contact length",
        "Of the tread on the road at the nominal load, for the aligning moment; it grows with the root of the load. "
        "None: half the chord that the road cuts off the tyre.",
        gt=0,
    )
    rolling_resistance: Number = number(
        0.0, "1", "Rolling resistance", "Moment by load and radius.", ge=0
    )
    brake_nm: NumberOrFunction = value_or_function(
        0.0, "N*m", "s", "Brake", "Torque that its brake holds at most, constant or by time."
    )
    drive_nm: NumberOrFunction = value_or_function(
        0.0, "N*m", "s", "Drive", "Torque that drives it ahead, constant or by time."
    )
    width_m: Number = number(0.2, "m", "Width", "Of the tyre, for show alone.", gt=0)
