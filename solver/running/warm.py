"""Which kernels a model needs, for which types, and how they are compiled for this machine: in processes beside this one.

Which: those marked `separate`, and the few that Python calls. For which types: those in their signatures, of which records
(model, memory, workspace) are the same for every model. Who needs them: a kernel of elements, the models that have such
elements. What a signature cannot say stands in `NEEDED` (`needed.py`).

`python -m solver.running.warm` compiles all that are missing; `python -m solver.running.warm --kindly` does so at low
priority; with a folder and names behind it, it is one process that compiles those which no other has
claimed in that folder.
"""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np

from solver.base.words import Sentence
from solver.engine.jit.compiled import (
    BASE,
    folder_of,
    is_compiled,
    mark_all_compiled,
    mark_compiled,
)
from solver.engine.jit.kernels import Kernel, marked
from solver.engine.jit.level import common, level
from solver.engine.jit.loading import load
from solver.model.compile import Model
from solver.running.needed import METHODS, NEEDED, entries

SMALLEST: dict[str, Any] = {
    "format": "manikin-project",
    "schema_version": 4,
    "segments": [{"id": "body", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}],
    "runs": [{"id": "run", "duration_s": 0.01}],
}
"""A project whose arrays have the types of every other's."""


class Example:
    """Values of the types that kernels take: records of the smallest model, and numbers and arrays beside them."""

    def __init__(self) -> None:
        from solver.engine.dynamics.tree import IntArray
        from solver.engine.forces.system import make_work
        from solver.engine.integrate.flow import make_flow
        from solver.engine.integrate.plan import Plan, make_history
        from solver.engine.integrate.samples import make_samples
        from solver.engine.maths.spatial import Array, Table
        from solver.engine.signals.series import Array as Series
        from solver.model.compile import compile_model, method_of
        from solver.project import validated

        project = validated(SMALLEST)
        model = compile_model(project)
        work = make_work(model.system, model.trees.speeds, model.rows)
        flow = make_flow(model.q, model.v, model.z, model.states, *model.marks())
        samples, history = make_samples(model.system, work, flow, 1), make_history(1)
        plan = Plan(model.breaks, 1.0, np.zeros(1))
        method = method_of(project.runs[0], model)
        self._of: dict[Any, Any] = {
            Array: np.zeros(1), Series: np.zeros(1), Table: np.zeros((1, 1)), IntArray: np.zeros(1, np.int64),
            float: 0.0, int: 0, bool: False,
        }  # fmt: skip
        for record in (model.system, work, flow, samples, history, plan, method):
            self._of |= _records(record)

    def of(self, hint: Any) -> Any:
        """A value of a type that a signature names."""
        if hint not in self._of:
            if get_origin(hint) is tuple:
                self._of[hint] = tuple(map(self.of, get_args(hint)))
            elif hasattr(hint, "_fields"):
                self._of[hint] = hint(*map(self.of, _hints(hint).values()))
            else:
                raise TypeError(f"no kernel that is compiled on its own takes {hint}")
        return self._of[hint]


class Part(NamedTuple):
    """One kernel that is compiled on its own."""

    kernel: Any
    types: tuple[Any, ...] = ()
    """What it takes, where the signature does not say how many dimensions an array has."""

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.kernel.py_func.__name__)

    def arguments(self, example: Example) -> tuple[Any, ...]:
        """Return arguments of the types it gets."""
        return tuple(map(example.of, self._takes()))

    def is_needed(self, model: Model) -> bool:
        """Whether runs of a model call it: if nothing else is known, where its first elements have entries."""
        if self.name in NEEDED:
            return NEEDED[self.name](model)
        takes = self._takes()
        for method, uses in METHODS.items():
            if method in takes:
                return any(isinstance(run.integrator, uses) for run in model.project.runs)
        elements = _records(model.system)
        first = next((elements[hint] for hint in takes if hint in elements), None)
        return first is None or entries(first) > 0

    def size(self) -> int:
        """The length of its Python code with all that is linked into it: the longer, the longer to compile."""
        return _length(self.kernel.py_func, set())

    def _takes(self) -> list[Any]:
        return list(self.types or _hints(self.kernel.py_func).values())


