"""A worker on this machine: a process that takes tasks, many at once, from its input and writes what it found to its output.

Messages are pickled, with their length before them. When anyone who started it is gone, its input ends, and
so does it, in the middle of a run too.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import time
from typing import IO, Any

TELL_S = 0.25
"""Time after which what has been found is told, however little it is."""
_LENGTH = struct.Struct("<q")


def send_bytes(stream: IO[bytes], data: bytes) -> None:
    """Write one message."""
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def receive_bytes(stream: IO[bytes]) -> bytes:
    """Read one message; raises EOFError where there are no more."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


def send(stream: IO[bytes], message: Any) -> None:
    """Write one object."""
    send_bytes(stream, pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL))


def receive(stream: IO[bytes]) -> Any:
    """Read one object; raises EOFError where there are no more."""
    # both ends are this program; the pipe between them is its own
    return pickle.loads(receive_bytes(stream))


def cleared() -> None:
    """Give back what a run has left behind in circles; what stays for good is looked through no more."""
    gc.collect()
    gc.freeze()


def main() -> int:
    """Work until there is nothing more to do."""
    # all that is loaded and made for every run stays: looking for rubbish in it is a tenth of the start
    gc.disable()
    # who stops the study ends its workers
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # whatever prints must not write among the answers
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        while True:
            try:
                waiting.put(receive(asked))
            except (EOFError, OSError):
                os._exit(0)

    # it may be begun before it is known what for
    from solver.engine.jit.loading import load
    from solver.studies.work import work_of

    load()
    try:
        setup = receive(asked)
    except EOFError:
        return 0
    threading.Thread(target=listen, daemon=True).start()
    work = work_of(setup)
    gc.freeze()
    gc.enable()
    send(answers, "ready")
    while True:
        found, since = [], time.monotonic()
        for task in waiting.get():
            found.append(work.found(task))
            cleared()
            if time.monotonic() - since > TELL_S:
                send(answers, found)
                found, since = [], time.monotonic()
        if found:
            send(answers, found)


if __name__ == "__main__":
    raise SystemExit(main())
