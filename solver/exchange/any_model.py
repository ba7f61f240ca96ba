"""Read and write models of other programs by the ending of the file: decks, cards, trees, and what other packages add."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from solver.base.words import Refusal
from solver.exchange.added import exporters, importers, read_by_others, write_by_others
from solver.exchange.decks import read_ain, report_lines, write_ain
from solver.exchange.decks.importing import settled
from solver.exchange.endings import CARDS, PRINTED_WORDS
from solver.exchange.trees import Touching, read_tree, write_tree
from solver.exchange.variseg import read_variseg, write_variseg
from solver.project import Project

DECKS = (".ain", ".lin")
TREES = (".xml", ".mjcf", ".urdf", ".osim")
TOLD = (".xacro", ".sdf", ".world")
"""Files near to trees, of which reading says what to do with them."""
WRITTEN = (*DECKS, CARDS, ".xml", ".mjcf", ".urdf")


class UnknownFile(Refusal):
    """Say that nothing reads or writes such files, and which there are."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class ReadModel:
    """A project made of another program's file, the whole report, and what of that is said unasked."""

    project: Project
    report: tuple[str, ...]
    said: tuple[str, ...]
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """By joint: between which values (rad, m) a search for poses keeps it, as the file says."""


def read_model(
    path: Path | str, *, settle: bool = True, within: Path | str | None = None, keyframe: str = "",
    contacts: Touching = "ground", markers: Path | str | None = None,
) -> ReadModel:  # fmt: skip
    """Read a model by the ending of its file; a deck that asks for an equilibrium (card G.1) is settled.

    Other files that a model of MuJoCo names are opened in its own folder, or in `within`; `keyframe` names the one of its key frames from which it starts;
    with `contacts="all"` its shapes touch each other, too. `markers` is a MarkerSet of OpenSim in a file of its own.

    Raises UnknownFile, and what reading refuses by sentences.
    """
    file = Path(path)
    ending = file.suffix.lower()
    others = read_by_others(file)
    if keyframe and ending not in TREES:
        raise UnknownFile("Key frames are a part of models of MuJoCo; '{file}' is none.", file=file)
    if contacts == "all" and ending not in TREES:
        raise UnknownFile("All contacts can be asked for of models of MuJoCo; '{file}' is none.", file=file)  # fmt: skip
    if markers and ending not in TREES:
        raise UnknownFile(
            "Sets of markers belong to models of OpenSim; '{file}' is none.", file=file
        )
    if others is not None:
        return ReadModel(others.project, others.notes, others.notes)
    if ending in DECKS:
        deck = settled(read_ain(file)) if settle else read_ain(file)
        lines = tuple(report_lines(deck.notes))
        return ReadModel(deck.project, lines, (*map(str, deck.lost), lines[-1]))
    if ending == CARDS:
        cards = read_variseg(file)
        lines = tuple(report_lines(cards.notes))
        return ReadModel(cards.project, lines, lines[-1:])
    if ending in (*TREES, *TOLD):
        tree = read_tree(file, within, keyframe, contacts, markers)
        notes = tuple(str(one) for one in tree.notes)
        return ReadModel(tree.project, notes, notes, tree.ranges)
    known = ", ".join((*DECKS, *TREES, *PRINTED_WORDS, CARDS, *importers()))
    raise UnknownFile(
        "'{file}' is none of the files that can be read: {known}.", file=file, known=known
    )


def write_model(project: Project, path: Path | str) -> tuple[str, ...]:
    """Write a checked project by the ending of the file; gives what the file cannot say.

    Raises UnknownFile, what writing refuses by sentences, and OSError.
    """
    file = Path(path)
    ending = file.suffix.lower()
    others = write_by_others(project, file)
    if others is not None:
        return others
    if ending in DECKS:
        return tuple(write_ain(project, file).lines())
    if ending == CARDS:
        return tuple(write_variseg(project, file).lines())
    if ending in WRITTEN:
        return tuple(str(one) for one in write_tree(project, file))
    known = ", ".join((*WRITTEN, *exporters()))
    raise UnknownFile(
        "'{file}' is none of the files that can be written: {known}.", file=file, known=known
    )
