"""A process that speaks with a Dask cluster for a study: nothing that comes from there is unpickled.

Dask sends objects as pickles, in which any machine of the cluster can write what is to be run by anyone who reads
them. So the study itself never reads any: this process does, with a reader of pickles that makes no objects, and
hands on bytes alone, which the study checks (`plain`).

It takes a first message (address, certificates, the study), then runs that are asked for; it gives JSON with
bytes behind it. Runs go to workers in batches: one message for as many as take half a second, or longer where so many
workers answer that the messages alone would keep this process busy. When anyone who started it is gone, its input ends, and so does it.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import IO, Any

from solver.studies import plain
from solver.studies.worker import receive_bytes, send_bytes

WATCH_S = 0.1
"""How often it is looked whether there is more to do."""
AHEAD = 2
"""Batches at each thread of a worker, so that none is idle."""
BATCH_S, LEAST_S = 0.5, 0.1
"""Seconds that a batch of runs takes, so that what has come back is seen soon, and that it takes at least while there are as many."""
MESSAGES = 50.0
"""Batches a second, of all workers together, beyond which batches are made longer: each costs this process some milliseconds."""
MOST = 4096
"""Runs in a batch."""
FEW, TOGETHER_S = 8, 0.05
"""Where more batches than that are out, those that come back within this time are taken together, and as many given again."""
LOOK_S = 1.0
"""How often it is looked how many workers there are."""
GONE = ("cancelled", "lost")
"""States of what the cluster has lost."""
AGAIN = 5
"""How often a run is asked for again after that."""
_PLAIN = frozenset({"bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"})  # fmt: skip


class Withheld(Exception):
    """Stand for an object that another machine has sent, and that is not made here."""

    named = ""

    def __setstate__(self, state: object) -> None:
        """Take nothing over."""

    @property
    def told(self) -> tuple[str, tuple[Any, ...]]:
        """Name what it stands for, and what that was made of; an exception comes wrapped with its way."""
        match self.args:
            case (type() as kind, {"args": tuple() as args}, *_) if issubclass(kind, Withheld):
                return kind.named, args
        return self.named, self.args

    def __str__(self) -> str:
        """Write it on a line."""
        named, args = self.told
        return f"{named.rpartition('.')[2]}: {', '.join(map(str, args))}"[:200]


class _Reader(pickle.Unpickler):
    """Read pickles, but make nothing except plain values."""

    def find_class(self, module: str, name: str) -> Any:
        """A plain type, or one that stands for any other."""
        if module == "builtins" and name in _PLAIN:
            return __builtins__[name] if isinstance(__builtins__, dict) else getattr(__builtins__, name)  # fmt: skip
        return type("Withheld", (Withheld,), {"named": f"{module}.{name}"})


def _load(file: Any, **how: Any) -> Any:
    return _Reader(file, **how).load()


def _loads(data: Any, /, **how: Any) -> Any:
    return _Reader(io.BytesIO(data), **how).load()


def withhold() -> None:
    """Let nobody in this process make objects of pickles, before Dask is there."""
    pickle.load, pickle.loads, pickle.Unpickler = _load, _loads, _Reader  # type: ignore[misc]
    import cloudpickle  # type: ignore[import-untyped]
    from distributed import client

    cloudpickle.load, cloudpickle.loads = _load, _loads
    client.clean_exception = _cleaned  # type: ignore[attr-defined]


def _cleaned(exception: Any, traceback: Any = None, **_: Any) -> tuple[Any, Any, Any]:
    """What a task raised, without the way it took there."""
    if isinstance(exception, bytes | bytearray):
        exception = _loads(exception)
    if not isinstance(exception, BaseException):
        exception = Withheld(str(exception))
    return type(exception), exception, None


class Errand:
    """Have the runs of a study solved by a cluster."""

    def __init__(
        self, told: dict[str, Any], client: Any, answers: IO[bytes],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._answers, self._patience = answers, float(told["patience"])
        self._client, self._clock = client, clock
        self._given = (told["project"].encode(), told["study"], told["version"])
        self._longest = int(told["longest"])
        self._todo: deque[plain.Batch] = deque()
        self._left = 0
        self._each = -1.0
        """Seconds of a run, once one has come back."""
        self._running: dict[Any, plain.Batch] = {}
        self._again: dict[tuple[int, int], int] = {}
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads, self._seen, self._there = 0, -math.inf, clock()
        self._manned = self._there
        self._setup: Any = None

    def _give(self) -> bool:
        """Every worker what all runs share, where it is gone: all that had it have died, or none has had it."""
        if self._setup is not None and self._setup.status not in GONE:
            return True
        try:
            (self._setup,) = self._client.scatter(
                [self._given], broadcast=True, hash=False, timeout=self._patience
            )
        except Exception:  # noqa: BLE001 (no worker is there, or the scheduler is gone: it is tried again)
            self._setup = None
        return self._setup is not None

    def _say(self, data: bytes = b"", **told: Any) -> None:
        send_bytes(self._answers, json.dumps(told).encode() + b"\n" + data)

    def go(self, asked: queue.SimpleQueue[Any]) -> None:
        """Take tasks as they come, and give what came out of each."""
        self._say(ready=True)
        while True:
            while not asked.empty():
                self._put(plain.batch_of(asked.get()))
            now = self._clock()
            if self._client.status == "running":
                self._there = now
            elif self._client.status != "connecting" or now - self._there > self._patience:
                return self._say(gone=True)
            if self._client.status == "running":
                self._look(now)
                if self._todo and self._threads and self._give():
                    self._submit()
            with contextlib.suppress(queue.Empty):
                self._take_all(self._done.get(timeout=WATCH_S))

    def _look(self, now: float) -> None:
        """Look how many threads the workers have; without a worker, say for how long there has been none."""
        if not self._todo and not self._running:
            self._manned = now
        elif now - self._seen > LOOK_S:
            self._seen = now
            with contextlib.suppress(Exception):  # the scheduler may have just gone
                self._threads = sum(self._client.nthreads().values())
                if self._threads:
                    self._manned = now
                else:
                    self._say(alone=now - self._manned)

    def _put(self, batch: plain.Batch) -> None:
        """Take runs that are to be solved."""
        self._todo.append(batch)
        self._left += len(batch)

    def _size(self) -> int:
        """How many runs the next batch has; towards the end they are shorter, so that all workers end together."""
        if self._each < 0.0:
            return 1
        each = max(self._each, 1e-6)
        long = max(BATCH_S, self._threads / MESSAGES)
        share = max(math.ceil(self._left / (AHEAD * self._threads)), int(LEAST_S / each))
        return max(1, min(int(long / each), share, MOST))

    def _next(self) -> plain.Batch:
        """The next runs that go together."""
        batch, size = self._todo.popleft(), self._size()
        if len(batch) > size:
            self._todo.appendleft(batch.part(size))
            batch = batch.part(0, size)
        self._left -= len(batch)
        return batch

    def _submit(self) -> None:
        ahead = AHEAD if self._each >= 0.0 else 1
        batches = list[plain.Batch]()
        while self._todo and len(self._running) + len(batches) < ahead * self._threads:
            batches.append(self._next())
        if not batches:
            return
        given = self._client.map(
            plain.solved, [self._setup] * len(batches), [plain.asked(one) for one in batches],
            pure=False, retries=0, priority=-int(batches[0].number[0]),
        )  # fmt: skip
        self._running |= dict(zip(given, batches, strict=True))
        for made in given:
            made.add_done_callback(self._done.put)

    def _take_all(self, first: Any) -> None:
        """Take a batch that has come back, and those that come with it."""
        together = [first]
        if len(self._running) > FEW:
            time.sleep(TOGETHER_S)
            while not self._done.empty():
                together.append(self._done.get())
        fine = [one for one in together if one.status == "finished"]
        found = dict[Any, Any]()
        if len(fine) > 1:
            # what is wrong with one of them is seen when it is asked for alone
            with contextlib.suppress(Exception):
                found = dict(zip(fine, self._client.gather(fine), strict=True))
        for one in together:
            self._take(one, found.get(one))

    def _take(self, made: Any, found: Any = None) -> None:
        batch = self._running.pop(made)
        numbers: list[int] = batch.number.tolist()
        failure: Any = None
        try:
            if made.status == "finished":
                data = made.result(timeout=self._patience) if found is None else found
                if isinstance(data, bytes) and len(data) <= self._longest * len(batch):
                    if (seconds := plain.took(data)) >= 0.0:
                        each = seconds / len(batch)
                        self._each = each if self._each < 0.0 else 0.5 * (self._each + each)
                    return self._say(data, found=numbers)
                return self._say(lost=numbers, why="")
            if made.status not in GONE:
                failure = made.exception(timeout=self._patience)
        except (OSError, TimeoutError, CancelledError):
            pass
        except Exception as raised:  # noqa: BLE001 (whatever Dask makes of what came)
            return self._say(
                lost=numbers, why=f"what came back is no row ({type(raised).__name__})"
            )
        if isinstance(failure, Withheld):
            killed = failure.told[0].endswith(".KilledWorker")
            if len(batch) == 1 or not killed:
                return self._say(lost=numbers, why=str(failure), killed=killed)
            # which of them does that is seen when each goes alone
            for n in range(len(batch)):
                self._put(batch.part(n, n + 1))
            return None
        # what it needed died with a worker, or the way to it
        key = numbers[0], len(batch)
        self._again[key] = self._again.get(key, 0) + 1
        if self._again[key] > AGAIN:
            return self._say(lost=numbers, killed=True)
        self._put(batch)
        return None


def connected(told: dict[str, Any]) -> Any:
    """A client of the scheduler; raises whatever Dask does where none answers."""
    from distributed import Client
    from distributed.security import Security

    security = Security(**told["tls"]) if told["tls"] else Security()
    return Client(told["address"], timeout=told["patience"], set_as_default=False, security=security)  # fmt: skip


def main() -> int:
    """Connect, and work until there is nothing more to do."""
    # who stops the study ends this process
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # whatever prints must not write among the answers
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    record = json.loads(receive_bytes(asked))
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        while True:
            try:
                tasks.put(receive_bytes(asked))
            except (EOFError, OSError):
                os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    withhold()
    try:
        errand = Errand(record, connected(record), answers)
    except Exception as failure:  # noqa: BLE001 (an address or a certificate from anywhere)
        why = f"{type(failure).__name__}: {failure}" if str(failure) else type(failure).__name__
        send_bytes(answers, json.dumps({"refused": why[:500]}).encode() + b"\n")
        os._exit(1)
    try:
        errand.go(tasks)
    except Exception as failure:  # noqa: BLE001 (the scheduler may go in the middle of any call)
        errand._say(gone=True, why=f"{type(failure).__name__}: {failure}"[:200])
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    raise SystemExit(main())
