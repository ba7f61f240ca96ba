"""Say what differs between two projects: paths with the value before and the value after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from solver.project.document import Project
from solver.project.fields import Part


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold one field, or one whole element, that differs; None stands for what is not there."""

    path: str
    before: Any
    after: Any


def differences(before: Project, after: Project) -> tuple[Difference, ...]:
    """List what differs, in the order of the document; elements are matched by their ids.

    An element that only one of them has is one difference. A part that is of another kind is one
    too: its fields cannot be compared.
    """
    return tuple(_parts("", before, after))


def _parts(path: str, before: Part, after: Part) -> Iterator[Difference]:
    if type(before) is not type(after):
        yield Difference(path, before, after)
        return
    for name in type(before).model_fields:
        where = f"{path}/{name}" if path else name
        yield from _values(where, getattr(before, name), getattr(after, name))


def _values(path: str, before: Any, after: Any) -> Iterator[Difference]:
    if before is after or before == after:
        return
    if isinstance(before, Part) and isinstance(after, Part):
        yield from _parts(path, before, after)
    elif _holds_parts(before) or _holds_parts(after):
        yield from _lists(path, before or (), after or ())
    else:
        yield Difference(path, before, after)


def _lists(path: str, before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Difference]:
    """Compare two lists of parts: by ids where they have them, else by their places."""
    old, new = _by_name(before), _by_name(after)
    for name in dict.fromkeys((*old, *new)):
        where = f"{path}/{name}"
        if name in old and name in new:
            yield from _values(where, old[name], new[name])
        else:
            yield Difference(where, old.get(name), new.get(name))
    both = [name for name in old if name in new]
    if both != [name for name in new if name in old] and all(_has_id(one) for one in before):
        yield Difference(path, tuple(old), tuple(new))


def _by_name(items: tuple[Any, ...]) -> dict[str, Any]:
    if items and all(_has_id(one) for one in items):
        return {one.id: one for one in items}
    return {str(n): one for n, one in enumerate(items)}


def _has_id(part: Any) -> bool:
    return bool(getattr(part, "id", ""))


def _holds_parts(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Part)
