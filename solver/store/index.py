"""The index: a table of files in SQLite, brought up to what stands in the folders when it is asked."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from solver.base.places import user_cache
from solver.base.words import Refusal, Sentence
from solver.store.query import Both, Compare, Either, Not, OfKind, Query, Word, parsed, words_of
from solver.store.reading import DAMAGED, Entry, content_hash, read_entry

VERSION = 1

ENDINGS = (".json", ".h5")

MOST_FILES = 20_000
"""Files of one folder, those below it included, that are looked at."""

TABLES = """
CREATE TABLE folders (path TEXT PRIMARY KEY);
CREATE TABLE files (
    path TEXT PRIMARY KEY, time INTEGER, size INTEGER, content TEXT, kind TEXT, title TEXT, name TEXT,
    status TEXT, model TEXT, words TEXT
);
CREATE TABLE numbers (
    path TEXT REFERENCES files(path) ON DELETE CASCADE, name TEXT, words TEXT, low REAL, high REAL
);
CREATE INDEX numbers_of ON numbers(path);
CREATE INDEX models ON files(model);
"""


class StoreError(Refusal):
    """Say why the store cannot be asked."""

    __module__ = "manikin"


@dataclass
class Looked:
    """Say what a look at the folders has found: files that are new or have changed, are gone, or cannot be read and why."""

    added: list[Path] = field(default_factory=list)
    changed: list[Path] = field(default_factory=list)
    dropped: list[Path] = field(default_factory=list)
    unread: list[tuple[Path, Sentence]] = field(default_factory=list)
    kept: int = 0


def place() -> Path:
    """Where this user's index lies."""
    return user_cache() / "store.sqlite"


class Store:
    """The index of one file; close it, or use it in a `with`."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or place()
        self._lock = threading.Lock()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._base = self._opened()
        except sqlite3.DatabaseError:
            # nothing stands in it that the folders do not tell again
            self.path.unlink(missing_ok=True)
            self._base = self._opened()

    def _opened(self) -> sqlite3.Connection:
        base = sqlite3.connect(self.path, timeout=10.0, check_same_thread=False)
        try:
            base.execute("PRAGMA foreign_keys = ON")
            version = int(base.execute("PRAGMA user_version").fetchone()[0])
            if version != VERSION:
                names = base.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'"
                ).fetchall()
                for table in ("numbers", "files", "folders"):
                    if (table,) in names:
                        base.execute(f"DROP TABLE {table}")
                base.executescript(TABLES)
                base.execute(f"PRAGMA user_version = {VERSION}")
                base.commit()
        except sqlite3.Error:
            base.close()
            raise
        return base

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that have been looked at."""
        found = self._base.execute("SELECT path FROM folders ORDER BY path")
        return tuple(Path(row[0]) for row in found)

    def forget(self, folder: Path) -> None:
        """Look at a folder no more, and drop what stands in it."""
        whole = str(folder.resolve())
        with self._lock, self._base:
            self._base.execute("DELETE FROM folders WHERE path = ?", (whole,))
            for path in [one for one in self._known() if Path(one).is_relative_to(whole)]:
                self._base.execute("DELETE FROM files WHERE path = ?", (path,))

    def look(
        self,
        folders: Iterable[Path] = (),
        told: Callable[[int, int], object] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Looked:
        """Bring the index up to folders, and to all that have been looked at before.

        A file is read again where time or size, and then its content, have changed. What is gone is dropped.
        Raises StoreError for a folder that is none.
        """
        new = [one.resolve() for one in folders]
        for one in new:
            if not one.is_dir():
                raise StoreError("'{folder}' is no folder.", folder=str(one))
        out = Looked()
        with self._lock:
            whole = list(dict.fromkeys([*self.folders, *new]))
            files = [file for folder in whole if folder.is_dir() for file in _files(folder)]
            known, there = self._known(), {str(file) for file in files}
            with self._base:
                self._base.executemany("INSERT OR IGNORE INTO folders VALUES (?)", [(str(one),) for one in new])  # fmt: skip
                for path in known:
                    if path not in there:
                        self._base.execute("DELETE FROM files WHERE path = ?", (path,))
                        out.dropped.append(Path(path))
            for n, file in enumerate(dict.fromkeys(files)):
                if cancel is not None and cancel():
                    break
                self._take_in(file, known.get(str(file)), out)
                if told is not None:
                    told(n + 1, len(files))
        return out

    def _known(self) -> dict[str, tuple[int, int, str, str]]:
        found = self._base.execute("SELECT path, time, size, content, kind FROM files")
        return {row[0]: (row[1], row[2], row[3], row[4]) for row in found}

    def _take_in(self, file: Path, before: tuple[int, int, str, str] | None, out: Looked) -> None:
        try:
            state = file.stat()
            now = (state.st_mtime_ns, state.st_size)
            if before is not None and before[:2] == now:
                out.kept += 1
                return
            content = content_hash(file)
            if before is not None and before[2] == content:
                with self._base:
                    self._base.execute("UPDATE files SET time = ?, size = ? WHERE path = ?", (*now, str(file)))  # fmt: skip
                out.kept += 1
                return
            entry = read_entry(file)
        except DAMAGED as failure:
            out.unread.append((file, _why(failure)))
            entry, content, now = None, "", (0, -1)
            with self._base:
                self._base.execute("DELETE FROM files WHERE path = ?", (str(file),))
            return
        with self._base:
            self._base.execute("DELETE FROM files WHERE path = ?", (str(file),))
            self._base.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (str(file), *now, content, *_row(entry)),
            )
            if entry is not None:
                self._base.executemany(
                    "INSERT INTO numbers VALUES (?, ?, ?, ?, ?)",
                    [
                        (str(file), name, f" {' '.join(words_of(name))} ", low, high)
                        for name, (low, high) in entry.numbers.items()
                    ],
                )
        if entry is not None:
            (out.added if before is None or not before[3] else out.changed).append(file)

    # questions

    def find(self, line: str | Query = "", kinds: Sequence[str] = ()) -> tuple[Entry, ...]:
        """Give the entries that a line asks for, by title, projects before runs and studies. Raises QueryError."""
        query = parsed(line) if isinstance(line, str) else line
        where, values = _where(query)
        if kinds:
            where, values = f"({where}) AND kind IN ({', '.join('?' * len(kinds))})", [*values, *kinds]  # fmt: skip
        return self._entries(f"kind != '' AND ({where})", values)

    def dangling(self) -> tuple[Entry, ...]:
        """Runs and studies whose model is that of no project: it has changed since, or is not here."""
        projects = "SELECT model FROM files WHERE kind = 'project'"
        return self._entries(f"kind IN ('run', 'study') AND model NOT IN ({projects})", [])

    def _entries(self, where: str, values: Sequence[object]) -> tuple[Entry, ...]:
        with self._lock:
            rows = self._base.execute(
                f"SELECT path, kind, title, name, status, model, words FROM files WHERE {where} ORDER BY title, kind, path",
                values,
            ).fetchall()
            return tuple(
                Entry(Path(path), kind, title, name, status, model, words, self._numbers(path))
                for path, kind, title, name, status, model, words in rows
            )

    def _numbers(self, path: str) -> dict[str, tuple[float, float]]:
        found = self._base.execute("SELECT name, low, high FROM numbers WHERE path = ?", (path,))
        return {name: (low, high) for name, low, high in found}


