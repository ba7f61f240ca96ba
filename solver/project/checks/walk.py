"""Look through all parts of a document, in its order: what they are, where, and to what they refer."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from solver.project.document import Project
from solver.project.fields import Part
from solver.project.geometry import SurfaceRef


@dataclass(frozen=True, slots=True)
class RefField:
    """Hold what the schema says of a field that refers to something."""

    name: str
    to: str
    x_unit: str
    y_unit: str
    words: tuple[str, ...] = ()
    """What may stand there that is no id."""


@dataclass(frozen=True, slots=True)
class Ref:
    """Hold one reference: the id that is written, where, and in which part."""

    value: str
    path: str
    field: RefField
    holder: Part


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold which fields of a model refer to something and which may hold parts."""

    refs: tuple[RefField, ...]
    inner: tuple[str, ...]


@cache
def plan(model: type[Part]) -> Plan:
    """Read from the schema, once for each model, where its references and parts stand."""
    refs: list[RefField] = []
    inner: list[str] = []
    for name, info in model.model_fields.items():
        extra = info.json_schema_extra
        if isinstance(extra, dict) and "refers_to" in extra:
            units = (str(extra.get("x_unit", "")), str(extra.get("y_unit", "")))
            words = tuple(map(str, extra.get("words", ())))  # type: ignore[arg-type]
            refs.append(RefField(name, str(extra["refers_to"]), *units, words))
        elif _may_hold_parts(info.annotation):
            inner.append(name)
    return Plan(tuple(refs), tuple(inner))


def _may_hold_parts(annotation: Any) -> bool:
    if isinstance(annotation, type):
        return issubclass(annotation, Part)
    inner = getattr(annotation, "__args__", ())
    return any(_may_hold_parts(argument) for argument in inner)


@dataclass
class Walk:
    """Hold every reference, every reference to a surface, and every part of each model, with paths."""

    refs: list[Ref] = field(default_factory=list)
    surface_refs: list[tuple[SurfaceRef, str]] = field(default_factory=list)
    parts: dict[type[Part], list[tuple[Any, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    elements: list[Walk] = field(default_factory=list)
    """What is in each element of a list, or in each list of a document."""
    is_fine: bool = False
    """Whether all numbers in it have been found to be in order."""

    @property
    def referring(self) -> list[Walk]:
        """Those that refer to something."""
        return [one for one in self.elements if one.refs or one.surface_refs]

    def add(self, other: Walk) -> None:
        """Add what was found further on."""
        self.refs += other.refs
        self.surface_refs += other.surface_refs
        for model, found in other.parts.items():
            self.parts[model] += found


Below = list[tuple[Part, str]]


class _Seen(NamedTuple):
    """Hold one list of a document, what is in it, and what is in each of its elements."""

    value: Any
    walk: Walk
    elements: dict[tuple[int, str], tuple[Part, Walk]]


_seen: dict[str, _Seen] = {}
"""The lists of the document that was looked through last, by name."""


def walk(project: Project) -> Walk:
    """Look through a document; what is still the very same as in the one before is not looked at again."""
    out = Walk()
    out.parts[type(project)].append((project, ""))
    for name in plan(type(project)).inner:
        value = getattr(project, name)
        seen = _seen.get(name)
        if seen is None or seen.value is not value:
            seen = _seen[name] = _looked(value, name, {} if seen is None else seen.elements)
        out.add(seen.walk)
        out.elements.append(seen.walk)
    return out


def _looked(value: Any, name: str, before: dict[tuple[int, str], tuple[Part, Walk]]) -> _Seen:
    """Look through a list of elements, or at the one that stands there."""
    out = _Seen(value, Walk(), {})
    for part, path in _below(value, name):
        key = (id(part), path)
        known = before.get(key)
        if known is None or known[0] is not part:
            known = part, _inside(part, path)
        out.elements[key] = known
        out.walk.add(known[1])
        out.walk.elements.append(known[1])
    return out


def _inside(part: Part, path: str) -> Walk:
    """Look through a part and all that it holds, in document order."""
    out = Walk()
    stack = [(part, path)]
    while stack:
        stack.extend(reversed(_look(*stack.pop(), out)))
    return out


def _look(part: Part, path: str, out: Walk) -> Below:
    """Take a part and its references; give the parts right below it."""
    model = type(part)
    out.parts[model].append((part, path))
    if model is SurfaceRef:
        out.surface_refs.append((part, path))  # type: ignore[arg-type]
    ahead = f"{path}/" if path else ""
    fields = plan(model)
    for one in fields.refs:
        value = getattr(part, one.name)
        where = f"{ahead}{one.name}"
        if isinstance(value, str):
            if value not in one.words:
                out.refs.append(Ref(value, where, one, part))
        elif isinstance(value, tuple):
            out.refs.extend(Ref(each, f"{where}/{i}", one, part) for i, each in enumerate(value))
    below: Below = []
    for name in fields.inner:
        # most fields hold nothing
        if value := getattr(part, name):
            below += _below(value, f"{ahead}{name}")
    return below


def _below(value: Any, path: str) -> Below:
    """The parts of a field."""
    if isinstance(value, Part):
        return [(value, path)]
    if not isinstance(value, tuple):
        return []
    return [
        (each, f"{path}/{getattr(each, 'id', i)}")
        for i, each in enumerate(value)
        if isinstance(each, Part)
    ]
