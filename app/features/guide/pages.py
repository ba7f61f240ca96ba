"""Know the pages of the guide: their titles, their sections, and where a word stands; no Qt in here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from solver.base.places import NotShipped, docs

PAGES = (
    "guide",
    "samples",
    "bodies",
    "settle",
    "injury",
    "signals",
    "markers",
    "outputs",
    "report",
    "library",
    "checks",
    "commands",
    "manikin",
    "results-file",
    "engine",
    "validation",
    "install",
)
"""Pages of the guide in the order in which they are listed; others are reached by links."""
_ALL_SECTIONS = ("commands", "manikin")
"""Pages with so many sections that they are found by the search alone."""
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """Hold a heading of a page, what it is called in links, and the text below it."""

    title: str
    slug: str
    level: int
    text: str


@cache
def text_of(page: str) -> str:
    """Give a page as Markdown; empty where it is not shipped."""
    try:
        file = docs() / f"{page}.md"
        return file.read_text(encoding="utf-8") if file.is_file() else ""
    except NotShipped:
        return ""


@cache
def sections(page: str) -> tuple[Section, ...]:
    """List the headings of a page; the first is its title."""
    text = _FENCE.sub(
        lambda found: re.sub(r"^#", " #", found[0], flags=re.MULTILINE), text_of(page)
    )
    marks = list(re.finditer(r"^(#{1,3}) +(.+?)\s*$", text, re.MULTILINE))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return tuple(
        Section(mark[2].replace("`", ""), slug(mark[2]), len(mark[1]), text[mark.end() : end])
        for mark, end in zip(marks, ends, strict=True)
    )


def title_of(page: str) -> str:
    """Give what a page is called."""
    found = sections(page)
    return found[0].title if found else page


def listed_sections(page: str) -> tuple[Section, ...]:
    """Give the sections that stand below a page in the list of topics."""
    if page in _ALL_SECTIONS:
        return ()
    return tuple(one for one in sections(page) if one.level == 2)


def slug(heading: str) -> str:
    """Give the name by which links call a heading: 'Open, run, read' is open-run-read."""
    plain = re.sub(r"[^\w\- ]", "", heading.lower())
    return plain.strip().replace(" ", "-")


def found(words: str) -> Iterator[tuple[str, Section]]:
    """Give the sections in which all words stand, those with the words in their heading first."""
    wanted = words.casefold().split()
    if not wanted:
        return
    later = []
    for page in PAGES:
        for section in sections(page):
            heading = section.title.casefold()
            whole = f"{title_of(page)} {heading} {section.text}".casefold()
            if all(word in heading for word in wanted):
                yield page, section
            elif all(word in whole for word in wanted):
                later.append((page, section))
    yield from later
