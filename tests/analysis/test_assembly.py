"""Assembly: closed forms of a four-bar, the least movement by brute force, stops, what is held, and what cannot close."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from app.editing.quick_fixes import quick_fix_for
from solver import settle, simulate
from solver.analysis.equilibrium import AssemblyError, closed, closures
from solver.base.places import samples
from solver.engine.dynamics.tree import Array
from solver.project import Project, ProjectError, load_project, validated
from solver.project.changes import with_value
from solver.project.checks import check
from solver.project.pose import start_pose
from solver.project.posing import angles_of
from tests.models import base, segment

CRANK, COUPLER, OUTPUT, GROUND = 0.11, 0.44, 0.375, 0.3
"""The sample's four-bar with a coupler that is a tenth longer."""


@cache
def long() -> Project:
    project = load_project(samples() / "four_bar.json")
    for path, x in (("constraints/closure/a", 0.22), ("joints/coupler_pin/child_frame", -0.22)):
        project = with_value(project, f"{path}/position_m", (x, 0.0, 0.0))
    return with_value(project, "runs/two_seconds/duration_s", 0.1)


def branches(crank: float) -> list[tuple[float, float]]:
    """The angles of coupler (from the crank) and output of both branches, by two circles; none where they do not meet."""
    # a turn about y leads x to -z: all angles are counted so
    pin = CRANK * np.array([math.cos(crank), -math.sin(crank)])
    way = np.array([GROUND, 0.0]) - pin
    far = float(np.hypot(*way))
    along = (far**2 + COUPLER**2 - OUTPUT**2) / (2.0 * far)
    if abs(along) > COUPLER:
        return []
    out = []
    for side in (1.0, -1.0):
        across = side * math.sqrt(COUPLER**2 - along**2) * np.array([-way[1], way[0]]) / far
        tip = pin + along * way / far + across
        coupler = math.atan2(-(tip - pin)[1], (tip - pin)[0])
        out.append((coupler - crank, math.atan2(-tip[1], tip[0] - GROUND)))
    return out


def angles(project: Project) -> Array:
    return np.array([angles_of(project, name)[0] for name in ("crank_pin", "coupler_pin", "output_pin")])  # fmt: skip


def test_a_longer_link_is_taken_up_by_the_joints_alone() -> None:
    project = long()
    assert [one.code for one in check(project)] == ["points-apart"]
    done = closed(project, ["crank_pin"])
    assert check(done.project) == ()
    assert done.project.segments == project.segments
    assert done.project.joints == project.joints
    found, crank = angles(done.project), angles(project)[0]
    assert found[0] == crank
    off = [np.remainder(found[1:] - one + math.pi, 2.0 * math.pi) - math.pi for one in branches(crank)]  # fmt: skip
    assert min(float(np.abs(one).max()) for one in off) < 1e-10
    assert [one.segment for one in done.moved] == ["output", "coupler"]


def test_both_branches_are_listed_the_nearer_first() -> None:
    found = closures(long(), ["crank_pin"])
    crank = angles(long())[0]
    known = [np.array(one) for one in branches(crank)]
    assert len(found) == 2
    assert found[0].movement_m < found[1].movement_m
    for one in found:
        off = [np.remainder(angles(one.project)[1:] - k + math.pi, 2.0 * math.pi) - math.pi for k in known]  # fmt: skip
        assert min(float(np.abs(o).max()) for o in off) < 1e-9


