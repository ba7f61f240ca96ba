"""Runs that are taken up again from their results: to the last bit those that were never interrupted."""

from __future__ import annotations

import json
import math
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from pydantic import BaseModel

from solver import load_project
from solver.base.places import samples
from solver.cli import main
from solver.project import Project, validated
from solver.project.problems import SimulationError
from solver.project.saving import to_json
from solver.results import ResultsWriter, open_results
from solver.results.layout import FRAME_GROUPS
from solver.results.memory import MemoryTrajectory
from solver.results.saving import salvage
from solver.results.writer import parts_of
from solver.running import stepper
from solver.running.checkpoint import from_bytes, to_bytes
from solver.running.restart import Restart
from solver.running.simulation import Simulation, simulate_to_file
from tests import knutson
from tests.engine import test_connectors as connectors
from tests.engine.test_bearings import borne, pendulum
from tests.engine.test_breaking import bent
from tests.engine.test_bristles import block
from tests.engine.test_by_azimuth import jointed
from tests.engine.test_coordinate_forces import MUSCLE, slider, table
from tests.engine.test_driver_times import pendulum as timed_pendulum
from tests.engine.test_drivers import by, pin
from tests.engine.test_frame_drivers import follow, frame
from tests.engine.test_harness import anchor as knot
from tests.engine.test_harness import body as hung_body
from tests.engine.test_harness import ring, strapped
from tests.engine.test_strap_surfaces import dragged
from tests.engine.test_strut import shaken
from tests.forks import Forks
from tests.models import base, segment
from tests.running.covering import UNSOLVED, covering

LONGEST = 0.06
"""Time (s) for which samples are solved here."""


def lasting(project: Project, duration: float, **more: Any) -> Project:
    """Give a project whose first run lasts so long."""
    some = {"duration_s": duration, "frame_interval_s": 2e-3, "channel_rate_hz": 1000.0}
    run = project.runs[0].model_copy(update=some | more)
    return project.model_copy(update={"runs": (run, *project.runs[1:])})


def same(one: Any, other: Any) -> None:
    """Hold two results to be the same in all that was found, to the last bit."""
    assert np.array_equal(one.time, other.time)
    for group in FRAME_GROUPS:
        table = other.table(group)
        for name, values in one.table(group).columns.items():
            assert np.array_equal(values, table[name]), f"{group}/{name}"
    for name in one.channel_names:
        mine, others = one.channel(name), other.channel(name)
        assert np.array_equal(mine.time, others.time), name
        assert np.array_equal(mine.value, others.value), name
    steps = other.steps()
    for name, values in one.steps().columns.items():
        assert np.array_equal(values, steps[name]), name
    assert one.events() == other.events()
    assert {n: v.value for n, v in one.injury.items()} == {
        n: v.value for n, v in other.injury.items()
    }


def solved(project: Project, restart: Restart | None = None) -> MemoryTrajectory:
    """Solve a project in memory; through files go the tests of cancelled and killed runs below."""
    simulation = Simulation(project, restart=restart)
    memory = simulation.memory()
    done = simulation.go_into(memory)
    assert done.status == "completed", done.message
    return memory


def half_and_whole(project: Project, end: float) -> MemoryTrajectory:
    """Solve a project at once, and to its half and on from there; give it solved at once."""
    whole, half = solved(lasting(project, end)), solved(lasting(project, 0.5 * end))
    ((at, _),) = half.checkpoints()
    assert 0.15 * end < at < 0.5 * end
    joined = solved(lasting(project, end), Restart(half))
    same(whole, joined)
    assert any("taken up again at" in line for line in joined.log)
    return whole


def test_what_is_no_matter_of_a_run_is_named_by_its_fields() -> None:
    """A field that has gone would leave its name behind, and one that is called so again would be left out."""
    there = set()
    waiting = [BaseModel]
    while waiting:
        kinds = waiting.pop().__subclasses__()
        waiting += kinds
        there |= {(kind.__name__, name) for kind in kinds for name in kind.model_fields}
    assert there >= UNSOLVED