def _files(folder: Path) -> Iterator[Path]:
    """Files that may be ours, in a folder and below it, without hidden folders."""
    count = 0
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(names):
            if name.endswith(ENDINGS) and not name.startswith("."):
                count += 1
                if count > MOST_FILES:
                    raise StoreError("'{folder}' has more than {most} files: name one below it.", folder=str(folder), most=MOST_FILES)  # fmt: skip
                yield Path(root) / name


def _row(entry: Entry | None) -> tuple[str, ...]:
    """What is kept of a file beside time, size and content; of one that is none of ours nothing."""
    if entry is None:
        return ("",) * 6
    return entry.kind, entry.title, entry.name, entry.status, entry.model, entry.words


def _why(failure: BaseException) -> Sentence:
    if isinstance(failure, Refusal):
        return failure.said
    problems = getattr(failure, "problems", ())
    if problems:
        what: Sentence = problems[0].what
        return what
    return Sentence("{kind}: {failure}", kind=type(failure).__name__, failure=str(failure))


def _like(words: Sequence[str]) -> str:
    return " ".join(words).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _where(query: Query) -> tuple[str, list[object]]:
    """Make a condition of a query; all that was typed goes in as values."""
    match query:
        case Word(text):
            return "words LIKE ? ESCAPE '\\'", [f"% {_like(words_of(text))}%"]
        case OfKind(kind):
            return "kind = ?", [kind]
        case Compare(name, operator, value):
            names = words_of(name)
            has = " AND ".join(["n.words LIKE ? ESCAPE '\\'"] * len(names)) or "0"
            how = {
                "<": "n.low < ?", "<=": "n.low <= ?", ">": "n.high > ?", ">=": "n.high >= ?",
                "=": "n.low <= ? AND n.high >= ?", "!=": "(n.low != ? OR n.high != ?)",
            }[operator]  # fmt: skip
            asked: list[object] = [value, value] if operator in ("=", "!=") else [value]
            where = (
                f"EXISTS (SELECT 1 FROM numbers n WHERE n.path = files.path AND {has} AND {how})"
            )
            return where, [*(f"% {_like([one])} %" for one in names), *asked]
        case Not(part):
            where, values = _where(part)
            return f"NOT ({where})", values
        case Both(parts) | Either(parts):
            made = [_where(part) for part in parts]
            joint = " AND " if isinstance(query, Both) else " OR "
            whole = joint.join(f"({where})" for where, _ in made)
            return whole or "1", [value for _, values in made for value in values]


@contextlib.contextmanager
def looked(folders: Iterable[Path] = (), path: Path | None = None) -> Iterator[tuple[Store, Looked]]:  # fmt: skip
    """Open a store, brought up to its folders and to more of them."""
    with Store(path) as store:
        yield store, store.look(folders)
