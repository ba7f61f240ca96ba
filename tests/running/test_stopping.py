"""Runs and settling stop at once when they are asked to, wherever they are."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from solver.analysis.equilibrium import Cancelled, settle
from solver.base.boundary import Ended, ending_well
from solver.base.places import samples
from solver.engine.forces.system import make_work
from solver.engine.integrate.advance import advance
from solver.engine.integrate.control import ready
from solver.engine.integrate.flow import SAMPLED_NOW, STOP_NOW, make_flow
from solver.engine.integrate.plan import STOPPED, Plan, make_history
from solver.engine.integrate.samples import make_samples
from solver.model.compile import compile_model, method_of
from solver.project import Project, load_project
from solver.results import open_results
from solver.results.layout import FRAME_GROUPS
from solver.results.memory import MemoryTrajectory
from solver.running import course, simulation, stoppable, warm
from solver.running.outputs import frames
from solver.running.restart import Restart
from solver.running.simulation import Simulation, simulate, simulate_to_file
from solver.running.stoppable import Stoppable
from tests.engine.test_constraints import chain
from tests.models import project
from tests.running.test_restart import same


def asked(times: int) -> Callable[[], bool]:
    """Say yes when asked for the last of several times."""
    left = [times]

    def cancel() -> bool:
        left[0] -= 1
        return left[0] <= 0

    return cancel


def endless(interval_s: float = 1000.0, step_s: float = 1e-6) -> Project:
    """Give a run of hours, whose frames are further apart than it lasts unless told otherwise."""
    data = chain(3)
    data["runs"][0] |= {
        "duration_s": 1000.0, "frame_interval_s": interval_s, "channel_rate_hz": 1.0 / interval_s,
        "integrator": {"kind": "rk4", "step_s": step_s},
    }  # fmt: skip
    return project(data)


@pytest.fixture
def one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let kernels hand over only after more steps than there are in minutes."""
    monkeypatch.setattr(course, "STEPS_AT_ONCE", 3_000_000)


@pytest.mark.usefixtures("one_block")
def test_a_run_stops_between_two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels look at each evaluation: without that the block would go on for minutes."""
    monkeypatch.setattr(stoppable, "HAND_OVER_S", 1e9)
    monkeypatch.setattr(stoppable, "LET_GO_S", None)
    outcome = Simulation(endless()).go([], cancel=asked(10))
    assert outcome.status == "cancelled"
    assert outcome.steps < 3_000_000


def test_kernels_come_back_before_another_evaluation() -> None:
    """Also where a long step holds thousands of samples, each of them an evaluation."""
    model = compile_model(load_project(samples() / "free_body.json"))
    work = make_work(model.system, model.trees.speeds, model.rows)
    flow = make_flow(model.q, model.v, model.z, model.states, *model.marks())
    times = np.linspace(0.0, 1e-6, 500)
    block, history = make_samples(model.system, work, flow, len(times)), make_history(1)
    method = method_of(model.project.runs[0], model)
    ready(flow, 0.0)
    flow.wish[0] = STOP_NOW
    plan = Plan(np.zeros(0), 1e-6, times)
    assert advance(model.system, work, flow, method, plan, block, history) == STOPPED
    assert flow.counters[SAMPLED_NOW] == 0


def test_what_cannot_see_the_flag_is_let_go() -> None:
    """A kernel that is still being compiled, as seen from the thread that waits for it."""
    held = threading.Event()
    work = Stoppable(np.zeros(1, np.int64), asked(2))
    assert work.do(held.wait) is None
    assert work.is_asked
    held.set()


def test_an_interrupt_while_kernels_work_is_kept_until_it_is_passed_on() -> None:
    held = threading.Event()

    def interrupted() -> bool:
        raise KeyboardInterrupt

    work = Stoppable(np.zeros(1, np.int64), interrupted)
    assert work.do(held.wait) is None
    held.set()
    with pytest.raises(KeyboardInterrupt):
        work.pass_on()


def test_what_fails_in_the_thread_fails_in_the_caller() -> None:
    def fail() -> None:
        raise MemoryError("no room")

    with pytest.raises(MemoryError, match="no room"):
        Stoppable(np.zeros(1, np.int64), None).do(fail)


def test_what_is_done_beside_is_done_in_order_and_to_its_end() -> None:
    done: list[int] = []

    def beside(number: int) -> None:
        time.sleep(0.05)
        done.append(number)

    work = Stoppable(np.zeros(1, np.int64), asked(2))
    for number in range(4):
        work.beside(partial(beside, number))
    assert work.do(threading.Event().wait) is None
    work.wait(1)
    assert done[:3] == [0, 1, 2]
    work.wait()
    assert done == [0, 1, 2, 3]
    work.beside(partial(beside, 4))
    work.wait()
    assert done[-1] == 4


def test_a_run_waits_for_those_who_take_what_it_finds() -> None:
    held = threading.Event()
    work = Stoppable(np.zeros(1, np.int64), None)
    work.beside(held.wait, 5)
    work.wait(5)
    threading.Timer(0.1, held.set).start()
    work.wait(4)
    assert held.is_set()


def test_what_fails_beside_fails_in_the_caller_and_ends_what_waits_behind_it() -> None:
    done: list[int] = []

    def fail() -> None:
        time.sleep(0.05)
        raise OSError("the disk is full")

    work = Stoppable(np.zeros(1, np.int64), None)
    work.beside(fail)
    work.beside(lambda: done.append(1))
    with pytest.raises(OSError, match="the disk is full"):
        work.wait()
    work.wait()
    assert done == []


@pytest.mark.parametrize("kind", [KeyboardInterrupt, ValueError])
def test_whatever_is_raised_waits_for_what_is_done_beside(kind: type[BaseException]) -> None:
    """Who makes a file of what was written would else do so while more is being written."""
    done: list[int] = []

    def beside(number: int) -> None:
        time.sleep(0.05)
        done.append(number)

    flag = np.zeros(1, np.int64)

    def broken_off() -> None:
        with Stoppable(flag, None) as work:
            for number in range(3):
                work.beside(partial(beside, number))
            raise kind

    with pytest.raises(kind):
        broken_off()
    assert done == [0, 1, 2]
    assert flag[0] == STOP_NOW


def test_what_is_raised_first_is_told() -> None:
    def fail() -> None:
        time.sleep(0.05)
        raise OSError("the disk is full")

    def broken_off() -> None:
        with Stoppable(np.zeros(1, np.int64), None) as work:
            work.beside(fail)
            raise ValueError("first")

    with pytest.raises(ValueError, match="first"):
        broken_off()


@pytest.mark.parametrize("times", range(2, 40, 6))
def test_an_interrupt_at_any_time_finds_the_writer_at_rest(times: int) -> None:
    """Asked outside kernels' work as well as inside: what is taken is slow here."""
    taken: list[float] = []

    class Slow:
        def add_frames(self, time_s: Any, _: Any) -> None:
            time.sleep(0.02)
            taken.extend(time_s)

        def ignore(self, *_: Any) -> None:
            pass

        add_samples = add_steps = add_events = ignore

    count = [0]

    def interrupted() -> bool:
        count[0] += 1
        if count[0] == times:
            raise KeyboardInterrupt
        return False

    begun = Simulation(endless(0.01, 1e-4)).begin()
    with pytest.raises(KeyboardInterrupt):
        begun.go_on([Slow()], cancel=interrupted)
    stands = len(taken)
    for one in threading.enumerate():
        if one.name == "beside kernels":
            one.join(60.0)
            assert not one.is_alive()
    assert len(taken) == stands
    assert begun.outcome.status == "cancelled"


