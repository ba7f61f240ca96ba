"""Read curves from CSV files beside the project; never outside the project's folder."""

from __future__ import annotations

import csv
import math
from pathlib import Path, PureWindowsPath

from solver.base.words import NOTHING, Refusal, Sentence, sentence_of
from solver.project.document import Project
from solver.project.fields import LIMIT
from solver.project.functions import CsvCurve, Function, Table, TwoRanges
from solver.project.problems import Problem, Words, error

LARGEST_CSV = 64 * 2**20


def fill_curves(project: Project, folder: Path | None) -> tuple[Project, list[Problem]]:
    """The project with the points of every CSV curve filled in, and what went wrong."""
    problems: list[Problem] = []
    functions: list[Function] = []
    for fn in project.functions:
        form = fn.form
        place = f"functions/{fn.id}/form"
        if isinstance(form, Table):
            form = _filled(form, place, folder, problems)
        elif isinstance(form, TwoRanges):
            pieces = {
                name: _filled(piece, f"{place}/{name}", folder, problems)
                for name, piece in (("first", form.first), ("second", form.second))
                if isinstance(piece, Table)
            }
            form = form.model_copy(update=pieces) if pieces else form
        functions.append(fn if form is fn.form else fn.model_copy(update={"form": form}))
    if all(a is b for a, b in zip(functions, project.functions, strict=True)):
        return project, problems
    return project.model_copy(update={"functions": tuple(functions)}), problems


def _filled(table: Table, place: str, folder: Path | None, problems: list[Problem]) -> Table:
    if table.csv is None:
        return table
    path = f"{place}/csv"
    if table.x or table.y:
        problems.append(
            error(
                "curve-twice",
                path,
                "The table has points and a CSV file.",
                "Keep one of them.",
            )
        )
        return table
    if folder is None:
        problems.append(
            error(
                "curve-no-folder",
                path,
                "A CSV curve needs a project that is saved in a folder.",
                "Save the project, or give the points as x and y.",
            )
        )
        return table
    try:
        x, y = read_curve(table.csv, folder)
    except CurveError as failure:
        problems.append(error(failure.code, path, failure.said, failure.mend))
        return table
    return table.model_copy(update={"x": x, "y": y})


class CurveError(Refusal):
    """Say why a curve cannot be read."""

    def __init__(self, code: str, sentence: Words, hint: Words = NOTHING) -> None:
        super().__init__(sentence)
        self.code, self.mend = code, sentence_of(hint)

    @property
    def hint(self) -> str:
        """Say how it is mended."""
        return str(self.mend)


def text_of(raw: bytes) -> str | None:
    """The text of a table in UTF-8, UTF-16 or, as spreadsheets on Windows write it, Windows-1252; None of no text."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", "replace")
    if b"\0" in raw:
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def read_curve(curve: CsvCurve, folder: Path) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Read the two columns of a curve, scaled to SI."""
    file = _inside(curve.path, folder)
    try:
        if not file.is_file():
            raise CurveError(
                "curve-file",
                Sentence("There is no file '{path}' beside the project.", path=curve.path),
            )
        if file.stat().st_size > LARGEST_CSV:
            raise CurveError(
                "curve-file", Sentence("'{path}' is larger than 64 MB.", path=curve.path)
            )
        text = text_of(file.read_bytes())
    except OSError as failure:
        reason = failure.strerror or "it cannot be read"
        raise CurveError(
            "curve-file",
            Sentence("'{path}' cannot be read: {reason}.", path=curve.path, reason=reason),
        ) from None
    if text is None:
        raise CurveError("curve-file", Sentence("'{path}' is no text.", path=curve.path))
    return _columns(curve, text)


def _inside(path: str, folder: Path) -> Path:
    """Resolve a relative path and refuse one that leads out of the folder."""
    sentence = Sentence("'{path}' leads out of the project's folder.", path=path[:200])
    hint = "Copy the file beside the project and give its relative path."
    windows = PureWindowsPath(path)
    if Path(path).is_absolute() or windows.drive or windows.root or "\\" in path:
        raise CurveError("curve-outside", sentence, hint)
    try:
        home = folder.resolve()
        target = (home / path).resolve()
    except (OSError, ValueError, RuntimeError):
        raise CurveError(
            "curve-file", Sentence("'{path}' is not a usable path.", path=path[:200])
        ) from None
    if not target.is_relative_to(home):
        raise CurveError("curve-outside", sentence, hint)
    return target


def _columns(curve: CsvCurve, text: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    lines = text.splitlines()[curve.skip_rows :]
    head = "\n".join(lines[:5])
    separator = ";" if ";" in head else ("\t" if "\t" in head and "," not in head else ",")
    x: list[float] = []
    y: list[float] = []
    try:
        for number, row in enumerate(csv.reader(lines, delimiter=separator), curve.skip_rows + 1):
            if not any(cell.strip() for cell in row):
                continue
            x.append(_cell(row, curve.x_column, number, separator, curve) * curve.x_scale)
            y.append(_cell(row, curve.y_column, number, separator, curve) * curve.y_scale)
    except csv.Error as failure:
        raise CurveError(
            "curve-file",
            Sentence("'{path}' is not CSV: {failure}.", path=curve.path, failure=failure),
        ) from None
    if not x:
        raise CurveError("curve-file", Sentence("'{path}' has no numbers.", path=curve.path))
    return tuple(x), tuple(y)


def _cell(row: list[str], column: int, line: int, separator: str, curve: CsvCurve) -> float:
    where = f"line {line} of '{curve.path}'"
    if column > len(row):
        raise CurveError(
            "curve-file",
            Sentence("Column {column} is missing in {where}.", column=column, where=where),
        )
    text = row[column - 1].strip()
    if separator == ";" and "." not in text:
        text = text.replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        raise CurveError(
            "curve-file",
            Sentence(
                "'{text}' in column {column}, {where}, is no number.",
                text=text[:40],
                column=column,
                where=where,
            ),
        ) from None
    if not math.isfinite(value) or abs(value) > LIMIT:
        raise CurveError(
            "curve-file",
            Sentence(
                "Column {column} in {where} is not a finite number.", column=column, where=where
            ),
        )
    return value
