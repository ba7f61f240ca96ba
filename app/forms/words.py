"""Words and structure of forms that follow from the schema; no Qt in here."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from app.editing.shape import Shape, fields_of, lowered, word_label
from app.elements import element_label, name_of
from app.forms.lines import Commit, ValueLine
from app.forms.places import words
from app.forms.places import words as words_of_field
from app.forms.units import known
from solver.base.words import msgid, tr
from solver.injury.figures import short_figure
from solver.project import Project
from solver.project.fields import Part
from solver.project.schema import models
from solver.project.study_parts import (
    RESPONSES,
    ChannelResponse,
    FigureResponse,
    FormulaResponse,
    MissResponse,
    RatingResponse,
    Response,
    RideResponse,
    StudyParameter,
)
from solver.results.names import quantity_label

_SINGULAR: dict[str, str] = {
    "Surfaces": msgid("surface"),
    "Bends": msgid("bend"),
    "Straps": msgid("strap"),
    "Points": msgid("point"),
    "Vents": msgid("vent"),
    "Components": msgid("component"),
    "Targets": msgid("target"),
    "Shields": msgid("shield"),
    "Touches": msgid("surface"),
    "Reaction panels": msgid("panel"),
    "Roots": msgid("root"),
    "Attitudes": msgid("attitude"),
    "Joints": msgid("joint"),
    "Segments": msgid("segment"),
    "Convergence tests": msgid("test"),
}
"""One entry of a list, by the label of the list."""


@lru_cache(maxsize=256)
def siblings(model: type[Part]) -> tuple[type[Part], ...]:
    """The models among which `kind` chooses, from the field of the schema that holds the part."""
    for holder in models():
        for shape in fields_of(holder):
            if model in shape.models and shape.editor in ("union", "parts"):
                return shape.models
    return (model,)


def structure(part: Any, skip: frozenset[str] = frozenset()) -> Any:
    """What decides which rows a form has: kinds, what is absent, how long lists are."""
    if isinstance(part, Part):
        names = [name for name in type(part).model_fields if name not in skip]
        return (type(part).__name__, *(structure(getattr(part, name)) for name in names))
    if isinstance(part, tuple) and part and not isinstance(part[0], int | float | tuple):
        return tuple(structure(one) for one in part)
    return type(part).__name__ if part is None or isinstance(part, str | tuple) else ""


def ids_in(part: Any, skip: frozenset[str] = frozenset()) -> Any:
    """The ids of entries at any depth, in their order: these are the words of their paths."""
    if isinstance(part, Part):
        names = [name for name in type(part).model_fields if name not in skip]
        return tuple((name, inside) for name in names if (inside := ids_in(getattr(part, name))))
    if isinstance(part, tuple) and part and isinstance(part[0], Part):
        return tuple((getattr(one, "id", ""), ids_in(one)) for one in part)
    return ()


def entry_title(project: Project, item: Any, index: int) -> str:
    """Name an entry of a list: by its name, what it is for, or its number and kind."""
    kind = word_label(getattr(item, "kind", "")) if hasattr(item, "kind") else ""
    if isinstance(item, RESPONSES):
        return response_text(project, item)
    if isinstance(item, StudyParameter):
        return words_of_field(project, item.path)
    if hasattr(item, "name") and hasattr(item, "id"):
        return f"{name_of(item)}"
    if hasattr(item, "id"):
        return str(item.id)
    for name in ("component", "segment", "joint", "junction"):
        if hasattr(item, name):
            word = getattr(item, name)
            word = (
                element_label(project, f"{name}s/{word}") if name in ("segment", "joint") else word
            )
            return f"{index + 1}  {word}  {kind}".rstrip()
    if hasattr(item, "surface") and item.surface is not None:
        word = element_label(project, f"segments/{item.surface.segment}")
        return f"{index + 1}  {word}  {kind}".rstrip()
    return f"{index + 1}  {kind}".rstrip()


def singular(shape: Shape) -> str:
    """Name one entry of a list."""
    return tr(_SINGULAR[shape.title]) if shape.title in _SINGULAR else lowered(shape.label)


def tip(shape: Shape) -> str:
    """Write help and range of a field."""
    limits = shape.range
    if limits and known(shape.unit):
        limits = tr("{limits} (in {unit})", limits=limits, unit=shape.unit)
    return "\n".join(
        line
        for line in (shape.help, tr("Range: {limits}.", limits=limits) if limits else "")
        if line
    )


FELT = {
    "rms": msgid("r.m.s. under {weighting}"), "mtvv": msgid("MTVV under {weighting}"), "vdv": msgid("VDV under {weighting}"),
    "dose": msgid("motion sickness dose under {weighting}"), "crest": msgid("crest factor under {weighting}"),
}  # fmt: skip


MISSED = {
    "mean": msgid("Mean miss"), "largest": msgid("Largest miss"), "turns": msgid("Turns through"),
}  # fmt: skip


def response_text(project: Project, one: Response) -> str:
    """Say what a response is, by the names that figures and quantities have elsewhere."""
    match one:
        case FigureResponse():
            return short_figure(one.figure, project)
        case ChannelResponse():
            return f"{quantity_label(project, one.quantity)}, {word_label(one.take)}"
        case RatingResponse():
            return tr("{quantity} against {reference}", quantity=quantity_label(project, one.quantity), reference=one.reference)  # fmt: skip
        case RideResponse():
            return f"{quantity_label(project, one.quantity)}, {tr(FELT[one.take], weighting=one.weighting)}"
        case FormulaResponse():
            return one.formula
        case MissResponse():
            return tr(MISSED[one.take])


def field_label(part: Part, name: str) -> Callable[[Project, str], str] | None:
    """What says a field of a study in words: a figure, a quantity, a number of the model; none for others."""
    match part, name:
        case FigureResponse(), "figure":
            return lambda project, figure: short_figure(figure, project)
        case ChannelResponse() | RatingResponse() | RideResponse(), "quantity":
            return quantity_label
        case StudyParameter(), "path":
            return words
        case _:
            return None


class NameLine(ValueLine):
    """Show what a name stands for in words; the name itself while it is being edited."""

    def __init__(self, commit: Commit, say: Callable[[str], str]) -> None:
        super().__init__(commit)
        self._say = say

    def show_value(self, value: str) -> None:
        """Show a name."""
        self.rest_with(self._say(value), value)
