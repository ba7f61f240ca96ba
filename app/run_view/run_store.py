"""Keep runs on the disk from one start to the next: a folder for each project, within limits.

A run is a results file, which is whole or not there, and beside it a small file with what people
call it. A crash loses at most the run that was being written. No Qt in here.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path

from app import texts
from app.home import home
from app.run_view.record import Effort, RunRecord, read_record
from solver import __version__
from solver.base.atomic import replaced, write_atomic
from solver.base.words import msgid, tr
from solver.project import ProjectError, load_project
from solver.results import ResultsError, save_run
from solver.results.stored import digest_of, engine, stored_file, unpack

MOST_RUNS = 40
"""So many runs of one project are kept; the oldest go first."""
MOST_BYTES = 2 * 2**30
"""So much is kept of all projects together; what was kept longest ago goes first."""
_STORED = msgid("Stored run")
_OTHER_ENGINE = msgid(
    "It was solved before the solver was changed; F5 solves it with the solver of this program."
)
_LEFT_S = 3600.0
"""A file that is still half written after so long was left by a crash."""


@dataclass(frozen=True, slots=True)
class Label:
    """What stands beside a run's results: what it is called, and what it took."""

    name: str
    note: str = ""
    project: str = ""
    created: float = 0.0
    removed: bool = False
    """Whether it was deleted; the results go once nobody can want them back."""
    effort: Effort = field(default_factory=Effort)
    stored: str = ""
    """Digest of the sample that it came with and of its file there; of a run of one's own there is none."""
    engine: str = ""
    """Mark of the solver's state that found it."""

    @classmethod
    def read(cls, file: Path) -> Label | None:
        """Read a label; none where it is missing or damaged."""
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            effort = Effort(**{k: float(v) for k, v in data.pop("effort").items()})
            texts = {key: str(data[key]) for key in ("name", "note", "project")}
            texts |= {key: str(data.get(key) or "") for key in ("engine", "stored")}
            gone = bool(data.get("removed", False))
            created = float(data["created"])
            return cls(**texts, created=created, removed=gone, effort=effort)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None


