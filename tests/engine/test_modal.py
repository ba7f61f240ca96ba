"""Modal bodies against closed forms: frequencies, momentum, energy, stiffness by turning, and what holds at their nodes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.model.compile import compile_model
from solver.model.modal.reducing import Matrices, ModalError, coupled, craig_bampton, shapes_from
from solver.project import validated
from solver.project.bending.beams import Section, assembled, beam_modes, geometric, lowest

E, AREA, DENSITY = 7e10, 1e-4, 2700.0
STIFF, SOFT = 2e-9, 1e-9
"""Moments of the section, against bending along y and along z."""
BEAM: dict[str, Any] = {
    "kind": "beam", "length_m": 1.0, "elastic_pa": E, "shear_pa": 2.6e10, "density_kg_per_m3": DENSITY,
    "section": {"kind": "given", "area_m2": AREA, "moment_z_m4": STIFF, "moment_y_m4": SOFT, "torsion_m4": 2e-9},
}  # fmt: skip
ROOTS = {
    "clamped": (1.87510407, 4.69409113, 7.85475744),
    "free": (4.73004074, 7.85320462, 10.9956078),
    "pinned": (np.pi, 2 * np.pi, 3 * np.pi),
}
"""Roots of the beam's characteristic equations (Blevins, Formulas for Natural Frequency and Mode Shape, Table 8-1)."""


def model(shapes: dict[str, Any], **more: Any) -> mk.Model:
    """A massless segment that bends as a beam of a metre along x."""
    beam = {"id": "beam", "mass_kg": 0.0, "inertia_kgm2": [0.0, 0.0, 0.0]}
    data: dict[str, Any] = {
        "format": "manikin-project", "schema_version": 4, "gravity_m_per_s2": [0.0, 0.0, 0.0],
        "segments": [beam],
        "modal_bodies": [
            {"id": "bends", "segment": "beam", "shapes": BEAM | shapes}
        ],
        "runs": [{"id": "run", "duration_s": 0.1, "integrator": {"kind": "dopri", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}}],
    }  # fmt: skip
    data["segments"] += more.pop("segments", [])
    data["modal_bodies"][0] |= more.pop("body", {})
    return mk.Model(validated(data | more))


def closed_form(ends: str, moment: float) -> np.ndarray:
    """Frequencies (Hz) of the first three bending modes."""
    speed = np.sqrt(E * moment / DENSITY / AREA)
    return np.array(ROOTS[ends]) ** 2 * speed / (2 * np.pi)


@pytest.mark.parametrize("ends", ROOTS)
def test_three_modes_have_the_first_three_frequencies(ends: str) -> None:
    thin = Section(1e-4, 2e-13, 1e-13, 1e-13, 7e10, 3e10, 2700.0)
    found = beam_modes(thin, 1.0, 24, ends, {"x": 3, "y": 3})  # type: ignore[arg-type]
    slow = closed_form(ends, 2e-13)
    assert found.frequency[:3] / (2 * np.pi) == pytest.approx(slow, rel=5e-5)
    assert found.frequency[3:] / (2 * np.pi) == pytest.approx(slow / np.sqrt(2.0), rel=5e-5)


def test_a_chain_through_points_is_the_straight_beam_and_buckles_by_euler() -> None:
    section = Section(1e-4, 2e-9, 1e-9, 1e-9, 7e10, 3e10, 2700.0)
    points = np.linspace(0.0, 1.0, 11)[:, None] * [[0.6, 0.0, 0.8]]
    M, K = assembled(points, section, np.array([0.0, 1.0, 0.0]))
    squares, _ = lowest(K[6:, 6:], M[6:, 6:], 2)
    found = beam_modes(section, 1.0, 10, "clamped", {"x": 1, "y": 1})
    assert np.sqrt(squares) == pytest.approx(sorted(found.frequency), rel=1e-9)
    G = np.zeros_like(K)
    T = np.kron(np.eye(4), np.array([[0.6, 0.0, 0.8], [0.8, 0.0, -0.6], [0.0, 1.0, 0.0]]))
    for e in range(10):
        G[6 * e : 6 * e + 12, 6 * e : 6 * e + 12] += T.T @ geometric(0.1) @ T
    # unit compression: K x = P G x
    loads = np.sort(1.0 / np.linalg.eigvals(np.linalg.solve(K[6:, 6:], G[6:, 6:])).real)
    assert loads[loads > 1.0][0] == pytest.approx(np.pi**2 * 7e10 * 1e-9 / 4.0, rel=1e-4)


