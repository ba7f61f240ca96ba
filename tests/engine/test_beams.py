"""Beams as one part, against closed forms and printed figures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.analysis.equilibrium import settle
from solver.project import validated
from solver.project.checks import check
from solver.project.expanding import cuts, expanded
from solver.project.references import renamed, without
from solver.project.sections import SectionNumbers
from solver.results.memory import MemoryTrajectory
from solver.running.simulation import simulate
from solver.scene.instant import Instants
from solver.scene.placing import pose_at_start
from solver.scene.shapes import shapes
from tests.models import base, segment

E, G, RHO = 7e10, 2.6e10, 2700.0
BAR = {"kind": "rectangle", "width_m": 0.02, "height_m": 0.04}
STILL = {"gravity_m_per_s2": [0, 0, 0]}


def rod(**more: Any) -> dict[str, Any]:
    """Give a bar of 1 m that is clamped to the ground."""
    return {
        "id": "rod", "section": BAR, "elastic_pa": E, "shear_pa": G, "density_kg_per_m3": RHO, "length_m": 1.0, "pieces": 4,
    } | more  # fmt: skip


def model(*beams: dict[str, Any], duration: float = 0.1, **more: Any) -> dict[str, Any]:
    run = {
        "id": "run",
        "duration_s": duration,
        "frame_interval_s": duration / 50,
        "channel_rate_hz": 50 / duration,
    }
    return base(beams=list(beams), runs=[run | more.pop("run", {})], **(STILL | more))  # fmt: skip


def solved(data: dict[str, Any]) -> MemoryTrajectory:
    return simulate(validated(data))


def pushed(direction: tuple[float, float, float], pieces: int, size: float = 100.0, **more: Any) -> dict[str, Any]:  # fmt: skip
    """Push or pull the tip of the bar."""
    return {
        "loads": [{"id": "push", "kind": "force", "segment": f"rod#{pieces}", "point_m": [0.25 / pieces, 0, 0], "direction": direction,
                   "history": "size"}],
        "functions": [{"id": "size", "x_unit": "s", "y_unit": "N", "form": {"kind": "constant", "value": size}}],
    } | more  # fmt: skip


@pytest.mark.parametrize("freedoms", ["all", "turns", "about_y"])
def test_a_cantilever_bends_as_timoshenkos_and_its_stress_is_m_c_by_i(freedoms: str) -> None:
    """P L^3 / 3 E I + k P L / G A at the tip; pieces that do not shear lack P L h^2 / 12 E I and the shear."""
    data = model(rod(freedoms=freedoms, damping_ratio=0.7), duration=0.4, **pushed((0, 0, 1), 4))
    run = solved(data)
    I, area = 0.02 * 0.04**3 / 12, 0.02 * 0.04  # noqa: E741
    shear = (12 + 11 * (nu := 0.5 * E / G - 1)) / (10 * (1 + nu))
    bent = 100.0 / (3 * E * I)
    wanted = bent + shear * 100.0 / (G * area) if freedoms == "all" else bent * (1 - 1 / (4 * 4**2))
    beams, stations = run.table("beams"), run.table("beam_stations")
    assert beams["end_deflection"][-1, 0, 2] == pytest.approx(wanted, rel=5e-5)
    assert beams["stress"][-1, 0] == pytest.approx(100.0 * 0.02 / I, rel=1e-4)
    assert beams["stress_at"][-1, 0] == 0.0
    assert stations["bending_y"][-1] == pytest.approx([-100, -75, -50, -25, 0], abs=0.01)
    assert stations["shear_z"][-1] == pytest.approx([100.0] * 5, rel=1e-4)
    assert stations["position"][-1, -1] == pytest.approx([1.0, 0.0, wanted], abs=2e-5)


def test_a_beam_that_is_pulled_twists_and_stretches() -> None:
    data = model(rod(freedoms="all", damping_ratio=1.0), duration=0.2, **pushed((1, 0, 0), 4, 1e4))
    data["loads"].append(
        {
            "id": "turn",
            "kind": "torque",
            "segment": "rod#4",
            "direction": [1, 0, 0],
            "history": "round",
        }
    )
    data["functions"].append({"id": "round", "x_unit": "s", "y_unit": "N*m", "form": {"kind": "constant", "value": 20.0}})  # fmt: skip
    run = solved(data)
    stations, beams = run.table("beam_stations"), run.table("beams")
    assert stations["axial"][-1] == pytest.approx([1e4] * 5, rel=1e-6)
    assert stations["torsion"][-1] == pytest.approx([20.0] * 5, rel=1e-4)
    assert beams["end_deflection"][-1, 0, 0] == pytest.approx(1e4 / (E * 8e-4), rel=1e-3)
    assert stations["stress"][-1] == pytest.approx([1e4 / 8e-4] * 5, rel=1e-3)


def lowest(pieces: int, freedoms: str = "turns", **more: Any) -> list[float]:
    data = model(rod(pieces=pieces, freedoms=freedoms, **more))
    found = mk.linearise(mk.Model(validated(data)))
    return sorted(m.frequency_hz for m in found.modes if m.kind == "oscillation")


def test_frequencies_are_those_of_a_cantilever_and_errors_fall_by_four() -> None:
    numbers = validated(model(rod())).beams[0].numbers
    for which, moment in (("about_y", numbers.moment_y), ("about_z", numbers.moment_z)):
        wanted = 1.875104**2 * math.sqrt(E * moment / (RHO * numbers.area)) / (2 * math.pi)
        errors = [abs(lowest(n, which)[0] / wanted - 1) for n in (4, 8)]
        assert errors[1] < 0.004
        assert 3.5 < errors[0] / errors[1] < 4.5


def test_a_thrown_beam_keeps_its_momenta_and_its_energy() -> None:
    """It bends, twists and spins: started by a blow to one joint alone."""
    blow = {"joint": "rod#3", "rates": [1.0, 30.0, 40.0]}
    thrown = rod(
        start={"fixing": "free"}, pieces=6, velocity_m_per_s=[1, 2, 3], angular_velocity_rad_per_s=[3, 10, 20]
    )  # fmt: skip
    data = model(thrown, initial={"joints": [blow]}, run={"integrator": {"kind": "dopri", "relative_tolerance": 1e-8, "absolute_tolerance": 1e-10}})  # fmt: skip
    energy = solved(data).table("energy")
    assert energy["strain"].max() > 0.01 * energy["kinetic"][0]
    for name in ("momentum", "spin"):
        assert np.ptp(energy[name], axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
    assert np.abs(energy["balance"]).max() < 1e-6 * energy["kinetic"][0]


def crank(case: int, pieces: int, freedoms: str = "about_y") -> float:
    """Give the first largest deflection of a connecting rod's middle by its length (Meijaard)."""
    r, long, omega = 0.1524, 0.3048, (124.8, 150.0)[case]
    upright = {"orientation": {"angles_rad": [0, 0, -0.5 * math.pi]}}
    end: dict[str, Any] = {}
    more: dict[str, Any] = {}
    segments = [segment("crank", 1.0, (1, 1, 1))]
    rates = [{"joint": "rod#start", "rates": [omega * (1 + r / long)]}]
    if case == 0:
        # a slider without mass: the end stays on a line
        end = {"length_m": long}
        at = {"segment": f"rod#{pieces}", "frame": {"position_m": [0.25 * long / pieces, 0, 0]}}
        more["frame_drivers"] = [
            {"id": "line", "component": "y", "moved": at, "quantity": "position", "pulse": {"kind": "constant", "value": 0.0}}
        ]  # fmt: skip
    else:
        along = {"orientation": {"angles_rad": [0, 0.5 * math.pi, 0]}}
        segments.append(segment("slider", 0.0378126, (1e-5, 1e-5, 1e-5)))
        more["joints"] = [
            {"id": "way", "kind": "slip", "parent": "ground", "child": "slider", "child_frame": along,
             "parent_frame": {"position_m": [r + long, 0, 0], **along}}
        ]  # fmt: skip
        end = {"end": {"fixing": "pin", "segment": "slider", "frame": upright}, "length_m": None}
        rates.append({"joint": "rod#end", "rates": [omega * r / long]})
    held = {"fixing": "pin", "segment": "crank", "frame": {"position_m": [r, 0, 0], **upright}}
    beam = rod(
        section={"kind": "circle", "diameter_m": 0.00635}, elastic_pa=2.06843e11, shear_pa=2.06843e11 / 2.47,
        density_kg_per_m3=7834.56, pieces=pieces, freedoms=freedoms, start=held, **end,
    )  # fmt: skip
    turning = {"component": "yaw", "quantity": "velocity", "pulse": {"kind": "constant", "value": omega}}  # fmt: skip
    data = model(
        beam, duration=1.2 / omega, segments=segments, motions=[{"id": "spin", "segment": "crank", "components": [turning]}],
        initial={"joints": rates}, **more,
    )  # fmt: skip
    deflection = solved(data).table("beams")["middle_deflection"][:, 0]
    return float(np.linalg.norm(deflection[:, 1:], axis=1).max()) / long


