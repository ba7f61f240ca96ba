"""Read a project file: text, JSON, version, types, curves; every problem at once."""

from __future__ import annotations

import copy
import hashlib
import json
import stat
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from solver.base.words import NOTHING, Sentence
from solver.project.curves import fill_curves
from solver.project.document import FORMAT, LISTS, SCHEMA_VERSION, Project
from solver.project.includes import found_from
from solver.project.problems import Problem, ProjectError, Words, did_you_mean, error, problems_of

LARGEST_FILE = 100 * 10**6
DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Opened:
    """Hold a project as opened: the document, the version of its file, and notes to show."""

    project: Project
    file_version: int
    notes: tuple[Problem, ...] = ()
    digest: str = ""
    """Of the file's bytes, which tells later whether somebody else has written it."""


def open_project(path: Path | str) -> Opened:
    """Open a project file; raises ProjectError with all problems. Never runs or changes anything."""
    file = Path(path)
    raw = _bytes(file)
    return replace(parse(_text(file, raw), file.parent), digest=digest_of(raw))


def digest_of(content: bytes) -> str:
    """What tells one content of a file from any other."""
    return hashlib.sha256(content).hexdigest()


def digest_on_disk(file: Path) -> str:
    """The digest of a file as it stands there; empty where there is none to read."""
    try:
        return digest_of(file.read_bytes()) if file.is_file() else ""
    except OSError:
        return ""


def load_project(path: Path | str) -> Project:
    """Load a project file into the frozen document; raises ProjectError with all problems."""
    return open_project(path).project


def parse(text: str, folder: Path | None = None) -> Opened:
    """Read a project from its text; `folder` is where its CSV curves stand, and where paths of included files begin."""
    data = _json(text)
    version = _version(data)
    notes: tuple[Problem, ...] = ()
    if version < SCHEMA_VERSION:
        data = migrate(data, version)
        notes = (_older(version),)
    project, problems = fill_curves(validated(data), folder)
    if problems:
        raise ProjectError(problems)
    if project.includes and folder is not None:
        project = project.model_copy(update={"includes": found_from(project.includes, folder)})
    return Opened(project, version, notes)


def validated(data: Any) -> Project:
    """Check types and ranges of plain data and give the document."""
    try:
        return Project.model_validate(data)
    except ValidationError as failure:
        raise ProjectError(problems_of(failure, data, Project)) from None
    except RecursionError:
        raise ProjectError([_too_deep()]) from None


def _older(version: int) -> Problem:
    return Problem(
        "note",
        "format-older",
        "schema_version",
        Sentence(
            "The file has schema version {version}; it was read as version {schema_version}.",
            version=version,
            schema_version=SCHEMA_VERSION,
        ),
        Sentence("Saving writes the new version and keeps the old file as a backup."),
    )


def _too_deep() -> Problem:
    return error(
        "file-too-deep",
        "",
        Sentence("The file is nested deeper than {deepest} levels.", deepest=DEEPEST),
    )


def _refusal(code: str, sentence: Words, hint: Words = NOTHING) -> ProjectError:
    return ProjectError([error(code, "", sentence, hint)])


def _bytes(file: Path) -> bytes:
    """Read the file, or say in one sentence why not."""
    refused = _refusal
    name = str(file)
    try:
        status = file.stat()
    except (OSError, ValueError) as failure:
        if isinstance(failure, FileNotFoundError):
            raise refused(
                "file-missing", Sentence("There is no file '{name}'.", name=name)
            ) from None
        raise refused(
            "file-unreadable", Sentence("'{name}' cannot be opened.", name=name)
        ) from None
    if stat.S_ISDIR(status.st_mode):
        hint = "Give the project file inside it."
        raise refused("file-is-folder", Sentence("'{name}' is a folder.", name=name), hint)
    if not stat.S_ISREG(status.st_mode):
        raise refused("file-unreadable", Sentence("'{name}' is not an ordinary file.", name=name))
    if status.st_size > LARGEST_FILE:
        size = status.st_size / 1e6
        sentence = Sentence(
            "'{name}' has {size:.0f} MB; a project has at most {largest_file:.0f} MB.",
            name=name,
            size=size,
            largest_file=LARGEST_FILE / 1e6,
        )
        raise refused("file-too-large", sentence, "Put long curves into CSV files.")
    try:
        return file.read_bytes()
    except OSError as failure:
        reason = failure.strerror or "no reason given"
        raise refused(
            "file-unreadable",
            Sentence("'{name}' cannot be read: {reason}.", name=name, reason=reason),
        ) from None