@pytest.mark.parametrize("ends", ["clamped", "free"])
def test_small_motions_have_these_frequencies(ends: str) -> None:
    held = [{"id": "root", "kind": "locked", "parent": "ground", "child": "beam"}]
    made = model(
        {"ends": ends, "bending_y": 3, "bending_z": 3}, joints=held if ends == "clamped" else []
    )
    found = sorted(one.frequency_hz for one in mk.linearise(made).modes if one.frequency_hz > 1.0)
    closed = np.sort([*closed_form(ends, 2e-9), *closed_form(ends, 1e-9)])
    # sections turn, too
    assert np.unique(np.round(found, 6)) == pytest.approx(closed, rel=2e-3)


@pytest.mark.parametrize(("gamma", "flap"), [(2.0, 4.1373), (4.0, 5.5850), (8.0, 9.2568)])
def test_a_turning_beam_is_stiff(gamma: float, flap: float) -> None:
    """Wright, Smith, Thresher, Wang: Vibration modes of centrifugally stiffened beams, J. Appl. Mech. 49, 1982, Table 1."""
    speed = np.sqrt(E * 2e-9 / DENSITY / AREA)
    driver = {"id": "spin", "joint": "shaft", "axis": "angle", "quantity": "velocity", "pulse": {"kind": "function", "function": "rate"}}  # fmt: skip
    rate = {"id": "rate", "x_unit": "s", "y_unit": "rad/s", "form": {"kind": "constant", "value": float(gamma * speed)}}  # fmt: skip
    made = model(
        {"bending_y": 4, "bending_z": 4, "section": BEAM["section"] | {"moment_y_m4": STIFF}}, drivers=[driver], functions=[rate],
        joints=[{"id": "shaft", "kind": "pin", "parent": "ground", "child": "beam"}],
    )  # fmt: skip
    found = sorted(one.frequency_hz * 2 * np.pi / speed for one in mk.linearise(made).modes)
    # in the plane of turning the square of the speed is missing
    assert found[0] == pytest.approx(np.sqrt(flap**2 - gamma**2), rel=2e-3)
    assert found[1] == pytest.approx(flap, rel=2e-3)


FREE = {
    "segments": [{"id": "end", "mass_kg": 0.2, "inertia_kgm2": [1e-3, 2e-3, 3e-3]}],
    "joints": [{"id": "tip", "kind": "locked", "parent": "beam", "child": "end", "parent_frame": {"position_m": [0.9, 0.0, 0.0]}, "child_frame": {"position_m": [0.0, 0.05, 0.03]}}],
    "initial": {
        "roots": [{"segment": "beam", "velocity_m_per_s": [0.1, 0.2, 0.3]}],
        "attitudes": [{"segment": "beam", "angular_velocity_rad_per_s": [1.0, 20.0, 3.0]}],
    },
}  # fmt: skip


def free(**body: Any) -> mk.Model:
    """A beam that tumbles through space, with a load at a node."""
    more = {name: list(value) if isinstance(value, list) else value for name, value in FREE.items()}
    more |= body.pop("more", {})
    shapes = {"bending_y": 2, "bending_z": 2, "twist": 1, "ends": body.pop("ends", "clamped")}
    return model(shapes, body={"nodes": ["tip"], **body}, **more)


@pytest.mark.parametrize("ends", ["clamped", "free"])
def test_a_free_body_keeps_momentum_and_energy(ends: str) -> None:
    energy = mk.run(free(ends=ends)).energy
    for name in ("momentum", "spin"):
        kept = np.asarray(energy[name])
        assert np.abs(kept - kept[0]).max() < 1e-9 * np.abs(kept[0]).max()
    assert np.abs(energy["balance"]).max() < 1e-9 * energy["kinetic"][0]
    assert energy["strain"].max() > 1e-5 * energy["kinetic"][0]