@pytest.mark.parametrize(("case", "printed"), [(0, 0.00976), (1, 0.01394)])
def test_a_connecting_rod_bends_as_printed(case: int, printed: float) -> None:
    """Without geometric stiffness it would be 0.0105 and 0.0169."""
    assert crank(case, 10) == pytest.approx(printed, rel=0.01)


def test_a_beam_stays_one_element_and_its_stations_can_be_named() -> None:
    project = validated(model(rod(touchable=True)))
    assert project.segments == ()
    whole = expanded(project)
    assert [one.id for one in whole.segments] == [f"rod#{k}" for k in range(5)]
    assert expanded(project) is whole
    assert expanded(whole) is whole
    mass = sum(one.mass_kg for one in whole.segments)
    assert mass == pytest.approx(RHO * 8e-4, rel=1e-12)


def test_a_run_says_when_a_beam_is_strained_beyond_its_strength() -> None:
    bent = rod(freedoms="about_y", damping_ratio=0.7, strength_pa=1.5e7)
    notes = [str(one) for one in solved(model(bent, duration=0.4, **pushed((0, 0, 1), 4))).log]
    assert any("'rod'" in one and "15 MPa" in one for one in notes)
    sound = model(bent | {"strength_pa": 3e7}, duration=0.4, **pushed((0, 0, 1), 4))
    assert not any("strained" in str(one) for one in solved(sound).log)


