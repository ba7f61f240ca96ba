"""The public library: its examples run, runs are pickled, what is wrong is said in sentences."""

from __future__ import annotations

import builtins
import doctest
import importlib
import pickle
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver import simulate

MODULES = ["manikin", *(f"manikin.{m.name}" for m in pkgutil.iter_modules(mk.__path__))]


@pytest.fixture(scope="module")
def run() -> mk.Run:
    return mk.run(mk.sample("double_pendulum"), until=0.2)


@pytest.mark.parametrize("module", MODULES)
def test_examples_do_what_they_say(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder().find(importlib.import_module(module), module):
        test.globs |= {"mk": mk, "np": np}
        runner.run(test)
    assert runner.summarize().failed == 0


def test_every_public_name_is_there_and_on_the_page() -> None:
    assert set(mk.HOMES) == set(mk.__all__) == set(dir(mk))
    assert not set(mk.__all__) & set(dir(builtins))
    for name in mk.__all__:
        assert getattr(mk, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        mk.simulat  # noqa: B018


def test_it_loads_no_window() -> None:
    code = "import sys, manikin; [getattr(manikin, n) for n in manikin.__all__];"
    code += "print([m for m in ('PySide6', 'vtkmodules', 'pyvista', 'app') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_run_is_what_the_solver_gives(run: mk.Run) -> None:
    other = simulate(run.model.project)
    assert np.array_equal(run.energy["kinetic"], other.table("energy")["kinetic"])
    for name in other.channel_names:
        assert np.array_equal(run[name].value, other.channel(name).value)
    assert run.log == other.log
    assert len(run.steps["time"]) == len(other.steps()["time"])


def test_a_run_comes_back_from_a_pickle_and_from_a_file(run: mk.Run, tmp_path: Path) -> None:
    back = pickle.loads(pickle.dumps(run))
    read = mk.open_run(run.save(tmp_path / "run.h5"))
    again = pickle.loads(pickle.dumps(read))
    for other in (back, read, again):
        assert set(other.quantities()) == set(run.quantities())
        for name in run.quantities("segments/*/*/*", "energy/*", "integrator/*"):
            assert np.array_equal(other[name].value, run[name].value), name
        assert other.log == run.log
        assert other.model == run.model
        assert other.status == "completed"


def test_a_growing_run_is_pickled_as_it_stands(run: mk.Run) -> None:
    memory = pickle.loads(pickle.dumps(run.trajectory))
    count = len(memory.time)
    frame = {
        group: {name: run.trajectory.table(group)[name][-1] for name in memory.table(group).columns}
        for group in ("segments", "joints", "energy")
    }
    memory.add_frame(1.0, frame)
    assert len(memory.time) == count + 1
    assert len(run.time) == count


def test_figures_are_kept_with_a_run(tmp_path: Path) -> None:
    model = mk.sample("neck_pendulum").until(0.03)
    run, other = mk.run(model), simulate(model.project)
    assert run.injury.figures
    assert {f.name: f.value for f in run.injury.figures} == {
        name: figure.value for name, figure in other.injury.items()
    }
    assert run.log == other.log
    assert set(mk.open_run(run.save(tmp_path / "n.h5")).trajectory.injury) == set(other.injury)
    assert pickle.loads(pickle.dumps(run)).injury == run.injury


def test_frames_may_be_as_dense_as_channels() -> None:
    model = mk.sample("free_body").until(0.02)
    run, few = mk.run(model, dense=True), mk.run(model)
    name = f"segments/{run.trajectory.segment_ids[0]}/velocity/resultant"
    rate = model.settings().channel_rate_hz
    assert len(run[name].time) == round(0.02 * rate) + 1
    assert np.allclose(np.interp(few.time, run.time, run.time), few.time, atol=1e-15)
    assert np.array_equal(
        run.frame(0.01)[name.rpartition("/")[0]], few.frame(0.01)[name.rpartition("/")[0]]
    )
    assert run.model.value("runs/0/duration_s") == 0.02
    with pytest.raises(mk.SignalError, match=r"run it with dense=True\.$"):
        few[name].filtered(1000)


def test_curves_are_filtered_and_drawn(run: mk.Run) -> None:
    curve = run["segments/lower/velocity/resultant"]
    assert curve.filtered(20).cfc == 20
    assert isinstance(curve.filtered(20), mk.Curve)
    (axes,) = curve.filtered(20).plot(title="Speed").axes
    assert "m/s" in axes.get_ylabel()
    assert len(run.plot("segments/*/velocity/x", "segments/*/angle/pitch").axes) == 2
    t, v = curve.peak
    assert curve.at(t) == v == curve.value.max()
    assert curve.in_units("inch_pound").unit != "m/s"


def test_a_frame_is_one_instant(run: mk.Run) -> None:
    frame = run.frame(0.1)
    assert frame.time == pytest.approx(0.1)
    number = int(np.argmin(np.abs(run.time - 0.1)))
    assert np.array_equal(
        frame["segments/lower/position"], run.trajectory.segment("lower").position[number]
    )
    assert frame["energy/kinetic"] == run.energy["kinetic"][number]
    assert run.frame().time == run.time[-1]


def test_a_model_is_shared_where_it_is_untouched() -> None:
    model = mk.sample("frontal")
    other = model.with_values({"segments/driver_head/mass_kg": 4.9, "planes/0/name": "A"})
    assert other.value("segments/driver_head/mass_kg") == 4.9
    assert model.value("segments/driver_head/mass_kg") != 4.9
    assert other.project.contacts is model.project.contacts
    assert pickle.loads(pickle.dumps(other)) == other
    assert hash(other) != hash(model)


def test_a_model_is_saved_and_loaded(tmp_path: Path) -> None:
    model = mk.sample("pendulum")
    model.save(tmp_path / "model.json")
    assert mk.load(tmp_path / "model.json") == model


def test_what_is_wrong_is_said_in_sentences(run: mk.Run) -> None:
    model = mk.sample("double_pendulum")
    with pytest.raises(mk.ProjectError, match=r"There is no sample 'x'\. There are airbag_catch,"):
        mk.sample("x")
    with pytest.raises(mk.ProjectError, match=r"Did you mean 'mass_kg'\?"):
        model.with_value("segments/lower/mass", 1.0)
    with pytest.raises(mk.ProjectError, match="segments/lower/mass_kg: "):
        model.with_value("segments/lower/mass_kg", -1.0)
    with pytest.raises(mk.ProjectError, match="duration_s: "):
        mk.run(model, until=-1.0)
    with pytest.raises(mk.SimulationError, match="no run 'fast'; it has "):
        mk.run(model, run="fast")
    with pytest.raises(mk.ProjectError) as wrong:
        mk.run(model.with_value("joints/hinge/child", "nobody"))
    assert all(problem.sentence.endswith(".") for problem in wrong.value.problems)
    with pytest.raises(mk.ResultsError, match=r"The run goes from 0 to 0\.2 s; 3 s is outside\."):
        run.frame(3.0)
    with pytest.raises(mk.ResultsError, match="no group 'segment'; there is segments,"):
        run.frame()["segment/lower/position"]
    with pytest.raises(mk.ResultsError, match="there is no 'place'; there is position,"):
        run.frame()["segments/lower/place"]
    with pytest.raises(mk.ResultsError, match="no 'nobody' in these results"):
        run.frame()["segments/nobody/position"]
    with pytest.raises(mk.UnitError, match="no units 'feet'; there are si, metric, inch_pound"):
        run["energy/kinetic"].in_units("feet")
    with pytest.raises(mk.ResultsError, match="have different times"):
        run.table("integrator/step", "energy/kinetic")


def test_a_name_in_place_of_a_model_is_told() -> None:
    name: Any = "frontal.json"
    for takes in (mk.run, mk.Simulation, mk.speeds, mk.mass_matrix):
        with pytest.raises(TypeError, match=r"takes a model, not 'frontal\.json': manikin\.load"):
            takes(name)


def test_a_run_that_cannot_go_on_keeps_what_was_found() -> None:
    model = mk.sample("double_pendulum")
    least = model.value("runs/0/integrator/largest_step_s")
    model = model.with_value("runs/0/integrator/smallest_step_s", least)
    with pytest.raises(mk.RunFailed, match=r".*\.") as failed:
        mk.run(model)
    assert failed.value.run.status == "failed"
    assert len(failed.value.run.time) > 0


def test_the_front_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parent.parent.parent / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(import manikin.*?)```", page, re.S)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert "HIC" in capsys.readouterr().out
    assert mk.open_run("frontal.h5").status == "completed"


def test_what_is_refused_has_the_same_name_in_a_checkout_and_in_a_wheel() -> None:
    public = [getattr(mk, name) for name in mk.__all__]
    errors = [one for one in public if isinstance(one, type) and issubclass(one, Exception)]
    assert len(errors) > 15
    for one in errors:
        assert one.__module__ == "manikin"
    failure = pickle.loads(pickle.dumps(mk.ResultsError("None is called '{name}'.", name="x")))
    assert isinstance(failure, mk.ResultsError)
    assert str(failure) == "None is called 'x'."
