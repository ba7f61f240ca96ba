"""What runs inside an FMU of ours: a master of FMI calls it by `pythonfmu3`, which comes in the FMU."""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from manikin.control import Control
from manikin.fmu import MODEL, PORTS, FmuError, Variable, base_units
from manikin.model import Model, load
from manikin.running import RunFailed
from manikin.simulation import Simulation
from solver.base.extras import needed
from solver.base.places import __version__
from solver.base.words import Refusal
from solver.project import ProjectError
from solver.results.quantities import quantities

KINDS = {
    "independent": ("independent", "continuous", None),
    "input": ("input", "discrete", "exact"),
    "output": ("output", "continuous", "calculated"),
    "parameter": ("parameter", "fixed", "exact"),
}
"""Causality, variability and how the start is known."""
NEAR = 1e-9
"""Part of a step by which an instant may miss one."""


def outlasts(call: Callable[..., Any]) -> Callable[..., Any]:
    """Let an instance last where this call of it raises.

    pythonfmu3 0.3.4 gives up what it holds of an instance where a call raises, and once more when the master frees it.
    What is given up twice leaves Python with places of memory that are others' by then.
    """

    @wraps(call)
    def called(self: Any, *given: Any) -> Any:
        try:
            return call(self, *given)
        except BaseException:
            for held in (self, type(self), self.log_queue):
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))
            raise

    return called


