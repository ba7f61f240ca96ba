"""Describe the public library from its docstrings: `docs/manikin.md`."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, is_typeddict

import manikin
from tools import same_in_python

_STANDS_FOR = (
    "`model` stands for a Model, `run` for a Run, `curve` for a Curve, `result` for a StudyResult."
)
_MADE = "This page is produced from the docstrings of `manikin` (`make docs`); do not edit it."


def manikin_markdown() -> str:
    """The text of `docs/manikin.md`."""
    title, _, rest = (inspect.getdoc(manikin) or "").partition("\n")
    out = [f"# {title.rstrip('.')}", "", _text(rest), "", _MADE, ""]
    out += ["## What the program does, in Python", "", *same_in_python.table(), "", _STANDS_FOR, ""]
    out += ["## Names", ""]
    for name in manikin.HOMES:
        what = (inspect.getdoc(getattr(manikin, name)) or "").partition("\n")[0]
        out.append(f"- [`{name}`](#{same_in_python.anchor(name)}): {what}")
    for name in manikin.HOMES:
        out += ["", *_section(name, getattr(manikin, name))]
    return "\n".join(out) + "\n"


def _section(name: str, what: Any) -> list[str]:
    """Describe a function, or a class with its public parts."""
    is_error = inspect.isclass(what) and issubclass(what, BaseException)
    is_plain = is_error or inspect.ismodule(what) or is_typeddict(what)
    call = "" if is_plain else f"```python\n{name}{_signature(what)}\n```\n\n"
    out = [f"## {name}", "", call + _text(inspect.getdoc(what) or "")]
    if inspect.isclass(what) and not is_error:
        for part, member in _parts(what):
            out += ["", _member(part, member)]
    return out


def _member(name: str, member: Any) -> str:
    """Describe a part of a class; the fields that a builder takes stand on the page of the file."""
    if hasattr(member, "about"):
        doc, models = member.about
        links = ", ".join(f"[{m.__name__}](project-file.md#{m.__name__.lower()})" for m in models)
        about = _text(inspect.cleandoc(doc))
        return f"**`{name}(id: str, **fields) -> Self`** {about}\n\nIts fields: {links}."
    call = f"{name}{_signature(member)}" if inspect.isfunction(member) else name
    return f"**`{call}`** {_text(inspect.getdoc(member) or '')}"


def _parts(cls: type) -> Iterator[tuple[str, Any]]:
    """What a class and those that it is made from define, in their order."""
    seen = set[str]()
    for one in cls.__mro__:
        if not one.__module__.startswith(("manikin", "solver")):
            continue
        for name, member in vars(one).items():
            is_part = inspect.isfunction(member) or isinstance(member, property | cached_property)
            if is_part and not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, member


def _signature(what: Any) -> str:
    """Write a signature as it stands in the code, without `self`."""
    found = inspect.signature(what)
    words = [word for name, word in found.parameters.items() if name != "self"]
    if inspect.isclass(what):
        found = found.replace(return_annotation=found.empty)
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(found.replace(parameters=words)))


def _text(docstring: str) -> str:
    """Put examples into blocks of code."""
    out = []
    for piece in doctest.DocTestParser().parse(docstring):
        if isinstance(piece, str):
            out.append(piece)
            continue
        lines = piece.source.splitlines()
        source = "".join(f"{'...' if n else '>>>'} {line}\n" for n, line in enumerate(lines))
        out.append(f"```pycon\n{source}{piece.want}```\n")
    return "".join(out).replace("```\n```pycon\n", "").strip()