@pytest.mark.parametrize("name", covering())
def test_a_sample_goes_on_as_if_it_had_not_stopped(name: str) -> None:
    project = load_project(samples() / f"{name}.json")
    half_and_whole(project, LONGEST)


@pytest.mark.parametrize(
    "integrator",
    [
        {"kind": "rk4", "step_s": 1e-4},
        {"kind": "semi_implicit_euler", "step_s": 1e-4},
        {"kind": "vei"},
        {"kind": "bogacki_shampine"},
        {"kind": "energy_momentum", "step_s": 1e-3},
    ],
    ids=lambda one: one["kind"],
)
def test_every_integrator_does(integrator: dict[str, Any]) -> None:
    data = json.loads((samples() / "double_pendulum.json").read_text())
    data["runs"][0]["integrator"] = integrator
    half_and_whole(validated(data), 0.2)


def test_bristles_of_contacts_and_bags_do() -> None:
    half_and_whole(validated(block(0.6, static_friction_ratio=1.3)), 0.2)
    data = json.loads((samples() / "airbag_catch.json").read_text())
    data["airbags"][0]["friction_law"] = "bristle"
    # straight ahead nothing rubs
    data["initial"]["roots"][1]["velocity_m_per_s"] = [9.0, 0.0, 2.0]
    # in longer steps bristles give back a little of what was lost
    data["runs"][0]["integrator"] = {"kind": "dopri", "relative_tolerance": 1e-6, "absolute_tolerance": 1e-8}  # fmt: skip
    whole = half_and_whole(validated(data), data["runs"][0]["duration_s"])
    energy = whole.table("energy")
    assert energy["lost_in_airbag_friction"][-1] > 0.0
    turned_over = float(np.max(energy["kinetic"]))
    assert np.max(np.abs(energy["balance"])) < 1e-4 * turned_over
    assert np.min(np.diff(energy["lost_in_airbag_friction"])) > -1e-10 * turned_over


def test_laws_of_coordinates_do() -> None:
    line = table("line", "m", "N", [0.0, 1.0], [0.0, 1000.0])
    begins = {"kind": "channel", "output": "place", "component": "x", "level": 0.03}
    laws: list[Any] = [
        {"kind": "rest", "above": "line", "energy_ratio": 0.7, "offset_ratio": 0.1}, MUSCLE,
        {"kind": "plastic", "stiffness": 4000.0, "limit": 20.0},
        {"kind": "actuator", "target": 0.05, "proportional": 300.0, "integral": 900.0, "trigger": begins},
    ]  # fmt: skip
    data = slider(1.0, 0.0, 2.0, *laws, functions=[line], duration=0.3)
    data["outputs"] = [{"id": "place", "kind": "point", "segment": "body", "quantity": "position"}]
    half_and_whole(validated(data), 0.2)


def test_angles_beyond_half_a_turn_and_smooth_rings_do() -> None:
    """A wheel that is past half a turn where it is taken up, and two bodies over a ring without friction."""
    wheel = {"id": "pin", "kind": "pin", "parent": "ground", "child": "wheel"}
    turns = {"kind": "angle", "axis": "y", "a": {"segment": "ground"}, "b": {"segment": "wheel"}}
    turning = base(
        segments=[segment("wheel", 1.0, (0.5, 0.5, 0.5))], joints=[wheel],
        initial={"joints": [{"joint": "pin", "values": [0.0], "rates": [90.0]}]},
        coordinate_forces=[{"id": "law", "coordinate": turns, "zero": 0.9,
                            "laws": [{"kind": "linear", "stiffness": 20.0}]}],
    )  # fmt: skip
    (other, there), points = hung_body("other", 0.2, 0.0, 1.0), [knot("one", 0, 0, 0), ring(0.0, 0, 0, 0), knot("other", 0, 0, 0)]  # fmt: skip
    other["mass_kg"] = 3.0
    strap = strapped(points, [hung_body("one", -0.2, 0.0, 1.0), (other, there)])
    strap["gravity_m_per_s2"] = [0.0, 0.0, 9.81]
    for data in (turning, strap):
        half_and_whole(validated(data), 0.12)


