"""Models: projects that never change, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from manikin.builders import Builders
from manikin.loops import Looped
from manikin.notebook import heading, table
from manikin.people import Peopled
from manikin.posing import Posed
from manikin.ready_parts import Fitted
from manikin.rest import Resting
from manikin.straps import Strapped
from manikin.vehicles import Driving
from solver.base.places import samples as sample_folder
from solver.base.units import spelled
from solver.base.words import Sentence
from solver.bodies import BodyError
from solver.bodies.dummies import dummy_file
from solver.project import (
    LISTS,
    Problem,
    Project,
    ProjectError,
    load_project,
    save_project,
    to_json,
)
from solver.project.amounts import Amounts, amounts
from solver.project.changes import plain, value_at, with_value
from solver.project.checks import Checked, check
from solver.project.document import STANDARD_GRAVITY, LoadCase
from solver.project.frames import Axes, axes_of
from solver.project.pose import axes_in, place_from, place_in
from solver.project.problems import did_you_mean, error
from solver.project.runs import Run as RunSettings

if TYPE_CHECKING:
    from manikin.schema.numbers import Numbers, Vec3

ENDING = ".json"
V = TypeVar("V")


class Model(Builders, Peopled, Posed, Fitted, Driving, Strapped, Resting, Looped):
    """A model: segments, joints, restraints, how they start, and how they are solved.

    A model never changes. Its parts are those of the project file (docs/project-file.md), in `project`.

    >>> model = mk.sample("double_pendulum")
    >>> model
    <Model 'Double pendulum: two rods released horizontal': 2 segments, 2 joints, 3 outputs, 1 runs>
    >>> model == mk.sample("double_pendulum")
    True
    """

    def __init__(self, project: Project) -> None:
        self._project = project

    def _with(self, project: Project) -> Self:
        return type(self)(project)

    @property
    def project(self) -> Project:
        """The project behind it, as `solver` takes it."""
        return self._project

    @overload
    def value(self, path: str) -> Any: ...

    @overload
    def value(self, path: str, kind: type[V]) -> V: ...

    def value(self, path: str, kind: type[Any] | None = None) -> Any:
        """The value at a path: `segments/head/mass_kg`, entries by id or by number from 0.

        With a `kind`, such as `float`, what checks types knows it, and anything else there raises TypeError.

        >>> mk.sample("double_pendulum").value("segments/lower/mass_kg")
        1.0
        >>> mk.sample("double_pendulum").value("segments/lower/mass_kg", str)
        Traceback (most recent call last):
        TypeError: segments/lower/mass_kg holds a float, not a str.
        """
        found = value_at(self._project, path)
        if kind is not None and not isinstance(found, (int, float) if kind is float else kind):
            raise TypeError(f"{path} holds a {type(found).__name__}, not a {kind.__name__}.")
        return found

    def with_value(self, path: str, value: object) -> Self:
        """Give the model with another value at a path; what is untouched is shared with this one.

        Raises ProjectError where the path leads nowhere, or where type or range do not fit.

        >>> heavy = mk.sample("double_pendulum").with_value("segments/lower/mass_kg", 2.0)
        >>> heavy.value("segments/lower/mass_kg")
        2.0
        """
        return self._with(with_value(self._project, path, plain(value)))

    def with_values(self, values: Mapping[str, object]) -> Self:
        """The model with other values at several paths, one after the other."""
        project = self._project
        for path, value in values.items():
            project = with_value(project, path, plain(value))
        return self._with(project)

    def frame(self, frame: str, segment: str | None = None) -> Axes:
        """An own frame as it stands in the segment that carries it, or in another one at the start.

        It turns places, vectors and what turns into its own components and back: `place_in`, `place_of`,
        `vector_in`, `vector_of`, `axial_in`, `axial_of` (docs/project-file.md, OwnFrame).
        """
        axes = axes_of(self._project.frames).get(frame) if segment is None else None
        return axes_in(self._project, frame, segment or "ground") if axes is None else axes

    def place(self, path: str, frame: str) -> tuple[float, float, float]:
        """The place at a path in an own frame (m)."""
        return place_in(self._project, frame, path)

    def with_place(self, path: str, place: Numbers, frame: str) -> Self:
        """Give the model with a place (m) that is told in an own frame; the file keeps it in its segment's axes.

        >>> model = mk.sample("double_pendulum").add_frame("low", position_m=(0.0, 0.0, 1.0), reversed="z")
        >>> moved = model.with_place("joints/hinge/parent_frame/position_m", (0.0, 0.0, 0.25), "low")
        >>> moved.value("joints/hinge/parent_frame/position_m")
        (0.0, 0.0, 0.75)
        """
        return self.with_value(path, place_from(self._project, frame, path, place))

    def units(self, system: str) -> str:
        """An own system of units in the words that every `units` takes, as `mm,t,s`."""
        return spelled(self.value(f"unit_systems/{system}/units"))

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """All problems: errors, which prevent a run, then warnings and notes.

        >>> [problem.severity for problem in mk.sample("double_pendulum").problems]
        []
        """
        return check(self._project)

    def checked(self) -> Checked:
        """The project with the word that it has no errors; raises ProjectError where it has."""
        if any(one.severity == "error" for one in self.problems):
            raise ProjectError(self.problems)
        return Checked(self._project, self.problems)

    def amounts(self, run: str | None = None) -> Amounts:
        """Count what a run stores before it is solved: frames, samples, bytes `on_disk` and `in_memory`.

        >>> found = mk.sample("double_pendulum").until(0.1).amounts()
        >>> found.channels, found.on_disk < 1e6
        (50, True)
        """
        return amounts(self._project, self.settings(run))

    def settings(self, run: str | None = None) -> RunSettings:
        """Give the settings of a run by its id; the first if none is named."""
        from solver.running.simulation import chosen_run

        return chosen_run(self._project, run)

    def until(self, time_s: float, run: str | None = None) -> Self:
        """Give the model whose run ends at another time (s)."""
        return self.with_value(f"runs/{self.settings(run).id}/duration_s", float(time_s))

    def save(self, path: Path | str) -> None:
        """Write the project file, whole or not at all."""
        save_project(self._project, path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self._project == other._project

    def __hash__(self) -> int:
        return hash(to_json(self._project))

    def __repr__(self) -> str:
        counts = [(len(getattr(self._project, name)), name) for name in LISTS]
        there = ", ".join(f"{n} {name.replace('_', ' ')}" for n, name in counts if n)
        return f"<Model '{self._project.title}': {there or 'empty'}>"

    def _repr_html_(self) -> str:
        parts = ((name, getattr(self._project, name)) for name in LISTS)
        rows = [
            (name.replace("_", " "), ", ".join(o.id for o in part)) for name, part in parts if part
        ]
        return heading(self._project.title or "Model") + table(rows)

    def __getstate__(self) -> dict[str, Any]:
        return {"_project": self._project}


def the_model(given: Model) -> Model:
    """Give a model back; raises TypeError with a sentence for anything else, such as a file's name."""
    if not isinstance(given, Model):
        raise TypeError(
            f"This takes a model, not {given!r}: manikin.load reads one from a file, manikin.sample gives one by its name."
        )
    return given


