"""What studies of several samples share: short ways to say what is varied and asked."""

from __future__ import annotations

from typing import Any

from solver.project.document import Project
from solver.project.studies import Study
from solver.project.study_parts import (
    ChannelResponse,
    FigureResponse,
    StudyParameter,
    TruncatedNormal,
    Uniform,
)

ASSUMED = "assumed: No measured spreads or limits of design behind it; chosen within the range usual for such a part"


def between(name: str, path: str, low: float, high: float, **more: Any) -> StudyParameter:
    """Vary a number between two ends."""
    return StudyParameter(id=name, path=path, spread=Uniform(low=low, high=high), **more)


def about(name: str, path: str, mean: float, deviation: float, **more: Any) -> StudyParameter:
    """Spread a number about its mean, never beyond three deviations."""
    low, high = mean - 3.0 * deviation, mean + 3.0 * deviation
    spread = TruncatedNormal(mean=mean, deviation=deviation, low=low, high=high)
    return StudyParameter(id=name, path=path, spread=spread, **more)


def figure(name: str, figure: str, **more: Any) -> FigureResponse:
    """Ask for an injury figure."""
    return FigureResponse(id=name, figure=figure, **more)


def channel(name: str, quantity: str, take: Any = "max", **more: Any) -> ChannelResponse:
    """Ask for one number of a quantity."""
    return ChannelResponse(id=name, quantity=quantity, take=take, **more)


def asking(project: Project, *studies: Study) -> Project:
    """A project with studies."""
    return project.model_copy(update={"studies": studies})
