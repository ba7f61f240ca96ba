"""The catalogue of sentences: `make words` writes it; `--check` says whether it is up to date.

`--made-up FOLDER` writes a language of its own from it, every sentence in brackets and accents, in
which what is not translated is seen at once.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import get_args

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from app.editing.shape import english_word, fields_of
from app.texts.elements import MANY, ONE
from solver.outputs import channels
from solver.project.describe import models
from solver.project.runs import ConvergenceTests
from solver.results.layout import FRAME_GROUPS, STEP_GROUP
from solver.results.quantities import SEGMENT_COLUMNS
from solver.results.quantity_units import UNITS

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "resources" / "locale" / "manikin.pot"
FOLDERS = ("app", "solver", "manikin")
MADE_UP = "en_XA"
"""The usual code of a language that is made up for tests."""

FIRST = {"tr", "msgid", "Sentence", "Kind", "_info", "_Refused", "_lost"}
"""Calls whose first argument is a sentence."""
LATER = {"problem": 2, "error": 2, "Problem": 3, "CurveError": 1, "writable": 1, "new_folder": 1}
"""Calls whose arguments from this one on are sentences."""
TOLD = {"rule": 1, "note": 1, "impossible": 1}
"""Methods that say what became of a card: their arguments from this one on are sentences."""
NAMES = {"sentence", "hint"}
"""Variables that hold sentences."""


def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give the sentences of a module with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from _texts(node.exc.args[:1])
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name in FIRST:
                yield from _texts(node.args[:1])
            elif name in LATER:
                yield from _texts(node.args[LATER[name] :])
                yield from _texts(k.value for k in node.keywords if k.arg in NAMES)
            elif isinstance(node.func, ast.Attribute) and node.func.attr in TOLD:
                yield from _texts(node.args[TOLD[node.func.attr] : 2])
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in NAMES:
            yield from _texts([node.value])


def _texts(nodes: Iterable[ast.expr]) -> Iterator[tuple[int, str]]:
    """Give the literals that an expression can become."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.search(r"[^\W\d_]", node.value):
                yield node.lineno, node.value
        elif isinstance(node, ast.IfExp):
            yield from _texts([node.body, node.orelse])
        elif isinstance(node, ast.BoolOp):
            yield from _texts(node.values)


def plurals(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Give what a module says of one thing and of several."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "plural":
            one, many = ([text for _, text in _texts([arg])] for arg in node.args[:2])
            yield from zip(one, many, strict=True)


def catalogue() -> Catalog:
    """Collect all sentences of the program, in the order of their files."""
    found = Catalog(project="Manikin", charset="utf-8", fuzzy=False)
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            place = file.relative_to(ROOT).as_posix()
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for _, text in sentences(tree):
                found.add(text, locations=[(place, 0)])
            for both in plurals(tree):
                found.add(both, locations=[(place, 0)])
    for name, one in ONE.items():
        found.add((one, MANY[name]), locations=[("app/texts/elements.py", 0)])
    for text in _of_results():
        found.add(text, locations=[("solver/results/layout.py", 0)])
    for text, place in _of_fields():
        found.add(text, locations=[(place, 0)])
    return found


def _of_results() -> Iterator[str]:
    """Give what quantities of results and recorded channels are called, and what they are."""
    names = {quantity for _, quantity in UNITS}.union(*channels.NAMES.values())
    meanings = set[str]()
    for group in (*FRAME_GROUPS.values(), STEP_GROUP):
        names |= set(group.columns)
        meanings |= {column.meaning for column in group.columns.values()}
    for name, (_, parts, meaning) in SEGMENT_COLUMNS.items():
        names |= {name, *parts}
        meanings.add(meaning)
    yield from sorted(name.replace("_", " ") for name in names if len(name) > 1)
    yield from sorted(meanings - {""})


def _of_fields() -> Iterator[tuple[str, str]]:
    """Give what fields of the document are called, and the names of the methods' settings."""
    for model in models():
        place = model.__module__.replace(".", "/") + ".py"
        for name, field in model.model_fields.items():
            yield from ((text, place) for text in (field.title, field.description) if text)
            if place.endswith("/runs.py"):
                yield name.removesuffix("_s").replace("_", " "), place
        for shape in fields_of(model):
            yield from ((english_word(word), place) for word in shape.choices)
        kind = model.model_fields.get("kind")
        if kind is not None:
            yield from ((english_word(word), place) for word in get_args(kind.annotation))
    for vector in get_args(ConvergenceTests.model_fields["vector"].annotation):
        yield vector.replace("_", " "), "solver/project/runs.py"
    for word in ("speed", "place"):
        yield word, "solver/maths/profile.py"


def written() -> str:
    """Give the text of the catalogue, the same for the same sentences."""
    out = BytesIO()
    write_po(out, catalogue(), omit_header=True, include_lineno=False, width=100)
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    return head + out.getvalue().decode()


def made_up(template: str) -> str:
    """Write a sentence in the made-up language: accents on all letters, gaps as they were."""
    out = ""
    for text, gap, spec, conversion in Formatter().parse(template):
        doubled = text.replace("{", "{{").replace("}", "}}")
        out += doubled.translate(_ACCENTS)
        if gap is not None:
            end = f":{spec}" if spec else ""
            out += "{" + gap + (f"!{conversion}" if conversion else "") + end + "}"
    return f"⟦{out}⟧"


_ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀćđéƒğĥíĵķłɱñóƥʠŕšţúʋŵẋýžÁƁĆĐÉƑĞĤÍĴĶŁṀÑÓƤɊŔŠŢÚṼŴẊÝŽ",
)


def write_made_up(folder: Path) -> Path:
    """Write the made-up language as a folder of catalogues, and give it."""
    with CATALOGUE.open("rb") as file:
        made = read_po(file, locale="en")
    for message in made:
        if message.id:
            texts = message.id if isinstance(message.id, tuple | list) else (message.id,)
            forms = tuple(_whole(str(text)) for text in texts)
            message.string = forms if len(forms) > 1 else forms[0]
    target = folder / MADE_UP / "LC_MESSAGES" / "manikin.mo"
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        write_mo(file, made)
    return folder


def _whole(text: str) -> str:
    """Keep what argparse fills in with percent signs, and blanks at both ends."""
    start, end = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    parts = re.split(r"(%\(\w+\)\w|%s|%d)", text.strip())
    if len(parts) > 1:
        inner = "".join(p if p.startswith("%") else p.translate(_ACCENTS) for p in parts)
        return f"{start}⟦{inner}⟧{end}"
    return start + made_up(text.strip()) + end


def main(arguments: list[str]) -> int:
    """Write the catalogue, look whether it is up to date, or write the made-up language."""
    if arguments[:1] == ["--made-up"]:
        print(f"wrote {write_made_up(Path(arguments[1]))}")
        return 0
    text = written()
    if CATALOGUE.is_file() and CATALOGUE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in arguments:
        print(f"Out of date: {CATALOGUE.relative_to(ROOT)}. Run 'make words'.")
        return 1
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    CATALOGUE.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {CATALOGUE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
