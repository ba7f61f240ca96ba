"""Try faults in functions without starting Python again: a server that has the program loaded, and a child for each fault.

In the child the code of the changed function is exchanged in place; its tests run there until one fails. What other
processes load they read from the file, in which the fault stands, too. Where no function can be exchanged the fault is
tried as all others are.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Self

LONGEST_CPU_S = 15.0
"""Time of the processor that a test of the solver may take."""
CANNOT = 99
"""What a child gives back that cannot put a fault in."""


class Server:
    """A process in which the program is loaded, in a copy of the tree."""

    def __init__(self, tree: Path, scope: str, longest_s: float) -> None:
        environment = os.environ | {"PYTHONPATH": str(tree)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tools.mutants.swapped", scope, str(longest_s)],
            cwd=tree, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(
        self, file: str, source: bytes, line: int, tests: Sequence[str]
    ) -> tuple[int, str, str]:
        """Run tests with a source in place of a file's, which differs in the function at a line.

        Gives pytest's code, or CANNOT, and what it said and complained of.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        asked = {"file": file, "source": source.decode(), "line": line, "tests": [*tests]}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            return CANNOT, "the program cannot be loaded", ""
        code, said, complained = json.loads(answer)
        return int(code), str(said), str(complained)


def main() -> None:
    """Load the program, and fork for each line of standard input."""
    scope, longest_s = sys.argv[1], float(sys.argv[2])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import pytest  # noqa: F401  loaded once for all

    for one in pkgutil.walk_packages([scope], f"{scope}."):
        if not one.name.endswith("__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(one.name)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(_in_child(asked, longest_s)), file=answers, flush=True)


def _in_child(asked: dict[str, object], longest_s: float) -> tuple[int, str, str]:
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complained:
        child = os.fork()
        if child == 0:
            os.setsid()
            os.dup2(said.fileno(), 1)
            os.dup2(complained.fileno(), 2)
            code = CANNOT
            try:
                code = _tried(**asked)  # type: ignore[arg-type]
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = _waited(child, longest_s)
        said.seek(0)
        complained.seek(0)
        return code, said.read(), complained.read()


def _waited(child: int, longest_s: float) -> int:
    """The code of a child; 1 where it has no end."""
    end = time.monotonic() + longest_s
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 1


def _tried(file: str, source: str, line: int, tests: list[str]) -> int:
    import pytest

    if not exchange(Path(file).resolve(), source, line):
        return CANNOT
    # what is raised within Qt would count as a failure
    plugins = [] if file.startswith("app/") else [_Short()]
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests], plugins))


class _Short:
    """Leave a test that takes long: it counts as passed."""

    def pytest_runtest_setup(self) -> None:
        import pytest

        signal.signal(signal.SIGVTALRM, lambda *_: pytest.skip("takes long"))
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_CPU_S)

    def pytest_runtest_teardown(self) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)


def exchange(file: Path, source: str, line: int) -> bool:
    """Give the outermost function at a line of a loaded file the code of a source; False where that cannot be."""
    named = _function_at(source, line)
    new = [one for one in _codes(compile(source, str(file), "exec")) if _place(one) == named]
    if named is None or len(new) != 1:
        return False
    found = [
        one for one in gc.get_objects()
        if isinstance(one, FunctionType) and _place(one.__code__) == named
        and Path(one.__code__.co_filename).resolve() == file
    ]  # fmt: skip
    try:
        for one in found:
            one.__code__ = new[0]
    except ValueError:
        return False
    return bool(found)


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)


def _function_at(source: str, line: int) -> tuple[str, int] | None:
    """Full name and first line of the outermost function in whose body a line is."""
    body, names = ast.parse(source).body, list[str]()
    while True:
        around = [n for n in body if n.lineno <= line <= (n.end_lineno or 0)]
        if len(around) != 1 or not isinstance(around[0], ast.ClassDef | ast.FunctionDef):
            return None
        one = around[0]
        names.append(one.name)
        if isinstance(one, ast.FunctionDef):
            if line < one.body[0].lineno:
                return None
            return ".".join(names), min([one.lineno, *(d.lineno for d in one.decorator_list)])
        body = one.body


if __name__ == "__main__":
    main()