def test_a_body_output_has_the_mass_of_what_bends() -> None:
    out = {"id": "all", "kind": "body", "segments": ["beam", "end"]}
    run = mk.run(free(more={"outputs": [out]}))
    found = run.trajectory

    def of(name: str) -> np.ndarray:
        return np.stack([np.asarray(found.channel(f"all_{name}_{a}").value) for a in "xyz"], axis=1)

    moved, turned, place = of("momentum"), of("spin"), of("position")
    whole = np.asarray(run.energy["momentum"])[0], np.asarray(run.energy["spin"])[0]
    assert moved == pytest.approx(np.broadcast_to(whole[0], moved.shape), rel=1e-8)
    assert turned + np.cross(place, moved) == pytest.approx(np.broadcast_to(whole[1], moved.shape), rel=1e-7)  # fmt: skip
    energy = np.asarray(found.channel("all_kinetic_energy").value)
    assert energy[0] == pytest.approx(run.energy["kinetic"][0], rel=1e-10)
    assert energy[-1] == pytest.approx(run.energy["kinetic"][-1], rel=1e-8)


def test_what_damping_takes_is_booked() -> None:
    energy = mk.run(free(damping=[0.05])).energy
    assert energy["lost_in_springs"][-1] > 1e-6 * energy["kinetic"][0]
    assert np.abs(energy["balance"]).max() < 1e-9 * energy["kinetic"][0]


def test_a_run_goes_on_with_the_same_bits() -> None:
    whole, part = mk.Simulation(free()), mk.Simulation(free())
    whole.step_to(0.04)
    kept = whole.state
    whole.step_to(0.08)
    part.set_state(kept)
    part.step_to(0.08)
    assert whole.state.q.tobytes() == part.state.q.tobytes()
    assert whole.state.v.tobytes() == part.state.v.tobytes()


def test_the_mass_matrix_gives_the_kinetic_energy() -> None:
    made = mk.Simulation(free())
    made.step_to(0.03, exactly=True)
    M, v = mk.mass_matrix(made.model, made.state), made.state.v
    assert 0.5 * v @ M @ v == pytest.approx(made.run.energy["kinetic"][-1], rel=1e-9)


def test_a_body_given_by_nodes_moves_as_the_beam_that_they_are_of() -> None:
    """Two point masses on a massless frame, joined by a spring: one mode, in closed form."""
    nodes = [
        {
            "position_m": [x, 0.0, 0.0],
            "mass_kg": 1.0,
            "inertia_kgm2": [1e-3] * 3,
            "shapes_m": [[np.sign(x), 0.0, 0.0]],
        }
        for x in (-0.5, 0.5)
    ]
    shapes = {
        "kind": "nodes",
        "nodes": nodes,
        "modal_mass_kg": [[2.0]],
        "modal_stiffness_n_per_m": [[800.0]],
    }
    made = model({}, body={"shapes": shapes})
    assert max(one.frequency_hz for one in mk.linearise(made).modes) == pytest.approx(20.0 / (2 * np.pi))  # fmt: skip
    assert compile_model(made.project).system.tree.mass[0] == 2.0


def fine(pieces: int, start: float = 0.0, length: float = 1.0) -> Matrices:
    """A stretch of the beam along x as a finite-element program would give it."""
    section = Section(AREA, STIFF, SOFT, 2e-9, E, 2.6e10, DENSITY)
    places = np.zeros((pieces + 1, 3))
    places[:, 0] = start + np.linspace(0.0, length, pieces + 1)
    M, K = assembled(places, section, np.array([0.0, 0.0, 1.0]))
    # from displacements along the beam and across it to those along x, y and z
    return Matrices(places, M, K)


