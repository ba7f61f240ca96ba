"""A line that asks for entries of the store: `HIC15 < 400 and belt`. A small grammar of our own; nothing of it is executed.

| part | means |
|---|---|
| `belt` | the word, or its beginning, stands anywhere in titles, ids, names, notes, or kinds of elements |
| `"side impact"` | these words one behind the other |
| `project`, `run`, `study` | it is one, however many of them one says; in quotes these are words as others |
| `HIC15 < 400` | a figure, a count or another number with that name is below; `<=`, `>`, `>=`, `=`, `!=` likewise |
| `"Chest 3 ms" > 60` | a name of several words |
| `a b`, `a and b` | both; `and` may be left out |
| `a or b`, `not a`, `( … )` | either, the contrary, and what belongs together; `and` binds more than `or` |

What a study has in many rows counts if one of them fulfils it. Names match where all their words are words of the number's name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from solver.base.words import Refusal


class QueryError(Refusal, ValueError):
    """Say what in a query cannot be understood, and where it stands."""

    __module__ = "manikin"


class Token(NamedTuple):
    """One part of the line: `kind` is word, quoted, operator, open, close or end."""

    kind: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Word:
    """Ask for words one behind the other."""

    text: str


@dataclass(frozen=True, slots=True)
class OfKind:
    """Ask for projects, runs or studies."""

    kind: str


KINDS = {"project": "project", "projects": "project", "run": "run", "runs": "run", "study": "study", "studies": "study"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compare:
    """Compare a number by its name."""

    name: str
    operator: str
    value: float


@dataclass(frozen=True, slots=True)
class Not:
    """Ask for the contrary."""

    part: Query


@dataclass(frozen=True, slots=True)
class Both:
    """Ask for all of several."""

    parts: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Ask for one of several."""

    parts: tuple[Query, ...]


Query = Word | OfKind | Compare | Not | Both | Either

LONGEST = 500
"""Characters of a line."""

_TOKEN = re.compile(r'\s*(?:(?P<quoted>"[^"]*")|(?P<operator><=|>=|!=|<|>|=)|(?P<open>\()|(?P<close>\))|(?P<word>[^\s()<>=!"]+))')  # fmt: skip


def parsed(line: str) -> Query:
    """Understand a line; an empty one asks for everything. Raises QueryError."""
    if len(line) > LONGEST:
        raise QueryError("The line has more than {most} characters.", most=LONGEST)
    reader = _Reader(list(_tokens(line)))
    if reader.now.kind == "end":
        return Both(())
    found = reader.either(0)
    if reader.now.kind != "end":
        raise QueryError("At {at} '{text}' closes nothing.", at=reader.now.at + 1, text=reader.now.text)  # fmt: skip
    return found


def compared(query: Query) -> tuple[str, ...]:
    """Name the numbers that a query compares."""
    match query:
        case Compare(name, _, _):
            return (name,)
        case Not(part):
            return compared(part)
        case Both(parts) | Either(parts):
            return tuple(dict.fromkeys(name for part in parts for name in compared(part)))
    return ()


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters: letters and digits are one word, all else parts them."""
    return re.findall(r"\w+", text.lower().replace("_", " "))


def _tokens(line: str) -> Iterator[Token]:
    at = 0
    while line[at:].strip():
        found = _TOKEN.match(line, at)
        if found is None or found.lastgroup is None:
            at += len(line[at:]) - len(line[at:].lstrip())
            if line[at] == '"':
                raise QueryError("The quotation that begins at {at} does not end.", at=at + 1)
            raise QueryError("At {at} '{text}' is no part of a question.", at=at + 1, text=line[at])
        kind = found.lastgroup
        text = found[kind]
        yield Token(kind, text.strip('"') if kind == "quoted" else text, found.start(kind))
        at = found.end()
    yield Token("end", "", len(line))


class _Reader:
    """Read tokens by recursive descent."""

    DEEPEST = 40

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens, self._at = tokens, 0

    @property
    def now(self) -> Token:
        """The token that is read next."""
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self.now
        self._at += token.kind != "end"
        return token

    def _is(self, word: str) -> bool:
        return self.now.kind == "word" and self.now.text.lower() == word

    def either(self, depth: int) -> Query:
        """Read parts between `or`."""
        if depth > self.DEEPEST:
            raise QueryError("Parentheses are nested too deep.")
        parts = [self._both(depth)]
        while self._is("or"):
            self._next()
            parts.append(self._both(depth))
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _both(self, depth: int) -> Query:
        parts = [self._one(depth)]
        while self._is("and") or (self.now.kind in ("word", "quoted", "open") and not self._is("or")):  # fmt: skip
            if self._is("and"):
                self._next()
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _one(self, depth: int) -> Query:
        if self._is("not"):
            self._next()
            if depth > self.DEEPEST:
                raise QueryError("Parentheses are nested too deep.")
            return Not(self._one(depth + 1))
        token = self._next()
        if token.kind == "open":
            found = self.either(depth + 1)
            if self._next().kind != "close":
                raise QueryError(
                    "The parenthesis that opens at {at} is not closed.", at=token.at + 1
                )
            return found
        if token.kind == "end":
            raise QueryError("The line ends where a word or a name is to follow.")
        if token.kind in ("operator", "close") or self._is_joint(token):
            raise QueryError("At {at} a word or a name is to stand, not '{text}'.", at=token.at + 1, text=token.text)  # fmt: skip
        if self.now.kind != "operator":
            if not words_of(token.text):
                raise QueryError("At {at} '{text}' has neither letters nor digits.", at=token.at + 1, text=token.text)  # fmt: skip
            kind = KINDS.get(token.text.lower()) if token.kind == "word" else None
            return Word(token.text) if kind is None else OfKind(kind)
        operator, number = self._next(), self._next()
        try:
            value = float(number.text) if number.kind == "word" else math.nan
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise QueryError(
                "Behind '{name} {operator}' a number is to stand, not '{text}'.",
                name=token.text, operator=operator.text, text=number.text,
            )  # fmt: skip
        return Compare(token.text, operator.text, value)

    @staticmethod
    def _is_joint(token: Token) -> bool:
        return token.kind == "word" and token.text.lower() in ("and", "or")
