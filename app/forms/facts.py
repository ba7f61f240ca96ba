"""Write numbers and units as people do, and find what refers to an element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.elements import called, elements, kind_word
from solver.base.words import tr
from solver.project import Project
from solver.project.fields import Part
from solver.project.references import Key, key_of, keys_in


@dataclass(frozen=True, slots=True)
class Fact:
    """Say of an element its kind and name, and as what it is named; `link` is its path."""

    label: str
    value: str
    help: str
    link: str


def digits(value: float, count: int = 4) -> str:
    """Show a number with some significant digits; whole numbers up to a million stay whole."""
    if value == 0.0:
        return "0"
    if float(value).is_integer() and abs(value) < 1e6:
        return f"{value:.0f}"
    text = f"{value:.{count}g}"
    if "e" in text:
        head, power = text.split("e")
        return f"{head}·10{_raised(int(power))}"
    return text


def brief(value: float) -> str:
    """Show a number with three significant digits, or whole from a thousand on: without a power up to a million."""
    return digits(float(round(value)) if abs(value) >= 1000.0 else value, 3)


_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _raised(power: int) -> str:
    return str(power).translate(_SUPERSCRIPT)


def unit_words(unit: str) -> str:
    """Write a unit as people do: kg·m², N·m/rad; nothing for a pure number."""
    if unit in ("", "1"):
        return ""
    out: list[str] = []
    words = unit.replace("*", "·").replace("|", f" {tr('or')} ")
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
        help_ = tr("Named there as: {roles}.", roles=", ".join(roles)) if roles else ""
        out.append(Fact(kind_word(other).capitalize(), called(project, item), help_, other))
    return out


def _roles(part: Part, target: str, wanted: str) -> Iterator[str]:
    """Say in which fields of a part, at any depth, an element is named."""
    for name, info in type(part).model_fields.items():
        value = getattr(part, name)
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        if extra.get("refers_to") == target:
            if wanted == value or (isinstance(value, tuple) and wanted in value):
                yield tr(info.title or name)
            continue
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Part):
                for _ in _roles(one, target, wanted):
                    yield tr(info.title or name)