def test_parts_reduced_one_by_one_have_the_frequencies_of_the_whole() -> None:
    """Hutton's and Smith's papers of seed 001: two halves, coupled where they meet."""
    whole, first, second = fine(20), fine(10, 0.0, 0.5), fine(10, 0.5, 0.5)
    free = np.setdiff1d(np.arange(len(whole.mass)), whole.of_nodes([0]))
    exact, _ = lowest(whole.stiffness[np.ix_(free, free)], whole.mass[np.ix_(free, free)], 6)
    M, K, _ = coupled([craig_bampton(first, [10], 8, held=[0]), craig_bampton(second, [0], 8)])
    found, _ = lowest(K, M, 6)
    assert len(M) == 22
    assert np.sqrt(found / exact) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("frame", [0, None])
def test_matrices_of_a_beam_become_its_modes(frame: int | None) -> None:
    made = shapes_from(fine(20), [20] if frame == 0 else [0, 20], 6, frame)
    found = np.sqrt(np.diag(made["modal_stiffness_n_per_m"]) / np.diag(made["modal_mass_kg"]))
    ends = "free" if frame is None else "clamped"
    closed = np.sort([*closed_form(ends, STIFF), *closed_form(ends, SOFT)])
    assert found / (2 * np.pi) == pytest.approx(closed[:6], rel=6e-3)
    body = model({}, body={"shapes": made})
    assert not [one for one in body.problems if one.severity == "error"]
    data = compile_model(body.project).system.tree
    assert data.mass[0] == pytest.approx(AREA * DENSITY)
    if frame is None:
        # the frame goes with the mass: modes carry no momentum
        assert np.abs(data.modals.shift).max() < 0.01 * data.mass[0]


def test_matrices_are_read_from_a_file(tmp_path: Path) -> None:
    part, file = fine(6), tmp_path / "beam.npz"
    arrays = {"places": part.places, "mass": part.mass, "stiffness": part.stiffness}
    more = {"lines": np.array([[n, n + 1] for n in range(6)]), "faces": np.array([[0, 1, 2]])}
    np.savez(file, **arrays, interfaces=[6], **more)
    made = mk.read_shapes(file, 4, frame=0)
    assert made == shapes_from(part, [6], 4, 0, more)
    assert made["faces"] == [[0.0, 1.0, 2.0], *([n, n + 1.0, n + 1.0] for n in range(6))]
    kept = model({}, body={"shapes": made}).project.modal_bodies[0].shapes
    assert json.loads(kept.model_dump_json())["nodes"][3]["pairs_m"] == made["nodes"][3]["pairs_m"]
    np.savez(file, places=part.places, mass=part.mass)
    with pytest.raises(mk.ModalError, match="no array 'stiffness'"):
        mk.read_shapes(file, 4, frame=0)


def test_matrices_that_give_no_modes_are_refused_with_a_sentence() -> None:
    part = fine(4)
    with pytest.raises(ModalError, match="three or six rows"):
        Matrices(part.places[:3], part.mass, part.stiffness)
    with pytest.raises(ModalError, match="There is no node 9"):
        craig_bampton(part, [9], 1)
    with pytest.raises(ModalError, match="moves without stiffness"):
        craig_bampton(Matrices(part.places, part.mass, 0.0 * part.stiffness), [0], 1)


def pushed(force: float, **shapes: Any) -> mk.Model:
    """A clamped beam with a force across at a node at its end, of EI 70 N m2."""
    pull = {"id": "push", "kind": "force", "segment": "end", "direction": [0.0, 0.0, 1.0], "axes": "ground", "history": "f"}  # fmt: skip
    return model(
        {"static": True} | shapes, body={"nodes": ["tip"]}, loads=[pull],
        functions=[{"id": "f", "x_unit": "s", "y_unit": "N", "form": {"kind": "constant", "value": force}}],
        segments=[{"id": "end", "mass_kg": 0.0, "inertia_kgm2": [0.0] * 3}],
        joints=[
            {"id": "root", "kind": "locked", "parent": "ground", "child": "beam"},
            {"id": "tip", "kind": "locked", "parent": "beam", "child": "end", "parent_frame": {"position_m": [1.0, 0.0, 0.0]}},
        ],
    )  # fmt: skip