@cache
def parts() -> tuple[Part, ...]:
    """All of them, the longest first."""
    from solver import engine
    from solver.engine.integrate.advance import advance
    from solver.engine.integrate.control import ready

    # what a run can call is imported with `advance`
    ours = [one for one in marked if one.py_func.__module__.startswith(engine.__name__)]
    found = [*map(Part, (*ours, advance, ready)), *_from_python()]
    return tuple(sorted(found, key=Part.size, reverse=True))


def _from_python() -> list[Part]:
    """What Python calls before there is a model, between steps and behind them."""
    from solver.engine.dynamics.tree import move
    from solver.engine.forces.airbags.shape import (
        bag_volume,
        shell_inertia,
        solid_inertia,
    )
    from solver.engine.forces.belts import belt_path
    from solver.engine.forces.contacts.kernels import find_sides
    from solver.engine.forces.coordinates.kernels import lead
    from solver.engine.forces.coordinates.paths import laid
    from solver.engine.forces.joints.contours import contour_load
    from solver.engine.forces.joints.kernels import JointLaws, ball_parts, resisted
    from solver.engine.forces.laws import Laws, normal_force
    from solver.engine.maths.curve import Curves, _area, curve_area, curve_at
    from solver.engine.maths.profile import profile_at, profile_piece
    from solver.engine.maths.sections import rays, where_normal
    from solver.engine.maths.spatial import Table
    from solver.engine.signals.filters import _go
    from solver.model.law_paths import follow

    by_signature = (
        move, bag_volume, shell_inertia, solid_inertia, find_sides, laid, lead, contour_load, resisted,
        curve_area, curve_at, profile_at, rays, where_normal, _go, follow,
    )  # fmt: skip
    return [
        *map(Part, by_signature),
        Part(belt_path, (Table, int, Table)),
        Part(normal_force, (Laws, Curves, int, Table, int, int, float, float)),
        Part(ball_parts, (JointLaws, Curves, int, Table, Table, Table)),
        Part(_area, (Table, int, float)),
        Part(profile_piece, (Table, Table, int, float)),
    ]


@cache
def _hints(function: Any) -> dict[str, Any]:
    """The types that a signature or a record names, without what is given back."""
    hints = get_type_hints(function, include_extras=True)
    return {name: hint for name, hint in hints.items() if name != "return"}


def _records(record: Any) -> dict[Any, Any]:
    """A record and all within it, by their classes."""
    found = {type(record): record}
    for part in record:
        if hasattr(part, "_fields"):
            found |= _records(part)
    return found


def _length(function: Any, seen: set[Any]) -> int:
    seen.add(function)
    code = function.__code__
    called = (function.__globals__.get(name) for name in code.co_names)
    linked = {one.py_func for one in called if isinstance(one, Kernel)}
    return len(code.co_code) + sum(_length(one, seen) for one in linked if one not in seen)


PROCESSES = min(max(2, (os.cpu_count() or 1) - 1), 6)
"""Two at least; where there is more, one is left for the window, and the longest kernel takes as long as the rest in six."""

LOOK_S = 0.02
"""Time between looks whether the kernels are done, or not wanted any more."""

CLAIMED_S = 300.0
"""Time after which nobody is thought to be at work on what was claimed."""

KINDLY = "--kindly"
NICE = 15
"""How far those who compile ahead step back (on Windows: below normal priority)."""

PLAIN = "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"
"""Without it a coloured terminal is looked for at each try to match a type."""


def missing(model: Model | None = None) -> list[str]:
    """Name the kernels that are not compiled yet: those a model needs, or all."""
    return [
        part.name
        for part in parts()
        if not is_compiled(part.kernel) and (model is None or part.is_needed(model))
    ]


def about_level() -> tuple[Sentence, ...]:
    """Say it where kernels are not compiled for the common level: bits may be others then."""
    one, usual = level(), common()
    if one.chosen == "common":
        return ()
    return (
        Sentence(
            "note: {why}: the solver is compiled for '{name}' and not for {usual}, so the last bits of a run may differ from those of other machines",
            why=_WHY[one.chosen],
            name=one.name,
            usual=usual.name if usual else "a common level",
        ),
    )


_WHY = {
    "own": Sentence("this machine has less than others of its kind"),
    "user": Sentence("Numba is told which processor to compile for"),
    "before": Sentence("Numba had compiled before Manikin was imported"),
}


