"""The front door: run a command, or open the window."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from solver.base.words import Sentence, tr

_SELDOM = 100_000
"""So many objects more than before, and a command looks for rubbish; the usual 700 are there 400 times at a start."""


def main(argv: Sequence[str] | None = None) -> int:
    """Pass commands to the command line, and everything else to the window."""
    words = list(sys.argv[1:] if argv is None else argv)
    usual = gc.get_threshold()
    if argv is None:
        # the process is nobody else's
        gc.set_threshold(_SELDOM)
    try:
        if words and (words[0].startswith("-") or words[0] in _commands()):
            from solver.cli import main as command_line

            return command_line(words, {"movie": _movie, "scene": _scene, "fmu": _fmu})
        from solver.base.boundary import guarded

        gc.set_threshold(*usual)
        return guarded(lambda: _window(words), ["manikin", *words])
    except KeyboardInterrupt:
        return 130


def _movie(arguments: argparse.Namespace) -> int:
    from solver.base.extras import needed

    with needed("pictures"):
        from app.features.movie.command_line import write_movie
    return write_movie(arguments)


def _scene(arguments: argparse.Namespace) -> int:
    from app.features.export.command_line import write_scene

    return write_scene(arguments)


def _fmu(arguments: argparse.Namespace) -> int:
    from manikin.fmu import write_fmu
    from manikin.model import Model
    from solver.cli.common import opened, print_problems, writable

    project, notes = opened(arguments.project)
    print_problems(notes)
    target = writable(arguments.output, "FMU", arguments.project)
    write_fmu(
        Model(project), target, inputs=arguments.inputs, outputs=arguments.outputs,
        parameters=arguments.parameters, run=arguments.run, every=arguments.every,
    )  # fmt: skip
    print(tr("Wrote {target}.", target=target))
    return 0


def _commands() -> Sequence[str]:
    from solver.cli import COMMANDS

    return COMMANDS


def _window(words: list[str]) -> int:
    """Open the window on a project, or on its welcome page."""
    if len(words) > 1:
        return _refuse(
            tr("'{word}' is no command, and the window takes one project.", word=words[0])
        )
    path = Path(words[0]) if words else None
    if path is not None and _is_word(words[0]) and not path.exists():
        from solver.project.problems import did_you_mean

        hint = did_you_mean(words[0], _commands()) or "See 'manikin --help'."
        return _refuse(
            tr("There is no command and no file '{word}'. {hint}", word=words[0], hint=hint)
        )
    if not _display():
        return _refuse(
            tr(
                "There is no display to open a window on. Without one there are the commands {commands}.",
                commands=", ".join(_commands()),
            )
        )
    from app.memory import kept_for_good
    from app.quick_qt import load_qt
    from solver.base.extras import missing

    lacking = missing("app") or missing("pictures")
    if lacking is not None:
        return _refuse(lacking)

    with kept_for_good():
        load_qt()
        from app.shell.opening import open_window
    return open_window(path)


def _is_word(text: str) -> bool:
    """Tell what looks like a command rather than a path."""
    return not Path(text).suffix and not any(mark in text for mark in ("/", "\\"))


def _display() -> bool:
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _refuse(sentence: Sentence | str) -> int:
    print(sentence, file=sys.stderr)
    return 2