def end_of(made: mk.Model) -> tuple[np.ndarray, np.ndarray]:
    """How the node of a settled model has moved and turned, two milliseconds after it is let go."""
    nodes = mk.run(made, until=0.002).trajectory.table("modal_nodes")
    shift, turn = np.asarray(nodes["shift"]), np.asarray(nodes["turn"])
    # it stays where it came to rest
    assert shift[-1, 0] == pytest.approx(shift[0, 0], abs=1e-9)
    return shift[0, 0], turn[0, 0]


def test_two_static_shapes_bend_as_a_force_at_the_end_bends() -> None:
    shift, turn = end_of(pushed(1e-3, bending_z=2).settled())
    assert shift[2] == pytest.approx(1e-3 / (3.0 * 70.0), rel=1e-7)
    assert turn[1] == pytest.approx(-1e-3 / (2.0 * 70.0), rel=1e-7)


def test_a_settled_modal_beam_is_the_elastica() -> None:
    """Mattiasson, Numerical results from large deflection beam and frame problems, IJNME 17, 1981, Table I, P l^2 / EI = 1."""
    done = pushed(70.0, bending_z=4).settle()
    assert (done.stable, done.moved) == (True, "end")
    shift, turn = end_of(done.model)
    assert shift[2] == pytest.approx(0.30172, rel=2e-3)
    assert shift[0] == pytest.approx(-0.05643, rel=2e-2)
    assert turn[1] == pytest.approx(-0.46135, rel=2e-3)
    with pytest.raises(mk.SettleError, match="moves nothing else"):
        pushed(1.0, bending_z=2).settle(free=["joints"])


def test_a_settled_modal_beam_rests_on_what_holds_its_end() -> None:
    """A propped cantilever under a couple M at its prop: which turns it by M l / 4 EI."""
    data, size = json.loads(pushed(0.0, bending_z=2).project.model_dump_json()), 1.0
    data["loads"] = [
        {
            "id": "couple",
            "kind": "torque",
            "segment": "end",
            "direction": [0.0, -1.0, 0.0],
            "axes": "ground",
            "history": "f",
        }
    ]
    data["functions"][0] |= {"y_unit": "N*m", "form": {"kind": "constant", "value": size}}
    prop = {
        "id": "prop",
        "kind": "point_on_plane",
        "a": {"segment": "ground"},
        "b": {"segment": "end"},
        "axis": "z",
    }
    done = mk.Model(validated(data | {"constraints": [prop]})).settle()
    shift, turn = end_of(done.model)
    assert done.stable
    assert shift[2] == pytest.approx(0.0, abs=1e-12)
    assert turn[1] == pytest.approx(-size / (4.0 * 70.0), rel=1e-4)


@pytest.mark.parametrize("ends", ROOTS)
def test_static_shapes_leave_the_slow_frequencies(ends: str) -> None:
    thin = Section(1e-4, 2e-13, 1e-13, 1e-13, 7e10, 3e10, 2700.0)
    found = beam_modes(thin, 1.0, 24, ends, {"x": 5, "twist": 3}, static=True)  # type: ignore[arg-type]
    plain = beam_modes(thin, 1.0, 24, ends, {"x": 2, "twist": 1})  # type: ignore[arg-type]
    # shapes that are no others than those of the whole give frequencies from above (Rayleigh)
    assert (found.frequency[:2] >= (1.0 - 1e-6) * plain.frequency[:2]).all()
    assert found.frequency[:2] == pytest.approx(plain.frequency[:2], rel=5e-3)
    assert found.frequency[5] == pytest.approx(plain.frequency[2], rel=5e-3)


def turning(shapes: dict[str, Any], rate: float) -> mk.Model:
    """A massless segment that bends, turned at a rate (rad/s) about z."""
    driver = {"id": "spin", "joint": "shaft", "axis": "angle", "quantity": "velocity", "pulse": {"kind": "function", "function": "rate"}}  # fmt: skip
    form = {"kind": "constant", "value": rate}
    return model(
        {}, body={"shapes": shapes}, drivers=[driver], functions=[{"id": "rate", "x_unit": "s", "y_unit": "rad/s", "form": form}],
        joints=[{"id": "shaft", "kind": "pin", "parent": "ground", "child": "beam"}],
    )  # fmt: skip