def compile_parts(
    model: Model | None = None,
    cancel: Callable[[], bool] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[str, ...]:
    """Compile the kernels that a model needs, or all, into the cache; say what failed.

    `progress` is told how many of how many are done. What is not compiled here, also because of
    `cancel`, is compiled when it is called.
    """
    names = missing(model)
    if not names:
        return ()
    try:
        with tempfile.TemporaryDirectory() as claims:
            return _compiled(names, Path(claims), cancel, progress)
    except OSError as failure:
        return (_failed(str(failure)),)


def compile_ahead() -> tuple[str, ...]:
    """Compile whatever is missing and nobody else compiles ahead, at low priority; say what failed."""
    _step_back()
    claims = BASE / "claimed"
    claims.mkdir(parents=True, exist_ok=True)
    names = missing()
    failures = _compiled(names, claims, None, None) if names else ()
    if not missing():
        mark_all_compiled()
    return failures


def _compiled(
    names: list[str],
    claims: Path,
    cancel: Callable[[], bool] | None,
    progress: Callable[[int, int], object] | None,
) -> tuple[str, ...]:
    kernels = [part.kernel for part in parts() if part.name in names]
    with ExitStack() as stack:
        children = [
            stack.enter_context(_child([str(claims), *names], claims)) for _ in range(PROCESSES)
        ]
        done = -1
        while any(child.poll() is None for child, _ in children):
            if cancel is not None and cancel():
                return ()
            before, done = done, sum(is_compiled(kernel) for kernel in kernels)
            if progress is not None and done != before:
                progress(done, len(kernels))
            if done == len(kernels):
                # they only clear up, which takes them a second
                return ()
            time.sleep(LOOK_S)
        failures = (_failure(child.returncode, errors) for child, errors in children)
        return tuple(dict.fromkeys(f for f in failures if f))


@contextmanager
def _child(words: list[str], claims: Path) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """Compile in a process of its own, which does not outlive this."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            [sys.executable, "-m", "solver.running.warm", *words],
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, PLAIN: "1"},
        )
        try:
            yield child, errors
        finally:
            child.kill()
            child.wait()
            for claim in claims.iterdir():
                with contextlib.suppress(OSError):
                    if claim.read_text() == str(child.pid):
                        claim.unlink()


def _failure(code: int, said: IO[bytes]) -> str:
    """Say why a process has not compiled its part; nothing where it has."""
    if code == 0:
        return ""
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    how = f"signal {-code} ended it" if code < 0 else (lines[-1] if lines else f"exit code {code}")
    return _failed(how)


def _failed(how: str) -> str:
    why = f"compiling the solver in processes of their own failed ({how})"
    return f"note: {why}; it was done in one"


def compile_all() -> tuple[str, ...]:
    """Compile whatever is missing; say what failed."""
    failures = compile_parts()
    if not missing():
        mark_all_compiled()
    return failures


def _claimed(claims: Path, part: Part) -> bool:
    """Take a kernel, unless another process has."""
    source = Path(part.kernel.py_func.__code__.co_filename).resolve()
    claim = claims / f"{part.name}-{folder_of(source).name}"
    with contextlib.suppress(OSError):
        if time.time() - claim.stat().st_mtime > CLAIMED_S:
            claim.unlink()
    try:
        with claim.open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return False
    return True


def _compile(claims: Path, names: Collection[str]) -> None:
    """Compile those of the named kernels that no other process has taken."""
    # what is compiled stays: looking for rubbish in it costs a tenth of the time
    gc.disable()
    load()
    from numba import typeof

    type_of: Any = typeof
    example, parent = Example(), os.getppid()
    for part in parts():
        if os.getppid() != parent:
            # anyone who wanted them is gone
            return
        if part.name in names and not is_compiled(part.kernel) and _claimed(claims, part):
            part.kernel.compile(tuple(type_of(a) for a in part.arguments(example)))
            mark_compiled(part.kernel)


def _step_back() -> None:
    """Leave the processor to anyone else who wants it."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetPriorityClass(-1, 0x4000)
    else:
        os.nice(NICE)


def main(words: list[str]) -> int:
    """Do what the command line says."""
    if words and words != [KINDLY]:
        _compile(Path(words[0]), words[1:])
        return 0
    failures = compile_ahead() if words else compile_all()
    print(*failures, sep="\n", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
