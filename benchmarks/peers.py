"""Our tree dynamics beside other programs, all with the same models.

A program that is not installed is named with the reason, and left out. Times of all programs are
taken in turns, round after round, so that what else the machine does falls on all alike.
"""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable

import numpy as np

from benchmarks.bodies import Body, chain, occupant, places, star
from benchmarks.engines import END, GOAL, Engine, NotHere, Trial
from benchmarks.engines.solver_run import evaluation
from solver.engine.dynamics.tree import Array
from tests.engine.test_motion import run

PROGRAMS = ("ours", "pinocchio", "mujoco", "drake", "opensim", "exudyn")
LARGE = {"ours": 240, "pinocchio": 60, "mujoco": 240}
"""Programs whose growth is measured, and up to how many segments."""

SIZES = (15, 30, 60, 120, 240)
ROUNDS = 9


def table() -> str:
    """The tables of this part."""
    body = occupant()
    engines, missing = _engines(PROGRAMS, body)
    parts = [_evaluations(engines), _motions(engines, body), _growth()]
    lines = ["## Tree dynamics beside other programs", "", _INTRODUCTION]
    lines += [f"- {name}: not measured, {reason}" for name, reason in missing]
    return "\n".join([*lines, *([""] if missing else []), *parts])


_INTRODUCTION = """The occupant of the sled sample: 15 segments, one free, ten ball and four pin joints, weight alone.
Medians of nine rounds in which all programs take turns, and the fastest: where the two differ much,
the machine had other work. `pip install -e ".[dev,peers]"` installs the other programs;
Pinocchio's loop takes about a minute to compile the first time.
"""


_LARGE = """One evaluation, µs; all joints balls, the first segment free. Pinocchio up to 60 segments: its
workspace grows with the cube of the speeds (four such tables for derivatives that are not used
here) and takes 1.5 GB at 120 segments, more than 10 GB at 240."""


def _engines(names: tuple[str, ...], body: Body) -> tuple[list[Engine], list[tuple[str, str]]]:
    """Make the programs that are here, and say why others are not."""
    made: list[Engine] = []
    missing = []
    for name in names:
        kind = importlib.import_module(f"benchmarks.engines.{name}").Engine
        try:
            made.append(kind(body))
        except NotHere as reason:
            missing.append((kind.name, str(reason)))
    return made, missing


def _evaluations(engines: list[Engine]) -> str:
    *times, whole = in_turns([*(engine.evaluation for engine in engines), evaluation])
    lines = ["### One evaluation of all accelerations", ""]
    lines += ["| program | time | fastest | ratio | what is timed |", "|---|---|---|---|---|"]
    first = statistics.median(times[0])
    for engine, rounds in zip(engines, times, strict=True):
        time = statistics.median(rounds)
        lines.append(
            f"| {engine.name} | {time * 1e6:.2f} µs | {min(rounds) * 1e6:.2f} µs "
            f"| {time / first:.1f} | {engine.timed} |"
        )
    time = statistics.median(whole)
    lines.append(
        f"| Manikin, joint torques included | {time * 1e6:.2f} µs | {min(whole) * 1e6:.2f} µs "
        f"| {time / first:.1f} | the whole right-hand side: springs, stops, friction, energy account |"
    )
    return "\n".join([*lines, ""])


def _motions(engines: list[Engine], body: Body) -> str:
    """Compare what it takes to reach a given error, with each method at its best setting."""
    exact = places(body, run(body.tree, body.q, body.v, body.g, END, 4000)[0])
    reached: list[tuple[str, Callable[[], Trial]]] = []
    lines = []
    for engine in engines:
        for attempts in engine.motions():
            method = "?"
            for attempt in attempts:
                trial = attempt()
                method = trial.method
                if error(trial, exact) <= GOAL:
                    reached.append((engine.name, attempt))
                    break
            else:
                lines.append(f"| {engine.name} | {method} | not reached | | | | |")
    rounds = [[attempt() for _, attempt in reached] for _ in range(ROUNDS)]
    first = 0.0
    rows = []
    for number, (name, _) in enumerate(reached):
        trial = rounds[0][number]
        times = [trials[number].seconds for trials in rounds]
        time = statistics.median(times)
        first = first or time
        count = "not known" if trial.evaluations is None else str(trial.evaluations)
        rows.append(
            f"| {name} | {trial.method} | {time * 1e3:.2f} ms | {min(times) * 1e3:.2f} ms "
            f"| {time / first:.1f} | {count} | {trial.setting} | {error(trial, exact):.1e} m |"
        )
    title = f"### {END:g} s of passive motion to an error of {GOAL:.0e} m"
    text = """Error: the largest of all mass centres' distances from their places in a far finer run of our own.
The coarsest setting that keeps it, steps being refined by a fifth, accuracies by half a decade.
"""
    head = "| program | method | time | fastest | ratio | evaluations | setting | error |"
    return "\n".join(
        [title, "", text, head, "|---|---|---|---|---|---|---|---|", *rows, *lines, ""]
    )


def error(trial: Trial, exact: Array) -> float:
    """Give the largest distance (m) of a mass centre from its true place, infinite if lost."""
    distance = float(np.linalg.norm(trial.places - exact, axis=1).max())
    return distance if np.isfinite(distance) else float("inf")


def _growth() -> str:
    lines = ["### Growth with the number of segments", ""]
    lines += [_LARGE, ""]
    head = " | ".join(str(size) for size in SIZES)
    lines += [f"| form | program | {head} |", "|---|---|" + "---|" * len(SIZES)]
    for form, make in (("chain", chain), ("star", star)):
        rows: dict[str, list[str]] = {}
        for size in SIZES:
            names = tuple(name for name, most in LARGE.items() if size <= most)
            engines, _ = _engines(names, make(size))
            times = in_turns([engine.evaluation for engine in engines])
            for engine, rounds in zip(engines, times, strict=True):
                time = statistics.median(rounds)
                rows.setdefault(engine.name, []).append(f"{time * 1e6:.1f}")
        for name, cells in rows.items():
            cells += [""] * (len(SIZES) - len(cells))
            lines.append(f"| {form} | {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def in_turns(measures: list[Callable[[], float]]) -> list[list[float]]:
    """The times of each measure, all taken in turns."""
    rounds = [[measure() for measure in measures] for _ in range(ROUNDS)]
    return [list(column) for column in zip(*rounds, strict=True)]
