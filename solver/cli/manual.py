"""Describe the command line from its own parser: `docs/commands.md`."""

from __future__ import annotations

import argparse

_HEAD = """# Commands

This page is produced from the program (`make docs`); do not edit it.

`python main.py COMMAND` in a checkout, or `manikin COMMAND` once installed. Without a command, or
with a project file alone, the window opens. Exit codes: 0 done; 1 the project or the run has an
error (one sentence for each problem on standard error); 2 wrong usage; 3 a fault of
the program or the machine (a sentence, and a report that can be sent); 130 cancelled; 143 and 129 ended from outside
(TERM, HUP), with the file of a run or a study completed; so ends the window, which then asks nothing: unsaved work and
the run that went on are kept, and the next start says so and offers them. With any but 0
nothing half-written stands under the name of an output. An output is an ordinary file or a new one,
never a pipe or a device, and never an input of the same command; links are followed to their file.
"""


def commands_markdown() -> str:
    """Give the text of `docs/commands.md`."""
    from solver.cli import parser

    top = parser()
    out = [_HEAD]
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                out += _sections(name, command)
    return "\n".join(out)


def _sections(name: str, command: argparse.ArgumentParser) -> list[str]:
    """Describe a command, and below it each of the actions that it may have."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            inner = [_section(f"{name} {word}", one, 3) for word, one in action.choices.items()]
            return ["\n".join([f"## {name}", "", command.description or "", ""]), *inner]
    return [_section(name, command)]


def _section(name: str, command: argparse.ArgumentParser, level: int = 2) -> str:
    rows = [
        f"{'#' * level} {name}",
        "",
        command.description or "",
        "",
        "| argument | meaning |",
        "|---|---|",
    ]
    for action in command._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        words = ", ".join(f"`{o}`" for o in action.option_strings)
        value = _value(action)
        label = f"{words} `{value}`" if words and value else words or f"`{value or action.dest}`"
        rows.append(f"| {label} | {action.help or ''} |")
    if len(rows) == 6:
        rows = rows[:4]
    return "\n".join([*rows, ""])


def _value(action: argparse.Action) -> str:
    """Give what stands behind an option: one word, or several."""
    metavar = action.metavar or ""
    return metavar if isinstance(metavar, str) else " ".join(metavar)
