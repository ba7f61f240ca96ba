"""What other packages add: found by their entry points, loaded when somebody asks for it.

A package names what it adds in its `pyproject.toml`, in one of the groups below. Names are known without loading
anything; a part that cannot be loaded is told of in a sentence, once and for all of this process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from solver.base.words import Refusal, Sentence, msgid, tr

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

CRITERIA, IMPORTERS, EXPORTERS, PANELS = (
    "manikin.criteria", "manikin.importers", "manikin.exporters", "manikin.panels",
)  # fmt: skip
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        CRITERIA: msgid("criterion"),
        IMPORTERS: msgid("importer"),
        EXPORTERS: msgid("exporter"),
        PANELS: msgid("panel"),
    }
)
"""Groups of entry points, and what one of each is called."""

T = TypeVar("T")


class ExtensionError(Refusal):
    """Say in a sentence what is wrong with something that another package adds."""


@dataclass(frozen=True)
class Extension:
    """Something that a package adds; `load` gives it."""

    group: str
    name: str
    target: str
    """Where it stands: `package.module:name`."""
    package: str
    """The package and its version."""
    entry: EntryPoint

    @property
    def kind(self) -> str:
        """What it is, in a word."""
        return tr(GROUPS[self.group])

    def load(self, wanted: type[T]) -> T:
        """Give it; raises ExtensionError where it cannot be loaded or is something else."""
        found = _loaded(self)
        if isinstance(found, ExtensionError):
            raise found
        if not isinstance(found, wanted):
            raise self.error(
                "it is a {found}, where a {wanted} is needed",
                found=type(found).__name__,
                wanted=wanted.__name__,
            )
        return found

    def error(self, why: str, **values: object) -> ExtensionError:
        """Say why it cannot be used."""
        return self._said(
            "The {kind} '{name}' of {package} cannot be used: {why}.", Sentence(why, **values)
        )

    def failed(self, raised: BaseException, at: str = "") -> ExtensionError:
        """Say what its code raised, perhaps at a file."""
        lead = f"'{at}': " if at else ""
        return self._said(
            "The {kind} '{name}' of {package} failed: {why}.", lead + raised_text(raised)
        )

    def _said(self, words: str, why: Sentence | str) -> ExtensionError:
        kind = Sentence(GROUPS[self.group])
        return ExtensionError(words, kind=kind, name=self.name, package=self.package, why=why)


@cache
def extensions(group: str) -> tuple[Extension, ...]:
    """What the installed packages add to a group, by name; nothing is loaded."""
    from importlib.metadata import entry_points

    found = [
        Extension(
            group, one.name, one.value,
            f"{one.dist.name} {one.dist.version}" if one.dist else tr("an unknown package"), one,
        )
        for one in entry_points(group=group)
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda one: (one.name, one.package)))


@cache
def loaded(group: str, wanted: type[T]) -> tuple[Mapping[str, T], Sequence[ExtensionError]]:
    """Load all of a group: what can be used, by name, and of the others why not."""
    good, bad = dict[str, T](), list[ExtensionError]()
    owners = dict[str, str]()
    for one in extensions(group):
        try:
            if one.name in good:
                raise one.error("{package} adds one of that name, too", package=owners[one.name])
            good[one.name] = one.load(wanted)
            owners[one.name] = one.package
        except ExtensionError as failure:
            bad.append(failure)
    return good, bad


@cache
def _loaded(one: Extension) -> Any:
    """What an entry point names, or why there is none."""
    try:
        return one.entry.load()
    except (Exception, SystemExit) as raised:  # noqa: BLE001 (a package of others does anything when it is imported)
        return one.error(raised_text(raised))


def raised_text(raised: BaseException) -> str:
    """Say what others' code raised, in a line."""
    words = " ".join(str(raised).split())[:200].rstrip(".")
    kind = type(raised).__name__
    return f"{kind}: {words}" if words else kind


def named(group: str, name: str) -> Extension:
    """What a package adds to a group under a name; the first where there are several."""
    return next(one for one in extensions(group) if one.name == name)


def forget() -> None:
    """Look again at what is installed, when next asked."""
    for one in (extensions, loaded, _loaded):
        one.cache_clear()
