"""Who looks at a whole model or run sees the masses of bodies that bend: small motions and the account of what acts."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.analysis.acting import account
from solver.engine.maths.rotation import matrices
from solver.model.modal.reducing import shapes_from
from solver.project import validated
from solver.project.pose import start_pose
from tests.engine.test_modal import AREA, DENSITY, FREE, fine, free, model

MASS = AREA * DENSITY
CLAMPED = {"joints": [{"id": "root", "kind": "locked", "parent": "ground", "child": "beam"}]}


def test_modes_of_a_cantilever_move_the_printed_parts_of_its_mass() -> None:
    """Blevins, Table 8-1: (2 sigma / beta l)^2 of the whole, 0.6131, 0.1883 and 0.0647."""
    found = mk.linearise(model({"bending_z": 3}, **CLAMPED))
    z = [one.effective[2] for one in found.modes]
    assert z == pytest.approx([0.6131, 0.1883, 0.0647], rel=2e-3)
    assert [one.energy.sum() for one in found.modes] == pytest.approx([1.0] * 3)


def test_shares_of_small_motions_are_those_of_the_mass_matrix() -> None:
    """A beam with a load at its node, on a slide with a spring: all that moves along it is all of the mass."""
    parts: list[Any] = [
        {"id": "base", "mass_kg": 0.4, "inertia_kgm2": [1e-3] * 3},
        *FREE["segments"],
    ]
    slide = {"id": "slide", "kind": "slip", "parent": "ground", "child": "base"}
    spring = {"id": "k", "kind": "linear", "a": {"segment": "ground"}, "b": {"segment": "base", "position_m": [0.0, 0.0, 0.2]}, "rest_length_m": 0.2, "stiffness_n_per_m": 500.0}  # fmt: skip
    made = model(
        {"bending_y": 2, "bending_z": 2}, body={"nodes": ["tip"]}, segments=parts,
        joints=[slide, {"id": "root", "kind": "locked", "parent": "base", "child": "beam"}, *FREE["joints"]], springs=[spring],
    )  # fmt: skip
    found, whole = mk.linearise(made), mk.mass_matrix(made)
    M = whole[np.ix_(whole.any(axis=0), whole.any(axis=0))]
    row, seen = list(found.segments).index("base"), 0.0
    for one in found.modes:
        assert one.energy.sum() == pytest.approx(1.0)
        way = one.state[: len(M)]
        own = 0.4 * (np.abs(one.shape[row, :3]) ** 2).sum()
        assert one.energy[row] == pytest.approx(own / (way.conj() @ M @ way).real, rel=1e-6)
        seen += one.effective[2]
    assert seen == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("ends", ["clamped", "free"])
def test_what_acts_on_a_body_that_bends_is_how_its_momentum_changes(ends: str) -> None:
    push = {"id": "push", "kind": "force", "segment": "end", "direction": [0.0, 3.0, 4.0], "axes": "ground", "history": "f"}  # fmt: skip
    history = {"id": "f", "x_unit": "s", "y_unit": "N", "form": {"kind": "constant", "value": 2.0}}
    weight = [1.0, 0.0, -9.81]
    made = free(
        ends=ends, more={"loads": [push], "functions": [history], "gravity_m_per_s2": weight}
    )
    run = mk.run(made, until=0.02)
    seen = run.trajectory
    alone, both = (
        account(made.project, seen.time, seen.table, names)
        for names in (("beam",), ("beam", "end"))
    )
    assert alone is not None
    assert both is not None
    assert (alone.is_whole, both.is_whole) == (True, True)
    assert {one.source for one in alone.shares} == {"weight", "joints"}
    assert alone.mass_kg == pytest.approx(MASS)
    force = both.mass_kg * both.acceleration
    closed = (MASS + 0.2) * np.array(weight) + 2.0 * np.array([0.0, 0.6, 0.8])
    assert force == pytest.approx(np.broadcast_to(closed, force.shape), rel=1e-7, abs=1e-7)
    moved = np.asarray(run.energy["momentum"])
    grown = (moved[-1] - moved[0]) / (seen.time[-1] - seen.time[0])
    assert grown == pytest.approx(closed, rel=1e-7)
    # the mass centre of both goes as of a point
    centre = both.place[-1] - both.place[0]
    path = (
        moved[0] / both.mass_kg * seen.time[-1] + 0.5 * closed / both.mass_kg * seen.time[-1] ** 2
    )
    assert centre == pytest.approx(path, rel=1e-6)


@pytest.mark.parametrize("ends", ["clamped", "free"])
def test_what_a_body_that_starts_bent_carries_starts_where_a_run_has_it(ends: str) -> None:
    made = free(ends=ends, start_m=[0.1, -0.02, 0.05, 0.01, 0.2])
    pose, seen = start_pose(made.project), mk.run(made, until=1e-3).trajectory
    for name in ("beam", "end"):
        row = seen.segment(name)
        assert pose[name].p_W == pytest.approx(row.position[0], abs=1e-12)
        assert np.abs(pose[name].R_WS - matrices(row.quaternion_wxyz[:1])[0]).max() < 1e-12
    # not a little
    rest = start_pose(free(ends=ends).project)["end"]
    assert np.linalg.norm(pose["end"].p_W - rest.p_W) > 0.05


def test_a_spring_at_its_length_at_the_start_sees_a_body_bent() -> None:
    hook = {"id": "k", "kind": "linear", "a": {"segment": "ground", "position_m": [0.5, 0.3, 0.0]}, "b": {"segment": "end"}, "stiffness_n_per_m": 1e3}  # fmt: skip
    at_rest = {"initial": {}, "springs": [hook]}
    made = free(ends="free", start_m=[0.05, 0.0, 0.03, 0.0, 0.2], more=at_rest)
    assert not [one for one in made.problems if one.severity == "error"]
    force = mk.run(made, until=1e-3).trajectory.table("springs").row("k")["force"]
    assert np.abs(force[0]).max() < 1e-9


def loaded(shapes: dict[str, Any], *loads: dict[str, Any], point: float) -> mk.Model:
    """A body clamped at the ground with loads on it, followed where the first of them acts."""
    history = {"id": "f", "x_unit": "s", "y_unit": "N", "form": {"kind": "table", "x": [0.0, 0.02], "y": [0.0, 2.0]}}  # fmt: skip
    follow = {"id": "seen", "kind": "point", "segment": "beam", "point_m": [point, 0.0, 0.0], "quantity": "velocity", "axes": "relative"}  # fmt: skip
    return model(shapes, loads=list(loads), functions=[history], outputs=[follow], **CLAMPED)


def test_a_load_anywhere_on_a_body_does_the_work_that_its_point_moves_by() -> None:
    push = {"id": "push", "kind": "force", "segment": "beam", "point_m": [0.7, 0.0, 0.0], "direction": [0.0, 0.0, 1.0], "axes": "ground", "history": "f"}  # fmt: skip
    made = loaded({"bending_z": 3}, push, point=0.7)
    assert {one.code for one in made.problems} <= {"pulse-short"}
    run = mk.run(made, until=0.02)
    energy, speed = run.energy, run.trajectory.channel("seen_z")
    held = (energy["kinetic"] + energy["strain"])[-1]
    power = np.asarray(speed.value) * 100.0 * np.asarray(speed.time)
    work = np.trapezoid(power, speed.time)
    assert held > 1e-4
    assert work == pytest.approx(held, rel=1e-4)
    assert np.abs(energy["balance"]).max() < 1e-8 * held
    # and it hangs nowhere else afterwards
    assert made.project.loads[0].segment == "beam"
    assert made.settled().project.loads == made.project.loads
    assert made.settled().project.modal_bodies[0].nodes == ()


SHAPES = {
    "beam": {"bending_y": 2, "bending_z": 3},
    # places between its nodes, and beside them
    "nodes": shapes_from(fine(7), [7], 6, 0),
}


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
def test_a_torque_turns_by_what_a_force_elsewhere_turns_there(shapes: dict[str, Any]) -> None:
    """Maxwell and Betti: the shift at P by a unit torque at Q is the turn at Q by a unit force at P."""
    body = model(shapes if "kind" not in shapes else {}, **({"body": {"shapes": shapes}} if "kind" in shapes else {}))  # fmt: skip
    constant = {"x_unit": "s", "form": {"kind": "constant", "value": 1e-3}}
    acts = [
        {"id": "force", "kind": "force", "segment": "beam", "point_m": [0.83, 0.02, 0.0], "direction": [0.0, 0.0, 1.0], "axes": "ground", "history": "n"},
        {"id": "torque", "kind": "torque", "segment": "beam", "point_m": [0.45, 0.0, 0.01], "direction": [0.0, 1.0, 0.0], "axes": "ground", "history": "nm"},
    ]  # fmt: skip
    data = json.loads(body.project.model_dump_json()) | CLAMPED
    data["functions"] = [{"id": i, "y_unit": u, **constant} for i, u in (("n", "N"), ("nm", "N*m"))]
    moved = []
    for one in acts:
        # the other one is there, and next to nothing
        weak = [{**other, "history": other["history"] if other is one else f"no_{other['history']}"} for other in acts]  # fmt: skip
        none = [{**f, "id": f"no_{f['id']}", "form": {"kind": "constant", "value": 0.0}} for f in data["functions"]]  # fmt: skip
        made = mk.Model(validated(data | {"loads": weak, "functions": [*data["functions"], *none]}))
        assert not [p for p in made.problems if p.severity == "error"]
        moved.append(mk.run(made.settled(), until=1e-3).trajectory.table("modal_nodes"))
    turn = moved[0].row("bends.bends#torque")["turn"][0, 1]
    shift = moved[1].row("bends.bends#force")["shift"][0, 2]
    assert abs(turn) > 1e-6
    assert turn == pytest.approx(shift, rel=1e-6)
