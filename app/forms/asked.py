"""Say in words what a study varies and asks, and let names be typed that are shown in words."""

from __future__ import annotations

from collections.abc import Callable

from app.editing.shape import spoken_word
from app.forms.lines import Commit, ValueLine
from app.forms.pins import words
from solver.base.words import msgid, tr
from solver.injury.saying import short_figure
from solver.project import Project
from solver.project.fields import Part
from solver.project.study_parts import (
    ChannelResponse,
    FigureResponse,
    FormulaResponse,
    RatingResponse,
    Response,
    RideResponse,
    StudyParameter,
)
from solver.results.spoken import spoken_name

FELT = {
    "rms": msgid("r.m.s. under {weighting}"), "mtvv": msgid("MTVV under {weighting}"), "vdv": msgid("VDV under {weighting}"),
    "dose": msgid("motion sickness dose under {weighting}"), "crest": msgid("crest factor under {weighting}"),
}  # fmt: skip


def said(project: Project, one: Response) -> str:
    """Say what a response is, by the names that figures and quantities have elsewhere."""
    match one:
        case FigureResponse():
            return short_figure(one.figure, project)
        case ChannelResponse():
            return f"{spoken_name(project, one.quantity)}, {spoken_word(one.take)}"
        case RatingResponse():
            return tr("{quantity} against {reference}", quantity=spoken_name(project, one.quantity), reference=one.reference)  # fmt: skip
        case RideResponse():
            return f"{spoken_name(project, one.quantity)}, {tr(FELT[one.take], weighting=one.weighting)}"
        case FormulaResponse():
            return one.formula


def spoken_field(part: Part, name: str) -> Callable[[Project, str], str] | None:
    """Give what says a field of a study in words: a figure, a quantity, a number of the model; none for others."""
    match part, name:
        case FigureResponse(), "figure":
            return lambda project, figure: short_figure(figure, project)
        case ChannelResponse() | RatingResponse() | RideResponse(), "quantity":
            return spoken_name
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