def test_names_of_stations_follow_their_beam() -> None:
    project = validated(model(rod(touchable=True), **pushed((0, 0, 1), 4)))
    assert renamed(project, "beams/rod", "mast").loads[0].segment == "mast#4"
    assert without(project, "beams/rod").removed == ("beams/rod", "loads/push")


def test_pieces_of_a_curve_are_equal_and_start_without_stress() -> None:
    half = [[math.sin(a), 0.0, 1.0 - math.cos(a)] for a in np.linspace(0.2, math.pi, 12)]
    bow = rod(
        curve_m=half,
        length_m=None,
        pieces=6,
        end={"segment": "ground", "frame": {"position_m": half[-1]}},
    )
    (cut,) = cuts(validated(model(bow)))
    assert cut.laid.length == pytest.approx(math.pi * (1 - math.pi**2 / 24 / 36), rel=2e-3)
    assert np.ptp(cut.laid.lengths) < 2e-3 * cut.laid.lengths.mean()
    run = solved(model(bow, duration=0.01))
    assert run.table("beams")["stress"][0] < 1e-3
    assert run.table("beam_stations")["position"][0, -1] == pytest.approx(half[-1], abs=1e-9)


def test_a_beam_on_something_that_moves_moves_along() -> None:
    """Stations share the motion of what holds their beam, also where nothing but springs does."""
    sled = segment("sled", 5.0, (1, 1, 1))
    start = {"roots": [{"segment": "sled", "velocity_m_per_s": [4.0, 0.0, 0.0]}], "attitudes": [{"segment": "sled", "angular_velocity_rad_per_s": [0.0, 0.0, 0.5]}]}  # fmt: skip
    for freedoms in ("all", "turns"):
        run = solved(model(rod(freedoms=freedoms, start={"segment": "sled"}), segments=[sled], initial=start, duration=0.002))  # fmt: skip
        seen = run.table("segments")["velocity"][0]
        assert seen[run.segment_ids.index("rod#2")] == pytest.approx([4.0, 0.25, 0.0], abs=1e-9)


def test_a_beam_is_drawn_bent_along_its_stations() -> None:
    """At the start and in a run its section follows the axis; at the ends it stands where these are."""
    data = model(rod(freedoms="about_y", damping_ratio=0.7), duration=0.4, **pushed((0, 0, 1), 4))
    project = validated(data)
    pose = pose_at_start(project)
    (shape,) = [one for one in shapes(project, pose) if one.element == "beams/rod"]
    assert shape.mesh.points[-1] == pytest.approx([1.0, 0.0, 0.0], abs=1e-12)
    assert np.ptp(shape.mesh.points, axis=0) == pytest.approx([1.0, 0.02, 0.04], abs=1e-12)
    run = solved(data)
    (bent,) = [
        one for one in Instants(project, run).at(len(run.time) - 1) if one.element == "beams/rod"
    ]
    tip = run.table("beam_stations")["position"][-1, -1]
    assert tip[2] > 0.004
    assert bent.points[:, 2].max() == pytest.approx(tip[2] + 0.02, abs=1e-4)


