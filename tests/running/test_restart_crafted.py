"""States that no run has written: each array of them is looked at before kernels see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from solver import load_project
from solver.base.places import samples
from solver.cli import main
from solver.project import Project, save_project, validated
from solver.project.problems import SimulationError
from solver.results.events import Event
from solver.running.checkpoint import from_bytes, to_bytes
from solver.running.outputs.recorder import Outcome
from solver.running.simulation import Simulation, simulate_to_file
from solver.running.state import State
from solver.running.state_fits import CHANGES, MARKS, WHOLE, fits
from solver.running.stepper import Stepper
from tests.engine import test_connectors as connectors
from tests.exploring import SEED
from tests.running.kernel_writes import BUNDLES, fields_of, written
from tests.running.test_restart import lasting

READ = frozenset({
    "Breakings.body", "ContactModel.a", "ContactModel.b", "Drivers.axis", "StrapModel.first", "Switches.law", "Tree.at_q",
    "Triggers.seen_from", "Triggers.what",
})  # fmt: skip
"""Arrays that no kernel writes: names in their sources stand now for these and now for others."""


@pytest.fixture(scope="module", params=["sled", "torn"])
def begun(request: pytest.FixtureRequest) -> tuple[Project, Stepper, State]:
    """Give a run on its way, of a belted occupant, and of a joint that breaks over a ramp."""
    if request.param == "sled":
        project = lasting(load_project(samples() / "sled.json"), 0.04)
    else:
        project = validated(connectors.torn({"kind": "pin"}, 40.0))
    course = Simulation(project).begin()
    course.go_on([], 0.5 * project.runs[0].duration_s)
    return project, course, course.state()


def with_array(state: State, number: int, change: Any) -> State:
    """Give a state with one array changed."""
    arrays = list(state.arrays)
    arrays[number] = change(arrays[number].copy())
    return replace(state, arrays=tuple(arrays))


def filled(value: float) -> Any:
    return lambda one: np.full_like(one, value)


def refused(course: Stepper, state: State) -> bool:
    error: SimulationError | None = None
    try:
        course.set_state(state, is_read=True)
    except SimulationError as found:
        error = found
    assert error is None or "does not fit the model" in str(error)
    return error is not None


def unfit(course: Stepper, state: State, number: int, change: Any) -> bool:
    """Look at one array alone."""
    _, system, _, _, held = course.room()
    name, mine = list(held.named(system))[number]
    one = change(state.arrays[number].copy())
    return not fits(name, one, mine, held.start, len(state.breaks))


def named(course: Stepper) -> list[tuple[int, str, Any]]:
    _, system, _, _, held = course.room()
    return [(n, name, one) for n, (name, one) in enumerate(held.named(system)) if one.size]


def test_whole_numbers_lie_in_their_range(begun: tuple[Project, Stepper, State]) -> None:
    _, course, state = begun
    assert not refused(course, state)
    whole = [(n, name) for n, name, one in named(course) if one.dtype.kind == "i"]
    assert len(whole) > 50
    for n, name in whole:
        assert unfit(course, state, n, filled(-7)), name
        counts = name in WHOLE and name.rpartition("/")[2] in ("counts", "missed")
        assert counts or unfit(course, state, n, filled(10**6)), name


def test_numbers_are_finite(begun: tuple[Project, Stepper, State]) -> None:
    _, course, state = begun
    for n, name, one in named(course):
        if one.dtype.kind != "f":
            continue
        assert unfit(course, state, n, filled(np.nan)), name
        starts = dict(course.room()[4].start)[name]
        assert np.isinf(starts).any() or unfit(course, state, n, filled(-np.inf)), name
        assert name in MARKS or unfit(course, state, n, filled(1e300)), name


def test_what_no_kernel_writes_is_the_models_own(begun: tuple[Project, Stepper, State]) -> None:
    _, course, state = begun
    own = [
        (n, name) for n, name, _ in named(course)
        if name.startswith("System/")
        and name.rpartition("/")[2] not in CHANGES.get(name[7:].rpartition("/")[0], "").split()
    ]  # fmt: skip
    assert len(own) > 40
    for n, name in own:
        assert unfit(course, state, n, lambda one: one + 1), name


def test_kinds_and_shapes_hold(begun: tuple[Project, Stepper, State]) -> None:
    _, course, state = begun
    for n, name, _ in named(course):
        assert unfit(course, state, n, lambda one: one.astype(bool)), name
        assert unfit(course, state, n, lambda one: one[:-1]), name
    assert refused(course, replace(state, breaks=np.array([1.0, 0.5])))
    frames, *rest = state.memories
    assert refused(course, replace(state, memories=(frames[:-1], *rest)))


def test_every_array_that_kernels_write_is_known() -> None:
    """A new memory of a law fails here until it is told in `solver/running/state_fits.py`."""
    known, whole = set(), set()
    for name, kind in _paths():
        bundle, _, field = name.removeprefix("System").rpartition("/")
        if not name.startswith("System") or field in CHANGES.get(bundle[1:], "").split():
            known.add(kind)
        if name in WHOLE:
            whole.add(kind)
    types = fields_of()
    missing = {
        one
        for one in written() - known - READ
        if one.split(".")[0] in {k.split(".")[0] for _, k in _paths()}
    }
    assert missing == set()
    numbers = {one for one in written() - READ if types[tuple(one.split(".", 1))] == "IntArray"}  # type: ignore[index]
    here = {kind for _, kind in _paths()}
    assert (numbers & here) - whole - {"Flow.wish"} == set()


def _paths() -> Iterator[tuple[str, str]]:
    """Give all arrays that a state holds: by path, and by bundle and field."""
    types = fields_of()
    waiting = [(name, name) for name in BUNDLES]
    while waiting:
        path, kind = waiting.pop()
        for (owner, field), what in types.items():
            if owner != kind:
                continue
            if what in ("Array", "IntArray"):
                yield f"{path}/{field}", f"{kind}.{field}"
            else:
                waiting.append((f"{path}/{field}", what))


@pytest.mark.seeded
def test_what_lies_in_its_range_ends_in_a_sentence_or_goes_on(
    begun: tuple[Project, Stepper, State],
) -> None:
    project, course, state = begun
    places = named(course)
    ends = []
    for seed in range(SEED, SEED + 24):
        rng = np.random.default_rng(seed)
        n, _, one = places[int(rng.integers(len(places)))]
        values = (0.0, 1e29, -1e20, 3.7) if one.dtype.kind == "f" else (-1, 0, 1, 2, 3)
        at, value = int(rng.integers(one.size)), values[int(rng.integers(len(values)))]

        def change(one: Any, at: int = at, value: float = value) -> Any:
            one.reshape(-1)[at] = value
            return one

        again = Simulation(project).begin()
        ends.append("refused")
        if not refused(again, with_array(state, n, change)):
            again.go_on([])
            ends[-1] = again.outcome.status
            assert ends[-1] == "completed" or again.outcome.message
    assert {"refused", "completed"} <= set(ends)


def test_parts_have_their_kinds(begun: tuple[Project, Stepper, State]) -> None:
    project, _, state = begun
    *rest, outcome = state.memories
    assert isinstance(outcome, Outcome)
    odd: Any = 5
    for bad in (
        replace(state, time=np.nan), replace(state, arrays=(odd, *state.arrays[1:])), replace(state, forces={"f": odd}),
        replace(state, memories=(*rest, replace(outcome, happened=[Event("x", odd, (), ())]))),
        replace(state, memories=(*rest, replace(outcome, notes=[odd]))),
    ):  # fmt: skip
        with pytest.raises(SimulationError, match="cannot be read"):
            from_bytes(to_bytes(bad), project)


def test_a_crafted_file_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    project = lasting(load_project(samples() / "double_pendulum.json"), 0.1)
    save_project(project, Path("two.json"))
    simulate_to_file(project, Path("two.h5"))
    course = Simulation(project).begin()
    course.go_on([], 0.05)
    number = next(n for n, name, _ in named(course) if name == "System/tree/parent")
    course = Simulation(project).begin()
    course.go_on([], 0.05)
    data = to_bytes(with_array(course.state(), number, filled(10**9)))
    with h5py.File("two.h5", "r+") as file:
        del file["checkpoints"]
        file["checkpoints/time"], file["checkpoints/length"] = [course.time], [len(data)]
        file["checkpoints/bytes"] = np.frombuffer(data, np.uint8)
    capsys.readouterr()
    assert main(["run", "two.json", "--until", "0.2", "--from", "two.h5", "--quiet"]) == 1
    assert "does not fit the model: 'System/tree/parent'" in capsys.readouterr().err