def _text(file: Path, raw: bytes) -> str:
    """Read bytes as text, or say in one sentence why not."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        sentence = Sentence(
            "'{name}' is not UTF-8 text (byte {start}).", name=str(file), start=failure.start + 1
        )
        raise _refusal("file-not-text", sentence, "Was it saved by another program?") from None


class _Refused(ValueError):
    """Carry a problem out of the JSON reader."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


def _no_constant(word: str) -> float:
    raise _Refused(
        error(
            "number-not-finite",
            "",
            Sentence("The file contains {word}, which is no number.", word=word),
        )
    )


def _integer(text: str) -> int:
    if len(text) > 40:
        raise _Refused(
            error(
                "field-range",
                "",
                Sentence("The number {text}... has more than 40 digits.", text=text[:20]),
            )
        )
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        seen: set[str] = set()
        twice = next(k for k, _ in pairs if k in seen or seen.add(k))  # type: ignore[func-returns-value]
        raise _Refused(
            error(
                "field-twice",
                "",
                Sentence("The field '{twice}' stands twice in one object.", twice=twice[:80]),
                Sentence(
                    "The object begins with '{pairs}': keep one of the two.", pairs=pairs[0][0][:40]
                ),
            )
        )
    return out


def _json(text: str) -> Any:
    try:
        data = json.loads(
            text,
            parse_constant=_no_constant,
            parse_int=_integer,
            object_pairs_hook=_object,
        )
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()
        else:
            text.encode()
    except _Refused as failure:
        raise ProjectError([failure.problem]) from None
    except json.JSONDecodeError as failure:
        sentence = Sentence(
            "The file is not JSON: {msg}{msg_2} at line {lineno}, column {colno}.",
            msg=failure.msg[:1].lower(),
            msg_2=failure.msg[1:],
            lineno=failure.lineno,
            colno=failure.colno,
        )
        hint = "The file is cut off." if failure.pos >= len(text.rstrip()) else ""
        raise ProjectError([error("file-not-json", "", sentence, hint)]) from None
    except RecursionError:
        raise ProjectError([_too_deep()]) from None
    except UnicodeEncodeError:
        sentence = Sentence("The file contains half of a character (a lone surrogate).")
        raise ProjectError([error("file-not-text", "", sentence)]) from None
    if _depth_over(data, DEEPEST):
        raise ProjectError([_too_deep()])
    return data


def _depth_over(value: Any, left: int) -> bool:
    waiting = [value] if isinstance(value, dict | list) else []
    while waiting and left:
        inside = (v for one in waiting for v in (one.values() if type(one) is dict else one))
        waiting = [v for v in inside if type(v) is dict or type(v) is list]
        left -= 1
    return bool(waiting)


def _version(data: Any) -> int:
    """Find the schema version of a file, or say why it is not a project of ours."""
    if not isinstance(data, dict):
        raise ProjectError([error("format-unknown", "", "The file holds no JSON object.")])
    if data.get("format") != FORMAT:
        given = data.get("format")
        known = sorted(set(data) & set(LISTS))
        hint = (
            Sentence('Add "format": "{format}" at the top.', format=FORMAT)
            if known
            else did_you_mean(str(given), [FORMAT])
        )
        sentence = Sentence("The file is not a Manikin project: its 'format' is missing.")
        if given is not None:
            sentence = Sentence(
                "The file is not a Manikin project: its 'format' is '{given}'.",
                given=str(given)[:80],
            )
        raise ProjectError([error("format-unknown", "format", sentence, hint)])
    version = data.get("schema_version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        sentence = Sentence(
            "'schema_version' must be a whole number from 1 to {schema_version}.",
            schema_version=SCHEMA_VERSION,
        )
        raise ProjectError([error("format-version", "schema_version", sentence)])
    if version > SCHEMA_VERSION:
        shown = version if version < 10**9 else "far newer"
        raise ProjectError(
            [
                error(
                    "format-newer",
                    "schema_version",
                    Sentence(
                        "The file has schema version {shown}; this program knows up to {schema_version}.",
                        shown=shown,
                        schema_version=SCHEMA_VERSION,
                    ),
                    "Open it with a newer version of the program.",
                )
            ]
        )
    return version


