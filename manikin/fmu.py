"""Write models as FMUs: units of FMI 3.0 co-simulation, which other programs take on step by step."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from manikin.model import Model, the_model
from solver.base.atomic import write_atomic
from solver.base.extras import needed
from solver.base.places import __version__
from solver.base.units import UnitError
from solver.base.units.table import unit as unit_of
from solver.base.words import Refusal
from solver.project import to_json
from solver.project.changes import value_at
from solver.running.inputs import find_input, inputs_of
from solver.running.simulation import Simulation as Whole

SCRIPT = '''"""What a master of FMI starts: a model of Manikin."""

from pythonfmu3 import Fmi3Slave

try:
    from manikin.fmu_inside import Inside
except ImportError as missing:
    raise ImportError(
        "This FMU needs Manikin {version} or newer in the Python that runs it: pip install manikin. " + str(missing)
    ) from missing


class {name}(Inside, Fmi3Slave):
    """The model {title}."""
'''
MODEL, PORTS = "model.json", "ports.json"


class FmuError(Refusal):
    """Say in a sentence why an FMU cannot be written, read or run."""

    __module__ = "manikin"


@dataclass(frozen=True)
class Variable:
    """An input, an output or a parameter of an FMU."""

    name: str
    causality: str
    unit: str
    help: str = ""
    start: float = 0.0
    quantity: str = ""
    """The full name of an output."""
    holds: bool = False
    """Whether an input holds its start before anybody has set it; else the project says what it does."""


def write_fmu(
    model: Model,
    path: Path | str,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] | None = None,
    parameters: Sequence[str] = (),
    run: str | None = None,
    every: float | None = None,
) -> Path:
    """Write a model as an FMU of FMI 3.0 co-simulation, and give its file.

    `inputs` are names as `Simulation.inputs` has them, `outputs` quantities as results name them (the project's
    own outputs where none are named), `parameters` paths of numbers of the project, set before the start. A master is to step by `every` (s; the interval of
    frames where none is given), and may step otherwise. As long as no input is set, and steps end at multiples of `every`, the run is that of `mk.run` to the
    last bit; else a step of the integrator ends where the master's does, as with `step_to(..., exactly=True)`.

    It needs `manikin[fmi]` here, and where it runs a Python with `manikin` (docs/coupling.md). Raises FmuError for
    a name that the model does not have, and ProjectError where the model has errors.
    """
    path = Path(path)
    if path.suffix.lower() != ".fmu":
        raise FmuError("The name of an FMU ends with .fmu, not '{name}'.", name=path.name)
    settings = the_model(model).settings(run)
    step = settings.frame_interval_s if every is None else float(every)
    if not 0.0 < step <= settings.duration_s:
        raise FmuError(
            "A step of {step:g} s does not fit a run of {duration:g} s.",
            step=step,
            duration=settings.duration_s,
        )
    variables = _variables(model, run, inputs, outputs, parameters)
    name = re.sub(r"\W+", "_", path.stem, flags=re.ASCII)
    name = name if re.match(r"[A-Za-z_]", name) else f"m_{name}"
    ports = {
        "run": settings.id, "every_s": step, "duration_s": settings.duration_s, "title": model.project.title,
        "version": __version__, "variables": [asdict(one) for one in variables],
    }  # fmt: skip
    with TemporaryDirectory() as folder:
        made = _built(Path(folder), name, model, ports)
        try:
            write_atomic(path, made.read_bytes())
        except OSError as failure:
            raise FmuError(
                "'{path}' cannot be written: {why}.", path=path, why=failure.strerror or failure
            ) from None
    return path


def _built(folder: Path, name: str, model: Model, ports: dict[str, Any]) -> Path:
    """Let the library build it in a folder."""
    with needed("fmi", FmuError):
        from pythonfmu3 import FmuBuilder

    script = folder / f"{name}_fmu.py"
    title = re.sub(r"[^\w ,:;().-]", " ", model.project.title or name)
    script.write_text(SCRIPT.format(version=__version__, name=name, title=title), encoding="utf-8")
    (folder / MODEL).write_text(to_json(model.project, embed_curves=True), encoding="utf-8")
    (folder / PORTS).write_text(json.dumps(ports, indent=1), encoding="utf-8")
    out = folder / "out"
    made: Path = FmuBuilder.build_FMU(
        script, out, [folder / MODEL, folder / PORTS],
        canGetAndSetFMUState=True, canHandleVariableCommunicationStepSize=True,
    )  # fmt: skip
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)
    return made


def _variables(
    model: Model,
    run: str | None,
    inputs: Sequence[str],
    outputs: Sequence[str] | None,
    parameters: Sequence[str],
) -> list[Variable]:
    """All that the FMU has, each looked up in the model."""
    project = model.project
    whole = Whole(model.checked(), run)
    found = [Variable("time", "independent", "s", "The time of the run.")]
    known = inputs_of(whole.model) if inputs else {}
    for name in inputs:
        one = find_input(known, project, name)
        holds = one.kind in ("push", "vent")
        found.append(Variable(name, "input", one.unit, one.help, one.value, holds=holds))
    for path in parameters:
        value = value_at(project, path)
        if not isinstance(value, float):
            raise FmuError("'{path}' is no number, and only numbers can be parameters.", path=path)
        found.append(Variable(path, "parameter", _unit_at(path), "", value))
    if outputs is None:
        # those of bodies' own sensors have a dot
        outputs = [one.name for one in whole.specs if "." not in one.name]
    readouts = whole.readouts()
    for name in outputs:
        full = readouts.find(name)
        found.append(Variable(name, "output", readouts.about(full).unit, quantity=full))
    if len(found) == 1:
        raise FmuError("The project has no outputs; name some quantities.")
    names = [one.name for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FmuError("'{name}' is named twice.", name=twice)
    return found


_ENDINGS = (
    ("_kgm2", "kg*m2"), ("_kg", "kg"), ("_n_per_m", "N/m"), ("_ns_per_m", "N*s/m"), ("_m_per_s2", "m/s2"),
    ("_m_per_s", "m/s"), ("_rad", "rad"), ("_m2", "m2"), ("_s", "s"), ("_m", "m"), ("_n", "N"), ("_pa", "Pa"),
)  # fmt: skip


def _unit_at(path: str) -> str:
    """The unit that the name of a field ends with; none where it says none."""
    field = next((word for word in reversed(path.split("/")) if not word.isdecimal()), "")
    return next((unit for ending, unit in _ENDINGS if field.endswith(ending)), "")


def base_units(unit: str) -> dict[str, Any]:
    """A unit as FMI has it: powers of kg, m, s, K and rad; nothing where those cannot say it."""
    try:
        found = unit_of(unit)
    except UnitError:
        return {}
    powers = dict(zip(("m", "kg", "s", "K", "rad"), found.dimension, strict=True))
    if any(power != int(power) for power in powers.values()):
        return {}
    made: dict[str, Any] = {name: int(power) for name, power in powers.items()}
    return made | {"factor": found.factor, "offset": found.offset}
