"""XML without surprises: no document types, no entities, no other files; each element knows its line."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from typing import Any
from xml.parsers import expat

from solver.base.words import Refusal, Sentence

LARGEST = 20 * 10**6
DEEPEST = 200
MOST = 200_000
"""Elements of a file."""
BOUND = 1e15
"""No number of a model lies beyond it."""


class TreeError(Refusal):
    """Say in one sentence why a tree of bodies cannot be read or written."""

    __module__ = "manikin"


class BeyondFolder(TreeError):
    """Say which file that a model names lies beyond its folder; `folder` holds both."""

    __module__ = "manikin"

    def __init__(self, folder: str, **values: Any) -> None:
        super().__init__(
            "Line {line}: '{name}' lies beyond the folder '{within}'. To open it name a folder that holds both: manikin import --within FOLDER, or within= in Python.",
            **values,
        )
        self.folder = folder


class Given(dict[str, str]):
    """Hold attributes, and know which of them nobody has asked for."""

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self._asked = set[str]()

    def __getitem__(self, name: str) -> str:
        self._asked.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._asked.add(str(name))
        return super().__contains__(name)

    def get(self, name: str, usual: Any = None) -> Any:
        """An attribute, or what is usual."""
        self._asked.add(name)
        return super().get(name, usual)

    def unread(self) -> list[str]:
        """Give the names that nobody has asked for."""
        return [name for name in self if name not in self._asked]


@dataclass
class Element:
    """An element: its tag, attributes, children, and on which line it begins."""

    tag: str
    told_: InitVar[Mapping[str, str]]
    line: int = 0
    children: list[Element] = field(default_factory=list)
    text: str = ""
    """What stands between its tags."""
    seen: bool = False
    """Whether anybody has asked for it by its tag."""
    given: Given = field(init=False)

    def __post_init__(self, told_: Mapping[str, str]) -> None:
        self.given = Given(told_)

    def all(self, *tags: str) -> list[Element]:
        """The children with some tags."""
        found = [one for one in self.children if one.tag in tags]
        for one in found:
            one.seen = True
        return found

    def first(self, tag: str) -> Element | None:
        """The first child with a tag."""
        return next(iter(self.all(tag)), None)

    def child_text(self, tag: str, usual: str = "") -> str:
        """The text of the first child with a tag."""
        child = self.first(tag)
        return usual if child is None else child.text.strip() or usual

    def values(
        self, tag: str, count: int, usual: tuple[float, ...] | None = None
    ) -> tuple[float, ...]:
        """The numbers between the tags of a child; the usual ones where it is missing or empty."""
        child = self.first(tag)
        if child is None or not child.text.strip():
            if usual is None:
                raise self.wrong(tag, "it is missing")
            return usual
        return child.parsed(tag, child.text, count)

    def numbers(
        self, name: str, count: int, usual: tuple[float, ...] | None = None
    ) -> tuple[float, ...]:
        """The numbers of an attribute; as many as count, or the usual ones where it is missing."""
        text = self.given.get(name)
        if text is None:
            if usual is None:
                raise self.wrong(name, "it is missing")
            return usual
        return self.parsed(name, text, count)

    def some(self, name: str, usual: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers of an attribute that may be fewer than there are; the usual ones fill it up."""
        found = self.numbers(name, 0, usual)
        if not 0 < len(found) <= len(usual):
            raise self.wrong(name, "it does not hold as many numbers as it should")
        return found + usual[len(found) :]

    def ends(self, name: str, usual: tuple[float, ...]) -> tuple[float, ...]:
        """The ends of ranges: what is endless, or beyond all bounds, is a bound without a meaning."""
        text = self.given.get(name)
        if text is None:
            return usual
        return self.parsed(name, text, len(usual), endless=True)

    def parsed(self, name: str, text: str, count: int, endless: bool = False) -> tuple[float, ...]:
        """Read so many numbers; with count 0 as many as there are."""
        try:
            values = tuple(map(_float, text.split()))
        except ValueError:
            raise self.wrong(name, _no_number(text)) from None
        if any(math.isnan(one) or (math.isinf(one) and not endless) for one in values):
            raise self.wrong(name, "its numbers are not finite")
        if endless:
            values = tuple(max(-BOUND, min(one, BOUND)) for one in values)
        if any(abs(one) > BOUND for one in values):
            raise self.wrong(name, "its numbers are beyond 1e15")
        if count and len(values) != count:
            raise self.wrong(name, Sentence("it holds {found} numbers instead of {count}", found=len(values), count=count))  # fmt: skip
        return values

    def wrong(self, name: str, why: str | Sentence) -> TreeError:
        """Say what is wrong with an attribute."""
        return TreeError(
            "Line {line}, <{tag}>, {name}: {why}.", line=self.line, tag=self.tag, name=name, why=why
        )


def _float(word: str) -> float:
    """Read a number as files write it: Python's own also knows 1_000 and digits of other scripts."""
    if "_" in word or not word.isascii():
        raise ValueError
    return float(word)


def _no_number(text: str) -> Sentence:
    """Say which word is no number, and of a decimal comma what to do."""
    for word in text.split():
        try:
            _float(word)
        except ValueError:
            if re.fullmatch(r"[+-]?\d*,\d+([eE][+-]?\d+)?,?", word):
                return Sentence("'{word}' is no number: write a point, not a comma", word=word[:40])
            return Sentence("'{word}' is no number", word=word[:40])
    raise AssertionError


BLANK = re.compile(rb"(?:\xef\xbb\xbf)?\s+(?=<\?xml)")


def parsed(data: bytes) -> Element:
    """Read an XML document; blank lines before its declaration are no matter."""
    blank = BLANK.match(data)
    before = blank[0].count(b"\n") if blank else 0
    data = data[blank.end() :] if blank else data
    if len(data) > LARGEST:
        raise TreeError("The file has more than {most:.0f} MB.", most=LARGEST / 1e6)
    parser = expat.ParserCreate()
    # else each line of a text is handed over alone, and put behind all before
    parser.buffer_text, parser.buffer_size = True, 2**20
    top = Element("", {})
    open_ = [top]
    count = 0

    def at() -> int:
        return before + parser.CurrentLineNumber

    def start(tag: str, given: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(open_) > DEEPEST or count > MOST:
            raise TreeError("Line {line}: the file is too deep or too large: {deepest} elements within each other and {most} in all are read.", line=at(), deepest=DEEPEST, most=MOST)  # fmt: skip
        one = Element(tag, dict(given), at())
        open_[-1].children.append(one)
        open_.append(one)

    def end(_: str) -> None:
        open_.pop()

    def text(words: str) -> None:
        open_[-1].text += words

    def refused(*_: object) -> None:
        raise TreeError(
            "Line {line}: document types and entities are not read; take them out, and write what they stand for.",
            line=at(),
        )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refused
    try:
        parser.Parse(data, True)
    except expat.ExpatError as failure:
        raise TreeError(
            "Line {line}: this is no XML ({why}).",
            line=failure.lineno + before,
            why=expat.ErrorString(failure.code),
        ) from None
    except (LookupError, ValueError):
        raise TreeError("The file's encoding is not known; write it as UTF-8.") from None
    return top.children[0]


def escaped(text: str) -> str:
    """Write a text so that it can stand in an attribute."""
    for sign, put in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, put)
    return text