def load(path: Path | str) -> Model:
    """Read a model from a project file; raises ProjectError with every problem of the file."""
    return Model(load_project(Path(path)))


def samples() -> tuple[str, ...]:
    """Name the sample models.

    >>> "frontal" in mk.samples()
    True
    """
    return tuple(sorted(file.stem for file in sample_folder().glob(f"*{ENDING}")))


def sample(name: str) -> Model:
    """Give a sample model by its name.

    >>> mk.sample("frontl")
    Traceback (most recent call last):
    manikin.ProjectError: error: There is no sample 'frontl'. Did you mean 'frontal'? [sample-unknown]
    """
    known = samples()
    if name not in known:
        hint = did_you_mean(name, known) or Sentence("There are {known}.", known=", ".join(known))
        raise ProjectError(
            [error("sample-unknown", "", Sentence("There is no sample '{name}'.", name=name), hint)]
        )
    return load(sample_folder() / f"{name}{ENDING}")


def dummy(name: str) -> Model:
    """Give a crash test dummy as a model of its own, with the studies that its laws were fitted by (docs/dummies.md).

    >>> [one.id for one in mk.dummy("hybrid_iii_50m").project.studies]
    ['neck', 'head', 'thorax', 'knee']
    """
    try:
        return Model(dummy_file(name))
    except BodyError as failure:
        raise ProjectError([error("dummy-unknown", "", failure.said)]) from None


def json_schema() -> str:
    """Give the JSON Schema of project files, for editors and other programs.

    >>> "$defs" in mk.json_schema()
    True
    """
    from solver.project.schema import json_schema_text

    return json_schema_text()


def new(
    title: str = "",
    duration_s: float = 0.1,
    *,
    gravity_m_per_s2: Vec3 = (0.0, 0.0, STANDARD_GRAVITY),
    load_case: LoadCase = "",
    note: str = "",
    source: str = "",
) -> Model:
    """An empty model with one run of a duration (s); z points down where gravity is not given.

    >>> pendulum = (
    ...     mk.new("A rod hung from the ground", 0.2)
    ...     .add_segment("rod", mass_kg=2.0, shape={"kind": "cylinder", "radius_m": 0.01, "length_m": 1.0})
    ...     .add_joint(
    ...         "pivot",
    ...         kind="pin",
    ...         parent="ground",
    ...         child="rod",
    ...         child_frame={"position_m": (0.0, 0.0, -0.5)},
    ...     )
    ...     .start_joint("pivot", [0.5])
    ...     .add_output("pull", kind="joint", joint="pivot", quantity="force")
    ... )
    >>> mk.run(pendulum)["pull_resultant"].unit
    'N'
    """
    from solver.project import validated

    return Model(validated({
        "format": "manikin-project", "title": title, "note": note, "source": source, "load_case": load_case,
        "gravity_m_per_s2": plain(gravity_m_per_s2), "runs": [{"id": "run", "duration_s": duration_s}],
    }))  # fmt: skip
