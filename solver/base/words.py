"""Sentences as data, and the one function that makes words of them in the language of the reader.

What is wrong, what was done, what happened travels as a `Sentence`: an English template, which is
its name in the catalogue, and named values. It becomes text where it is shown, by `str()`.
`docs/translation.md` tells how a language is added.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, final

from solver.base.places import resources

DOMAIN: Final = "manikin"
LANGUAGE, LOCALES = "MANIKIN_LANGUAGE", "MANIKIN_LOCALES"
"""Names in the environment: the language, and a folder of catalogues to use in place of ours."""


@final
class Sentence:
    """An English template and its values: numbers, names, or sentences within it.

    Equal are two with the same template and values. Numbers stay numbers: the template says how
    they are written, so that a translation may say it another way. Without values the template is
    the text as it stands, braces too.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, Any]

    def __init__(self, template: str, /, **values: object) -> None:
        object.__setattr__(self, "template", template)
        held = {name: _plain(value) for name, value in values.items()}
        object.__setattr__(self, "values", MappingProxyType(held))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a sentence does not change")

    __delattr__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        """Write it in the language of the reader."""
        # gettext answers an empty text with the head of its catalogue
        words = catalogue().gettext(self.template) if self.template else ""
        return _filled(words, self.values)

    def english(self) -> str:
        """Write it in English, whatever the reader's language: for files."""
        values = {k: v.english() if isinstance(v, Sentence) else v for k, v in self.values.items()}
        return _filled(self.template, values)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        values = "".join(f", {name}={value!r}" for name, value in self.values.items())
        return f"Sentence({self.template!r}{values})"

    def __bool__(self) -> bool:
        return bool(self.template)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.template == other.template and self.values == other.values

    def __hash__(self) -> int:
        return hash((self.template, tuple(self.values.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.template, dict(self.values))

    def as_data(self) -> dict[str, Any]:
        """What JSON can hold; `read` makes the sentence of it again."""
        values = {k: v.as_data() if isinstance(v, Sentence) else v for k, v in self.values.items()}
        return {"template": self.template, "values": values}


NOTHING: Final = Sentence("")
"""What says nothing."""


def read(data: Mapping[str, Any]) -> Sentence:
    """Make a sentence of what `as_data` gave."""
    values = {k: read(v) if isinstance(v, Mapping) else v for k, v in data["values"].items()}
    return Sentence(data["template"], **values)


Note = Sentence | str
"""A sentence, or the words of an older file."""


def sentence_of(words: Sentence | str) -> Sentence:
    """Make a sentence of words that need no values."""
    return words if isinstance(words, Sentence) else Sentence(words)


def marked(notes: Iterable[Note], mark: str) -> tuple[Note, ...]:
    """The notes, without what leads them in, in whose English stands a mark."""
    inner = (n.values.get("what", n) if isinstance(n, Sentence) else n for n in notes)
    return tuple(
        one if isinstance(one, Sentence) else one.removeprefix("note: ").removeprefix("warning: ")
        for one in inner
        if mark in (one.template if isinstance(one, Sentence) else one)
    )


def warned(notes: Iterable[Note]) -> tuple[Sentence, ...]:
    """What notes warn of, without the word that leads it in."""
    found = (one for one in map(sentence_of, notes) if one.english().startswith("warning: "))
    return tuple(sentence_of(one.values.get("what", one)) for one in found)


def joined(mark: str, parts: Iterable[Sentence]) -> Sentence:
    """Put sentences behind each other with a mark between them."""
    numbered = {f"part_{n}": part for n, part in enumerate(filter(None, parts))}
    return Sentence(mark.join(f"{{{name}}}" for name in numbered), **numbered)


class Refusal(Exception):
    """Say in a sentence why something cannot be done; what people see is of this class."""

    def __init__(self, template: str | Sentence, /, **values: object) -> None:
        self.said = template if isinstance(template, Sentence) else Sentence(template, **values)
        super().__init__(self.said)


def tr(template: str, /, **values: object) -> str:
    """Write a template in the language of the reader."""
    if values:
        return str(Sentence(template, **values))
    # gettext answers an empty text with the head of its catalogue
    return catalogue().gettext(template) if template else ""


def plural(one: str, many: str, n: int, /, **values: object) -> str:
    """Write what is said of `n` things, in the form that the language has for so many; `{n}` is filled."""
    words = catalogue().ngettext(one, many, n)
    return _filled(words, {"n": n} | {name: _plain(value) for name, value in values.items()})


def msgid(template: str) -> str:
    """Mark a text for the catalogue where it is only kept; it is shown later, by `tr`."""
    return template


def language() -> str:
    """The language of the reader, such as `de`."""
    return os.environ.get(LANGUAGE, "") or "en"


def within(name: str) -> str:
    """A name in the middle of a sentence: English writes it small, other languages as it is."""
    return name.lower() if language().startswith("en") else name


def capital(text: str) -> str:
    """A text with a capital at its beginning; all else as it is."""
    return text[:1].upper() + text[1:]


def speak(language: str) -> None:
    """Choose the language of the reader where the environment names none; English in place of one that is not there."""
    os.environ.setdefault(LANGUAGE, language)
    catalogue.cache_clear()


@cache
def catalogue() -> gettext.NullTranslations:
    """Give the catalogue of the language that the environment names; English needs none."""
    language = os.environ.get(LANGUAGE, "")
    if not language:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, locales(), [language], fallback=True)


def tell_argparse() -> None:
    """Let argparse speak the same language: it asks gettext, which asks the environment."""
    language = os.environ.get(LANGUAGE, "")
    if language:
        gettext.bindtextdomain(DOMAIN, locales())
        gettext.textdomain(DOMAIN)
        os.environ["LANGUAGE"] = language


def locales() -> Path:
    """The folder of catalogues."""
    named = os.environ.get(LOCALES)
    return Path(named) if named else resources() / "locale"


def _plain(value: Any) -> object:
    """Keep of a value what can be compared, stored and written with a format."""
    if value is None or isinstance(value, str | int | float | Sentence):
        return value
    # a number of NumPy's; a path and whatever else is written
    return value.item() if getattr(value, "ndim", None) == 0 else str(value)


def _filled(words: str, values: Mapping[str, Any]) -> str:
    """Fill gaps in, `{0}` with the value of that number; without values nothing is a gap."""
    numbered = (values[name] for name in sorted(values) if name.isdigit())
    return words.format(*numbered, **values) if values else words


def _made(template: str, values: Mapping[str, Any]) -> Sentence:
    return Sentence(template, **values)
