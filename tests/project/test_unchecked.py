"""No project with errors reaches the kernels, whichever way it comes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import solver
from solver import ProjectError, check, checked, health, settle, simulate
from solver.analysis.equilibrium import fit
from solver.model.compile import compile_model
from solver.project.checks import Checked
from solver.running.simulation import Simulation, simulate_to_file
from tests.forks import Forks
from tests.models import base, hung, project, segment
from tests.rows import rows


def lost_parent() -> Any:
    return hung({"kind": "pin", "parent": "nobody"})


def twins() -> Any:
    return base(segments=[segment("rod"), segment("rod", 2.0)])


def lost_function() -> Any:
    return hung({"kind": "pin", "spring": {"torque": "nothing"}})


def circle() -> Any:
    ends = (("a", "b"), ("b", "a"))
    joints = [{"id": f"{p}{c}", "kind": "pin", "parent": p, "child": c} for p, c in ends]
    return base(segments=[segment("a"), segment("b")], joints=joints)


BROKEN = {
    "reference-segment": lost_parent, "id-twice": twins, "reference-function": lost_function,
    "tree-circle": circle,
}  # fmt: skip
WAYS: dict[str, Callable[[Any], Any]] = {
    "simulate": simulate,
    "Simulation": Simulation,
    "settle": settle,
    "health": health,
    "fit": lambda given: fit(given, []),
    "compile_model": compile_model,
}


@rows("way", WAYS)
@rows("broken", BROKEN.values(), ids=BROKEN)
def test_a_project_with_errors_is_refused(way: str, broken: Callable[[], Any]) -> None:
    given = project(broken())
    errors = {problem.code for problem in check(given) if problem.severity == "error"}
    assert errors
    with pytest.raises(ProjectError) as refused:
        WAYS[way](given)
    assert errors <= {problem.code for problem in refused.value.problems}


def test_nothing_is_written_of_a_project_with_errors(tmp_path: Path) -> None:
    with pytest.raises(ProjectError):
        simulate_to_file(project(lost_parent()), tmp_path / "run.h5")
    assert list(tmp_path.iterdir()) == []


def test_physics_is_checked_too() -> None:
    """Arrays of a body without mass are sound, its motion is not."""
    given = project(base(segments=[segment("rod", 0.0, (0.0, 0.0, 0.0))]))
    with pytest.raises(ProjectError):
        simulate(given)


def test_a_checked_project_is_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ready = checked(project(hung({"kind": "pin"}, [0.1], duration=0.02)))
    assert isinstance(ready, Checked)
    monkeypatch.setattr("solver.project.checks.check", lambda _: pytest.fail("checked again"))
    assert checked(ready) is ready
    assert simulate(ready).status == "completed"
    assert health(ready).verdict


FIRST = (
    "",
    "import solver.running.simulation; ",
    "from solver.running.simulation import Outcome; ",
)

NAMED = """
import warnings
import h5py, numba, numpy, pydantic
def work(first):
    warnings.simplefilter("error")
    exec(first + "from solver import simulate; import solver, solver.running.simulation as module; "
        "print(simulate.__module__, type(module).__name__, module.simulate is simulate, "
        "solver.simulate is simulate, solver.running.simulation is module)", {})
"""


@pytest.mark.skipif(os.name == "nt", reason="forks")
def test_function_and_module_have_names_of_their_own() -> None:
    """Whatever is imported first, in a process that has imported nothing of ours yet."""
    with Forks(NAMED) as forks:
        for first in FIRST:
            forks.begin(first)
            assert forks.told() == "solver.running.simulation module True True True", first
            assert forks.end() == 0
    assert all(hasattr(solver, name) for name in solver.__all__)
