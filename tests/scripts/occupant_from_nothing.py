"""An occupant from nothing by script: body, seat, belts, airbag, pulse, sensors, injury figure, run."""

from __future__ import annotations

import math

import manikin as mk
from manikin.schema import Ellipsoid, Frame, MotionComponent, PlaneFrame, PointRef, SurfaceRef

UPWARDS = Frame(orientation={"angles_rad": (0.0, 0.0, math.pi)})
"""The front of a plane is along its z; the ground's z points down."""


def body(semi_axes_m: tuple[float, float, float]) -> list[Ellipsoid]:
    """One ellipsoid, by the name that contacts and belts know."""
    return [Ellipsoid(id="body", kind="ellipsoid", semi_axes_m=semi_axes_m)]


def surface(segment: str, name: str = "body") -> SurfaceRef:
    """A surface of a segment."""
    return SurfaceRef(segment=segment, surface=name)


def on_car(x: float, y: float, z: float) -> PointRef:
    """A point of the car."""
    return PointRef(segment="car", position_m=(x, y, z))


dash = Ellipsoid(
    id="dash", kind="ellipsoid", semi_axes_m=(0.05, 0.3, 0.2), centre_m=(0.85, 0.0, -0.6)
)
model = (
    mk.new("An occupant of four segments", 0.1, load_case="frontal")
    .add_segment("car", mass_kg=1000.0, inertia_kgm2=(500.0, 1500.0, 1500.0), surfaces=[dash])
    .add_segment("pelvis", mass_kg=22.0, surfaces=body((0.12, 0.18, 0.12)))
    .add_segment("thorax", mass_kg=32.0, surfaces=body((0.12, 0.17, 0.28)))
    .add_segment("head", mass_kg=4.6, surfaces=body((0.1, 0.075, 0.12)))
    .add_segment(
        "thighs",
        mass_kg=17.0,
        shape={"kind": "cylinder", "radius_m": 0.09, "length_m": 0.45, "along": "x"},
        surfaces=body((0.25, 0.16, 0.08)),
    )
    .add_joint(
        "lumbar",
        kind="ball",
        parent="pelvis",
        child="thorax",
        parent_frame={"position_m": (0.0, 0.0, -0.1)},
        child_frame={"position_m": (0.0, 0.0, 0.26)},
        flexure={"linear_nm_per_rad": 60.0},
        torsion={"linear_nm_per_rad": 60.0},
        friction={"viscous_nms_per_rad": 5.0},
    )
    .add_joint(
        "neck",
        kind="pin",
        parent="thorax",
        child="head",
        parent_frame={"position_m": (0.0, 0.0, -0.3)},
        child_frame={"position_m": (0.0, 0.0, 0.12)},
        spring={"linear_nm_per_rad": 20.0, "stop_rad": 0.6, "cubic_nm_per_rad3": 300.0},
        friction={"viscous_nms_per_rad": 1.5},
    )
    .add_joint(
        "hips",
        kind="pin",
        parent="pelvis",
        child="thighs",
        parent_frame=Frame(position_m=(0.06, 0.0, 0.04)),
        child_frame=Frame(position_m=(-0.22, 0.0, 0.0)),
    )
    .add_plane(
        "seat",
        segment="car",
        placement=PlaneFrame(kind="frame", frame=UPWARDS, length_m=1.2, width_m=0.6),
    )
    .add_contact_law(
        "cushion",
        kind="kelvin_voigt",
        stiffness_n_per_m=60e3,
        damping_ns_per_m=1500.0,
        friction=0.4,
    )
    .add_contact(
        "pelvis-seat", kind="plane", plane="seat", surface=surface("pelvis"), law="cushion"
    )
    .add_contact(
        "thighs-seat", kind="plane", plane="seat", surface=surface("thighs"), law="cushion"
    )
    .add_function(
        "webbing_force",
        x_unit="1",
        y_unit="N",
        form={"kind": "table", "x": [0.0, 0.1], "y": [0.0, 8000.0]},
    )
    .add_contact_law("webbing", kind="webbing", base="webbing_force")
    .add_belt(
        "lap",
        anchor_a=on_car(-0.15, -0.25, 0.05),
        anchor_b=on_car(-0.15, 0.25, 0.05),
        surface=surface("pelvis"),
        fixed_point_m=(0.1, 0.0, -0.06),
        law="webbing",
    )
    .add_belt(
        "shoulder",
        anchor_a=on_car(-0.25, 0.2, -0.75),
        anchor_b=on_car(-0.15, -0.25, 0.05),
        surface=surface("thorax"),
        fixed_point_m=(0.12, 0.0, 0.0),
        law="webbing",
    )
    .add_airbag(
        "bag",
        panels=[surface("car", "dash")],
        deployment_point_m=(-0.05, 0.0, 0.0),
        semi_axes_m=(0.2, 0.28, 0.28),
        fabric_mass_kg=0.3,
        trigger={"kind": "time", "time_s": 0.015},
        inflator={
            "kind": "tank",
            "volume_m3": 0.001,
            "pressure_pa": 20e6,
            "throat_area_m2": 4e-4,
        },
        vents=[{"area_m2": 4e-3}],
        panel_stiffness_n_per_m=2000.0,
        friction=0.3,
        touches=[surface("head"), surface("thorax")],
    )
    .add_motion(
        "pulse",
        segment="car",
        components=[
            MotionComponent(
                component="x",
                pulse={"kind": "half_sine", "amplitude": -200.0, "duration_s": 0.09},
            )
        ],
    )
    .start_root("pelvis", position_m=(0.0, 0.0, -0.108))
    .add_output("head", kind="point", segment="head", quantity="acceleration", cfc=1000)
    .add_output("hic", kind="injury", criterion="HIC15", output="head")
    .without("runs/run")
    .add_run("crash", duration_s=0.1, integrator={"kind": "dopri"})
)
assert not [one for one in model.problems if one.severity == "error"], model.problems
run = mk.run(model)
assert run.status == "completed", run.message
forward = run["segments/head/position/x"] - run["segments/car/position/x"]
speed = run["segments/car/velocity/x"][-1]
assert abs(speed + 200.0 * 0.09 * 2.0 / math.pi) < 0.01, speed
assert max(run["airbags/bag/force/resultant"]) > 100.0, "the bag catches"
assert 0.1 < max(forward) < 0.8
print(run.injury["hic"].value, max(run["belts/lap/tension/1"]), max(forward))
