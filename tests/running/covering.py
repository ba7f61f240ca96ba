"""A few samples that hold between them whatever any sample holds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from solver.base.places import samples
from solver.project import load_project

UNSOLVED = {
    ("Project", "studies"), ("Project", "load_case"),
    ("InjuryOutput", "criterion"), ("InjuryOutput", "compared_with"),
    ("PointOutput", "cfc"), ("BodyOutput", "cfc"), ("JointOutput", "cfc"), ("ElementOutput", "cfc"),
}  # fmt: skip
"""What a run is not solved by: it is read before, or found of whole channels behind it."""


@cache
def covering() -> tuple[str, ...]:
    """Name samples such that each kind of element, law and choice of the others that a run is solved by is among theirs.

    What holds for them, such as that a run can be taken up again, need not be run for each of the others.
    """
    holds = {file.stem: frozenset(_kinds(load_project(file))) for file in samples().glob("*.json")}
    sizes = {file.stem: file.stat().st_size for file in samples().glob("*.json")}
    chosen: list[str] = []
    missing = frozenset[object]().union(*holds.values())
    while missing:
        most = max(holds, key=lambda name: (len(holds[name] & missing) / sizes[name] ** 0.5, name))
        chosen.append(most)
        missing -= holds[most]
    # those that came first may be needed no more
    for name in sorted(chosen, key=lambda name: -sizes[name]):
        others = frozenset[object]().union(*(holds[one] for one in chosen if one != name))
        if holds[name] <= others:
            chosen.remove(name)
    return tuple(sorted(chosen))


def _kinds(thing: Any) -> Iterator[tuple[str, ...]]:
    """Give the kinds of all that a project is made of, and what is chosen in them."""
    if isinstance(thing, BaseModel):
        yield (type(thing).__name__,)
        for name in type(thing).model_fields:
            if (type(thing).__name__, name) in UNSOLVED:
                continue
            value = getattr(thing, name)
            if name in _choices(type(thing)):
                yield type(thing).__name__, name, str(value)
            yield from _kinds(value)
    elif isinstance(thing, tuple | list):
        for one in thing:
            yield from _kinds(one)
    elif isinstance(thing, dict):
        yield from _kinds(tuple(thing.values()))


@cache
def _choices(kind: type[BaseModel]) -> frozenset[str]:
    """Name the fields in which one of several words stands."""
    return frozenset(
        name
        for name, field in kind.model_fields.items()
        if any(
            get_origin(one) is Literal for one in (field.annotation, *get_args(field.annotation))
        )
    )
