"""FMUs of other programs beside a run: they get its outputs and set its inputs at fixed times."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from manikin.fmu import FmuError
from manikin.results import Run
from manikin.simulation import Simulation
from solver.base.extras import needed
from solver.project.problems import did_you_mean

NUMBERS = {
    "Real": "Real", "Integer": "Integer", "Boolean": "Boolean",
    **{name: name for name in ("Float64", "Float32", "Int64", "Int32", "Int16", "Int8", "UInt64", "UInt32", "UInt16", "UInt8")},
}  # fmt: skip
"""Types that stand for a number, by the functions that get and set them; a Boolean is true above 0.5."""
FATAL = 4
"""What a function of FMI gives back where the FMU is lost (fmi2Fatal, fmi3Fatal)."""


class Unit:
    """An FMU that has been loaded and stands at its start: co-simulation of FMI 2.0 or 3.0."""

    def __init__(self, file: Path | str, start: Mapping[str, float], time_s: float) -> None:
        self.name = Path(file).stem
        self._said: list[str] = []
        self._fmu: Any = None
        self._is_lost = False
        with needed("fmi", FmuError):
            import fmpy
        if not Path(file).is_file():
            raise FmuError("There is no FMU '{file}'.", file=file)
        with self._told("cannot be read"):
            about = fmpy.read_model_description(str(file))
        if about.coSimulation is None or about.fmiVersion.partition(".")[0] not in ("2", "3"):
            raise FmuError(
                "The FMU '{name}' is no co-simulation of FMI 2.0 or 3.0.", name=self.name
            )
        self._is_2 = about.fmiVersion.startswith("2")
        self.variables = {one.name: one for one in about.modelVariables}
        with self._told("cannot be loaded"):
            self._folder = fmpy.extract(str(file))
        try:
            self._begin(fmpy, about, start, time_s)
        except BaseException:
            self.close()
            raise

    def _begin(self, fmpy: Any, about: Any, start: Mapping[str, float], time_s: float) -> None:
        with self._told("cannot be loaded"):
            # what nobody calls may be missing
            self._fmu = fmpy.instantiate_fmu(
                self._folder, about, "CoSimulation", require_functions=False,
                logger=None if self._is_2 else self._hear,
            )  # fmt: skip
        with self._told("cannot be started"):
            if self._is_2:
                self._fmu.setupExperiment(startTime=time_s)
            for name, value in start.items():
                self.set(name, value)
            if self._is_2:
                self._fmu.enterInitializationMode()
            else:
                self._fmu.enterInitializationMode(startTime=time_s)

    def begin(self) -> None:
        """End its initialization: its inputs have been set."""
        with self._told("cannot be started"):
            self._fmu.exitInitializationMode()

    def _hear(self, *words: Any) -> None:
        text = words[-1]
        self._said.append(text.decode(errors="replace") if isinstance(text, bytes) else str(text))

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Say in a sentence what it, or the library that runs it, has raised."""
        try:
            yield
        except FmuError:
            raise
        except Exception as raised:
            self._is_lost = self._is_lost or getattr(raised, "status", 0) == FATAL
            why = " ".join(self._said[-1:] or [str(raised)]).split()
            raise FmuError(
                "The FMU '{name}' {what}: {why}.", name=self.name, what=what, why=" ".join(why).rstrip(".")
            ) from raised  # fmt: skip

    def find(self, name: str, causality: str | None = None) -> Any:
        """A variable of its own that is a number; FmuError where it has none such."""
        one = self.variables.get(name)
        if one is None:
            hint = did_you_mean(name, self.variables) or ""
            raise FmuError(
                "The FMU '{fmu}' has no variable '{name}'. {hint}",
                fmu=self.name,
                name=name,
                hint=hint,
            )
        if one.type not in NUMBERS or one.dimensions:
            raise FmuError("'{name}' of the FMU '{fmu}' is no number.", name=name, fmu=self.name)
        if causality is not None and one.causality != causality:
            raise FmuError(
                "'{name}' of the FMU '{fmu}' is of causality '{found}', not '{wanted}'.",
                name=name,
                fmu=self.name,
                found=one.causality,
                wanted=causality,
            )
        return one

    def set(self, name: str, value: float) -> None:
        """Set a variable."""
        one = self.find(name)
        kind = NUMBERS[one.type]
        number: Any = value
        if kind == "Boolean":
            number = value > 0.5
        elif "Float" not in kind and kind != "Real":
            number = round(value)
        with self._told(f"does not take {name} = {value:g}"):
            getattr(self._fmu, f"set{kind}")([one.valueReference], [number])

    def get(self, name: str) -> float:
        """Read a variable."""
        one = self.find(name)
        with self._told(f"does not give {name}"):
            return float(getattr(self._fmu, f"get{NUMBERS[one.type]}")([one.valueReference])[0])

    def step(self, time_s: float, size_s: float) -> None:
        """Let it go on from a time (s) by a step (s)."""
        with self._told(f"failed at {1e3 * time_s:.6g} ms"):
            found = self._fmu.doStep(currentCommunicationPoint=time_s, communicationStepSize=size_s)
        if not self._is_2:
            _, ends, early, last = found
            if early or ends:
                raise FmuError(
                    "The FMU '{name}' ended its step early, at {ms:.6g} ms.",
                    name=self.name,
                    ms=1e3 * last,
                )

    @property
    def is_closed(self) -> bool:
        """Whether it has been ended."""
        return self._fmu is None

    def close(self) -> None:
        """End it, and remove what was unpacked; one that is lost may not even be ended (FMI 3.0, 2.2.3)."""
        if self._fmu is not None:
            for end in () if self._is_lost else (self._fmu.terminate, self._fmu.freeInstance):
                try:
                    end()
                except Exception:  # noqa: BLE001 (it is at its end, whatever it says)
                    continue
            self._fmu = None
        shutil.rmtree(self._folder, ignore_errors=True)