@pytest.mark.usefixtures("one_block")
def test_what_is_found_is_handed_over_while_a_block_goes_on() -> None:
    told: list[float] = []
    outcome = Simulation(endless()).go([], told.append, lambda: len(told) >= 3)
    assert outcome.status == "cancelled"
    assert told == sorted(told)
    assert told[1] > 0.0
    # 3,000,000 steps of a block are 3 s of 1000
    assert told[0] < 2.9e-3


def test_handing_over_early_changes_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    data = load_project(samples() / "four_bar.json")
    whole = simulate(data)
    monkeypatch.setattr(course, "STEPS_AT_ONCE", 3)
    parts = simulate(data)
    for group in ("segments", "energy", "constraints"):
        for name, column in whole.table(group).columns.items():
            assert np.array_equal(column, parts.table(group)[name]), (group, name)
    assert np.array_equal(whole.steps()["time"], parts.steps()["time"])


@pytest.mark.parametrize("name", ["frontal", "airbag_catch", "four_bar", "point_contact", "sled"])
def test_nobody_reads_what_kernels_write_once_it_has_been_copied(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = load_project(samples() / f"{name}.json")
    run = data.runs[0].model_copy(update={"duration_s": 0.06})
    data = data.model_copy(update={"runs": (run,)})
    whole, copied, spoiled = simulate(data), frames.OutputBlock.copied, []

    def spoil(one: frames.OutputBlock) -> frames.OutputBlock:
        kept = copied(one)
        for array in (*one.samples, *one.history):
            array.fill(77)
        spoiled.append(one)
        return kept

    monkeypatch.setattr(course, "STEPS_AT_ONCE", 20)
    monkeypatch.setattr(frames.OutputBlock, "copied", spoil)
    again = simulate(data)
    assert spoiled
    for group in FRAME_GROUPS:
        for column, values in whole.table(group).columns.items():
            assert np.array_equal(values, again.table(group)[column]), (group, column)
    for channel in whole.channel_names:
        assert np.array_equal(whole.channel(channel).value, again.channel(channel).value), channel
    assert whole.events() == again.events()


def test_an_interrupt_leaves_a_file_with_what_was_found(tmp_path: Path) -> None:
    """Ctrl+C comes while kernels work; it is raised once they have handed over."""
    count = [0]

    def interrupted() -> bool:
        count[0] += 1
        if count[0] == 40:
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        simulate_to_file(endless(0.01, 1e-4), tmp_path / "run.h5", cancel=interrupted)
    with open_results(tmp_path / "run.h5") as run:
        assert run.status == "cancelled"
        assert len(run.time) > 0


def test_a_cancelled_run_waits_for_no_injury_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "assess", lambda *_: pytest.fail("waited"))
    run = simulate(load_project(samples() / "bouncing_ball.json"), cancel=lambda: True)
    assert run.status == "cancelled"
    assert not run.injury
    assert str(simulation.NOT_ASSESSED) in run.log