def test_a_settled_beam_starts_bent_and_stays_so() -> None:
    """What settling finds is the start of its joints; the project keeps one element."""
    bent = settle(
        validated(model(rod(freedoms="about_y", pieces=6), **pushed((0, 0, 1), 6)))
    ).project
    assert bent.segments == ()
    assert [one.joint for one in bent.initial.joints] == [f"rod#{k}" for k in range(1, 7)]
    tip = simulate(bent).table("beams")["end_deflection"][:, 0, 2]
    moment = 0.02 * 0.04**3 / 12
    assert tip == pytest.approx(
        np.full(len(tip), 100.0 / (3 * E * moment) * (1 - 1 / 144)), rel=1e-4
    )


def test_a_straight_cut_square_keeps_its_thin_side_in_its_plane() -> None:
    """At each right angle the axes of the section turn with the way: y stays across the square."""
    square = [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1], [0, 0, 0]]
    data = model(rod(length_m=None, curve_m=square, curve_is="straight", pieces=4))
    (cut,) = cuts(validated(data))
    assert cut.laid.nodes == pytest.approx(np.array(square, float))
    assert cut.laid.chords[:, :, 1] == pytest.approx(np.tile([0.0, 1.0, 0.0], (4, 1)))
    few = check(validated(data | {"beams": [data["beams"][0] | {"pieces": 2}]}))
    assert "beam-curve" in [one.code for one in few]


def spun(pieces: int, case: int = 1, freedoms: str = "about_z") -> tuple[float, float]:
    """Give the largest deflection of a beam that is spun up, and what is left of it behind that (Anderson; Meijaard)."""
    long, rate, e, rho = ((8.0, 4.0, 6.895e10, 2766.67), (10.0, 6.0, 7e10, 3000.0))[case]
    section = (
        {"kind": "rectangle", "width_m": 0.03676, "height_m": 0.001986},
        {"kind": "given", "area_m2": 4e-4, "moment_y_m4": 2e-7, "moment_z_m4": 2e-7, "torsion_m4": 4e-7},
    )[case]  # fmt: skip
    beam = rod(
        section=section, elastic_pa=e, shear_pa=e / 2.64, density_kg_per_m3=rho, length_m=long, pieces=pieces, freedoms=freedoms,
        start={"segment": "hub"},
    )  # fmt: skip
    turning = {
        "component": "yaw",
        "quantity": "acceleration",
        "pulse": {"kind": "haversine", "amplitude": 2 * rate / 15, "duration_s": 15.0},
    }
    data = model(
        beam, duration=20.0, segments=[segment("hub", 1.0, (1, 1, 1))], motions=[{"id": "spin", "segment": "hub", "components": [turning]}],
        run={"frame_interval_s": 0.05, "integrator": {"kind": "dopri", "largest_step_s": 0.05}},
    )  # fmt: skip
    run = solved(data)
    side = run.table("beams")["end_deflection"][:, 0, 1]
    return float(side.min()), float(np.abs(side[run.time > 15.0]).max())


def angle_of_robot(t: float) -> float:
    """Give the angle of the first joint of the flexible robot (Melzer, (44))."""
    if t < 1 / 6:
        part = -1 + 72 * t**3
    elif t < 1 / 3:
        part = -18 * t + 108 * t**2 - 144 * t**3
    else:
        part = -8 + 54 * t - 108 * t**2 + 72 * t**3 if t < 0.5 else 1.0
    return 0.25 * math.pi * part


