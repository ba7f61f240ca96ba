"""FMUs: written and run by another program, and run beside ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu

import manikin as mk
from app.front_door import main
from manikin.coupling import couple
from manikin.fmu import FmuError, write_fmu
from tests.models import base, hung, project, segment

QUANTITIES = ["head_acceleration_resultant", "segments/head/velocity/x", "joints/pelvis/force/x"]


def test_fmpy_takes_the_sled_on_to_the_bits_of_a_run(tmp_path: Path) -> None:
    model = mk.sample("sled").until(0.006)
    force, mass = "segments/head/force/x", "segments/head/mass_kg"
    file = write_fmu(
        model, tmp_path / "sled.fmu", inputs=[force], outputs=QUANTITIES, parameters=[mass]
    )
    assert validate_fmu(str(file)) == []
    about = fmpy.read_model_description(str(file))
    assert (about.fmiVersion, about.defaultExperiment.stopTime) == ("3.0", "0.006")
    units = {one.name: one.unit for one in about.modelVariables}
    assert [units[one] for one in (force, mass, *QUANTITIES)] == ["N", "kg", "m/s2", "m/s", "N"]

    def seen(run: Any) -> list[Any]:
        return [[run[name].at(t) for t in times] for name in QUANTITIES]

    found = fmpy.simulate_fmu(str(file), stop_time=0.006, output_interval=1e-3)
    times = found["time"]
    assert len(times) == 7
    assert seen(mk.run(model)) == [found[name].tolist() for name in QUANTITIES]
    # another mass is another model
    heavy = fmpy.simulate_fmu(str(file), stop_time=0.006, output_interval=1e-3, start_values={mass: 6.0})  # fmt: skip
    assert seen(mk.run(model.with_value(mass, 6.0))) == [heavy[n].tolist() for n in QUANTITIES]
    assert not np.array_equal(heavy[QUANTITIES[1]], found[QUANTITIES[1]])
    # an input is held over each step of the master
    signal = np.array([(0.0, 50.0), (0.003, 50.0), (0.003, -20.0), (0.006, -20.0)], dtype=[("time", float), (force, float)])  # fmt: skip
    pushed = fmpy.simulate_fmu(str(file), stop_time=0.006, output_interval=1e-3, input=signal)
    sim = mk.Simulation(model)
    control = sim.control([force], QUANTITIES, record=False)
    rows = [control.values]
    for k in range(6):
        rows.append(control.step([50.0 if k < 3 else -20.0], 1e-3))
    assert np.array_equal(np.array(rows), np.array([pushed[name] for name in QUANTITIES]).T)


def test_a_state_of_an_fmu_comes_back(tmp_path: Path) -> None:
    """Also where its steps end between samples."""
    force, out = "segments/lower/force/x", "segments/lower/position/x"
    mass = "segments/lower/mass_kg"
    file = write_fmu(
        mk.sample("double_pendulum"), tmp_path / "two.fmu", inputs=[force], outputs=[out], parameters=[mass]
    )  # fmt: skip
    about, folder = fmpy.read_model_description(str(file)), fmpy.extract(str(file))
    number = {one.name: one.valueReference for one in about.modelVariables}
    fmu: Any = fmpy.instantiate_fmu(folder, about, "CoSimulation")
    fmu.enterInitializationMode(startTime=0.0)
    fmu.exitInitializationMode()

    def steps(first: int, last: int) -> list[float]:
        found = []
        for k in range(first, last):
            fmu.doStep(k * 0.0015, 0.0015)
            found += fmu.getFloat64([number[out]])
        return found

    steps(0, 3)
    fmu.setFloat64([number[force]], [3.0])
    state = fmu.getFMUState()
    first = steps(3, 6)
    fmu.setFloat64([number[force]], [-5.0])
    steps(6, 7)
    fmu.setFMUState(state)
    assert fmu.getFloat64([number[force]]) == [3.0]
    assert steps(3, 6) == first
    fmu.freeFMUState(state)
    # beyond its end it says why
    said: list[str] = []
    fmu.terminate()
    fmu.freeInstance()
    fmu = fmpy.instantiate_fmu(folder, about, "CoSimulation", logger=lambda *words: said.append(words[-1].decode()))  # fmt: skip
    for name, value, size, why in (
        (force, 1.0, 100.0, "The run goes from 0 to"),
        # neither is another run begun under way, nor the master ended
        (mass, 9.0, 0.0015, "is a parameter: it is set before the run begins"),
        (force, float("nan"), 0.0015, "which is no finite number"),
    ):
        fmu.enterInitializationMode(startTime=0.0)
        fmu.exitInitializationMode()
        fmu.setFloat64([number[name]], [value])
        with pytest.raises(Exception, match="failed with status 3"):
            fmu.doStep(0.0, size)
        assert why in said[-1]
        fmu.reset()
    fmu.freeInstance()
    shutil.rmtree(folder)


def test_an_input_that_is_set_to_nought_is_set(tmp_path: Path) -> None:
    """A driver that the project moves: what masters set before the start is no start value to be passed over."""
    driver = {"id": "arm", "joint": "joint", "axis": "angle", "quantity": "velocity",
              "pulse": {"kind": "constant", "value": 1.0}}  # fmt: skip
    model = mk.Model(project(hung({"kind": "pin"}, drivers=[driver]))).until(0.2)
    name, out = "drivers/arm/velocity", "joints/joint/angle"
    file = write_fmu(model, tmp_path / "arm.fmu", inputs=[name], outputs=[out])
    ends = {}
    for value in (None, 0.0, -2.0):
        signal = None if value is None else np.array([(0.0, value), (0.2, value)], dtype=[("time", float), (name, float)])  # fmt: skip
        found = fmpy.simulate_fmu(str(file), stop_time=0.2, output_interval=0.05, input=signal)
        ends[value] = found[out][-1]
    assert ends[None] == pytest.approx(0.2)
    assert ends[0.0] == pytest.approx(0.025, abs=1e-9), "it is brought to rest over the first step"
    assert ends[-2.0] == pytest.approx(-0.325, abs=1e-9)


def test_the_command_writes_what_the_function_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    force, model, file = "segments/lower/force/x", tmp_path / "two.json", tmp_path / "two.fmu"
    mk.sample("double_pendulum").save(model)
    assert main(["fmu", str(model), "-o", str(file), "--inputs", force, "--every", "0.002"]) == 0
    assert capsys.readouterr().out == f"Wrote {file}.\n"
    about = fmpy.read_model_description(str(file))
    assert {one.name for one in about.modelVariables if one.causality == "input"} == {force}
    assert about.defaultExperiment.stepSize == "0.002"
    assert "hinge_force_x" in {one.name for one in about.modelVariables}
    assert main(["fmu", str(model), "-o", str(file), "--outputs", "segmets/lower/position/x"]) == 1
    assert "segmets" in capsys.readouterr().err


def test_what_an_fmu_cannot_have_is_said(tmp_path: Path) -> None:
    model, file = mk.sample("double_pendulum"), tmp_path / "two.fmu"
    for given, said in (
        ({"inputs": ["segments/lwer/force/x"]}, "Did you mean 'segments/lower/force/x'"),
        ({"outputs": ["segmets/lower/position/x"]}, "segmets"),
        ({"parameters": ["segments/lower/name"]}, "only numbers can be parameters"),
        ({"every": 1e9}, "does not fit a run"),
        ({"outputs": ["hinge_force_x", "hinge_force_x"]}, "named twice"),
    ):
        with pytest.raises((FmuError, mk.SimulationError, mk.ResultsError), match=said):
            write_fmu(model, file, **given)  # type: ignore[arg-type]
    with pytest.raises(FmuError, match="name of an FMU ends with"):
        write_fmu(model, tmp_path / "two.zip")
    assert not file.exists()


SPRING = """
from pathlib import Path
from weakref import ref

