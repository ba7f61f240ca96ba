"""What is common to all cards that are written: names, numbers, and that all stays in the plane."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np

from solver.base.words import Refusal, Sentence, sentence_of
from solver.exchange.decks.numbers import undone
from solver.exchange.variseg.cards import DEGREE
from solver.project.document import Project
from solver.project.geometry import Orientation
from solver.project.pose import start_pose, turn

FLAT = 1e-12


class VarisegError(Refusal):
    """Say in one sentence why a project has no cards."""


class Telling:
    """Hold the cards of a project, and what they cannot say."""

    def __init__(self, project: Project) -> None:
        """Look at a project whose checks have no errors."""
        self.project = project
        self.cards = list[str]()
        self.losses = list[tuple[str, Sentence]]()
        self.pose = start_pose(project)
        ids = [surface.id for one in project.segments for surface in one.surfaces]
        self.twice = {one for one in ids if ids.count(one) > 1}

    def lose(self, path: str, sentence: str) -> None:
        """Note what cards cannot say."""
        self.losses.append((path, sentence_of(sentence)))

    def card(self, kind: str, name: str, zeros: Set[str] = frozenset(), /, **fields: Any) -> None:
        """Write a card; what is none, or zero and not among `zeros`, is left to its default."""
        entries = [
            f"{field} {_number(value)}"
            for field, value in fields.items()
            if value is not None and (value != 0.0 or field in zeros)
        ]
        self.cards.append(", ".join([f"{kind} {name_of(name)}", *entries]) + ".")

    def _flat(self, path: str, values: Any) -> None:
        if np.abs(np.asarray(values, float)).max(initial=0.0) > FLAT:
            raise VarisegError(
                "'{path}' leaves the plane of x and z; VARISEG is of the plane.", path=path
            )

    def _angle(self, path: str, of: Orientation | np.ndarray[Any, Any]) -> float:
        """The counterclockwise angle of a turn about y, in degrees."""
        if (
            isinstance(of, Orientation)
            and of.order == "zyx"
            and not of.angles_rad[0]
            and not of.angles_rad[2]
        ):
            return undone(of.angles_rad[1], DEGREE) if of.angles_rad[1] else 0.0
        R = turn(of) if isinstance(of, Orientation) else of
        self._flat(path, [R[0, 1], R[1, 0], R[1, 2], R[2, 1]])
        return float(np.degrees(np.arctan2(R[0, 2], R[0, 0])))

    def _named(self, segment: str, surface: str) -> str:
        """An ellipse's name: its own, unless several segments have one of it."""
        return f"{segment}_{surface}" if surface in self.twice else surface


def _number(value: Any) -> str:
    return name_of(value) if isinstance(value, str) else repr(float(value))


def name_of(text: str) -> str:
    """A name without what parts fields and cards."""
    return (
        text.replace(",", " ").replace(".", " ").replace("(", " ").replace(")", " ").strip() or "-"
    )
