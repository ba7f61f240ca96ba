"""Make studies, and what they vary and ask: plain functions from one project to the next, and each as a step of the document."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from PySide6.QtWidgets import QApplication

from app.features.feature import Feature
from app.forms.lines import NumberLine
from app.forms.places import Pin, pin, unit_of_field, words
from app.forms.units import Units
from app.forms.words import response_text
from app.texts.making import MAKERS
from app.widgets.carrying import FIGURE
from app.workbench import Workbench
from solver.base.units import convert
from solver.base.words import tr
from solver.injury import Figure, figure_units
from solver.injury.figures import short_figure
from solver.project import Problem, Project, ProjectError
from solver.project.changes import checked
from solver.project.studies import (
    FitStudy,
    LocalStudy,
    OptimumStudy,
    Study,
    SynthesisStudy,
    assumed_parameters,
)
from solver.project.study_parts import StudyParameter

Vary = tuple[str, float, float]
"""A field, and the ends between which it is varied (SI)."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a card says of a kind of study."""

    name: str
    given: tuple[tuple[str, Any], ...] = ()
    """Fields of a new one that differ from the schema's."""

    @property
    def title(self) -> str:
        """Give its title."""
        return tr(MAKERS[f"studies.{self.name}"][0])

    @property
    def question(self) -> str:
        """Say what it answers."""
        return tr(MAKERS[f"studies.{self.name}"][1])


DECIDES = "decides_"
"""How ids of studies begin that tell what decides a figure."""
KINDS = (
    Kind("sample", (("runs", 64),)), Kind("local"), Kind("grid"), Kind("morris"), Kind("sobol"), Kind("optimum"), Kind("fit"),
    Kind("synthesis", (("responses", tuple(one.model_dump() for one in SynthesisStudy.model_fields["responses"].default)),)),
)  # fmt: skip
"""What can be asked, in the order of the cards."""


def kind_of(name: str) -> Kind:
    """Give a kind by its name in the schema."""
    return next(kind for kind in KINDS if kind.name == name)


_LONG = 34


def titles_of(project: Project, study: Study) -> tuple[str, ...]:
    """Name the columns of a study: fields as the inspector does, short, and no two alike."""
    found = list[str]()
    asked = (response_text(project, one) for one in study.responses)
    for whole in (*(words(project, p.path) for p in study.parameters), *asked):
        first, *rest = whole.split(" › ")
        if len(whole) > _LONG and rest:
            first = first if len(first) <= _LONG // 2 else f"{first[: _LONG // 2]}…"
            # a number alone says nothing: the second of which values
            whole = f"{first} › {' '.join(rest[-2:]) if rest[-1].isdecimal() else rest[-1]}"
        found.append(whole)
    ids = [one.id for one in (*study.parameters, *study.responses)]
    return tuple(
        title if found.count(title) == 1 else f"{title} ({id_})"
        for title, id_ in zip(found, ids, strict=True)
    )


def units_of(project: Project, study: Study) -> tuple[str, ...]:
    """The SI units of what a study varies, as the inspector has them."""
    return tuple("1" if p.is_factor else unit_of_field(project, p.path) for p in study.parameters)


def find(project: Project, id_: str) -> Study | None:
    """A study; none where it has gone."""
    return next((study for study in project.studies if study.id == id_), None)


def with_study(project: Project, kind: Kind, varied: Sequence[Vary]) -> tuple[Project, str]:
    """The project with a new study, and its id."""
    id_ = _free(kind.name, {study.id for study in project.studies})
    names = {study.name for study in project.studies}
    title = kind.title
    data: dict[str, Any] = {
        "id": id_, "kind": kind.name, "name": title if title not in names else f"{title} {len(names) + 1}",
        "parameters": (), "responses": (), **dict(kind.given),
    }  # fmt: skip
    whole = project.model_dump() | {"studies": [*(s.model_dump() for s in project.studies), data]}
    made = checked(Project, whole)
    made = project.model_copy(update={"studies": (*project.studies, made.studies[-1])})
    for path, low, high in varied:
        made = with_parameter(made, id_, path, low, high)
    return made, id_


