"""Quantities: every one is there, moving frames are right, names that fit nothing are explained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.base.places import samples
from solver.engine.maths.rotation import (
    from_angles,
    matrices,
    matrix,
    quaternion,
    turns_of,
    yaw_pitch_roll,
)
from solver.injury import body_sensors
from solver.project import load_project
from solver.results import MemoryTrajectory, Quantities, ResultsError, open_results, point_motion
from solver.results.layout import FRAME_GROUPS
from solver.results.selection import unit_named
from solver.results.trajectory import facts
from solver.running.simulation import Simulation, simulate, simulate_to_file
from tests.results.test_results import memory

STEP = 1e-4


def turned(t: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Give place and attitude of a body that moves and tumbles smoothly."""
    random = np.random.default_rng(seed)
    a, b = random.normal(size=(2, 6))
    wave = a * np.sin(b * t + a)
    return 0.3 * wave[:3] + b[:3] * t, from_angles(wave[3:] + 0.4 * t, "zyx")


def derivative(f: object, t: float, order: int) -> np.ndarray:
    """Differentiate by central differences of fourth order."""
    h = 1e-3
    v = [f(t + k * h) for k in (-2, -1, 0, 1, 2)]  # type: ignore[operator]
    if order == 1:
        return (v[0] - 8 * v[1] + 8 * v[3] - v[4]) / (12 * h)
    return (-v[0] + 16 * v[1] - 30 * v[2] + 16 * v[3] - v[4]) / (12 * h * h)


def spin_of(turn: object, t: float, h: float = 1e-3) -> np.ndarray:
    """Give the angular velocity, ground axes, from the attitude alone."""
    rate = derivative(turn, t, 1)
    W = rate @ turn(t).T  # type: ignore[operator]
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


def two_bodies() -> MemoryTrajectory:
    run = MemoryTrajectory({"segments": ("car", "head"), "energy": ()}, (), b'{"segments": []}')
    energy = {n: np.zeros(c.shape) for n, c in FRAME_GROUPS["energy"].columns.items()}
    for t in np.arange(5) * 0.1:
        columns: dict[str, list[np.ndarray]] = {n: [] for n in FRAME_GROUPS["segments"].columns}
        for seed in (1, 2):
            place = lambda s, seed=seed: turned(s, seed)[0]  # noqa: E731
            turn = lambda s, seed=seed: turned(s, seed)[1]  # noqa: E731
            R = turn(t)
            columns["position"].append(place(t))
            columns["quaternion_wxyz"].append(quaternion(R))
            columns["velocity"].append(derivative(place, t, 1))
            columns["acceleration"].append(derivative(place, t, 2))
            columns["angular_velocity"].append(R.T @ spin_of(turn, t))
            alpha = derivative(lambda s, turn=turn: spin_of(turn, s), t, 1)
            columns["angular_acceleration"].append(R.T @ alpha)
        run.add_frame(t, {"segments": columns, "energy": energy})
    return run


POINT = np.array([0.2, -0.1, 0.3])


def test_what_is_seen_from_a_tumbling_body_are_derivatives_of_what_it_sees() -> None:
    run = two_bodies()
    motion = point_motion(run, "head", POINT, "car")

    def seen(t: float) -> np.ndarray:
        (p0, R0), (p1, R1) = turned(t, 1), turned(t, 2)
        return np.asarray(R0.T @ (p1 + R1 @ POINT - p0))

    def attitude(t: float) -> np.ndarray:
        return np.asarray(turned(t, 1)[1].T @ turned(t, 2)[1])

    for row, t in enumerate(run.time):
        assert motion.position[row] == pytest.approx(seen(t), abs=1e-12)
        assert motion.velocity[row] == pytest.approx(derivative(seen, t, 1), abs=1e-6)
        assert motion.acceleration[row] == pytest.approx(derivative(seen, t, 2), abs=1e-5)
        assert motion.turn[row] == pytest.approx(attitude(t), abs=1e-12)
        w = spin_of(attitude, t)
        assert motion.angular_velocity[row] == pytest.approx(w, abs=1e-6)
        alpha = derivative(lambda s: spin_of(attitude, s), t, 1)
        assert motion.angular_acceleration[row] == pytest.approx(alpha, abs=1e-5)