class Coupled:
    """A run and an FMU that exchange numbers at fixed times; made by `couple`.

    It is closed by `close`, or at the end of a `with`.
    """

    def __init__(
        self,
        simulation: Simulation,
        file: Path | str,
        inputs: Mapping[str, str],
        outputs: Mapping[str, str],
        every: float,
        start: Mapping[str, float],
    ) -> None:
        if not every > 0.0:
            raise FmuError(
                "Numbers are exchanged every {every:g} s, which is no time.", every=every
            )
        self.simulation, self.every = simulation, every
        self._read = tuple(inputs)
        self._control = simulation.control(tuple(outputs.values()), tuple(inputs.values()))
        self._begin, self._count = simulation.at, 0
        self.unit = Unit(file, start, self._begin)
        try:
            for name in inputs:
                self.unit.find(name, "input")
            for name in outputs:
                self.unit.find(name, "output")
            self._set = tuple(outputs)
            self._give()
            self.unit.begin()
        except BaseException:
            self.close()
            raise

    @property
    def time(self) -> float:
        """Where both stand (s)."""
        return self.simulation.at

    def _give(self) -> None:
        for name, value in zip(self._read, self._control.values.tolist(), strict=True):
            self.unit.set(name, value)

    def step(self) -> None:
        """Exchange numbers, and go on to the next exchange.

        The FMU gets the outputs of the run as they are, and goes first; what it then gives is held over the step of the run.
        """
        now = self._begin + self._count * self.every
        if self.simulation.is_over or self.unit.is_closed:
            raise FmuError(
                "The run has come to its end, or the FMU '{name}' is closed.", name=self.unit.name
            )
        size = min(self.every, self.simulation.duration - now)
        self._give()
        self.unit.step(now, size)
        self._control.step([self.unit.get(name) for name in self._set], size)
        self._count += 1

    def step_to(self, time_s: float) -> None:
        """Go on to the first exchange at or behind a time (s)."""
        near = 1e-9 * self.every
        while (
            self._begin + self._count * self.every < time_s - near and not self.simulation.is_over
        ):
            self.step()

    def step_to_end(self) -> Run:
        """Go on to the end of the run, and give it."""
        self.step_to(self.simulation.duration)
        return self.simulation.run

    def close(self) -> None:
        """End the FMU; the run stays."""
        self.unit.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:  # fmt: skip
        self.close()


def couple(
    simulation: Simulation,
    file: Path | str,
    *,
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    every: float = 1e-3,
    start: Mapping[str, float] | None = None,
) -> Coupled:
    """Couple a run with an FMU: co-simulation of FMI 2.0 or 3.0.

    `inputs` says for inputs of the FMU which outputs of the run they get (`Simulation.outputs`), `outputs` for outputs of the
    FMU which inputs of the run they set (`Simulation.inputs`): a force, a driver, a target, a trigger. Numbers are
    exchanged every so many seconds, and held in between: what both do together is found to the first order of that time.
    `start` sets parameters of the FMU. An FMU is a program, and does whatever it likes on this machine: run those that
    you trust. Needs `manikin[fmi]`. Raises FmuError where the FMU cannot be run, or lacks one of these.
    """
    return Coupled(simulation, file, inputs, outputs, every, start or {})