def with_parameter(project: Project, study: str, path: str, low: float, high: float) -> Project:
    """Give the project with one more number that a study varies; it stays as it is where it is varied already."""
    old = _known(project, study)
    if any(one.path == path for one in old.parameters):
        return project
    spread = {"kind": "uniform", "low": low, "high": high}
    made = {"id": _symbol(path.split("/")[1:], _taken(old)), "path": path, "spread": spread}
    return _put(project, old, "parameters", (*old.parameters, checked(StudyParameter, made)))


def with_parameters(project: Project, study: str, new: Sequence[StudyParameter]) -> Project:
    """Give the project with more numbers that a study varies, each with its range; those that it varies already stay as they are."""
    for one in new:
        old = _known(project, study)
        if all(known.path != one.path for known in old.parameters):
            name = _symbol(one.path.split("/")[1:], _taken(old))
            made = (*old.parameters, one.model_copy(update={"id": name}))
            project = _put(project, old, "parameters", made)
    return project


COUNTED = {"sample": "runs", "optimum": "most_runs", "fit": "most_runs"}
"""Kinds of studies whose number of runs is a field of theirs."""


def with_runs(project: Project, study: str, count: int) -> Project:
    """Give the project with a study that has so many runs, of an optimum at most; so that it has some generations, it begins with a quarter of them at most."""
    old = _known(project, study)
    update: dict[str, Any] = {COUNTED[old.kind]: count}
    if isinstance(old, OptimumStudy):
        update["start_runs"] = min(old.start_runs, max(count // 4, 2))
    new = checked(type(old), old.model_dump() | update)
    studies = tuple(new if one is old else one for one in project.studies)
    return project.model_copy(update={"studies": studies})


def with_response(project: Project, study: str, asked: dict[str, Any]) -> Project:
    """Give the project with one more response: `injury` with a figure, `channel` with a quantity, ..."""
    old = _known(project, study)
    what = str(asked.get("figure") or asked.get("quantity") or asked.get("formula") or "response")
    data = {"id": _symbol(what.split("/"), _taken(old))} | asked
    whole = checked(type(old), old.model_dump() | {"responses": [*(r.model_dump() for r in old.responses), data]})  # fmt: skip
    return _put(project, old, "responses", (*old.responses, whole.responses[-1]))


def with_deciding(project: Project, figure: str, varied: Sequence[Vary]) -> tuple[Project, str]:
    """The project with the study of what decides a figure: it moves what is given, else the numbers that are assumed."""
    id_ = f"{DECIDES}{re.sub(r'[^a-z0-9_]+', '_', figure.lower())}"
    kept = tuple(one for one in project.studies if one.id != id_)
    study = LocalStudy(
        id=id_, name=tr("What decides {figure}", figure=short_figure(figure, project))
    )
    if not varied:
        study = study.model_copy(update={"parameters": assumed_parameters(project.assumed)})
    made = project.model_copy(update={"studies": (*kept, study)})
    for path, low, high in varied:
        made = with_parameter(made, id_, path, low, high)
    return with_response(made, id_, {"kind": "injury", "figure": figure}), id_


def with_aim(project: Project, study: str, figure: str, at_most: float | None) -> Project:
    """The project with a figure as goal of an optimum, or with a limit that it keeps; asked once, whatever it has already."""
    old = _known(project, study)
    asked = next((one for one in old.responses if getattr(one, "figure", "") == figure), None)
    aim = {"goal": "minimise"} if at_most is None else {"at_most": at_most}
    if asked is None:
        return with_response(project, study, {"kind": "injury", "figure": figure, **aim})
    new = tuple(one.model_copy(update=aim) if one is asked else one for one in old.responses)
    return _put(project, old, "responses", new)


def without(project: Project, study: str, name: str, place: int) -> Project:
    """The project without an entry of a study's `parameters` or `responses`."""
    old = _known(project, study)
    kept = getattr(old, name)
    return _put(project, old, name, (*kept[:place], *kept[place + 1 :]))


def is_of_scenes(study: Study) -> bool:
    """Whether all that is run are scenes of the bench, which say themselves how long."""
    return isinstance(study, FitStudy) and all(test.bench for test in study.tests)


def obstacle_of(problems: Iterable[Problem], study: Study) -> str:
    """Say what stands in the way of a study, as the checks do; empty for nothing."""
    where = f"studies/{study.id}"
    for problem in problems:
        if problem.path == where or problem.path.startswith(f"{where}/"):
            return f"{problem.sentence} {problem.hint}".rstrip()
    return ""


def _known(project: Project, study: str) -> Study:
    found = find(project, study)
    assert found is not None, study
    return found


def _put(project: Project, old: Study, name: str, entries: tuple[Any, ...]) -> Project:
    new = old.model_copy(update={name: entries})
    studies = tuple(new if study is old else study for study in project.studies)
    return project.model_copy(update={"studies": studies})


def _taken(study: Study) -> set[str]:
    return {one.id for one in (*study.parameters, *study.responses)}


def _symbol(words: Sequence[str], taken: Collection[str]) -> str:
    """Make a name that formulas can use, of the last two words of a path that are no numbers."""
    kept = [w for w in words if not w.isdecimal() and w not in ("form", "resultant")]
    text = "_".join(kept[-2:]) if len(words) > 1 else "".join(words)
    text = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_").lower() or "number"
    text = re.sub(r"_(m|kg|n|s|rad|n_per_m|m_per_s)$", "", text)[:36]
    return _free(text if not text[0].isdecimal() else f"n_{text}", taken)


def _free(text: str, taken: Collection[str]) -> str:
    n = 1
    while (name := text if n == 1 else f"{text}_{n}") in taken:
        n += 1
    return name


T = TypeVar("T")


class Editing(Feature):
    """Change the study that is shown."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.current = ""
        self._units = Units("metric")

    def begin(self, kind: Kind) -> None:
        """Add a study of a kind; it varies what is pinned as sliders."""
        self._begin(kind, self.bench.pinned())

    def _begin(self, kind: Kind, pins: Sequence[Pin]) -> bool:
        varied = [(one.path, one.low, one.high) for one in pins]
        made = self._made(lambda project: with_study(project, kind, varied))
        if made is not None:
            project, self.current = made
            self.bench.document.replace(project, tr("Add a study: {title}", title=kind.title))
        return made is not None

    def vary_field(self) -> None:
        """Vary the number that has the keyboard, or else the field pointed at last."""
        line = QApplication.focusWidget() or self.bench.window.focusWidget()
        if isinstance(line, NumberLine) and line.path():
            self._vary_all([line.path()])
        else:
            self._vary_all([self.bench.document.field])

    def ask(self, kind: str, names: Sequence[str]) -> None:
        """Ask for injury figures or quantities in the study that is shown."""
        for name in names:
            asked = (
                {"kind": "injury", "figure": name} if kind == FIGURE
                else {"kind": "channel", "quantity": name, "take": "largest"}
            )  # fmt: skip
            self._replace(
                partial(with_response, study=self.current, asked=asked),
                tr("Ask for {what} in a study", what=name),
            )

    def decide(self, figure: Figure) -> bool:
        """Make the study of which numbers decide a figure: those with sliders, else the assumed ones; tells whether there are any."""
        pins = self.bench.pinned()
        if not pins and not self.bench.document.project.assumed:
            self.bench.say(
                tr("Pin numbers as sliders first: nothing of this model is marked as assumed.")
            )
            return False
        varied = [(one.path, one.low, one.high) for one in pins]
        made = self._made(lambda project: with_deciding(project, figure.name, varied))
        if made is not None:
            project, self.current = made
            self.bench.document.replace(
                project, tr("Ask what decides {figure}", figure=figure.title)
            )
        return made is not None

    def aim(self, figure: Figure, below: bool) -> None:
        """Let an optimum make a figure small or keep its limit: the one that is shown, else the last, else a new one."""
        bench = self.bench
        optima = [one.id for one in bench.document.project.studies if one.kind == "optimum"]
        if self.current not in optima:
            if optima:
                self.current = optima[-1]
            elif not self._begin(kind_of("optimum"), bench.pinned()):
                return
        limit = figure.strictest if below else None
        unit = figure_units(bench.document.project).get(figure.name, figure.unit)
        most = None if limit is None else float(convert(limit.limit, figure.unit, unit))
        title = figure.title
        words = (
            tr("Keep {figure} below its limit", figure=title)
            if below
            else tr("Make {figure} small", figure=title)
        )
        self._replace(
            partial(with_aim, study=self.current, figure=figure.name, at_most=most), words
        )
        bench.panels.open("studies")
        study = self._study()
        if study is not None and not study.parameters:
            bench.say(
                tr(
                    "Now choose what may change: Add above the list of what is varied offers numbers of belts and bags."
                )
            )

    def _vary_all(self, paths: Sequence[str]) -> None:
        project = self.bench.document.project
        pins = [one for path in paths if (one := pin(project, path, self._units)) is not None]
        if not pins:
            self.bench.say(
                tr("Put the cursor into a number of the inspector first; a study can then vary it.")
            )
            return
        self._vary(pins)

    def _vary_offered(self, found: Sequence[StudyParameter]) -> None:
        """Vary numbers that were offered."""
        title = words(self.bench.document.project, found[0].path)
        text = (
            tr("Vary {field} in a study", field=title) if len(found) == 1
            else tr("Vary {n} numbers in a study", n=len(found))
        )  # fmt: skip
        self._replace(partial(with_parameters, study=self.current, new=found), text)

    def _count(self, runs: int) -> None:
        """Give the study another number of runs."""
        self._replace(partial(with_runs, study=self.current, count=runs), tr("Change the number of runs"))  # fmt: skip

    def _limit(self, place: int, most: float | None) -> None:
        """Give a response an upper limit, or none at all."""
        study = self._study()
        if study is not None:
            asked = list(study.responses)
            update: dict[str, Any] = {"at_most": most}
            if most is None:
                update["at_least"] = None
            asked[place] = asked[place].model_copy(update=update)
            self._replace(lambda project: _put(project, study, "responses", tuple(asked)), tr("Change a limit"))  # fmt: skip

    def _vary_pinned(self) -> None:
        pins = self.bench.pinned()
        if not pins:
            return self.bench.say(tr("No number is pinned as a slider yet; see What-if."))
        self._vary(pins)

    def _vary(self, pins: Sequence[Pin]) -> None:
        """Vary fields, in a new study of robustness where none is shown."""
        if self._study() is None and not self._begin(kind_of("sample"), ()):
            return
        for one in pins:
            field = words(self.bench.document.project, one.path)
            self._replace(
                partial(with_parameter, study=self.current, path=one.path, low=one.low, high=one.high),
                tr("Vary {field} in a study", field=field),
            )  # fmt: skip
        self.bench.panels.open("studies")

    def _remove(self, name: str, place: int) -> None:
        self._replace(
            lambda project: without(project, self.current, name, place), tr("Take an entry out of a study")
        )  # fmt: skip

    def _open_entry(self, name: str, place: int) -> None:
        """Show an entry in the inspector, under its id as the form has it."""
        study = self._study()
        ids = [one.id for one in getattr(study, name)]
        word = ids[place] if ids.count(ids[place]) == 1 else str(place)
        self.bench.document.select(f"studies/{self.current}/{name}/{word}")

    def _aim(self, place: int, goal: str) -> None:
        """Give a response another goal."""
        self.bench.document.edit(f"studies/{self.current}/responses/{place}/goal", goal, tr("Change the goal"))  # fmt: skip

    def _replace(self, change: Callable[[Project], Project], text: str) -> None:
        made = self._made(change)
        if made is not None and made is not self.bench.document.project:
            self.bench.document.replace(made, text)

    def _made(self, change: Callable[[Project], T]) -> T | None:
        """Do a change; say what does not fit."""
        try:
            return change(self.bench.document.project)
        except ProjectError as failure:
            self.bench.say(str(failure.problems[0].sentence))
            return None

    def _study(self) -> Study | None:
        return find(self.bench.document.project, self.current)
