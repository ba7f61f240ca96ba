"""List what there is to say about an element: label, value, unit and help, all from the schema."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic.fields import FieldInfo

from app import texts
from app.elements import elements, find, kind_word, name_of
from solver.project import LISTS, Project
from solver.project.describe import unit_of
from solver.project.fields import Part
from solver.project.geometry import SurfaceRef
from solver.project.references import Key, key_of, keys_in
from solver.project.segments import GROUND

_LONG = 7


@dataclass(slots=True)
class Fact:
    """Hold one line of the inspector; `link` is the path of another element to go to."""

    label: str
    value: str = ""
    help: str = ""
    full: str = ""
    link: str = ""
    usual: bool = False
    inside: list[Fact] = field(default_factory=list)


def facts(project: Project, item: Part) -> list[Fact]:
    """List the fields of an element in the order of the schema; what is empty is left out."""
    skipped = {"id", "name", "group", "note", "source", "format", "schema_version", *LISTS}
    if item is not project:
        skipped -= set(LISTS)
    else:
        skipped |= {"title", "initial"}
    return list(_fields(project, item, skipped))


def _fields(project: Project, item: Part, skipped: set[str]) -> Iterator[Fact]:
    for name, info in type(item).model_fields.items():
        value = getattr(item, name)
        if name not in skipped and value is not None and value != "":
            yield _fact(project, info, value)


def _fact(project: Project, info: FieldInfo, value: Any) -> Fact:
    label, help_, unit = info.title or "", info.description or "", unit_of(info)
    fact = Fact(label, help=help_)
    fact.usual = not info.is_required() and value == info.default
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    target = extra.get("refers_to")
    if isinstance(value, str) and isinstance(target, str):
        _refer(project, fact, target, value)
    elif isinstance(value, SurfaceRef):
        _refer(project, fact, "segments", value.segment)
        fact.value += f" › {_surface_name(project, value)}"
    elif isinstance(value, Part):
        fact.value = _kind(value)
        fact.inside = list(_fields(project, value, {"kind"} if fact.value else set()))
    elif isinstance(value, tuple) and (not value or not isinstance(value[0], int | float)):
        fact.inside = [_entry(project, i, one, target) for i, one in enumerate(value)]
        fact.value = str(len(value)) if value else texts.forms.NONE
    else:
        fact.value, fact.full = shown(value, unit), full(value, unit)
    return fact


def _entry(project: Project, index: int, value: Any, target: Any) -> Fact:
    """Describe one of a list: an element in an element, a part, or a reference."""
    fact = Fact(str(index + 1))
    if isinstance(value, SurfaceRef):
        _refer(project, fact, "segments", value.segment)
        fact.value += f" › {_surface_name(project, value)}"
    elif isinstance(value, Part):
        if hasattr(value, "name") and hasattr(value, "id"):
            fact.label = name_of(value)
        elif hasattr(value, "id"):
            fact.label = value.id
        fact.value = _kind(value)
        fact.inside = list(_fields(project, value, {"kind", "id", "name"}))
    elif isinstance(value, tuple):
        fact.value, fact.full = shown(value, ""), full(value, "")
    elif isinstance(target, str):
        _refer(project, fact, target, str(value))
    else:
        fact.value = str(value)
    return fact


def _kind(part: Part) -> str:
    return str(getattr(part, "kind", "")).replace("_", " ")


def _refer(project: Project, fact: Fact, target: str, name: str) -> None:
    path = f"{target}/{name}"
    item = find(project, path)
    fact.value = (
        texts.elements.GROUND if name == GROUND else name if item is None else name_of(item)
    )
    fact.link = path if item is not None else ""


def _surface_name(project: Project, ref: SurfaceRef) -> str:
    segment = find(project, f"segments/{ref.segment}")
    surfaces = getattr(segment, "surfaces", ())
    return next((name_of(s) for s in surfaces if s.id == ref.surface), ref.surface)


def shown(value: Any, unit: str) -> str:
    """Show a value with four significant digits and its unit."""
    if isinstance(value, bool):
        return texts.forms.YES if value else texts.forms.NO
    if isinstance(value, int | float):
        return f"{digits(value)} {unit_words(unit)}".rstrip()
    if isinstance(value, tuple):
        if len(value) > _LONG:
            first, last = digits(value[0]), digits(value[-1])
            words = texts.forms.VALUES.format(count=len(value), first=first, last=last)
            return f"{words} {unit_words(unit)}".rstrip()
        return f"{', '.join(digits(v) for v in value)} {unit_words(unit)}".rstrip()
    return str(value).replace("_", " ")


def full(value: Any, unit: str) -> str:
    """Show a value with all its digits, and angles in degrees too."""
    numbers = value if isinstance(value, tuple) else (value,)
    if not numbers or isinstance(value, bool) or not isinstance(numbers[0], int | float):
        return ""
    if len(numbers) > 200:
        return ""
    text = f"{', '.join(repr(v) for v in numbers)} {unit_words(unit)}".rstrip()
    if unit == "rad":
        text += f" = {', '.join(f'{math.degrees(v):.6g}°' for v in numbers)}"
    return text


def digits(value: float) -> str:
    """Show a number with four significant digits; whole numbers up to a million stay whole."""
    if value == 0.0:
        return "0"
    if float(value).is_integer() and abs(value) < 1e6:
        return f"{value:.0f}"
    text = f"{value:.4g}"
    if "e" in text:
        head, power = text.split("e")
        return f"{head}·10{_raised(int(power))}"
    return text


_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _raised(power: int) -> str:
    return str(power).translate(_SUPERSCRIPT)


def unit_words(unit: str) -> str:
    """Write a unit as people do: kg·m², N·m/rad; nothing for a pure number."""
    if unit in ("", "1"):
        return ""
    out: list[str] = []
    words = unit.replace("*", "·").replace("|", " or ")
    for i, char in enumerate(words):
        follows_letter = i > 0 and words[i - 1].isalpha()
        out.append(char.translate(_SUPERSCRIPT) if char.isdigit() and follows_letter else char)
    return "".join(out)


class Uses:
    """Remember what every element refers to; elements that are the same object are not read again."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[Any, frozenset[Key]]] = {}

    def of(self, project: Project, path: str) -> list[tuple[str, Any]]:
        """List the elements that refer to an element."""
        key = key_of(path)
        found, kept = [], {}
        for other, item in elements(project):
            known = self._keys.get(id(item))
            if known is None or known[0] is not item:
                known = (item, frozenset(keys_in(item)))
            kept[id(item)] = known
            if key in known[1] and other != path:
                found.append((other, item))
        self._keys = kept
        return found


def used_by(project: Project, path: str, uses: Uses | None = None) -> list[Fact]:
    """List the elements that refer to an element, and as what."""
    target, _, wanted = path.partition("/")
    if not wanted:
        return []
    out = []
    for other, item in (uses or Uses()).of(project, path):
        roles = list(dict.fromkeys(_roles(item, target, wanted)))
        help_ = texts.forms.NAMED_AS.format(roles=", ".join(roles)) if roles else ""
        out.append(Fact(kind_word(other).capitalize(), name_of(item), help_, link=other))
    return out


def _roles(part: Part, target: str, wanted: str) -> Iterator[str]:
    """Say in which fields of a part, at any depth, an element is named."""
    for name, info in type(part).model_fields.items():
        value = getattr(part, name)
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        if extra.get("refers_to") == target:
            if wanted == value or (isinstance(value, tuple) and wanted in value):
                yield info.title or name
            continue
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Part):
                for _ in _roles(one, target, wanted):
                    yield info.title or name
