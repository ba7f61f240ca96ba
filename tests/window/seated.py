"""Build a small seated occupant with seat, belts and an airbag, for tests of the window."""

from __future__ import annotations

from typing import Any


def segment(
    name: str, said: str, axes: tuple[float, float, float], mass: float, powers: Any = None
) -> dict[str, Any]:
    surface: dict[str, Any] = {"id": name, "kind": "ellipsoid", "semi_axes_m": list(axes)}
    if powers:
        surface |= {"kind": "hyperellipsoid", "powers": list(powers)}
    inertia = [0.2 * mass * (axes[i - 1] ** 2 + axes[i - 2] ** 2) for i in range(3)]
    return {
        "id": name,
        "name": said,
        "group": "Occupant",
        "mass_kg": mass,
        "inertia_kgm2": inertia,
        "surfaces": [surface],
    }


def joint(
    name: str,
    said: str,
    ends: tuple[str, str],
    places: tuple[tuple[float, float, float], tuple[float, float, float]],
    kind: str = "ball",
) -> dict[str, Any]:
    return {
        "id": name,
        "name": said,
        "group": "Occupant",
        "kind": kind,
        "parent": ends[0],
        "child": ends[1],
        "parent_frame": {"position_m": list(places[0])},
        "child_frame": {"position_m": list(places[1])},
    }


def turned(name: str, pitch: float, relative: str = "ground") -> dict[str, Any]:
    return {
        "segment": name,
        "orientation": {"angles_rad": [0.0, pitch, 0.0]},
        "relative_to": relative,
    }