def test_dry_joints_and_knots_on_flesh_do() -> None:
    dry = pendulum(borne(0.3, 0.05, 0.2), centre=0.3, inertia=0.02, angle=1.5, rate=0.0)
    bends = jointed("conserving", [4.0, 9.0, -3.0], duration=0.3)
    for data in (dry, bends, dragged()):
        half_and_whole(validated(data), 0.12)


@pytest.mark.parametrize("way", ["joint", "frame"])
def test_drivers_that_a_trigger_starts_do(way: str) -> None:
    """Taken up while it moves, with where it began, and before it lets go."""
    watch = {"id": "swing", "kind": "rotation", "segment": "rod"}
    trigger = {
        "kind": "channel",
        "output": "swing",
        "component": "y",
        "level": 0.75,
        "rising": False,
    }
    moves = {
        "quantity": "velocity",
        "trigger": trigger,
        "until_s": 0.2,
        "pulse": {"kind": "constant", "value": 1.0},
    }
    driver = (
        by("none", **moves) if way == "joint" else follow("none", "pitch", frame("rod"), **moves)
    )
    project = validated(timed_pendulum(driver, duration=0.5, outputs=[watch]))
    found = half_and_whole(project, 0.4)
    state = found.table("drivers" if way == "joint" else "frame_drivers")["state"][:, 0]
    assert state[len(state) // 4] == 2
    assert set(state.tolist()) == {0, 2}


def test_a_pitch_beyond_a_right_angle_does() -> None:
    """Taken up while its frame stands at 90 degrees, where only the way in says in which plane it pitches."""
    swing = {"kind": "haversine", "amplitude": math.pi / 0.1, "duration_s": 0.1}
    data = base(
        segments=[segment("rod")],
        joints=[pin("ground", "rod")],
        frame_drivers=[
            {"id": "drive", "component": "pitch", "moved": frame("rod"), "quantity": "velocity", "pulse": swing}
        ],
    )  # fmt: skip
    found = half_and_whole(validated(data), 0.3)
    angle = found.table("frame_drivers")["angle"][:, 0]
    assert angle[len(angle) // 2 :] == pytest.approx(math.pi / 2, abs=1e-9)


@pytest.mark.parametrize("mode", ["auto", "slide"])
def test_point_contacts_do(mode: str) -> None:
    more = {"friction_law": "force", "static_force_n": 0.145, "sliding_force_n": 0.145}
    how = more if mode == "auto" else {"holds": "pressing"}
    half_and_whole(validated(knutson.project_data(mode=mode, **how)), 0.6)


@pytest.mark.parametrize("which", ["heals", "strut", "clutch", "rod", "edges", "bone"])
def test_connectors_do(which: str) -> None:
    """Taken up while something is breaking, has closed again, slips, or slides."""
    data, end = {
        "heals": (connectors.torn({"kind": "pin"}, 40.0), 0.9), "strut": (shaken(), 1.0),
        "clutch": (connectors.clutch(keeps_torque=True), 2.4),
        "rod": (connectors.rod("zero_distance", {"force_n": 1000.0, "ramp_m": 0.01}, [(0.0, 1010.0), (1.0, 1010.0)]), 0.06),
        "edges": (connectors.edges(static_force_n=15.0, sliding_force_n=5.0), 0.2),
        "bone": (bent(), 0.3),
    }[which]  # fmt: skip
    half_and_whole(validated(data), end)


def test_a_cam_and_its_gear_do() -> None:
    """Taken up in the second turn: the roller's foot goes on from where it was."""
    half_and_whole(lasting(load_project(samples() / "cam_and_follower.json"), 1.2), 1.2)


def sled(**more: Any) -> Project:
    return lasting(load_project(samples() / "sled.json"), 0.06, **more)


OFTEN = {"checkpoint_interval_s": 0.005}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Solve the sled test plainly, and with a state kept every 5 ms."""
    folder = tmp_path_factory.mktemp("sled")
    plain, kept = folder / "plain.h5", folder / "kept.h5"
    simulate_to_file(sled(), plain)
    simulate_to_file(sled(**OFTEN), kept)
    return plain, kept


def test_checkpoints_change_nothing(files: tuple[Path, Path]) -> None:
    with open_results(files[0]) as one, open_results(files[1]) as other:
        same(one, other)
        times = [t for t, _ in other.checkpoints()]
        # each 5 ms, and as late as can be
        assert [int(200.0 * t + 1e-6) for t in times[:-1]] == [*range(1, 10)]
        assert times[-1:] == [t for t, _ in one.checkpoints()]


def test_a_time_is_chosen(tmp_path: Path, files: tuple[Path, Path]) -> None:
    project, again = sled(**OFTEN), tmp_path / "again.h5"
    was = files[1].read_bytes()
    with open_results(files[1]) as before:
        simulate_to_file(project, again, restart=Restart(before, 0.0275))
        with open_results(again) as other:
            same(before, other)
            note = next(line for line in other.log if "taken up" in line)
        with pytest.raises(SimulationError, match="no checkpoint before 4 ms; there are some at 5"):
            Simulation(project, restart=Restart(before, 0.004))
        with pytest.raises(SimulationError, match=r"no checkpoint before 1\.5 ms"):
            Simulation(lasting(project, 0.012), restart=Restart(before))
    assert "at 25" in note
    assert files[1].read_bytes() == was


def test_a_cancelled_run_goes_on_from_where_it_was(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    # kernels wait for who takes what they found, so that they see in time that they are to stop
    monkeypatch.setattr(stepper, "AHEAD", 0)
    cut, joined = (tmp_path / f"{name}.h5" for name in ("cut", "joined"))
    reached = [0.0]

    def note(part: float) -> None:
        reached[0] = part

    done = simulate_to_file(sled(), cut, progress=note, cancel=lambda: reached[0] > 0.3)
    assert done.status == "cancelled"
    with open_results(cut) as before:
        assert before.checkpoints()
        simulate_to_file(sled(), joined, restart=Restart(before))
    with open_results(files[0]) as one, open_results(joined) as other:
        assert other.status == "completed"
        same(one, other)


def test_another_model_or_way_is_refused(tmp_path: Path) -> None:
    project = lasting(load_project(samples() / "pendulum.json"), 0.1)
    first = tmp_path / "first.h5"
    simulate_to_file(project, first)
    heavier = project.segments[0].model_copy(update={"mass_kg": 3.0})
    run = project.runs[0]
    finer = run.model_copy(update={"frame_interval_s": 1e-3})
    longer = lasting(project, 0.2)
    with open_results(first) as before:
        for changed, said in (
            (longer.model_copy(update={"segments": (heavier,)}), "of another model"),
            (project.model_copy(update={"runs": (finer,)}), "in another way"),
        ):
            with pytest.raises(SimulationError, match=said):
                Simulation(changed, restart=Restart(before))
        Simulation(longer.model_copy(update={"title": "Renamed"}), restart=Restart(before))


def test_a_run_that_ends_sooner_goes_on_from_before_its_cut_steps(
    files: tuple[Path, Path],
) -> None:
    sooner = lasting(sled(), 0.033, **OFTEN)
    with open_results(files[1]) as before:
        assert any(0.0225 < time < 0.033 for time, _ in before.checkpoints())
        same(solved(sooner), solved(sooner, Restart(before)))


def test_another_version_is_told_by_its_arrays() -> None:
    project = lasting(load_project(samples() / "pendulum.json"), 0.1)
    course = Simulation(project).begin()
    course.go_on([], 0.05)
    state = replace(course.state(), layout="another")
    with pytest.raises(SimulationError, match="another version"):
        Simulation(project).begin().set_state(state)


def test_what_corrects_constraints_is_not_cut_in_the_middle(tmp_path: Path) -> None:
    """Wherever a run with constraints is cancelled, going on gives what it gives uninterrupted."""
    project = lasting(load_project(samples() / "four_bar.json"), 1.0, checkpoint_interval_s=0.05)
    whole = tmp_path / "whole.h5"
    simulate_to_file(project, whole)
    for number, part in enumerate((0.2, 0.6)):
        cut, joined = tmp_path / f"cut{number}.h5", tmp_path / f"joined{number}.h5"
        reached: list[float] = []
        done = simulate_to_file(
            project,
            cut,
            progress=reached.append,
            cancel=lambda part=part, seen=reached: bool(seen) and seen[-1] > part,  # type: ignore[misc]
        )
        with open_results(cut) as before, open_results(whole) as one:
            assert done.status in ("cancelled", "completed")
            assert before.checkpoints()
            simulate_to_file(project, joined, restart=Restart(before))
            with open_results(joined) as other:
                same(one, other)


def test_what_is_torn_or_foreign_is_refused(tmp_path: Path) -> None:
    project = lasting(load_project(samples() / "pendulum.json"), 0.1)
    course = Simulation(project).begin()
    course.go_on([], 0.05)
    good = to_bytes(course.state())
    assert np.array_equal(from_bytes(good, project).q, course.state().q)
    for bad in (b"", good[:-20], good[:100], good[::-1], b"x" * 50):
        with pytest.raises(SimulationError, match="cannot be read"):
            from_bytes(bad, project)
    other = load_project(samples() / "double_pendulum.json")
    with pytest.raises(SimulationError, match="another version"):
        Simulation(other).begin().set_state(from_bytes(good, other))


def test_a_file_whose_checkpoints_are_damaged_is_not_opened(tmp_path: Path) -> None:
    project = lasting(load_project(samples() / "pendulum.json"), 0.1)
    first = tmp_path / "first.h5"
    simulate_to_file(project, first)
    with h5py.File(first, "r+") as file:
        file["checkpoints/length"][0] += 1
    with pytest.raises(Exception, match="checkpoints/bytes"):
        open_results(first)


def test_files_without_checkpoints_say_so(tmp_path: Path) -> None:
    project = lasting(load_project(samples() / "pendulum.json"), 0.1)
    first = tmp_path / "first.h5"
    simulate_to_file(project, first)
    with h5py.File(first, "r+") as file:
        del file["checkpoints"]
    with open_results(first) as before, pytest.raises(SimulationError, match="no checkpoint"):
        Simulation(lasting(project, 0.2), restart=Restart(before))


def test_the_command_goes_on_and_keeps_its_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(samples() / "double_pendulum.json", "two.json")
    assert main(["run", "two.json", "--until", "0.1", "--quiet"]) == 0
    assert Path("two-until=0.1.h5").is_file()
    assert main(["run", "two.json", "--until", "0.2", "--from", "two-until=0.1.h5", "--quiet"]) == 0
    assert main(["run", "two.json", "--until", "0.2", "-o", "whole.h5", "--quiet"]) == 0
    with open_results("whole.h5") as one, open_results("two-until=0.2.h5") as other:
        same(one, other)
    capsys.readouterr()
    before = ["--from", "two-until=0.1.h5"]
    for more, said in (
        ([*before, "-o", "two-until=0.1.h5"], "is an input of this command"),
        (["--at", "0.05"], "--at needs --from"),
        ([*before, "--until", "0.05"], "no checkpoint before 39.5 ms"),
        ([*before, "--set", "gravity_m_per_s2=[0,0,5]", "--until", "0.2"], "of another model"),
        ([*before, "--until", "-1"], "duration_s"),
    ):
        assert main(["run", "two.json", "--quiet", *more]) != 0
        assert said in capsys.readouterr().err


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Let Ctrl+C interrupt, also where a shell has begun the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_leaves_the_checkpoints_of_before(tmp_path: Path) -> None:
    """It may come in the middle of what is handed over: all that was found is taken, and the state it stands in."""
    project = lasting(
        load_project(samples() / "double_pendulum.json"), 2.0, checkpoint_interval_s=0.05
    )
    whole, cut, joined = (tmp_path / f"{name}.h5" for name in ("whole", "cut", "joined"))
    simulate_to_file(project, whole)
    done: list[float] = []

    def press(part: float) -> None:
        if part > 0.2 and not done:
            done.append(part)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        simulate_to_file(project, cut, progress=press)
    with open_results(cut) as before:
        assert before.status == "cancelled"
        assert 0.3 < before.checkpoints()[-1][0] < before.time[-1] + 0.1
        simulate_to_file(project, joined, restart=Restart(before))
    with open_results(whole) as one, open_results(joined) as other:
        same(one, other)


def test_a_state_of_the_same_shapes_is_of_another_model(tmp_path: Path) -> None:
    project = lasting(load_project(samples() / "double_pendulum.json"), 0.1)
    other = project.model_copy(update={"gravity_m_per_s2": (0.0, 0.0, 3.0)})
    course = Simulation(project).begin()
    course.go_on([], 0.05)
    with pytest.raises(SimulationError, match="of another model"):
        Simulation(other).begin().set_state(from_bytes(to_bytes(course.state()), other))


KILLED = """
import json, os
from pathlib import Path
from solver.project import Project, validated
from solver.results.part import PartWriter
from solver.running import simulation
from solver.running.warm import missing
Project.model_rebuild(), missing()
PartWriter.due = property(lambda part: part.waits)
def work(file, each_s, text):
    simulation.KEPT_EACH_S = float(each_s)
    die = lambda part: os._exit(9) if part > 0.7 else None
    simulation.simulate_to_file(validated(json.loads(text)), Path(file), progress=die)
"""


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    with Forks(KILLED) as made:
        yield made


@pytest.mark.parametrize(("interval", "each_s"), [(0.1, 30.0), (None, 0.0)])
def test_a_killed_run_leaves_what_another_goes_on_from(
    forks: Forks, tmp_path: Path, interval: float | None, each_s: float
) -> None:
    """The process dies in the middle of the run; its part is salvaged, and taken up again.

    States stand in the part at the intervals of the run, and now and then by the clock.
    """
    project = lasting(
        load_project(samples() / "bouncing_ball.json"), 0.6, checkpoint_interval_s=interval
    )
    file, whole, joined = (tmp_path / f"{name}.h5" for name in ("run", "whole", "joined"))
    forks.begin(str(file), str(each_s), to_json(project, embed_curves=True))
    assert forks.end() == 9
    (part,) = parts_of(file)
    simulate_to_file(project, whole)
    with open_results(salvage(part, tmp_path / "saved.h5")) as saved:
        assert saved.status == "failed"
        assert 0.2 < saved.checkpoints()[-1][0] <= saved.time[-1] + 2e-3
        simulate_to_file(project, joined, restart=Restart(saved))
    with open_results(whole) as one, open_results(joined) as other:
        same(one, other)


def test_states_by_the_clock_change_nothing_and_are_left_out_of_what_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = lasting(load_project(samples() / "double_pendulum.json"), 1.0)
    kept = list[float]()
    state = ResultsWriter.state

    def noted(writer: ResultsWriter, time: float, data: bytes) -> None:
        kept.append(time)
        state(writer, time, data)

    monkeypatch.setattr(ResultsWriter, "state", noted)
    simulate_to_file(project, tmp_path / "plain.h5")
    assert not kept
    monkeypatch.setattr("solver.running.simulation.KEPT_EACH_S", 0.0)
    simulate_to_file(project, tmp_path / "kept.h5")
    assert kept
    with open_results(tmp_path / "plain.h5") as one, open_results(tmp_path / "kept.h5") as other:
        same(one, other)
        assert [t for t, _ in one.checkpoints()] == [t for t, _ in other.checkpoints()]
    with h5py.File(tmp_path / "kept.h5") as file:
        assert "states" not in file