def test_settling_stops_at_its_next_evaluation() -> None:
    given = load_project(samples() / "frontal.json")
    left = [5]

    def cancel() -> bool:
        left[0] -= 1
        return left[0] < 0

    with pytest.raises(Cancelled):
        settle(given, cancel=cancel)
    assert left[0] == -1


def script(folder: Path, words: str) -> Any:
    """Give a module `sys` whose Python is a script."""
    file = folder / "python"
    file.write_text(f"#!/bin/sh\n{words}\n")
    file.chmod(0o755)
    return SimpleNamespace(executable=str(file))


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no kernel be compiled yet, as on a new machine."""
    monkeypatch.setattr(warm, "is_compiled", lambda _: False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("echo first >&2; echo 'MemoryError: no room' >&2; exit 3", "(MemoryError: no room)"),
        ("kill -9 $$", "(signal 9 ended it)"),
        ("exit 4", "(exit code 4)"),
    ],
)
def test_what_fails_while_compiling_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_compiled: None, words: str, said: str
) -> None:
    monkeypatch.setattr(warm, "sys", script(tmp_path, words))
    (note,) = warm.compile_parts()
    assert said in note
    monkeypatch.setattr(warm, "sys", SimpleNamespace(executable=str(tmp_path / "none")))
    (note,) = warm.compile_parts()
    assert "No such file" in note


def test_a_run_notes_what_failed_while_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "compile_parts", lambda *_: ("note: it failed",))
    assert "note: it failed" in simulate(load_project(samples() / "pendulum.json")).log


def test_compiling_stops_and_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_compiled: None
) -> None:
    monkeypatch.setattr(warm, "sys", script(tmp_path, "exec sleep 600"))
    children: list[Any] = []

    class Kept(warm.subprocess.Popen):  # type: ignore[misc,type-arg]
        def __init__(self, *args: Any, **settings: Any) -> None:
            super().__init__(*args, **settings)
            children.append(self)

    monkeypatch.setattr(warm.subprocess, "Popen", Kept)
    told: list[tuple[int, int]] = []
    assert warm.compile_parts(None, asked(3), lambda done, of: told.append((done, of))) == ()
    assert told == [(0, len(list(warm.parts())))]
    assert len(children) == warm.PROCESSES
    assert all(child.returncode == -9 for child in children)
    outcome = Simulation(load_project(samples() / "pendulum.json")).go([], cancel=lambda: True)
    assert (outcome.status, outcome.steps) == ("cancelled", 0)


PLACES = ("beside", "told", "asked", "waiting")


def constrained() -> Project:
    """Give a run of a second whose steps are corrected onto its constraints again and again."""
    data = chain(3)
    data["runs"][0] |= {
        "duration_s": 1.0, "frame_interval_s": 0.01, "channel_rate_hz": 1e4,
        "integrator": {"kind": "rk4", "step_s": 1e-4},
    }  # fmt: skip
    return project(data)


def ended(monkeypatch: pytest.MonkeyPatch, place: str, times: int) -> MemoryTrajectory:
    """Solve until TERM comes, where a place in the program is passed for the last of several times."""
    left = [times]

    def pass_by() -> None:
        left[0] -= 1
        if left[0] == 0:
            signal.raise_signal(signal.SIGTERM)

    class Taking(MemoryTrajectory):
        def add_frames(self, *taken: Any) -> None:
            super().add_frames(*taken)
            if place == "beside":
                pass_by()

    def told(_: float) -> None:
        if place == "told":
            pass_by()

    def cancel() -> bool:
        if place == "asked":
            pass_by()
        return False

    wait = Stoppable.wait

    def waited(self: Stoppable, most: int = 0) -> None:
        if place == "waiting":
            pass_by()
        wait(self, most)

    run = Simulation(constrained())
    out = Taking(run.ids, run.specs, lambda: simulation.project_bytes(run.project), run.run.id)
    with monkeypatch.context() as patched, ending_well():
        patched.setattr(Stoppable, "wait", waited)
        with pytest.raises(Ended, match="SIGTERM"):
            run.go([out], told, cancel)
    return out


@pytest.mark.skipif(os.name == "nt", reason="signals of other systems")
@pytest.mark.parametrize("place", PLACES)
def test_who_is_asked_to_end_always_holds_a_state(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Wherever the signal meets the main thread, and whatever kernels are at: corrections come to their end."""
    for times in (2, 4, 7):
        half = ended(monkeypatch, place, times)
        ((at, _),) = half.checkpoints()
        assert 0.0 < at < 0.99
    again = Simulation(constrained(), restart=Restart(half))
    joined, whole = again.memory(), simulate(constrained())
    again.go_into(joined)
    same(whole, joined)
