"""Compile the kernels for this machine, once: each on its own, in processes beside this one.

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
from pathlib import Path
from typing import IO, Any

from solver.engine.jit.compiled import (
    BASE,
    folder_of,
    is_compiled,
    mark_all_compiled,
    mark_compiled,
)
from solver.engine.jit.loading import load
from solver.model.compile import Model
from solver.running.kernel_parts import Example, Part, parts

PROCESSES = 2

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
        failures = (_failure(child.returncode, said) for child, said in children)
        return tuple(dict.fromkeys(f for f in failures if f))


@contextmanager
def _child(words: list[str], claims: Path) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """Compile in a process of its own, which does not outlive this."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            [sys.executable, "-m", "solver.running.warm", *words],
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, PLAIN: "1"},
        )
        try:
            yield child, said
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
