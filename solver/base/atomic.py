"""Give a file its name only once it is whole: a failure or a kill leaves the old one, or none.

A word that begins as a formula does, such as the name `=1+1`, gets an apostrophe before it, which spreadsheets do
not show (OWASP, CSV Injection); reading takes it away.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import os
import re
import shutil
import stat
import uuid
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path


def write_atomic(file: Path, content: str | bytes) -> None:
    """Write a text (UTF-8, its line ends as they are) or bytes; no part of it has the same ending."""
    with replaced(file, temporary_name(ordinary(file), ".tmp")) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def replaced(file: Path, part: Path | None = None) -> Iterator[Path]:
    """Let a file or folder be written beside `file`, as `part`, and put it in its place.

    A folder takes the place of an empty one only. Raises OSError where neither may stand there.
    """
    target = ordinary(file)
    made = part or temporary_name(target)
    try:
        yield made
        if target.is_file() and made.is_file():
            made.chmod(target.stat().st_mode & 0o777)
        publish(made, target)
    except BaseException:
        discard(made)
        raise


def read_most(file: Path, most: int) -> bytes:
    """Read a file, of one that is too large a byte more than `most`; OSError for pipes and devices, which may never end."""
    with ordinary(file).open("rb") as opened:
        return opened.read(most + 1)


def ordinary(file: Path) -> Path:
    """Where a file or folder really stands, links followed; OSError where it is neither.

    A pipe, a device or a socket is never replaced, and nothing is written into it.
    """
    try:
        target = file.resolve()
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target
    except RuntimeError:  # of Python before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(file)) from None
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "it is no ordinary file", str(file))
    return target


NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]+')
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
LONGEST = 120
"""Bytes of a name that every system takes, with room for an ending and a number."""


def file_stem(words: str, otherwise: str) -> str:
    """Make of a title a file's name without ending that every system takes; of nothing what stands in its place."""
    stem = NOT_IN_NAMES.sub("_", " ".join(words.split()))
    stem = stem.encode()[:LONGEST].decode(errors="ignore").strip(" ._") or otherwise
    return f"_{stem}" if DEVICES.match(stem) else stem


def is_same(file: Path, other: Path) -> bool:
    """Whether two names stand for one file, by whatever links."""
    try:
        return file.samefile(other)
    except (OSError, ValueError):
        return False


def temporary_name(file: Path, ending: str = "") -> Path:
    """Give a free hidden name in the same folder, with the same ending unless another is given."""
    return file.with_name(f".{file.stem[:50]}-{uuid.uuid4().hex[:8]}{ending or file.suffix}")


def publish(part: Path, file: Path) -> None:
    """Force what is finished to the disk, and give it its name in one step."""
    if part.is_dir():
        if file.is_dir():
            file.rmdir()
    else:
        _force(part, os.O_RDWR)
    part.replace(file)
    # not every system can make a name safe against a power cut
    with contextlib.suppress(OSError):
        _force(file.parent, os.O_RDONLY)


def discard(part: Path) -> None:
    """Take away what was begun."""
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _force(path: Path, how: int) -> None:
    handle = os.open(path, how)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# Tables as CSV (RFC 4180, UTF-8), whose words no spreadsheet takes for formulas, and read again.

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""How formulas begin."""

_LONGEST = 2**30
"""Letters of a cell; a file that is too large is refused before."""


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Write rows of words and numbers; these so that reading them gives the same bits."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_cell(one) for one in row] for row in rows)
    return text.getvalue()


def rows_of(text: str, mark: str = ",") -> list[list[str]]:
    """Read rows, whatever ends their lines."""
    csv.field_size_limit(_LONGEST)
    lines = io.StringIO(text, newline=None)
    return [[_bare(one) for one in row] for row in csv.reader(lines, delimiter=mark)]


def _cell(value: object) -> object:
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, str) and value.startswith(FORMULAS) and not _is_number(value):
        return f"'{value}"
    return value


def _bare(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULAS) else cell


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