def test_no_pose_that_closes_is_nearer() -> None:
    """Each angle counts by the inertia that it carries at the start."""
    project = long()
    start = angles(project)
    pose = start_pose(project)
    bodies = {one.id: one for one in project.segments}

    def inertia(about: tuple[float, float], names: tuple[str, ...]) -> float:
        total = 0.0
        for name in names:
            x, _, z = pose[name].p_W
            total += bodies[name].inertia_kgm2[1] + bodies[name].mass_kg * ((x - about[0]) ** 2 + (z - about[1]) ** 2)  # fmt: skip
        return total

    pin = CRANK * math.cos(start[0]), -CRANK * math.sin(start[0])
    weight = [inertia((0.0, 0.0), ("crank", "coupler")), inertia(pin, ("coupler",)), inertia((GROUND, 0.0), ("output",))]  # fmt: skip
    mass = sum(one.mass_kg for one in project.segments)
    best = math.inf
    for crank in start[0] + np.linspace(-0.3, 0.3, 60_001):
        for one in branches(crank):
            way = np.array([crank, *one]) - start
            way = np.remainder(way + math.pi, 2.0 * math.pi) - math.pi
            best = min(best, float(weight @ way**2))
    done = closed(project)
    assert done.movement_m == pytest.approx(math.sqrt(best / mass), rel=1e-9)
    way = angles(done.project) - start
    assert float(weight @ way**2) == pytest.approx(best, rel=1e-9)


def test_start_speeds_fit_what_was_assembled() -> None:
    """The crank keeps its rate; the others follow from the closed loop."""
    done = closed(long(), ["crank_pin"])
    assert done.off > 0.01
    one, other = (closed(with_value(long(), "initial/joints/0/values", [crank]), ["crank_pin"]) for crank in (angles(long())[0] + d for d in (1e-5, -1e-5)))  # fmt: skip
    slope = (angles(one.project) - angles(other.project)) / 2e-5
    rates = [start.rates[0] for start in done.project.initial.joints]
    assert rates == pytest.approx(10.0 * slope, rel=1e-6)
    run = simulate(done.project)
    assert run.status == "completed"
    energy = run.table("energy")
    assert float(np.abs(energy["lost_in_impulses"]).max()) < 1e-12
    assert float(np.abs(energy["balance"]).max()) < 1e-6