class RunStore:
    """The folder of one project's runs."""

    def __init__(self, project_file: Path, root: Path | None = None) -> None:
        self._project = project_file.resolve()
        self._root = root or home() / "runs"
        key = hashlib.sha256(os.path.normcase(self._project).encode()).hexdigest()[:12]
        self.folder = self._root / f"{self._project.stem[:40]}-{key}"

    @property
    def has_runs(self) -> bool:
        """Tell quickly whether there is something to read: what is kept, or a run that comes with a sample."""
        return any(self.folder.glob("*.h5")) or stored_file(self._project) is not None

    @classmethod
    def of_draft(cls, draft: str) -> RunStore:
        """The folder of the runs of a project that was never saved."""
        return cls(home() / "drafts" / f"draft-{draft}")

    def clear(self, but: Collection[Path] = ()) -> None:
        """Delete all runs but some, as of a draft that was saved or is no longer wanted."""
        for place in _files_of(self.folder, "*.h5"):
            if place not in but:
                drop(place)

    def keep(self, record: RunRecord) -> None:
        """Write a run that has ended, or copy one that another project keeps; ResultsError if not."""
        assert record.trajectory is not None
        if record.kept is not None and record.kept.parent == self.folder:
            self.label(record)
            return
        place = self.folder / f"{uuid.uuid4().hex}.h5"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if record.kept is not None:
                _copied(record.kept, place)
            else:
                save_run(record.trajectory, place, __version__)
                if record.file is None:
                    record.engine = engine()
        except ResultsError:
            # what a full disk has left of it is less than what is in memory
            drop(place)
            raise
        except OSError as failure:
            raise _refused(place.parent, failure) from None
        record.kept = place
        self.label(record)
        self._make_room(place)

    def label(self, record: RunRecord, *, removed: bool = False) -> None:
        """Write what a run is called, and whether it was deleted; ResultsError where it cannot."""
        if record.kept is None:
            return
        label = Label(
            record.name, record.note, str(self._project), record.created, removed, record.effort,
            record.stored, record.engine,
        )  # fmt: skip
        try:
            write_atomic(_label_file(record.kept), json.dumps(asdict(label)))
        except OSError as failure:
            raise _refused(record.kept.parent, failure) from None

    def records(self) -> list[RunRecord]:
        """Read all runs, the oldest first; what cannot be read is left out and stays where it is.

        A sample of which nothing is kept has the run that came with it; one that came with an older program
        makes room for that of this one.
        """
        found = self._kept()
        old, own = ([one for one in found if bool(one.stored) == is_so] for is_so in (True, False))
        if old or not own:
            new = self._stored([one.stored for one in old])
            found = [*new, *self._without(old, new), *own]
        return found

    def _stored(self, there: Collection[str] = ()) -> list[RunRecord]:
        """Keep the run that came with a sample, if it is of its model as it is now, and not among those there.

        It is of this program's solver: what comes with a program is what its solver finds.
        """
        from solver.running.simulation import project_bytes

        stored = stored_file(self._project)
        if stored is None:
            return []
        place = self.folder / f"{uuid.uuid4().hex}.h5"
        try:
            digest = digest_of(self._project)
            if digest in there:
                return []
            self.folder.mkdir(parents=True, exist_ok=True)
            unpack(stored, place, project_bytes(load_project(self._project)))
            record = read_record(place)
            record.kept, record.file, record.name = place, None, tr(_STORED)
            record.stored, record.engine = digest, engine()
            self.label(record)
        except (OSError, ResultsError, ProjectError):
            # a full disk, a damaged file, or one of another model: there is no such run then
            drop(place)
            return []
        return [record]

    def _without(self, old: list[RunRecord], new: list[RunRecord]) -> list[RunRecord]:
        """Let what came with an older program go where there is new, but not what somebody has written on."""
        if not new:
            return old
        left = []
        for one in old:
            new[0].created = min(new[0].created, one.created)
            if one.name != tr(_STORED) or _version_note(one.note, ""):
                one.stored = ""
                self.label(one)
                left.append(one)
            elif one.kept is not None:
                one.close()
                drop(one.kept)
        self.label(new[0])
        return left

    def _kept(self) -> list[RunRecord]:
        """Read what is kept, the oldest first; what came with this program is of its solver."""
        found = []
        try:
            shipped = digest_of(self._project)
        except OSError:
            shipped = ""
        for place in _files_of(self.folder, "*.part"):
            _drop_if_left(place)
        for place in _files_of(self.folder, "*.h5"):
            label = Label.read(_label_file(place))
            if label is not None and label.removed:
                drop(place)
                continue
            try:
                record = read_record(place)
            except ResultsError:
                continue
            record.kept, record.file = place, None
            record.created = _time_of(place)
            if label is not None:
                is_shipped = bool(shipped) and label.stored == shipped
                record.stored, record.engine = (
                    label.stored,
                    engine() if is_shipped else label.engine,
                )
                record.name, record.note = label.name, _version_note(label.note, record.engine)
                record.created, record.known = label.created, label.effort
            found.append(record)
        found.sort(key=lambda one: one.created)
        return found

    def _make_room(self, newest: Path) -> None:
        """Drop the oldest runs where there are too many of this project, or too much of all."""
        mine = sorted(_files_of(self.folder, "*.h5"), key=_time_of)
        for place in mine[: max(0, len(mine) - MOST_RUNS)]:
            drop(place)
        every = sorted(_files_of(self._root, "*/*.h5"), key=_time_of, reverse=True)
        whole = 0
        for place in every:
            whole += _size_of(place)
            if whole > MOST_BYTES and place != newest:
                drop(place)


def drop(place: Path) -> None:
    """Delete a kept run and its label."""
    for file in (place, _label_file(place)):
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        place.parent.rmdir()


def _files_of(folder: Path, pattern: str) -> list[Path]:
    """The files of a folder, which another window may delete meanwhile."""
    try:
        return list(folder.glob(pattern))
    except FileNotFoundError:
        return []


def _refused(folder: Path, failure: OSError) -> ResultsError:
    words = tr(texts.words.CANNOT_WRITE, file=folder, why=failure.strerror or failure)
    return ResultsError(words)


def _version_note(note: str, mark: str) -> str:
    """Say in a run's note whether it is of another state of the solver than this one, as far as is known."""
    own = note.replace(tr(_OTHER_ENGINE), "").strip()
    return own if mark in ("", engine()) else f"{own} {tr(_OTHER_ENGINE)}".strip()


def _label_file(place: Path) -> Path:
    return place.with_suffix(".json")


def _copied(source: Path, place: Path) -> None:
    """Let a run stand in two folders; where the disk cannot do that, copy it."""
    try:
        os.link(source, place)
    except OSError:
        with replaced(place) as part:
            shutil.copyfile(source, part)


def _drop_if_left(place: Path) -> None:
    if time.time() - _time_of(place) > _LEFT_S:
        drop(place)


def _time_of(place: Path) -> float:
    try:
        return place.stat().st_mtime
    except OSError:
        return 0.0


def _size_of(place: Path) -> int:
    try:
        return place.stat().st_size
    except OSError:
        return 0