def test_names_say_point_frame_and_axes() -> None:
    run = two_bodies()
    ask, text = Quantities(run), "[0.2,-0.1,0.3]"
    motion = point_motion(run, "head", POINT, "car", "head")
    for n, axis in enumerate("xyz"):
        channel = ask(f"segments/head{text}/velocity/{axis}@car:head")
        assert np.array_equal(channel.value, motion.velocity[:, n])
        assert channel.unit == "m/s"
        assert (channel.segment, channel.quantity, channel.axis) == ("head", "velocity", axis)
    names = ask.matching([f"segments/h*{text}/velocity/[xy]@car:head"])
    assert names == tuple(f"segments/head{text}/velocity/{a}@car:head" for a in "xy")
    resultant = ask(f"segments/head{text}/velocity/resultant@car").value
    assert resultant == pytest.approx(np.linalg.norm(motion.velocity, axis=1))
    felt = ask("segments/head/felt/z@ground").value
    plain = ask("segments/head/acceleration/z").value
    assert plain - felt == pytest.approx(np.full(5, 9.80665))


def test_a_body_seen_from_itself_rests() -> None:
    run = two_bodies()
    motion = point_motion(run, "head", POINT, "head")
    assert motion.position == pytest.approx(np.tile(POINT, (5, 1)))
    for values in (motion.velocity, motion.acceleration, motion.angular_velocity):
        assert values == pytest.approx(np.zeros((5, 3)), abs=1e-9)


def test_every_quantity_that_is_listed_can_be_had() -> None:
    run = memory(5)
    ask = Quantities(run)
    groups = {info.group for info in ask.infos.values()}
    assert groups == {"channels", "segments", "joints", "contacts", "energy", "integrator"}
    # every number of every column is there, under one name
    for group in ("joints", "contacts", "energy"):
        for column, about in FRAME_GROUPS[group].columns.items():
            found = [i for i in ask.infos.values() if i.group == group and i.column == column]
            singles = [i for i in found if i.component != "resultant"]
            rows = len(run.table(group).ids) or 1
            assert len(singles) == rows * int(np.prod(about.shape, dtype=int)), (group, column)
    for name, info in ask.infos.items():
        channel = ask(name)
        assert len(channel.time) == len(channel.value) > 0
        assert channel.unit == info.unit
    value = ask("contacts/neck-panel/force/y").value
    assert np.array_equal(value, run.table("contacts")["force"][:, 1, 1])
    assert np.array_equal(ask("integrator/evaluations").value, 6.0 * np.arange(5))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("segments/haed/velocity/x", "nothing fits 'haed'. Did you mean 'head'?"),
        ("segments/head/velocity/q", "There could be"),
        ("segments/head/velocity", "after it comes"),
        ("segments/head/velocity/x@car", "'car', which is no segment"),
        ("segments/head[1,2]/velocity/x", "three lengths in m"),
        ("segments/head[1,2,a]/velocity/x", "three lengths in m"),
        ("contacts/head-panel[1,2,3]/force/x", "only segments have points"),
        ("contacts/head-panel/penetration@head", "has no direction"),
        ("joints/nod/angle/1@head", "has no direction"),
        ("energy/kinetic@head", "has no direction"),
        ("integrator/step@head", "has no direction"),
        ("head_resultant@head", "cannot be seen from elsewhere"),
        ("segments/head/quaternion_wxyz/w@neck", "ask for angle"),
    ],
)
def test_names_that_mean_nothing_are_explained(name: str, words: str) -> None:
    with pytest.raises(ResultsError) as failure:
        Quantities(memory(3))(name)
    assert words in str(failure.value)


def test_recorded_channels_and_quantities_agree() -> None:
    project = load_project(samples() / "double_pendulum.json")
    outputs = {
        "outputs": [
            {"id": "tip", "kind": "point", "segment": "lower", "point_m": [0.1, 0.2, 0.5],
             "relative_to": "upper", "with_gravity": True},
            {"id": "turn", "kind": "rotation", "segment": "lower", "relative_to": "upper"},
            {"id": "pin", "kind": "joint", "joint": "elbow", "quantity": "force"},
        ]
    }  # fmt: skip
    plain = project.model_dump(mode="json") | outputs
    plain["runs"] = [{"id": "short", "duration_s": 0.2}]
    run = simulate(type(project).model_validate(plain))
    ask = Quantities(run)
    at = np.searchsorted(run.channel("tip_x").time, run.time - 1e-9)
    gravity = np.array([0.0, 0.0, 9.81])
    R = matrices(run.segment("lower").quaternion_wxyz)
    weight = np.einsum("tji,j->ti", R, gravity)
    for n, axis in enumerate("xyz"):
        seen = ask(f"segments/lower[0.1,0.2,0.5]/acceleration/{axis}@upper:lower").value
        assert run.channel(f"tip_{axis}").value[at] == pytest.approx(seen - weight[:, n], abs=1e-8)
        force = ask(f"joints/elbow/force/{axis}@upper").value
        assert run.channel(f"pin_{axis}").value[at] == pytest.approx(force, abs=1e-8)
    pitch = ask("segments/lower/angle/pitch@upper").value
    assert run.channel("turn_pitch").value[at] == pytest.approx(pitch, abs=1e-9)


