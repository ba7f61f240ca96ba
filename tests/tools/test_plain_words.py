"""Code and documents use the field's words (docs/notation.md, "Glossary"), not words of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.trees import source

TOP = Path(__file__).resolve().parent.parent.parent
TREES = ("solver", "app", "manikin", "tools")

NAMES = {
    "rails?": "edge constraint",
    "healing|heals?": "relocking",
    "partings?": "breakable constraint",
    "spools": "retractors",
    "hollows": "concave contact",
    "unhurried": "restartable",
    "shelf": "run store",
    "tailor|upholstery": "scene builder, cushion builder",
    "curtain": "transition",
    "studio": "application",
    "having": "with properties",
    "sayings?": "messages, labels",
    "spoken": "label",
    "anew": "again",
    "mends?": "quick fix",
    "bundles?": "struct",
}
"""Words in names of modules, classes and functions, and what the field says instead."""

PHRASES = {
    r"\bhangs? on\b": "depends on, is attached to",
    r"\banew\b": "again",
    r"\bwhoever\b": "if a user, anyone who, the occupant",
    r"\bunhurried\b": "restartable",
    r"\b(is|are|was|were) told of[.,;:]": "is reported",
}
"""Phrases in documents, docstrings, comments and sentences."""

VERBS = re.compile(
    r"(Tell|Say) whether\b|Give (what|how|where|which|whose|when|those|all)\b(?!.*\b(its|their|another|back)\b)"
)
"""What no docstring begins with: it says what a thing is, such as 'Torques of springs and stops'."""

GENERATED = {
    "checks", "commands", "library", "manikin", "mutants", "outputs", "performance", "project-file", "samples", "validation",
}  # fmt: skip
"""Pages that are written from what is looked at here, or from stored runs."""


def files() -> Iterator[Path]:
    for tree in TREES:
        yield from sorted((TOP / tree).rglob("*.py"))


def words_of(name: str) -> list[str]:
    """The words of a name, whichever way it is written."""
    return [one.lower() for one in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)]


def odd_name(name: str) -> str | None:
    for word in words_of(name):
        for odd, better in NAMES.items():
            if re.fullmatch(odd, word):
                return f"'{word}' in {name}: the field says '{better}'"
    return None


def odd_phrases(text: str) -> list[str]:
    return [
        f"line {text[: found.start()].count(chr(10)) + 1}, '{found[0]}': write '{better}'"
        for phrase, better in PHRASES.items()
        for found in re.finditer(phrase, text, re.IGNORECASE)
    ]


def test_names_are_the_fields() -> None:
    found = []
    for file in files():
        found += [
            f"{file.relative_to(TOP)}: {odd}"
            for name in (file.stem, *source(file).names)
            if (odd := odd_name(name))
        ]
    assert not found, "\n".join(found)


def test_sentences_are_plain() -> None:
    pages = [one for one in sorted((TOP / "docs").glob("*.md")) if one.stem not in GENERATED]
    found = [
        f"{file.relative_to(TOP)}: {odd}"
        for file in [*files(), *pages, TOP / "README.md"]
        for odd in odd_phrases(file.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_docstrings_say_what_a_thing_is() -> None:
    found = [
        f"{file.relative_to(TOP)}:{line}: '{text.splitlines()[0]}' says what it does for a caller, not what it is"
        for file in files()
        for line, text in source(file).docstrings
        if VERBS.match(text)
    ]
    assert not found, "\n".join(found)


def test_odd_words_are_seen_in_any_writing() -> None:
    assert odd_name("watch_spools")
    assert odd_name("SeatSpools")
    assert odd_name("_curtain")
    assert not odd_name("retractor_events")
    assert odd_phrases("It hangs on the\nrate, and is laid anew.")
    assert VERBS.match("Tell whether it is so.")
    assert VERBS.match("Give what is left.")
    assert not VERBS.match("Give all bodies their names.")