def seated() -> dict[str, Any]:
    """Give a project as plain data: x forward, y right, z down."""
    segments = [
        segment("pelvis", "Pelvis", (0.12, 0.18, 0.11), 11.0),
        segment("abdomen", "Abdomen", (0.11, 0.16, 0.12), 5.0),
        segment("thorax", "Thorax", (0.12, 0.165, 0.20), 22.0, (2.4, 2.4, 2.4)),
        segment("neck", "Neck", (0.055, 0.055, 0.08), 1.2),
        segment("head", "Head", (0.10, 0.078, 0.125), 4.5),
    ]
    joints = [
        joint("lumbar", "Lumbar", ("pelvis", "abdomen"), ((0, 0, -0.07), (0, 0, 0.08))),
        joint("waist", "Waist", ("abdomen", "thorax"), ((0, 0, -0.08), (0, 0, 0.16))),
        joint("neck_base", "Neck base", ("thorax", "neck"), ((0, 0, -0.18), (0, 0, 0.06))),
        joint("neck_top", "Neck top", ("neck", "head"), ((0, 0, -0.06), (-0.01, 0, 0.11))),
    ]
    attitudes = [turned(n, 0.25) for n in ("pelvis", "abdomen", "thorax")]
    attitudes += [turned("neck", 0.05), turned("head", 0.0)]
    for side, y, word in (("r", 1.0, "right"), ("l", -1.0, "left")):
        segments += [
            segment(f"thigh_{side}", f"Thigh, {word}", (0.075, 0.08, 0.24), 9.0),
            segment(f"shank_{side}", f"Shank, {word}", (0.055, 0.055, 0.23), 4.0),
            segment(f"foot_{side}", f"Foot, {word}", (0.13, 0.045, 0.04), 1.1, (3, 3, 3)),
            segment(f"arm_{side}", f"Upper arm, {word}", (0.05, 0.05, 0.16), 2.2),
            segment(f"forearm_{side}", f"Forearm and hand, {word}", (0.04, 0.04, 0.19), 2.2),
        ]
        thigh, shank, foot = f"thigh_{side}", f"shank_{side}", f"foot_{side}"
        arm, forearm = f"arm_{side}", f"forearm_{side}"
        joints += [
            joint(
                f"hip_{side}",
                f"Hip, {word}",
                ("pelvis", thigh),
                ((0.03, 0.09 * y, 0.03), (0, 0, -0.2)),
            ),
            joint(
                f"knee_{side}", f"Knee, {word}", (thigh, shank), ((0, 0, 0.21), (0, 0, -0.2)), "pin"
            ),
            joint(
                f"ankle_{side}", f"Ankle, {word}", (shank, foot), ((0, 0, 0.21), (-0.06, 0, -0.03))
            ),
            joint(
                f"shoulder_{side}",
                f"Shoulder, {word}",
                ("thorax", arm),
                ((0, 0.19 * y, -0.13), (0, 0, -0.13)),
            ),
            joint(
                f"elbow_{side}",
                f"Elbow, {word}",
                (arm, forearm),
                ((0, 0, 0.14), (0, 0, -0.16)),
                "pin",
            ),
        ]
        attitudes += [
            turned(thigh, 1.75),
            turned(shank, 0.45),
            turned(foot, 0.15),
            turned(arm, 0.35),
            turned(forearm, 1.35),
        ]
    segments.append(
        {
            "id": "sled",
            "name": "Sled",
            "group": "Vehicle",
            "mass_kg": 500.0,
            "inertia_kgm2": [50.0, 50.0, 50.0],
        }
    )
    dash = segment("dash", "Dashboard", (0.12, 0.55, 0.12), 20.0, (5, 5, 5))
    segments.append(dash | {"group": "Vehicle"})
    joints.append(
        joint(
            "dash_mount",
            "Dashboard mount",
            ("sled", "dash"),
            ((0.86, 0, -0.38), (0, 0, 0)),
            "locked",
        )
        | {"group": "Vehicle"}
    )
    plane = lambda n, said, p1, p2, p3: {  # noqa: E731
        "id": n,
        "name": said,
        "group": "Vehicle",
        "segment": "sled",
        "placement": {"kind": "points", "p1_m": p1, "p2_m": p2, "p3_m": p3},
    }
    return {
        "format": "manikin-project",
        "schema_version": 4,
        "title": "Seated occupant, lap and shoulder belt",
        "segments": segments,
        "joints": joints,
        "planes": [
            plane(
                "seat", "Seat cushion", [-0.2, 0.26, 0.13], [0.32, 0.26, 0.08], [-0.2, -0.26, 0.13]
            ),
            plane(
                "seat_back",
                "Seat back",
                [-0.38, 0.24, -0.62],
                [-0.15, 0.24, 0.12],
                [-0.38, -0.24, -0.62],
            ),
            plane("floor", "Floor", [0.2, 0.4, 0.47], [1.0, 0.4, 0.47], [0.2, -0.4, 0.47]),
        ],
        "functions": [
            {
                "id": "webbing_pull",
                "name": "Webbing, pull",
                "x_unit": "1",
                "y_unit": "N",
                "form": {"kind": "table", "x": [0.0, 0.1], "y": [0.0, 9000.0]},
            },
            {
                "id": "foam",
                "name": "Seat foam",
                "x_unit": "m",
                "y_unit": "N",
                "form": {"kind": "table", "x": [0.0, 0.05, 0.1], "y": [0.0, 1500.0, 9000.0]},
            },
        ],
        "contact_laws": [
            {"id": "webbing", "name": "Webbing", "kind": "webbing", "base": "webbing_pull"},
            {
                "id": "seat_foam",
                "name": "Seat foam",
                "kind": "hysteretic",
                "base": "foam",
                "friction": 0.3,
            },
        ],
        "contacts": [
            {
                "id": "pelvis_seat",
                "name": "Pelvis on seat",
                "kind": "plane",
                "plane": "seat",
                "surface": {"segment": "pelvis", "surface": "pelvis"},
                "law": "seat_foam",
            },
        ],
        "belts": [
            {
                "id": "lap",
                "name": "Lap belt",
                "group": "Restraints",
                "anchor_a": {"segment": "sled", "position_m": [-0.2, 0.24, 0.2]},
                "anchor_b": {"segment": "sled", "position_m": [-0.2, -0.24, 0.2]},
                "surface": {"segment": "pelvis", "surface": "pelvis"},
                "fixed_point_m": [0.1, 0.0, -0.06],
                "law": "webbing",
            },
        ],
        "harnesses": [
            {
                "id": "shoulder",
                "name": "Shoulder belt",
                "group": "Restraints",
                "straps": [
                    {
                        "id": "diagonal",
                        "law": "webbing",
                        "points": [
                            {
                                "kind": "anchor",
                                "segment": "sled",
                                "position_m": [-0.42, 0.28, -0.62],
                            },
                            *[
                                {
                                    "kind": "surface",
                                    "surface": {"segment": "thorax", "surface": "thorax"},
                                    "position_m": p,
                                }
                                for p in (
                                    [-0.02, 0.10, -0.2],
                                    [0.09, 0.06, -0.12],
                                    [0.12, 0.0, 0.0],
                                    [0.1, -0.06, 0.1],
                                )
                            ],
                            {
                                "kind": "anchor",
                                "segment": "sled",
                                "position_m": [-0.12, -0.26, 0.14],
                            },
                        ],
                    }
                ],
            },
        ],
        "airbags": [
            {
                "id": "bag",
                "name": "Airbag",
                "group": "Restraints",
                "panels": [{"segment": "dash", "surface": "dash"}],
                "deployment_point_m": [-0.12, 0.0, 0.0],
                "semi_axes_m": [0.2, 0.28, 0.28],
                "fabric_mass_kg": 0.4,
                "inflator": {
                    "kind": "tank",
                    "volume_m3": 0.005,
                    "pressure_pa": 1e6,
                    "throat_area_m2": 1e-4,
                },
            },
        ],
        "motions": [
            {
                "id": "pulse",
                "name": "Sled pulse",
                "segment": "sled",
                "components": [
                    {
                        "component": "x",
                        "pulse": {"kind": "half_sine", "amplitude": -250.0, "duration_s": 0.08},
                    }
                ],
            },
        ],
        "runs": [{"id": "crash", "name": "Crash", "duration_s": 0.15}],
        "initial": {"attitudes": attitudes},
    }