def test_angles_and_matrices_of_many_turns_at_once() -> None:
    random = np.random.default_rng(4)
    angles = random.uniform(-1.5, 1.5, (20, 3))
    R = np.stack([from_angles(a, "zyx") for a in angles])
    assert yaw_pitch_roll(R) == pytest.approx(angles)
    assert yaw_pitch_roll(R[3]) == pytest.approx(angles[3])
    angles[:, 1] = np.abs(angles[:, 1])
    R = np.stack([from_angles(a, "zxz") for a in angles])
    assert turns_of(R, "zxz") == pytest.approx(angles)
    q = np.stack([quaternion(turn) for turn in R])
    assert matrices(q) == pytest.approx(R)
    assert matrices(q) == pytest.approx(np.stack([matrix(row) for row in q]))


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2])
def test_at_the_singular_pitch_the_turn_is_still_the_same(pitch: float) -> None:
    R = from_angles((0.7, pitch, -0.4), "zyx")
    found = yaw_pitch_roll(R)
    assert found[2] == 0.0
    assert from_angles(found, "zyx") == pytest.approx(R, abs=1e-9)


def test_a_run_says_which_it_is(tmp_path: Path) -> None:
    project = load_project(samples() / "free_body.json")
    run = project.runs[-1]
    short = run.model_copy(update={"id": "short", "duration_s": 0.01})
    project = project.model_copy(update={"runs": (*project.runs, short)})
    simulate_to_file(project, tmp_path / "a.h5", "short")
    with open_results(tmp_path / "a.h5") as stored:
        about = facts(stored)
    live = facts(simulate(project, "short"))
    assert about.run_id == live.run_id == "short"
    assert about.project_sha256 == live.project_sha256
    assert (bool(about.app_version), live.app_version) == (True, "")
    assert (about.name, live.name) == ("a", "run")


def test_ids_may_hold_the_signs_of_names() -> None:
    frame = {n: np.zeros((2, *c.shape)) for n, c in FRAME_GROUPS["segments"].columns.items()}
    frame["quaternion_wxyz"][:, 0] = 1.0
    frame["position"][:] = [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]]
    energy = {n: np.zeros(c.shape) for n, c in FRAME_GROUPS["energy"].columns.items()}
    run = MemoryTrajectory({"segments": ("a@b", "c:d"), "energy": ()}, (), b"{}")
    run.add_frame(0.0, {"segments": frame, "energy": energy})
    ask = Quantities(run)
    assert ask("segments/a@b/position/x").value[0] == 1.0
    assert ask("segments/c:d/position/x").value[0] == 3.0
    assert ask("segments/c:d/position/x@a@b").value[0] == 2.0
    assert ask("segments/c:d/position/x@ground:c:d").value[0] == 3.0
    assert ask.matching(["segments/a@b/position/x"]) == ("segments/a@b/position/x",)


def test_the_project_is_not_written_down_for_what_stands_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A run that goes on would write it again at each look, in the window's thread."""

    def refuse(_: object) -> bytes:
        raise AssertionError("written down")

    run = two_bodies()
    monkeypatch.setattr(MemoryTrajectory, "project_json", property(refuse))
    found = Quantities(run)
    for name in ("segments/head/angular_velocity/y", "segments/head/acceleration/x"):
        assert len(found(name).value) == len(run.time)


def test_the_unit_of_every_quantity_is_known_before_there_is_a_run() -> None:
    """The name alone gives the unit that the run's catalogue has: columns, outputs of all kinds, sensors of bodies."""
    kinds, count = set[str](), 0
    for file in sorted(samples().glob("*.json")):
        project = load_project(file)
        sensors = body_sensors(project)
        kinds |= {output.kind for output in (*project.outputs, *sensors)}
        found = Quantities(Simulation(project).memory()).infos
        count += len(found)
        assert {n: unit_named(project, n, sensors) for n in found} == {
            n: i.unit for n, i in found.items()
        }
    assert count > 10_000
    assert {"point", "rotation", "joint", "element", "body", "touch", "injury"} <= kinds
    assert unit_named(project, "segments/lower[0.1,0,0]/velocity/x@ground") == "m/s"
    for unknown in ("nothing", "segments/lower/nothing/x", "nowhere/lower/force/x", "segments"):
        assert unit_named(project, unknown) is None