class Inside:
    """A model that a master takes on."""

    vars: dict[int, Any]
    units: dict[str, Any]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        folder = Path(kwargs["resources"])
        end_in_order(folder)
        told = json.loads((folder / PORTS).read_text(encoding="utf-8"))
        self._every, self._run = float(told["every_s"]), str(told["run"])
        self._given: Model = load(folder / MODEL)
        self._changes: dict[str, float] = {}
        self._wishes: dict[str, float] = {}
        self._sim: Simulation | None = None
        self._control: Control | None = None
        self._has_begun = self._refused = False
        self._time, self._values = 0.0, dict[str, float]()
        self._outputs: dict[str, str] = {}
        """Full names of quantities by those of the variables."""
        self._start: dict[str, float] = {}
        for one in told["variables"]:
            self._register(Variable(**one))
        self.description = told["title"]
        self.version = f"Manikin {told['version']}"
        self.default_experiment = library().DefaultExperiment(
            0.0, float(told["duration_s"]), self._every
        )

    def _register(self, one: Variable) -> None:
        lib = library()
        causality, variability, initial = KINDS[one.causality]
        setter = None
        if one.causality == "input":
            setter = lambda value: self._wish(one, value)  # noqa: E731
        elif one.causality == "parameter":
            setter = lambda value: self._change(one.name, value)  # noqa: E731
        if one.causality == "output":
            self._outputs[one.name] = one.quantity
        self._start[one.name] = one.start
        unit = one.unit if one.unit not in ("", "1") else None
        if unit is not None and unit not in self.units:
            self.units[unit] = lib.Unit(unit, **base_units(unit))
        made = precise()(
            one.name,
            causality=lib.Fmi3Causality[causality],
            variability=lib.Fmi3Variability[variability],
            initial=None if initial is None else lib.Fmi3Initial[initial],
            unit=unit,
            description=one.help or None,
            getter=lambda: self._value(one),
            setter=setter,
        )
        self.register_variable(made, nested=False)  # type: ignore[attr-defined]

    def to_xml(self, model_options: dict[str, str] | None = None) -> Element:
        """Describe the model; names are ours, with slashes."""
        xml: Element = super().to_xml(model_options or {})  # type: ignore[misc]
        xml.set("variableNamingConvention", "flat")
        xml.set("generationTool", f"Manikin {__version__}, {xml.get('generationTool')}")
        return xml

    # Values

    @outlasts
    def _value(self, one: Variable) -> float:
        if one.causality == "independent":
            return self._time
        if one.causality == "parameter":
            return self._changes.get(one.name, one.start)
        if one.causality == "input":
            return self._wishes.get(one.name, one.start)
        if not self._values:
            self._look()
        return self._values[one.name]

    @outlasts
    def _wish(self, one: Variable, value: float) -> None:
        """Let an input hold a value from here on; what it holds already is no wish."""
        held = self._wishes.get(one.name, one.start if one.holds else None)
        if value != held:
            if self._sim is not None:
                try:
                    self._sim.set(one.name, value)
                except Refusal as failure:
                    self._refuse(failure)
                    return
            self._wishes[one.name] = value
            self._values = {}

    @outlasts
    def _change(self, path: str, value: float) -> None:
        """Make the model another one; that is only possible before its start."""
        if value != self._changes.get(path, self._start[path]):
            if self._has_begun:
                words = "'{path}' is a parameter: it is set before the run begins."
                self._refuse(FmuError(words, path=path))
                return
            self._changes[path] = value
            self._sim, self._control, self._values = None, None, {}

    @property
    def _begun(self) -> Simulation:
        """The run, at its start when it is first asked for."""
        if self._sim is None:
            settings = self._given.settings(self._run)
            model = self._given.with_values(dict(self._changes))
            if settings.frame_interval_s != self._every:
                model = model.with_value(f"runs/{self._run}/frame_interval_s", self._every)
            self._sim = Simulation(model, self._run)
            for name, value in self._wishes.items():
                self._sim.set(name, value)
        return self._sim

    def _look(self) -> None:
        """Read all outputs where the run stands."""
        sim = self._begun
        if self._wishes or self._control is not None:
            found = self._exact.values.tolist()
        else:
            if not len(sim.run.time):
                sim.step_to(0.0)
            catalogue = quantities(sim.run.trajectory)
            found = [float(catalogue(name).value[-1]) for name in self._outputs.values()]
        self._values = dict(zip(self._outputs, found, strict=True))

    # The way of a run

    @outlasts
    def exit_initialization_mode(self) -> None:
        """Begin the run."""
        try:
            self._look()
            self._has_begun = True
        except (Refusal, ProjectError, RunFailed) as failure:
            self._tell(str(failure))
            raise

    def _refuse(self, failure: Refusal) -> None:
        """Say what cannot be set, and go no further: what is raised there would end the master."""
        self._tell(str(failure))
        self._refused = True

    def _tell(self, words: str) -> None:
        self.log(words, library().Fmi3Status.error)  # type: ignore[attr-defined]

    @outlasts
    def do_step(self, current_time: float, step_size: float) -> Any:
        """Go on by a step of the master."""
        lib = library()
        if self._refused:
            return lib.Fmi3StepResult(status=lib.Fmi3Status.error, terminateSimulation=True)
        try:
            self._go_to(current_time + step_size)
            self._look()
        except (Refusal, ProjectError, RunFailed) as failure:
            self._tell(str(failure))
            return lib.Fmi3StepResult(status=lib.Fmi3Status.error, terminateSimulation=True)
        return lib.Fmi3StepResult()

    def _go_to(self, time: float) -> None:
        """Go to a time: by the run's own steps to a sample as long as nobody interferes, else exactly."""
        sim = self._begun
        if abs(time - sim.duration) <= NEAR * self._every:
            time = sim.duration
        off = abs(time - round(time / self._every) * self._every)
        ends = time == sim.duration
        if self._control is None and not self._wishes and (off <= NEAR * self._every or ends):
            sim.step_to(time)
        elif time > self._exact.time:
            sim._hop(time, record=False)
        self._time = time

    @property
    def _exact(self) -> Control:
        """The run in steps that end where the master's do; there is no way back from that."""
        if self._control is None:
            self._control = self._begun.control((), list(self._outputs.values()), record=False)
        return self._control

    # States

    @outlasts
    def _get_fmu_state(self) -> dict[str, Any]:
        """All that the run knows."""
        return {
            "state": self._begun.state, "changes": dict(self._changes), "wishes": dict(self._wishes),
            "time": self._time, "values": dict(self._values), "exact": self._control is not None,
        }  # fmt: skip

    @outlasts
    def _set_fmu_state(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        if state["changes"] != self._changes:
            self._changes, self._sim = dict(state["changes"]), None
        self._wishes, self._control = {}, None
        sim = self._begun
        sim.set_state(state["state"])
        if state["exact"]:
            self._control = sim.control((), list(self._outputs.values()), record=False)
        self._wishes, self._time = dict(state["wishes"]), float(state["time"])
        self._values = dict(state["values"])


def end_in_order(resources: Path) -> None:
    """Let the library of an FMU give up its interpreter before Python ends.

    In pythonfmu3 0.3.4 it does so once more after its memory is freed, where the process is Python's own: some processes
    then end with 'corrupted double-linked list'.
    """
    if not sys.orig_argv or sys.platform != "linux":
        return
    for file in (resources.parent / "binaries").glob("*-linux/*.so"):
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(str(file), mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
            atexit.register(library.finalizePythonInterpreter)


@cache
def library() -> Any:
    """The library that connects Python with masters; it comes in the FMU."""
    with needed("fmi"):
        import pythonfmu3
    return pythonfmu3


@cache
def precise() -> Any:
    """The variable of the library, but every bit of its start is written."""

    class Precise(library().Float64):  # type: ignore[misc]
        """A number."""

        def get_start_str(self, value: Any, formatter: Any) -> str:
            """Write it."""
            return repr(float(value))

    return Precise