def spinning(shapes: dict[str, Any]) -> np.ndarray:
    """The lowest two frequencies where it turns at gamma 4, by those of a beam."""
    speed = np.sqrt(E * STIFF / DENSITY / AREA)
    found = mk.linearise(turning(shapes, 4.0 * speed)).modes
    return np.array(sorted(2.0 * np.pi * one.frequency_hz / speed for one in found)[:2])


def test_a_body_of_matrices_stiffens_as_its_lines_keep_their_lengths_or_as_loads_stiffen_it() -> (
    None
):
    """Wright and others' flap at gamma 4; nodes in a line need no lines."""
    part, shapes = fine(12), shapes_from(fine(12), [12], 8, 0)
    found = spinning(shapes)
    assert found == pytest.approx(spinning(BEAM | {"bending_y": 4, "bending_z": 4}), rel=2e-3)
    assert found[1] == pytest.approx(5.5850, rel=2e-3)
    # by unit pulls along the beam at each node, which stretch the pieces before it
    T = np.kron(np.eye(4), np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]))
    size = len(part.mass)
    each = np.zeros((12, size, size))
    for k in range(12):
        for e in range(k + 1):
            at = slice(6 * e, 6 * e + 12)
            each[k, at, at] += T.T @ geometric(1.0 / 12) @ T
    loads = np.eye(size)[6 * np.arange(1, 13)]
    same = shapes_from(part, [12], 8, 0, {"geometric": each, "loads": loads})
    for one, other in zip(same["nodes"], shapes["nodes"], strict=True):
        assert np.array(one["pairs_m"]) == pytest.approx(np.array(other["pairs_m"]), abs=1e-9)
    # without either a check tells
    bare = {**shapes, "nodes": [{k: v for k, v in one.items() if k != "pairs_m"} for one in shapes["nodes"]]}  # fmt: skip
    assert spinning(bare)[1] < 3.2
    assert "modal-not-stiffened" in {one.code for one in turning(bare, 1.0).problems}
    assert "modal-not-stiffened" not in {one.code for one in turning(shapes, 1.0).problems}


def test_what_a_file_of_matrices_has_beside_these_is_refused_where_it_does_not_fit() -> None:
    part = fine(4)
    pull = np.eye(30)[[24]]
    for more, frame, said in (
        ({"geometric": [part.stiffness]}, 0, "a row of forces"),
        ({"geometric": [part.stiffness], "loads": pull}, None, "needs a frame"),
        ({"geometric": [part.stiffness] * 2, "loads": [pull[0], pull[0]]}, 0, "a sum of others"),
        ({"lines": [[0, 9]]}, 0, "two nodes each"),
        ({"faces": [[0, 1]]}, 0, "three nodes each"),
    ):
        with pytest.raises(ModalError, match=said):
            shapes_from(part, [4] if frame == 0 else [0, 4], 3, frame, more)
    # a ring of lines does not tell how it shortens
    ring = {"lines": [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]}
    assert "pairs_m" not in shapes_from(part, [4], 3, 0, ring)["nodes"][0]


def test_clamped_shapes_of_a_body_that_nothing_holds_are_warned_of_where_their_masses_end() -> None:
    made = model({"bending_y": 2, "bending_z": 2})
    (told,) = [one for one in made.problems if one.code == "modal-clamped-moves"]
    # by the first modes up to 0.07 of the length, by the second up to 0.01 (docs/engine.md)
    assert "mode 2 comes to 0.01" in told.sentence
    assert not [p for p in model({"bending_y": 2, "ends": "free"}).problems if p.code == told.code]
    bent = model({"bending_y": 2, "bending_z": 2}, body={"start_m": [0.0, 0.02, 0.0, 0.0]})
    with pytest.raises(mk.RunFailed, match="bends further than its shapes can tell"):
        mk.run(bent)
