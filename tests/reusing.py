"""What changed models become, and what they become in a process that has seen no other model.

As a program it reads changes, one a line, and tells the figure of each, found in a process of its own.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import manikin as mk
from solver.engine.maths import profile
from solver.engine.signals import filters
from solver.project import Project, ProjectError
from solver.project.fields import Part
from solver.running.simulation import Simulation
from solver.running.state import leaves
from solver.running.warm import missing

UNTIL = 0.006
LEFT_OUT = ("runs", "schema_version")

Change = tuple[str, dict[str, Any]]
"""Name of a sample, and its values at paths that are others."""


def numbers_in(part: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Give the paths of all numbers, and of all rows of numbers, of a part."""
    if (isinstance(part, float) and not isinstance(part, bool)) or (
        isinstance(part, tuple) and part and all(isinstance(one, float) for one in part)
    ):
        yield path, part
    elif isinstance(part, tuple):
        for i, one in enumerate(part):
            yield from numbers_in(one, f"{path}/{getattr(one, 'id', i)}")
    elif isinstance(part, Part):
        for name in type(part).model_fields:
            yield from numbers_in(getattr(part, name), f"{path}/{name}" if path else name)


def changes(sample: str, seed: int) -> list[Change]:
    """Change a number of each list of a sample, each alone and then all together."""
    chance = random.Random(f"{sample} {seed}")
    model = mk.sample(sample)
    by_list: dict[str, list[tuple[str, Any]]] = {}
    for path, value in numbers_in(model.project, ""):
        by_list.setdefault(path.split("/")[0], []).append((path, value))
    out: list[Change] = [(sample, {})]
    together: dict[str, Any] = {}
    for list_, found in by_list.items():
        if list_ in LEFT_OUT:
            continue
        path, value = chance.choice(found)
        factor = 1.0 + chance.uniform(0.01, 0.1)
        other = value * factor if isinstance(value, float) else tuple(x * factor for x in value)
        if other == value:
            other = 1e-3 if isinstance(value, float) else tuple(x + 1e-3 for x in value)
        try:
            model.with_value(path, other)
        except ProjectError:
            continue
        together[path] = other
        out.append((sample, {path: other}))
    return [*out, (sample, together)]


def figure(change: Change) -> str:
    """Give one number for all that a model becomes: problems and arrays; of several changes a run too."""
    sample, values = change
    model = mk.sample(sample).with_values(values).until(UNTIL)
    found = hashlib.sha256(repr([str(one) for one in model.problems]).encode())
    if any(one.severity == "error" for one in model.problems):
        return found.hexdigest()
    made = Simulation(model.checked())
    compiled = made.model
    for _, array in leaves(
        "", (compiled.system, compiled.q, compiled.v, compiled.z, compiled.breaks)
    ):
        found.update(array.tobytes())
    found.update(repr((compiled.notes, compiled.events, made.specs)).encode())
    if len(values) < 2:
        return found.hexdigest()
    memory = made.memory()
    made.go_into(memory)
    for name in memory.channel_names:
        found.update(np.asarray(memory.channel(name).value).tobytes())
    found.update(repr([str(memory.status), *sorted(memory.injury.items())]).encode())
    return found.hexdigest()


class Apart:
    """Give the figures of models of which no process has seen another."""

    def __init__(self) -> None:
        words = [sys.executable, "-m", "tests.reusing"]
        pipe = subprocess.PIPE
        self.forks = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def __call__(self, wanted: list[Change]) -> list[str]:
        """Give one for each change."""
        asks, tells = self.forks.stdin, self.forks.stdout
        assert asks is not None
        assert tells is not None
        found = []
        for change in wanted:
            print(json.dumps(change), file=asks)
            found.append(tells.readline().strip())
            assert found[-1], "what was forked has failed"
        return found


def _load() -> None:
    """Load what takes long and knows no model, once for all that are forked: the schema, a kernel, and filters."""
    Project.model_rebuild()
    profile.integral(profile.make([(0.0, (1.0,), (0.0, 0.0, 0.0))]), 0.0)
    filters.low_pass(np.zeros(20), 1e-3, 100.0)
    missing()


def main() -> None:
    """Fork for each model, before anything has been made of one."""
    _load()
    gc.freeze()  # else each child would look through all of it, and copy it by that
    for line in sys.stdin:
        sample, values = json.loads(line)
        child = os.fork()
        if child == 0:
            print(figure((sample, values)), flush=True)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            print(flush=True)


if __name__ == "__main__":
    main()
