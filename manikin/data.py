"""Measured curves and decks that come with the program."""

from __future__ import annotations

from pathlib import Path

from solver.base.places import resources
from solver.base.words import Sentence
from solver.project import ProjectError
from solver.project.problems import did_you_mean, error

DATA = "data"
"""Their folder within the resources."""


def data_files() -> tuple[str, ...]:
    """Name the measured curves and decks that come with the program: those of the notebooks and of the validation book.

    >>> [name for name in mk.data_files() if name.startswith("decks")]
    ['decks/gebod-50m.ain', 'decks/sled.ain']
    """
    folder = resources() / DATA
    files = (file for file in folder.rglob("*") if file.is_file() and file.suffix != ".md")
    return tuple(sorted(file.relative_to(folder).as_posix() for file in files))


def data_file(name: str) -> Path:
    """The path of one of them, to read; what it holds and where it comes from says the README.md beside it.

    >>> deck = mk.read_ain(mk.data_file("decks/sled.ain"))
    >>> len(deck.report)
    324
    >>> mk.data_file("decks/sld.ain")
    Traceback (most recent call last):
    manikin.ProjectError: error: There is no data file 'decks/sld.ain'. Did you mean 'decks/sled.ain'? [data-unknown]
    """
    known = data_files()
    if name not in known:
        hint = did_you_mean(name, known) or Sentence("There are {known}.", known=", ".join(known))
        sentence = Sentence("There is no data file '{name}'.", name=name)
        raise ProjectError([error("data-unknown", "", sentence, hint)])
    return resources() / DATA / name