from pythonfmu3 import Fmi3Causality, Fmi3Initial, Fmi3Slave, Fmi3Variability, Float64

from manikin.fmu_inside import end_in_order, outlasts

MADE = []


class Spring(Fmi3Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        end_in_order(Path(self.resources))
        MADE.append((self.log_queue, ref(self)))
        self.time, self.x, self.k, self.f = 0.0, 0.0, 100.0, 0.0
        c, v, i = Fmi3Causality, Fmi3Variability, Fmi3Initial
        self.register_variable(Float64("time", causality=c.independent, variability=v.continuous))
        self.register_variable(Float64("x", causality=c.input, variability=v.continuous, initial=i.exact))
        self.register_variable(Float64("k", causality=c.parameter, variability=v.fixed, initial=i.exact))
        self.register_variable(Float64("f", causality=c.output, variability=v.continuous, initial=i.calculated))

    def do_step(self, now, size):
        if now > 0.45:
            raise RuntimeError("It is torn")
        self.f = -self.k * self.x
        return True
"""
"""A spring as an FMU of FMI 3.0 that stands beside ours: f = -k x."""

ABOUT_2 = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="spring" guid="s" numberOfEventIndicators="0">
  <CoSimulation modelIdentifier="spring" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="0" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="k" valueReference="1" causality="parameter" variability="fixed" initial="exact"><Real start="100"/></ScalarVariable>
    <ScalarVariable name="f" valueReference="2" causality="output" variability="continuous" initial="calculated"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="3"/></Outputs><InitialUnknowns><Unknown index="3"/></InitialUnknowns></ModelStructure>
</fmiModelDescription>
"""


def spring_of_fmi_3(folder: Path, name: str = "spring", source: str = SPRING) -> Path:
    from pythonfmu3 import FmuBuilder

    script = folder / f"{name}.py"
    script.write_text(source, encoding="utf-8")
    return Path(FmuBuilder.build_FMU(script, folder))


def spring_of_fmi_2(folder: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler")
    source = Path(__file__).resolve().parent.parent / "data" / "spring_fmi2.c"
    library = folder / "spring.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-w", str(source), "-o", str(library)], check=True
    )
    file = folder / "spring.fmu"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("modelDescription.xml", ABOUT_2)
        packed.write(library, "binaries/linux64/spring.so")
    return file


