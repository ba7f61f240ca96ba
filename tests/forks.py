"""Processes that are killed, or end themselves, in the middle of their work: what takes long to load is loaded once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parent.parent


class Forks:
    """Hold a process that has run a program to its end, and forks a child for each piece of work that is asked of it.

    The program defines `work`, which is called in the child with the words that it is begun with.
    """

    def __init__(self, program: str) -> None:
        words = [sys.executable, "-c", f"{program}\nfrom tests.forks import serve\nserve(work)"]
        pipe = subprocess.PIPE
        self._forks = subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, bufsize=1)  # fmt: skip

    def __enter__(self) -> Forks:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._forks.kill()
        self._forks.__exit__(kind, raised, trace)

    def begin(self, *words: str) -> int:
        """Begin a piece of work; gives the process that does it."""
        assert self._forks.stdin is not None
        print(json.dumps(words), file=self._forks.stdin)
        return int(self.told())

    def told(self) -> str:
        """Wait for the next line that it prints."""
        assert self._forks.stdout is not None
        return self._forks.stdout.readline().strip()

    def end(self) -> int:
        """Wait for its end, past all that it still prints: minus the signal, or its exit code."""
        while not (line := self.told()).startswith("ended "):
            assert self._forks.poll() is None
        return int(line.removeprefix("ended "))


def serve(work: Callable[..., object]) -> None:
    """Fork for each line."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                # the pid is told by who works: nothing that it prints comes before
                print(os.getpid(), flush=True)
                work(*json.loads(line))
            except BaseException as raised:  # noqa: BLE001 (whatever it is, the child ends here)
                print(repr(raised), file=sys.stderr, flush=True)
                os._exit(1)
            sys.stdout.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        # a line that a kill has cut off ends here
        print(f"\nended {os.waitstatus_to_exitcode(status)}", flush=True)
