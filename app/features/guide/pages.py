"""The pages of the guide, and the reference of an element, which is written from the schema; no Qt in here."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

from app import texts
from app.editing.making import MAKERS, Maker
from app.editing.shape import Shape, fields_of
from app.forms.field_curves import PICTURES
from app.forms.units import Units, known
from app.look import Theme
from solver.base.places import NotShipped, docs
from solver.base.words import msgid, tr
from solver.project import LISTS, Project
from solver.project.changes import value_at, words_of
from solver.project.fields import Part
from solver.project.schema import default_words, kind_words, models, models_of

PAGES = (
    "guide",
    "tutorial-crash",
    "tutorial-occupant",
    "tutorial-deck",
    "tutorial-study",
    "tutorial-notebook",
    "samples",
    "bodies",
    "settle",
    "mechanisms",
    "finding",
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
    """A heading of a page, what it is called in links, and the text below it."""

    title: str
    slug: str
    level: int
    text: str


@cache
def text_of(page: str) -> str:
    """A page as Markdown; empty where it is not shipped."""
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
        Section(mark[2].replace("`", ""), name, len(mark[1]), text[mark.end() : end])
        for mark, name, end in zip(marks, slugs(mark[2] for mark in marks), ends, strict=True)
    )


def title_of(page: str) -> str:
    """What a page is called."""
    found = sections(page)
    return found[0].title if found else page


def listed_sections(page: str) -> tuple[Section, ...]:
    """The sections that stand below a page in the list of topics."""
    if page in _ALL_SECTIONS:
        return ()
    return tuple(one for one in sections(page) if one.level == 2)


def slug(heading: str) -> str:
    """The name by which links call a heading: 'Open, run, read' is open-run-read."""
    plain = re.sub(r"[^\w\- ]", "", heading.lower())
    return plain.strip().replace(" ", "-")


def slugs(headings: Iterable[str]) -> Iterator[str]:
    """The names of all headings of a page in their order: of two that are alike the second ends with -1, as forges have it."""
    seen = Counter[str]()
    for heading in headings:
        name = slug(heading)
        yield f"{name}-{seen[name]}" if seen[name] else name
        seen[name] += 1


def sections_with(words: str) -> Iterator[tuple[str, Section]]:
    """The sections in which all words stand, those with the words in their heading first."""
    wanted = words.casefold().split()
    if not wanted:
        return
    later = []
    for page in PAGES:
        for section, heading, whole in _folded(page):
            if all(word in heading for word in wanted):
                yield page, section
            elif all(word in whole for word in wanted):
                later.append((page, section))
    yield from later


@cache
def _folded(page: str) -> tuple[tuple[Section, str, str], ...]:
    """The sections of a page with their headings and whole texts as they are searched."""
    name = title_of(page)
    return tuple(
        (one, one.title.casefold(), f"{name} {one.title} {one.text}".casefold())
        for one in sections(page)
    )


DRAWN = "drawn:"
"""Begins the address of a picture of a model's fields; its name, the field that was asked for and the colours follow."""
_UNIT = msgid("in {unit}")

_ASIDE = re.compile(
    r"\s*\((?:[^()]*\b(?:sections?|equations?|cards?|Figures?|Tables?|NSYM|EFUNCT|D0)\b[^()]*"
    r"|[\d., ]+)\)| of section [\d.]+\d"
)
"""References to papers and old input cards, which the pages of the engine explain."""
_COMMON = ("id", "name", "group", "note", "source")


@cache
def by_name() -> dict[str, type[Part]]:
    """Give all models of the schema by their names."""
    return {model.__name__: model for model in models()}


def title(model: type[Part]) -> str:
    """What a model is called: as in the Insert menu, or in plain words."""
    found = _named_by(model)
    return found.title if isinstance(found, Maker) else _capital(tr(found))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


@cache
def _named_by(model: type[Part]) -> Maker | str:
    """What the Insert menu calls a model, or what its list or its name say of it."""
    for list_name in LISTS:
        if models_of(list_name) == (model,):
            return texts.elements.ONE[list_name]
    for maker in MAKERS:
        if model in models_of(maker.list_name) and maker.kind in kind_words(model):
            return maker
    words = re.sub(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=[A-Z][a-z])", " ", model.__name__)
    return words[:1] + words[1:].lower()