def mass(**parts: Any) -> mk.Model:
    """A mass of 1 kg at 0.1 m, free of weight."""
    data = base(segments=[segment("ball")], **parts)
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    data["runs"][0]["duration_s"] = 0.6
    data["initial"] = {"roots": [{"segment": "ball", "position_m": [0.1, 0.0, 0.0]}]}
    return mk.Model(project(data))


PORTS: dict[str, Any] = {
    "inputs": {"x": "segments/ball/position/x"},
    "outputs": {"f": "segments/ball/force/x"},
}


@pytest.mark.parametrize("make", [spring_of_fmi_2, spring_of_fmi_3])
def test_a_spring_beside_a_run_is_one_inside_to_first_order(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    """x = 0.1 cos(w t) with a spring inside; outside its force is that of the last exchange."""
    file = make(tmp_path)
    off = []
    for every in (4e-3, 2e-3, 1e-3):
        sim = mk.Simulation(mass())
        with couple(sim, file, every=every, start={"k": 400.0}, **PORTS) as coupled:
            coupled.step_to(0.2)
            assert coupled.time == pytest.approx(0.2)
        x = sim.get("segments/ball/position/x")
        off.append(x - 0.1 * np.cos(20.0 * coupled.time))
        # the same by hand
        hand = mk.Simulation(mass())
        control = hand.control(["segments/ball/force/x"], ["segments/ball/position/x"])
        for _ in range(round(0.2 / every)):
            control.step([-400.0 * control.values[0]], every)
        assert hand.get("segments/ball/position/x") == x
    assert np.log2(np.divide(off[:-1], off[1:])) == pytest.approx([1.0, 1.0], abs=0.1)
    assert abs(off[-1]) < 3e-3


def test_an_fmu_drives_a_joint_and_fires_a_trigger(tmp_path: Path) -> None:
    """With f = -k x: the speed of a driven angle, which decays; and what fires once x is below -0.5 / k."""
    file = spring_of_fmi_3(tmp_path)
    driver = {"id": "arm", "joint": "joint", "axis": "angle", "quantity": "velocity",
              "pulse": {"kind": "constant", "value": -1.0}}  # fmt: skip
    model = mk.Model(project(hung({"kind": "pin"}, [0.2], drivers=[driver])))
    sim = mk.Simulation(model)
    ports = {"inputs": {"x": "joints/joint/angle"}, "outputs": {"f": "drivers/arm/velocity"}}
    with couple(sim, file, every=2e-3, start={"k": 5.0}, **ports) as coupled:
        coupled.step_to(0.4)
    assert sim.get("joints/joint/angle") == pytest.approx(0.2 * np.exp(-5.0 * 0.4), rel=0.03)
    later = {"kind": "time", "time_s": 5.0}
    pull = {"kind": "muscle", "stiffness": 2.0, "damping": 1e6, "activation": 0.0, "trigger": later}
    force = {"id": "hip", "coordinate": {"kind": "joint", "joint": "joint", "axis": "angle"}, "laws": [pull]}  # fmt: skip
    data = hung({"kind": "pin"}, coordinate_forces=[force], initial={"joints": [{"joint": "joint", "values": [0.0], "rates": [-1.0]}]})  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    sim = mk.Simulation(mk.Model(project(data)))
    ports = {
        "inputs": {"x": "joints/joint/angle"},
        "outputs": {"f": "coordinate_forces/hip/trigger"},
    }
    with couple(sim, file, every=0.01, start={"k": 10.0}, **ports) as coupled:
        coupled.step_to(0.1)
    fired = [one.time for one in sim.run.events if one.kind == "trigger_passed"]
    # 0.05 rad are passed at 50 ms, and told at the next exchange
    assert fired == [pytest.approx(0.06)]


def test_what_fails_of_an_fmu_is_said(tmp_path: Path) -> None:
    file = spring_of_fmi_3(tmp_path)
    for inputs, outputs, said in (
        ({"y": "segments/ball/position/x"}, {}, "has no variable 'y'"),
        ({"f": "segments/ball/position/x"}, {}, "of causality 'output', not 'input'"),
        ({"x": "segments/bal/position/x"}, {}, "Did you mean 'ball'"),
        ({}, {"f": "segments/ball/mass_kg"}, "change the model"),
    ):
        with pytest.raises((FmuError, mk.SimulationError, mk.ResultsError), match=said):
            couple(mk.Simulation(mass()), file, inputs=inputs, outputs=outputs)  # type: ignore[arg-type]
    with pytest.raises(FmuError, match="There is no FMU"):
        couple(mk.Simulation(mass()), tmp_path / "no.fmu", **PORTS)
    bad = tmp_path / "bad.fmu"
    bad.write_bytes(b"not packed")
    with pytest.raises(FmuError, match="'bad' cannot be read"):
        couple(mk.Simulation(mass()), bad, **PORTS)
    with (
        couple(mk.Simulation(mass()), file, every=0.1, **PORTS) as coupled,
        pytest.raises(FmuError, match="failed at 500 ms") as raised,
    ):
        coupled.step_to_end()
    assert "It is torn" in str(raised.value)
    with pytest.raises(FmuError, match="is closed"):
        coupled.step()
    assert_given_up_once("spring")


def assert_given_up_once(name: str) -> None:
    """What pythonfmu3 gives up twice is another's memory later, in which Python ends with a signal."""
    made = sys.modules[name].MADE
    assert made
    for log, instance in made:
        held = ["in the list", "here", "as an argument"] + ["by it"] * (instance() is not None)
        assert sys.getrefcount(log) == len(held)


def test_an_instance_that_fails_lasts_until_its_master_frees_it(tmp_path: Path) -> None:
    fmpy = pytest.importorskip("fmpy")
    source = SPRING.replace("    def do_step", "    @outlasts\n    def do_step")
    file = str(spring_of_fmi_3(tmp_path, "lasting", source))
    about, folder = fmpy.read_model_description(file), fmpy.extract(file)
    fmu = fmpy.instantiate_fmu(folder, about, "CoSimulation")
    fmu.enterInitializationMode(startTime=0.0)
    fmu.exitInitializationMode()
    with pytest.raises(Exception, match="failed with status 4"):
        fmu.doStep(0.5, 0.1)
    # masters are not to ask a lost one for anything, and some do
    fmu.freeInstance()
    assert_given_up_once("lasting")
    shutil.rmtree(folder)
