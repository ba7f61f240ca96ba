"""Keep what was made of a project, and give it again while all that was read for it is the very same.

Parts of a project never change, and a changed project shares with the old one all that was not touched
(`changes`). What is read while something is made is noted, so nothing needs to be said about what
depends on what.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar, cast
from weakref import ReferenceType, ref

from solver.project.document import Project

M = TypeVar("M")
P = ParamSpec("P")
H = TypeVar("H", bound=Hashable)

MOST = 4
"""So many versions are kept: of a study's models, of a document between undo and redo."""
OTHERS = 64
"""For so many sets of other arguments: names are asked for by list, and there are some forty lists."""


class TrackedReads:
    """Pass on what is read of a project, and note it."""

    def __init__(self, project: Project, reads: Callable[[], dict[Any, Any]]) -> None:
        self._project, self._reads = project, reads

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._project, name)
        self._reads()[name] = value
        return value


def tracked(project: Project, reads: Callable[[], dict[Any, Any]]) -> Project:
    """A project whose reader is followed; what was read goes where `reads` says."""
    return cast(Project, TrackedReads(project, reads))


def is_same(project: Project, read: Mapping[str, Any]) -> bool:
    """Whether a project has, under each name, the very thing that was read there."""
    return all(getattr(project, name) is value for name, value in read.items())


class Version(NamedTuple, Generic[M]):
    """Hold what was made, and of what."""

    last: ReferenceType[Any]
    """Who was given it last, and need not be looked through again."""
    read: Mapping[str, Any]
    others: tuple[Any, ...]
    made: M


def memoised(make: Callable[P, M]) -> Callable[P, M]:
    """Keep what a function makes of a project, its first argument, and of others.

    Anyone who asks gets the very same thing again and must not change it.
    """
    versions: dict[tuple[int | str, ...], tuple[Version[M], ...]] = {}

    @wraps(make)
    def given(*arguments: P.args, **_: P.kwargs) -> M:
        project, *rest = cast(tuple[Any, ...], arguments)
        # by identity, which stays theirs as their version holds them; of words two may be alike
        others = tuple(rest)
        key = tuple(one if isinstance(one, str) else id(one) for one in rest)
        likely = versions.get(key, ())
        for one in likely:
            if one.last() is project:
                return one.made
        for one in likely:
            if is_same(project, one.read):
                again = one._replace(last=ref(project))
                versions[key] = tuple(again if other is one else other for other in likely)
                return one.made
        read: dict[Any, Any] = {}
        made = cast(Callable[..., M], make)(tracked(project, lambda: read), *others)
        if key not in versions and len(versions) >= OTHERS:
            versions.pop(next(iter(list(versions))), None)
        versions[key] = (Version(ref(project), read, others, made), *likely)[:MOST]
        return made

    return given


_alike: dict[Hashable, Hashable] = {}
MOST_ALIKE = 256


def first_alike(value: H) -> H:
    """Give the first value that was equal to this, so that who goes by identity (`memoised`) knows it again."""
    if len(_alike) >= MOST_ALIKE:
        _alike.clear()
    return cast(H, _alike.setdefault(value, value))
