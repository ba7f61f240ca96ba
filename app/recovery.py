"""Keep unsaved work on the disk, so that a crash loses a few seconds at most."""

from __future__ import annotations

import contextlib
import json
import os
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer

from app.document import Document
from app.home import home
from solver.base.atomic import write_atomic
from solver.base.words import tr
from solver.project import Project, ProjectError, parse
from solver.project.saving import plain, text_of

FORMAT = "manikin-recovery"
EVERY_MS = 4000


@dataclass(frozen=True, slots=True)
class Left:
    """What an ended program left: the work, the file it belongs to, and when it was kept."""

    place: Path
    file: Path | None
    title: str
    when: float
    draft: str = ""
    """What a project without a file was known by."""
    stood: str = ""
    """Digest of the file that it was made from."""
    signal: str = ""
    """Name of the signal by which the program was asked to end."""
    run: str = ""
    """Name of the run that went on then; what it had found is kept with the project's runs."""
    is_saved: bool = False
    """Whether the file holds the work: only the run was broken off."""

    def project(self) -> Project:
        """Read the work; raises ProjectError where it cannot be read."""
        data = json.loads(self.place.read_text(encoding="utf-8"))
        return parse(data["project"], self.file.parent if self.file else None).project

    def forget(self) -> None:
        """Delete it."""
        for file in (self.place, _lock_file(self.place)):
            with contextlib.suppress(OSError):
                file.unlink()


class Recovery(QObject):
    """Write a document's unsaved work every few seconds, in a thread of its own."""

    _number = 0

    def __init__(self, document: Document, every_ms: int = EVERY_MS) -> None:
        super().__init__(document)
        Recovery._number += 1
        name = f"{os.getpid()}-{int(time.time())}-{Recovery._number}.json"
        self.place = folder() / name
        self._lock = QLockFile(str(_lock_file(self.place)))
        self._lock.setStaleLockTime(0)
        self._lock.tryLock(0)
        self._document = document
        self._kept: Project | None = None
        self._writing: Future[None] | None = None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="recovery")
        self._timer = QTimer(self, interval=every_ms)
        self._timer.timeout.connect(self.keep)
        self._timer.start()
        document.named.connect(self._on_named)

    def set_every(self, every_ms: int) -> None:
        """Write so often (ms) from now on."""
        self._timer.setInterval(every_ms)

    def keep(self) -> None:
        """Write the work if it is unsaved and has changed since the last time."""
        document = self._document
        is_wanted = document.has_unsaved_work or document.draft_has_runs
        if not is_wanted or document.project is self._kept:
            return
        if self._writing is not None and not self._writing.done():
            return
        self._kept = document.project
        self._writing = self._pool.submit(
            _write, self.place, document.project, document.path, document.draft, document.stood
        )

    def close(self) -> None:
        """End in order: nothing is left behind."""
        self._timer.stop()
        self._pool.shutdown(wait=True)
        with contextlib.suppress(OSError):
            self.place.unlink(missing_ok=True)
        self._lock.unlock()

    def leave(self, signal: str, run: str) -> None:
        """End as somebody asks from outside: unsaved work, and word of a run that went on, stay for the next start."""
        self._timer.stop()
        self._pool.shutdown(wait=True)
        document = self._document
        is_unsaved = document.has_unsaved_work or document.draft_has_runs
        if is_unsaved or (run and document.path is not None):
            _write(
                self.place, document.project, document.path, document.draft, document.stood,
                signal=signal, run=run, is_saved=not is_unsaved,
            )  # fmt: skip
        else:
            _unlink(self.place)
        self._lock.unlock()

    def _on_named(self) -> None:
        """Forget the kept work once it is saved."""
        if not self._document.has_unsaved_work and self._kept is not None:
            self._kept = None
            self._pool.submit(_unlink, self.place)


def folder() -> Path:
    """The folder of recovery files."""
    place = home() / "recovery"
    place.mkdir(exist_ok=True)
    return place


def left_behind() -> list[Left]:
    """List the work that programs which run no more have left, the newest first."""
    found = []
    for place in folder().glob("*.json"):
        lock = QLockFile(str(_lock_file(place)))
        lock.setStaleLockTime(0)
        if not lock.tryLock(0):
            continue
        lock.unlock()
        try:
            data = json.loads(place.read_text(encoding="utf-8"))
            if data["format"] != FORMAT:
                continue
            file = Path(data["file"]) if data["file"] else None
            draft = str(data.get("draft", ""))
            title, stood = str(data["title"]), str(data.get("stood", ""))
            signal, run = str(data.get("signal", "")), str(data.get("run", ""))
            is_saved = bool(data.get("is_saved", False)) and file is not None
            when = float(data["when"])
            found.append(Left(place, file, title, when, draft, stood, signal, run, is_saved))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return sorted(found, key=lambda one: -one.when)


def recover(left: Left, document: Document) -> None:
    """Open what was left as unsaved work; raises ProjectError where it cannot be read."""
    try:
        project = left.project()
    except (OSError, ValueError, KeyError) as failure:
        from solver.project.problems import error

        raise ProjectError(
            [error("file-unreadable", "", tr("It cannot be read: {why}", why=failure))]
        ) from None
    if left.is_saved and left.file is not None:
        document.open(left.file)
    else:
        document.adopt(project, left.file, recovered=True, draft=left.draft, stood=left.stood)
    left.forget()


def _write(
    place: Path, project: Project, file: Path | None, draft: str, stood: str, **why: str | bool
) -> None:
    data = {
        "format": FORMAT,
        "file": str(file.resolve()) if file else None,
        "title": project.title,
        "when": time.time(),
        "draft": draft,
        "stood": stood,
        **why,
        # a CSV file beside a project that was never saved cannot be found again
        "project": text_of(plain(project, embed_curves=file is None)),
    }
    write_atomic(place, json.dumps(data, ensure_ascii=False))


def _unlink(place: Path) -> None:
    with contextlib.suppress(OSError):
        place.unlink(missing_ok=True)


def _lock_file(place: Path) -> Path:
    return place.with_suffix(".lock")
