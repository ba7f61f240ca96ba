"""Runs on a Dask cluster, by the address of its scheduler (docs/trust.md). It must hold this version of Manikin.

A process of its own speaks with the cluster (`courier`); what comes back through it is checked here, row by row.
"""

from __future__ import annotations

import contextlib
import json
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.base.extras import require
from solver.base.words import Sentence
from solver.studies import courier, plain
from solver.studies.evaluate import WATCH_S, Cancel, Notice, Stopped, beginning, lost
from solver.studies.rows import Layout, RowResult, StudyError, Task
from solver.studies.work import Setup
from solver.studies.worker import receive_bytes, send_bytes

ENCRYPTED = "tls://"
PATIENCE_S = 10.0
"""Seconds for which a scheduler may be away; then it counts as gone. After as many without a worker it is said what is waited for."""
WAIT_S = 300.0
"""Seconds for which a study waits for a worker where its user names none."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """Name the files by which both ends of a connection know each other, PEM each."""

    authority: Path | str | None = None
    """Certificate of anyone who has signed all others."""
    own: Path | str | None = None
    key: Path | str | None = None

    def as_dask(self) -> dict[str, Any]:
        """Give them by Dask's names; nothing where none is named: Dask's own configuration may name some."""
        named = {"tls_ca_file": self.authority, "tls_client_cert": self.own, "tls_client_key": self.key}  # fmt: skip
        found = {name: str(file) for name, file in named.items() if file is not None}
        for file in found.values():
            if not Path(file).is_file():
                raise StudyError("There is no certificate '{file}'.", file=file)
        return found | {"require_encryption": True} if found else {}


class Cluster:
    """Solve runs on a Dask cluster."""

    def __init__(
        self, setup: Setup, address: str, layout: Layout, certificates: Certificates | None = None,
        wait_s: float = WAIT_S, notice: Notice | None = None, cancel: Cancel | None = None,
    ) -> None:  # fmt: skip
        require("cluster", StudyError)
        tls = (certificates or Certificates()).as_dask()
        if tls and not address.startswith(ENCRYPTED):
            raise StudyError(
                "Certificates are for addresses that begin with tls://, not for '{address}'.",
                address=address,
            )
        self._address, self._layout = address, layout
        self._wait_s, self._notice, self._is_told = wait_s, notice, False
        self._process = beginning(courier.__name__)
        self._heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._tell({
            "address": address, "tls": tls, "project": setup.project.decode(), "study": setup.study,
            "version": setup.version, "longest": plain.longest(layout), "patience": PATIENCE_S,
        })  # fmt: skip
        try:
            reply, _ = self._next(cancel)
        except Stopped:
            self.close()
            raise
        if "ready" not in reply:
            self.close()
            raise StudyError(
                "No scheduler answers at '{address}': {failure}",
                address=address,
                failure=str(reply.get("refused", Sentence("its connection ended"))),
            )

    def _tell(self, message: object) -> None:
        self._send(json.dumps(message).encode())

    def _send(self, message: bytes) -> None:
        # a courier that is gone is told by the thread that listens
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            send_bytes(self._process.stdin, message)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(EOFError, OSError, ValueError):
            while True:
                line, _, data = receive_bytes(self._process.stdout).partition(b"\n")
                self._heard.put((json.loads(line), data))
        self._heard.put(({"gone": True}, b""))

    def _alone(self, seconds: float) -> None:
        """Say, once, what is waited for; raise StudyError after as long as may be waited."""
        if seconds >= self._wait_s:
            raise StudyError(
                "The scheduler at '{address}' has had no worker for {seconds:.0f} s. Start one (dask worker {address}) and go on with --resume, as what came back before is kept in the study's file; or let the study wait longer (--wait).",
                address=self._address,
                seconds=seconds,
            )
        if seconds >= PATIENCE_S and not self._is_told:
            self._is_told = True
            if self._notice is not None:
                self._notice(Sentence(
                    "The scheduler at '{address}' has no worker: the study waits for one, up to {seconds:g} s. Start one by: dask worker {address}",
                    address=self._address, seconds=self._wait_s,
                ))  # fmt: skip

    def _next(self, cancel: Cancel | None) -> tuple[dict[str, Any], bytes]:
        while True:
            if cancel is not None and cancel():
                raise Stopped
            with contextlib.suppress(queue.Empty):
                found: tuple[dict[str, Any], bytes] = self._heard.get(timeout=WATCH_S)
                return found

    def solve(
        self, tasks: Sequence[Task], responses: int, cancel: Cancel | None
    ) -> Iterator[RowResult]:
        """Solve tasks; a worker that dies costs its runs, which others do again. Raises StudyError where none is there for too long."""
        waiting = {one.number: one for one in tasks}
        self._send(plain.asked(plain.Batch.of(tasks)))
        while waiting:
            reply, data = self._next(cancel)
            if "gone" in reply:
                raise StudyError(
                    "The scheduler at '{address}' is gone. What came back before is kept in the study's file: go on with --resume once it is there again.",
                    address=self._address,
                )
            if "alone" in reply:
                self._alone(float(reply["alone"]))
                continue
            self._is_told = False
            numbers = [int(one) for one in reply.get("found", reply.get("lost", ()))]
            batch = [waiting.pop(number) for number in numbers]
            yield from self._found(batch, reply, data, responses)

    def _found(
        self, batch: Sequence[Task], told: dict[str, Any], data: bytes, responses: int
    ) -> list[RowResult]:
        if "found" in told:
            try:
                return plain.read(data, [one.number for one in batch], self._layout)
            except plain.Refused as failure:
                raise StudyError("A worker of the cluster refuses: {failure}", failure=failure) from None  # fmt: skip
            except plain.Unexpected as failure:
                told = {"why": str(failure)}
        if told.get("killed"):
            said = Sentence("The workers of the cluster died in this run.")
        else:
            why = str(told.get("why") or Sentence("what came back is no row"))
            said = Sentence("The cluster did not solve this run: {failure}", failure=why)
        return [lost(one, responses, said) for one in batch]

    def close(self) -> None:
        """Leave the cluster; what it still solves for us it drops once we are gone."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
