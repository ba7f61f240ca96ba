"""What of a model around people could be otherwise, one thing at a time: how softly what they strike gives way, how fast it all is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.analysis.acting.messages import brief
from solver.base.words import tr, within
from solver.editing.naming import free_id, taken
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.contact import PlaneContact
from solver.project.functions import Constant, Polynomial, Table
from solver.project.motions import History, Motion
from solver.project.segments import GROUND

SOFTER, FIRMER, SLOWER = 0.75, 4.0 / 3.0, 0.9
"""Parts that a change leaves of what a pad presses with, of a seat that shall give less, and of a speed: large enough to be seen, small enough to be built."""
PULSE = 3.0 * 9.80665
"""What is slower than by this acceleration (m/s2) only brakes: then the speed alone is another."""


@dataclass(frozen=True, slots=True)
class Lever:
    """One change: the step of a history that makes it, a sentence with its numbers, and the project with it."""

    title: str
    words: str
    project: Project


Changed = Iterator[Lever]


def scaled(project: Project, id_: str, by: float, *, users: int = 1) -> tuple[Project, str] | None:
    """Give a function all of whose values are larger by a factor, as a copy where more than so many use it; None where its form has no values to scale."""
    found = next((one for one in project.functions if one.id == id_), None)
    form = None if found is None else _scaled(found.form, by)
    if found is None or form is None:
        return None
    if _mentions(project, id_) <= users:
        made = found.model_copy(update={"form": form})
        functions = tuple(made if one is found else one for one in project.functions)
    else:
        name = tr("{name}, times {by:g}", name=found.name or found.id, by=by)
        new = free_id(f"{id_}_scaled", taken(project, "functions"))
        made = found.model_copy(update={"id": new, "form": form, "name": name})
        functions = (*project.functions, made)
    return project.model_copy(update={"functions": functions}), made.id


def _scaled(form: Any, by: float) -> Any:
    if isinstance(form, Table):
        if form.csv is not None:
            csv = form.csv.model_copy(update={"y_scale": by * form.csv.y_scale})
            return form.model_copy(update={"csv": csv, "y": tuple(by * y for y in form.y)})
        return form.model_copy(update={"y": tuple(by * y for y in form.y)})
    if isinstance(form, Polynomial):
        return form.model_copy(
            update={"coefficients": tuple(by * one for one in form.coefficients)}
        )
    if isinstance(form, Constant):
        return form.model_copy(update={"value": by * form.value})
    return None


def _mentions(project: Project, id_: str) -> int:
    """In how many places an id stands as a value."""

    def count(value: Any) -> int:
        if isinstance(value, str):
            return value == id_
        if isinstance(value, tuple):
            return sum(map(count, value)) if value and not isinstance(value[0], float) else 0
        fields = getattr(type(value), "model_fields", None)
        return sum(count(getattr(value, name)) for name in fields) if fields else 0

    lists = (name for name in type(project).model_fields if name != "functions")
    return sum(count(getattr(project, name)) for name in lists)


def values_of(project: Project, id_: str) -> tuple[float, ...]:
    """The values of a function that is a table or constant."""
    form = next((one.form for one in project.functions if one.id == id_), None)
    if isinstance(form, Table):
        return form.y
    return (form.value,) if isinstance(form, Constant) else ()


# What is struck.


def of_contacts(
    project: Project, ids: Sequence[str], bodies: Collection[str], by: float = SOFTER
) -> Changed:
    """Let what a body strikes at once, or sits on, give way more softly or, by a factor above 1, less: in all contacts with it. The ground is as it is."""
    found = (_struck(one, bodies) for one in project.contacts if one.id in ids)
    things = [one for one in dict.fromkeys(found) if one is not None and not _is_ground(project, one)]  # fmt: skip
    made: Project | None = project
    for thing in things:
        made = None if made is None else _gives(made, thing, bodies, by)
    if made is None or not things:
        return
    names = [brief(project, "/".join(one)) for one in things]
    what = tr(" and ").join(within(one) for one in names)
    high = what[:1].upper() + what[1:]
    if by < 1.0:
        words = tr("Let the {name} give way at 25 % less force.", name=what)
        yield Lever(tr("{name} 25 % softer", name=high), words, made)
    else:
        words = tr("Make the {name} firmer by a third.", name=what)
        yield Lever(tr("{name} firmer by a third", name=high), words, made)


def _gives(project: Project, thing: tuple[str, str], bodies: Collection[str], by: float) -> Project | None:  # fmt: skip
    """All contacts of bodies with a thing by laws whose force is larger by a factor; None where a law has none to scale."""
    ours = {one.id for one in project.contacts if _struck(one, bodies) == thing}
    laws = dict[str, str]()
    made = project
    for one in project.contacts:
        if one.id in ours and one.law not in laws:
            copied = any(o.law == one.law and o.id not in ours for o in project.contacts)
            other = _softer(made, one.law, by, copied=copied)
            if other is None:
                return None
            made, laws[one.law] = other
    contacts = tuple(
        one.model_copy(update={"law": laws[one.law]}) if one.id in ours else one
        for one in made.contacts
    )
    return made.model_copy(update={"contacts": contacts})


def _struck(contact: Any, bodies: Collection[str]) -> tuple[str, str] | None:
    """What is struck by somebody: a plane, or a segment that is none of theirs; None where there is no such thing."""
    if isinstance(contact, PlaneContact):
        return ("planes", contact.plane) if contact.surface.segment in bodies else None
    ends = [contact.first.segment, contact.second.segment]
    outside = [one for one in ends if one not in bodies]
    return ("segments", outside[0]) if len(outside) == 1 else None


def _is_ground(project: Project, struck: tuple[str, str]) -> bool:
    planes = {one.id: one.segment for one in project.planes}
    return GROUND in (struck[1], planes.get(struck[1]))


_NUMBERS = ("stiffness_n_per_m", "stiffness_n_per_mn", "force_n")


def _softer(project: Project, id_: str, by: float, *, copied: bool) -> tuple[Project, str] | None:
    """A law whose force is less by a factor; None where it has no force to scale."""
    law = next(one for one in project.contact_laws if one.id == id_)
    update: dict[str, Any] = {
        name: by * getattr(law, name) for name in _NUMBERS if hasattr(law, name)
    }
    made = project
    for name in ("base", "spike"):
        curve = getattr(law, name, None)
        if curve is None:
            continue
        found = scaled(made, curve, by, users=0 if copied else 1)
        if found is None:
            return None
        made, update[name] = found
    if not update:
        return None
    if copied:
        update["id"] = free_id(f"{id_}_softer", taken(project, "contact_laws"))
        update["name"] = tr("{name}, times {by:g}", name=law.name or law.id, by=by)
    new = law.model_copy(update=update)
    laws = (
        (*made.contact_laws, new)
        if copied
        else tuple(new if one.id == id_ else one for one in made.contact_laws)
    )
    return made.model_copy(update={"contact_laws": laws}), new.id


# How fast it all is.


def slower(project: Project) -> Changed:
    """The same with 10 % less speed, or with a weaker pulse where nothing has a speed at the start."""
    if not project.motions:
        return
    speeds = [one.start_rate for motion in project.motions for one in motion.components if one.component in "xyz"]  # fmt: skip
    speed = max(map(abs, speeds), default=0.0)
    motions = tuple(_slower(project, one, speed) for one in project.motions)
    if motions == project.motions:
        return
    made = project.model_copy(update={"motions": motions})
    if speed > 0.0:
        words = tr(
            "Drive 10 % slower: {new:.0f} in place of {old:.0f} km/h.",
            new=3.6 * SLOWER * speed, old=3.6 * speed,
        )  # fmt: skip
        yield Lever(tr("10 % slower"), words, made)
    else:
        yield Lever(tr("Pulse 10 % weaker"), tr("Make the pulse 10 % weaker."), made)


def _slower(project: Project, motion: Motion, speed: float) -> Motion:
    """A motion with less speed; what only brakes does so as before."""

    def less(one: Any) -> Any:
        update: dict[str, Any] = {"start_rate": SLOWER * one.start_rate}
        pulse = one.pulse
        if isinstance(pulse, History) and (not speed or _peak(project, pulse) > PULSE):
            update["pulse"] = pulse.model_copy(update={"scale": SLOWER * pulse.scale})
        for name in ("amplitude", "value"):
            size = getattr(pulse, name, None)
            if size is not None and (not speed or abs(size) > PULSE):
                update["pulse"] = pulse.model_copy(update={name: SLOWER * size})
        return one.model_copy(update=update)

    along = tuple(less(one) if one.component in "xyz" else one for one in motion.components)
    return motion.model_copy(update={"components": along})


def _peak(project: Project, pulse: History) -> float:
    values: Array = np.abs(np.array(values_of(project, pulse.function) or (np.inf,)))
    return float(abs(pulse.scale) * values.max())