def robot(pieces: int) -> dict[float, tuple[float, float]]:
    """Give where the tip of the two flexible arms turns round, by time (Melzer, Table 5)."""
    times = sorted({*np.linspace(0, 0.62, 75).round(6).tolist(), 1 / 6, 1 / 3, 0.5})
    one, two = ([sign * angle_of_robot(t) for t in times] for sign in (1, -1))

    def follow(values: list[float]) -> dict[str, Any]:
        return {
            "x_unit": "s",
            "y_unit": "rad",
            "form": {"kind": "table", "x": times, "y": values, "between": "spline"},
        }

    def arm(id_: str, high: float, wide: float, long: float, on: str) -> dict[str, Any]:
        return rod(
            id=id_, section={"kind": "rectangle", "width_m": wide, "height_m": high}, elastic_pa=7.3e10, shear_pa=2.8e10, length_m=long,
            pieces=pieces, freedoms="about_z", start={"segment": on},
        )  # fmt: skip

    upright = {"orientation": {"angles_rad": [0, 0, 0.5 * math.pi]}}
    pulse = {"quantity": "position", "pulse": {"kind": "function", "function": "one"}}
    data = model(
        arm("first", 0.06, 0.015, 0.545, "hub"), arm("second", 0.04, 0.01, 0.675, "elbow"), duration=0.62,
        gravity_m_per_s2=[0, -9.81, 0],
        segments=[segment("hub"), segment("elbow", 1.0, (1e-4,) * 3), segment("load", 3.0, (1e-4,) * 3)],
        joints=[
            {"id": "bend", "kind": "pin", "parent": f"first#{pieces}", "child": "elbow", "child_frame": upright,
             "parent_frame": {"position_m": [0.25 * 0.545 / pieces, 0, 0], **upright}},
            {"id": "held", "kind": "locked", "parent": f"second#{pieces}", "child": "load",
             "parent_frame": {"position_m": [0.25 * 0.675 / pieces, 0, 0]}},
        ],
        functions=[{"id": "one"} | follow(one), {"id": "two"} | follow(two)],
        motions=[{"id": "shoulder", "segment": "hub", "components": [{"component": "yaw"} | pulse]}],
        drivers=[{"id": "elbow", "joint": "bend", "axis": "angle", "quantity": "position", "pulse": {"kind": "function", "function": "two"}}],
        run={"frame_interval_s": 0.001, "integrator": {"kind": "dopri"}},
    )  # fmt: skip
    run = simulate(settle(validated(data)).project)
    stations = run.table("beam_stations")
    tip = stations["position"][:, stations.ids.index(f"second.{pieces}")]
    out = {}
    for start, stop, pick in ((0.35, 0.48, np.argmax), (0.5, 0.62, np.argmin)):
        rows = np.flatnonzero((run.time > start) & (run.time < stop))
        k = int(rows[pick(tip[rows, 1])])
        out[float(run.time[k])] = (float(tip[k, 0]), float(tip[k, 1]))
    return out


def numbers_of(**section: Any) -> SectionNumbers:
    return validated(model(rod(section=section))).beams[0].numbers


def test_sections_have_their_closed_forms() -> None:
    square = numbers_of(kind="rectangle", width_m=0.1, height_m=0.1)
    assert square.torsion == pytest.approx(0.140577e-4, rel=1e-5)
    assert 1.0 / square.torsion_modulus * 1e-3 == pytest.approx(4.8038, rel=1e-3)
    flat = numbers_of(kind="rectangle", width_m=1.0, height_m=0.01)
    assert flat.torsion == pytest.approx(1e-6 / 3 * (1 - 0.63 * 0.01), rel=1e-4)
    thin = numbers_of(kind="tube", diameter_m=0.1, wall_m=0.0001)
    solid = numbers_of(kind="circle", diameter_m=0.1)
    assert (solid.moment_y, solid.torsion) == pytest.approx((math.pi * 0.1**4 / 64, math.pi * 0.1**4 / 32))  # fmt: skip
    assert thin.moment_y == pytest.approx(math.pi * 0.0999**3 * 0.0001 / 8, rel=1e-5)
    assert solid.shear_y == pytest.approx(1.13, abs=0.03)
    assert thin.shear_y == pytest.approx(1.87, abs=0.05)
    box = numbers_of(kind="box", width_m=0.06, height_m=0.1, wall_m=0.002)
    parts = 2 * (0.06 * 0.002**3 / 12 + 0.06 * 0.002 * 0.049**2) + 2 * 0.002 * 0.096**3 / 12
    assert box.moment_y == pytest.approx(parts, rel=1e-12)
    i = numbers_of(kind="i", width_m=0.06, height_m=0.1, flange_m=0.004, web_m=0.003)
    parts = 2 * (0.06 * 0.004**3 / 12 + 0.06 * 0.004 * 0.048**2) + 0.003 * 0.092**3 / 12
    assert i.moment_y == pytest.approx(parts, rel=1e-12)
    assert i.area == pytest.approx(2 * 0.06 * 0.004 + 0.003 * 0.092, rel=1e-12)