def test_a_stop_on_the_way_is_kept() -> None:
    """Without it the crank would go back by 0.015 rad; its stop begins at 0.004 rad."""
    free = angles(closed(long()).project)[0] - angles(long())[0]
    assert free < -0.01
    stop = angles(long())[0] - 0.004
    push = {"id": "push", "x_unit": "rad", "y_unit": "N*m", "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 9.0]}}  # fmt: skip
    limit = {
        "id": "limit", "coordinate": {"kind": "joint", "joint": "crank_pin", "axis": "angle"}, "zero": 0.0,
        "laws": [{"kind": "stop", "lower": stop, "above": "push"}],
    }  # fmt: skip
    project = with_value(with_value(long(), "functions", [push]), "coordinate_forces", [limit])
    done = closed(project)
    assert check(done.project) == ()
    assert angles(done.project)[0] == pytest.approx(stop, abs=1e-12)
    assert done.beyond == ()
    # with the output bar held there is one way alone, and it leads beyond
    way = angles(closed(long(), ["output_pin"]).project)[0] - angles(long())[0]
    half, on = angles(long())[0] + 0.5 * way, "upper" if way > 0.0 else "lower"
    laws = [{"kind": "stop", on: half, "above": "push"}]
    held = closed(with_value(project, "coordinate_forces/limit/laws", laws), ["output_pin"])
    assert held.beyond == ("crank_pin",)
    assert any("beyond its stop" in str(one) for one in held.sentences())


def test_what_is_held_stays_and_what_cannot_close_is_told() -> None:
    done = closed(long(), ["output"])
    before, after = start_pose(long()), start_pose(done.project)
    assert np.abs(after["output"].p_W - before["output"].p_W).max() < 1e-11
    assert np.abs(after["output"].R_WS - before["output"].R_WS).max() < 1e-11
    assert check(done.project) == ()
    with pytest.raises(AssemblyError, match=r"left of 'closure': The points start .* mm apart"):
        closed(long(), ["crank", "output"])
    with pytest.raises(AssemblyError, match="cannot be closed"):
        closed(with_value(long(), "constraints/closure/a/position_m", (0.9, 0.0, 0.0)))
    with pytest.raises(ProjectError):
        closed(with_value(long(), "runs/two_seconds/frame_interval_s", 1e-9))


def test_balls_and_whole_bodies_go_the_least_way() -> None:
    """An arm of two ball joints on a body that floats reaches a point: against a minimisation of the same by rotation vectors."""
    weights = (0.02, 0.03, 0.05)
    arm = base(
        segments=[segment("trunk", 3.0, (0.05, 0.06, 0.07)), segment("upper", 1.0, weights), segment("lower", 0.5, (0.01, 0.01, 0.002))],
        joints=[
            {"id": "shoulder", "kind": "ball", "parent": "trunk", "child": "upper", "parent_frame": {"position_m": [0.1, 0.0, -0.2]}, "child_frame": {"position_m": [0.0, 0.0, -0.15]}},
            {"id": "elbow", "kind": "pin", "parent": "upper", "child": "lower", "parent_frame": {"position_m": [0.0, 0.0, 0.15]}, "child_frame": {"position_m": [0.0, 0.0, -0.12]}},
        ],
        constraints=[{"id": "grip", "kind": "zero_distance", "a": {"segment": "lower", "position_m": [0.0, 0.0, 0.12]}, "b": {"segment": "ground", "position_m": [0.35, 0.1, 0.05]}}],
        initial={"joints": [{"joint": "elbow", "values": [0.6]}]},
    )  # fmt: skip
    project = validated(arm)
    done = closed(project, ["trunk"])
    assert {one.code for one in check(done.project)} <= {"no-outputs"}
    # the measure: each joint by the inertia that it carries, about itself, in the start pose
    start = start_pose(project)
    bodies = {one.id: one for one in project.segments}

    def about(point: Array, names: tuple[str, ...]) -> Array:
        out = np.zeros((3, 3))
        for name in names:
            at, one = start[name], bodies[name]
            d = at.p_W - point
            out += at.R_WS @ np.diag(one.inertia_kgm2) @ at.R_WS.T + one.mass_kg * ((d @ d) * np.eye(3) - np.outer(d, d))  # fmt: skip
        return out

    shoulder = np.array([0.1, 0.0, -0.2])
    elbow = start["upper"].of((0.0, 0.0, 0.15))
    I_s, I_e = about(shoulder, ("upper", "lower")), about(elbow, ("lower",))[1, 1]

    def tip(x: Array) -> Array:
        fore = Rotation.from_euler("y", 0.6 + x[3]).apply([0.0, 0.0, 0.24])
        return shoulder + Rotation.from_rotvec(x[:3]).apply(np.array([0.0, 0.0, 0.3]) + fore)

    def size(x: Array) -> float:
        return float(x[:3] @ I_s @ x[:3] + I_e * x[3] ** 2)

    goal = np.array([0.35, 0.1, 0.05])
    best = minimize(size, np.zeros(4), constraints={"type": "eq", "fun": lambda x: tip(x) - goal}, method="SLSQP", options={"ftol": 1e-15, "maxiter": 500})  # fmt: skip
    assert np.abs(tip(best.x) - goal).max() < 1e-9
    assert done.movement_m == pytest.approx(math.sqrt(size(best.x) / 4.5), rel=1e-6)
    assert closed(project).movement_m < done.movement_m


def test_settle_closes_first_and_says_so() -> None:
    project = long()
    done = settle(project, ["joints"])
    assert "The loops started open and are closed first." in done.notes
    assert any("'output' moved by" in note for note in done.notes)
    assert check(done.project) == ()


def test_the_quick_fix_changes_no_dimension_and_offers_the_other_second() -> None:
    problem = check(long())[0]
    mend = quick_fix_for(long(), problem)
    assert mend is not None
    assert mend.takes_long
    assert mend.second is not None
    made = mend.make(long())
    assert check(made) == ()
    assert made.constraints == long().constraints
    assert mend.second.make(long()).constraints != long().constraints


def test_drivers_of_a_turn_behind_those_of_axes_find_each_other() -> None:
    """A model whose start is closed stays where it is; numbers of mates that have shifted moved an arm by 160 mm, or read beyond their arrays."""
    done = closed(load_project(samples() / "driven_limb.json"))
    assert done.movement_m < 1e-6
    assert done.moved == ()
