"""Save a project so that a kill at any moment leaves the old or the new file, whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from solver.base.atomic import write_atomic
from solver.base.words import Sentence
from solver.project.document import SCHEMA_VERSION, Project
from solver.project.fields import Part
from solver.project.includes import told_from
from solver.project.linked import refuse_circle
from solver.project.problems import ProjectError, error


def save_project(project: Project, path: Path | str, *, keep: bool = False) -> Path | None:
    """Write the project; a file of an older version in its place, or with `keep` any, is kept as a backup, whose path is given.

    Raises ProjectError where the place cannot be written; the old file is then untouched.
    """
    file = Path(path)
    if file.is_dir():
        raise ProjectError(
            [
                error(
                    "save-failed",
                    "",
                    Sentence("'{file}' is a folder.", file=file),
                    "Give a file name.",
                )
            ]
        )
    refuse_circle(file, project.includes)
    try:
        backup = _back_up(file, keep)
        write_atomic(file, text_for(project, file))
    except OSError as failure:
        reason = failure.strerror or "no reason given"
        sentence = Sentence("'{file}' cannot be written: {reason}.", file=file, reason=reason)
        hint = "Nothing was changed; save under another name."
        raise ProjectError([error("save-failed", "", sentence, hint)]) from None
    return backup


def text_for(project: Project, file: Path) -> str:
    """The project's text as it stands in a file: included files by their paths from its folder."""
    if project.includes:
        links = told_from(project.includes, file.parent)
        project = project.model_copy(update={"includes": links})
    return to_json(project)


def _back_up(file: Path, keep: bool) -> Path | None:
    """Copy a file of an older schema version to NAME.v1.json, NAME.v1-2.json and so on; any other to NAME.before.json."""
    version = _version_on_disk(file)
    is_older = version is not None and version < SCHEMA_VERSION
    if not is_older and not (keep and file.is_file()):
        return None
    first = f"v{version}" if is_older else "before"
    content = file.read_bytes()
    number = 1
    while True:
        mark = first if number == 1 else f"{first}-{number}"
        backup = file.with_name(f"{file.stem}.{mark}{file.suffix}")
        if not backup.exists():
            write_atomic(backup, content)
            return backup
        if backup.read_bytes() == content:
            return backup
        number += 1


def _version_on_disk(file: Path) -> int | None:
    try:
        data = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    version = data.get("schema_version") if isinstance(data, dict) else None
    return version if isinstance(version, int) else None


# Write the document as canonical JSON: the same document is always the same bytes.

ALWAYS_WRITTEN = frozenset({"format", "schema_version", "kind"})
"""Fields written even at their default: they say what the rest means."""


def to_json(project: Project, *, embed_curves: bool = False) -> str:
    """The project's text: schema order, two-space indent, arrays of numbers on one line.

    Fields at their default are left out. A curve from a CSV file is written as a reference, or,
    with `embed_curves`, as its points, so that the text stands alone; links to included files then are left out.
    """
    if embed_curves and project.includes:
        project = project.model_copy(update={"includes": ()})
    return text_of(plain(project, embed_curves=embed_curves))


def text_of(data: Any) -> str:
    """Give plain data as canonical text."""
    return _value(data, "") + "\n"


def plain(part: Part, *, embed_curves: bool = False) -> dict[str, Any]:
    """A part as dictionaries and lists, without fields at their default."""
    out: dict[str, Any] = {}
    leave = _curve_fields_to_leave(part, embed_curves)
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if name in leave:
            continue
        if name in ALWAYS_WRITTEN or field.is_required() or value != field.get_default():
            out[name] = _plain_value(value, embed_curves)
    return out


def _curve_fields_to_leave(part: Part, embed_curves: bool) -> frozenset[str]:
    if getattr(part, "csv", None) is None:
        return frozenset()
    return frozenset({"csv"}) if embed_curves else frozenset({"x", "y"})


def _plain_value(value: Any, embed_curves: bool) -> Any:
    if isinstance(value, Part):
        return plain(value, embed_curves=embed_curves)
    if isinstance(value, tuple):
        return [_plain_value(v, embed_curves) for v in value]
    return value


def _value(value: Any, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, dict) and value:
        rows = [f"{inner}{_scalar(k)}: {_value(v, inner)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        if _is_numeric(value):
            return "[" + ", ".join(_value(v, inner) for v in value) + "]"
        return "[\n" + ",\n".join(inner + _value(v, inner) for v in value) + f"\n{indent}]"
    return _scalar(value)


def _is_numeric(value: Any) -> bool:
    """Tell an array of numbers, nested or not."""
    if isinstance(value, list):
        return all(_is_numeric(v) for v in value)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