def place_of(project: Project, path: str) -> str:
    """The model and field that a path leads to, as 'PinJoint#friction'; empty for none."""
    words = words_of(path)
    while words:
        here: Any = value_at(project, "/".join(words[:-1])) if len(words) > 1 else project
        if isinstance(here, Part) and words[-1] in type(here).model_fields:
            part = getattr(here, words[-1])
            at_end = "/".join(words) == path
            if at_end and isinstance(part, Part):
                return type(part).__name__
            return f"{type(here).__name__}#{words[-1]}"
        if "/".join(words) == path:
            there = value_at(project, path)
            if isinstance(there, Part):
                return type(there).__name__
        words = words[:-1]
    return ""


def page(model: type[Part], theme: Theme, system: str, field: str = "") -> str:
    """Write the page of a model; the field that was asked for is marked."""
    units = Units(system)
    shapes = [s for s in fields_of(model) if s.name not in (*_COMMON, "kind")]
    body = "".join(_row(model, shape, units, theme, shape.name == field) for shape in shapes)
    names = [s for s in fields_of(model) if s.name in _COMMON]
    below = "".join(_row(model, s, units, theme, s.name == field) for s in names)
    parts = [f"<h1>{escape(title(model))}</h1>", *_doc(model)]
    if model.__name__ in PICTURES:
        scheme = "dark" if theme.dark else "light"
        parts.append(f"<p><img src='{DRAWN}{model.__name__}/{field}/{scheme}'></p>")
    if body:
        parts.append(f"<table width='100%' cellspacing='0' cellpadding='6'>{body}</table>")
    if below:
        heading = escape(tr(texts.words.NAMES_AND_NOTES))
        parts.append(f"<h2>{heading}</h2>")
        parts.append(f"<table width='100%' cellspacing='0' cellpadding='6'>{below}</table>")
    used = list(_holders(model))
    if used:
        links = ", ".join(f"<a href='element:{m.__name__}'>{escape(title(m))}</a>" for m in used)
        parts.append(f"<p>{escape(tr('Part of:'))} {links}</p>")
    return "".join(parts)


def _doc(model: type[Part]) -> Iterator[str]:
    words = _ASIDE.sub("", inspect.cleandoc(model.__doc__ or ""))
    for paragraph in words.split("\n\n"):
        yield f"<p>{escape(' '.join(paragraph.split()))}</p>"


def _row(model: type[Part], shape: Shape, units: Units, theme: Theme, marked: bool) -> str:
    """Write one field: its name, what it means, and what it may be."""
    info = model.model_fields[shape.name]
    about = []
    if known(shape.unit):
        about.append(tr(_UNIT, unit=units.name(shape.unit)))
    elif shape.unit:
        about.append(tr(_UNIT, unit=shape.unit))
    if info.is_required():
        about.append("needed")
    elif _plain(info.default):
        usual = default_words(info).strip("`")
        si = shape.unit if known(shape.unit) else ""
        about.append(tr("usually {value}", value=f"{usual} {si}".rstrip()))
    if shape.range and shape.editor not in ("id", "text", "ref"):
        si = shape.unit if known(shape.unit) and shape.range[0] in "<>≤≥" else ""
        about.append(tr("range {range}", range=f"{shape.range} {si}".rstrip()))
    links = [f"<a href='element:{m.__name__}'>{escape(title(m))}</a>" for m in shape.models]
    if links:
        about.append(" · ".join(links) if len(links) > 1 else links[0])
    colour = f" bgcolor='{theme.accent_soft}'" if marked else ""
    text = escape(_ASIDE.sub("", shape.help))
    aside = f"<br><span style='color: {theme.muted}'>{'; '.join(about)}</span>" if about else ""
    return (
        f"<tr{colour}><td width='190'><a name='{shape.name}'></a><b>{escape(shape.label)}</b>"
        f"<br><code style='color: {theme.muted}'>{shape.name}</code></td>"
        f"<td>{text}{aside}</td></tr>"
    )


def _plain(value: Any) -> bool:
    """Whether a default is worth saying."""
    return isinstance(value, int | float | str) and value != ""


def _holders(model: type[Part]) -> Iterator[type[Part]]:
    """The models that have a part of this one."""
    for holder in models():
        if holder is not Project and any(model in shape.models for shape in fields_of(holder)):
            yield holder


def topics() -> Iterator[tuple[str, tuple[type[Part], ...]]]:
    """Give the lists of the project with the models of their elements."""
    for name in LISTS:
        yield name, models_of(name)