# Bring older project files up to the present schema, one version at a time.
#
# A migration is a pure function on plain JSON data. When a default changes, its migration writes the old default into
# the files that relied on it.

Data = dict[str, Any]


def migrate_1_to_2(data: Data) -> Data:
    """Move gravity from the start pose to the document, and name pins' axes by words.

    Version 1 kept `gravity_m_per_s2` under `initial`, and a slip joint's rotation as a number
    (0 none, 6 pin about y, 7 pin about z, 5 ball) as the later program's cards do.
    """
    new = copy.deepcopy(data)
    initial = new.get("initial")
    if isinstance(initial, dict) and "gravity_m_per_s2" in initial:
        new["gravity_m_per_s2"] = initial.pop("gravity_m_per_s2")
    words = {0: "none", 5: "ball", 6: "pin_y", 7: "pin_z"}
    joints = new.get("joints")
    for joint in joints if isinstance(joints, list) else []:
        if isinstance(joint, dict) and joint.get("kind") == "slip":
            rotation = joint.get("rotation")
            if isinstance(rotation, int):
                joint["rotation"] = words.get(rotation, rotation)
    new["schema_version"] = 2
    return new


def migrate_2_to_3(data: Data) -> Data:
    """Write what version 2 took where a file said nothing.

    Depth between two surfaces was measured along the line of centres; inside it has one measure, which
    no longer has a name. Torsion and stop contours of joints acted as printed, and the returned part of
    a spring beside a torque function did nothing.
    """
    new = copy.deepcopy(data)
    contacts = new.get("contacts")
    for contact in contacts if isinstance(contacts, list) else []:
        if isinstance(contact, dict) and contact.get("kind") == "surfaces":
            if contact.get("inside") is True:
                contact.pop("depth", None)
            else:
                contact.setdefault("depth", "centres")
    joints = new.get("joints")
    for joint in joints if isinstance(joints, list) else []:
        if isinstance(joint, dict):
            if _twists(joint) or isinstance(joint.get("globographic"), dict):
                joint.setdefault("torque_law", "printed")
            _give_all_back(joint)
    new["schema_version"] = 3
    return new


def _twists(joint: Data) -> bool:
    """Whether a joint of version 2 has torsion that acts about three turns."""
    ball = joint.get("kind") == "ball" or joint.get("rotation") == "ball"
    torsion = joint.get("torsion")
    return ball and isinstance(torsion, dict) and bool(torsion)


def _give_all_back(part: Data) -> None:
    """Take the returned part from every spring in a joint that has a torque function."""
    for value in part.values():
        if isinstance(value, dict):
            if "contour" not in value and value.get("torque") is not None:
                value.pop("returned_ratio", None)
            _give_all_back(value)


def migrate_3_to_4(data: Data) -> Data:
    """Write what version 3 took where a file said nothing.

    Tension elements damped as printed: also across their line, and while they were slack. The damping of
    Lankarani and Nikravesh had no bound after a slow touch.
    """
    new = copy.deepcopy(data)
    laws = new.get("contact_laws")
    for law in laws if isinstance(laws, list) else []:
        if isinstance(law, dict) and law.get("kind") == "lankarani_nikravesh":
            law.setdefault("least_impact_speed_m_per_s", 0.0)
    strings = new.get("tension_elements")
    for string in strings if isinstance(strings, list) else []:
        if isinstance(string, dict) and string.get("damping_ns_per_m"):
            string.setdefault("damping_law", "printed")
    new["schema_version"] = 4
    return new


MIGRATIONS: dict[int, Callable[[Data], Data]] = {
    1: migrate_1_to_2,
    2: migrate_2_to_3,
    3: migrate_3_to_4,
}


def migrate(data: Data, version: int) -> Data:
    """Apply every migration from `version` up to the present one."""
    for step in range(version, SCHEMA_VERSION):
        data = MIGRATIONS[step](data)
    return data
