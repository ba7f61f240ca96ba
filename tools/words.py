"""The catalogue of sentences: `make words` writes it; it follows from the code and is not kept in the repository.

`--check` finds sentences that cannot be translated, and translations that are out of date. `--made-up FOLDER` writes a
language of its own, every sentence in brackets and accents, in which what is not translated is seen at once.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any, get_args

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from app.editing.shape import english_word, fields_of
from app.memory import kept_for_good
from solver.analysis.crash.cases import CASES
from solver.bodies.dummies import DUMMIES, LIBRARY, called, dummy_entry
from solver.bodies.library import entries
from solver.bodies.poses import poses
from solver.project.checks.ids import LIST_WORDS
from solver.project.runs import ConvergenceTests
from solver.project.schema import models
from solver.results.layout import FRAME_GROUPS, STEP_GROUP
from solver.results.quantities import SEGMENT_COLUMNS
from solver.results.selection import UNITS
from solver.running.outputs import channels

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ROOT / "resources" / "locale"
PO = "*/LC_MESSAGES/*.po"
CATALOGUE = ROOT / "build" / "manikin.pot"
FOLDERS = ("app", "solver", "manikin")
MADE_UP = "en_XA"
"""The usual code of a language that is made up for tests."""

FIRST = {"tr", "msgid", "Sentence", "Kind", "Criterion", "_Refused", "_lost"}
"""Calls whose first argument is a sentence."""
LATER = {"problem": 2, "error": 2, "Problem": 3, "CurveError": 1, "writable": 1, "new_folder": 1}
"""Calls whose arguments from this one on are sentences."""
TOLD = {"rule": 1, "note": 1, "impossible": 1}
"""Methods that say what became of a card: their arguments from this one on are sentences."""
NAMES = {"sentence", "hint"}
"""Variables that hold sentences."""
FOR_PROGRAMMERS = {
    "NotShipped",
    "ValueError",
    "TypeError",
    "KeyError",
    "IndexError",
    "AttributeError",
    "OSError",
}
"""What is raised for who writes a program, or is caught below."""


def sentences(module: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Give the sentences of a module with their lines."""
    for node in module:
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
    """The literals that an expression can become."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.search(r"[^\W\d_]", node.value):
                yield node.lineno, node.value
        elif isinstance(node, ast.IfExp):
            yield from _texts([node.body, node.orelse])
        elif isinstance(node, ast.BoolOp):
            yield from _texts(node.values)


def plurals(module: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """What a module says of one thing and of several."""
    for node in module:
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "plural":
            one, many = ([text for _, text in _texts([arg])] for arg in node.args[:2])
            yield from zip(one, many, strict=True)


@cache
def modules() -> dict[str, list[ast.AST]]:
    """What the program's modules call, raise and assign, by their places, in the order of their files."""
    files = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))]
    with kept_for_good():
        return {
            file.relative_to(ROOT).as_posix(): said(file.read_text(encoding="utf-8"))
            for file in files
        }


def said(module: str) -> list[ast.AST]:
    """What a module's text calls, raises and assigns."""
    nodes = ast.walk(ast.parse(module))
    return [node for node in nodes if isinstance(node, ast.Call | ast.Raise | ast.Assign)]


def unmarked(module: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Say where a module fills a sentence in before it is one, or where its gaps are not its values: with lines."""
    raised = {id(node.exc) for node in module if isinstance(node, ast.Raise)}
    for node in module:
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        is_raised = id(node) in raised and name not in FOR_PROGRAMMERS
        if not (is_raised or name in FIRST) or not node.args:
            continue
        first, given = node.args[0], {k.arg for k in node.keywords if k.arg is not None}
        if any(isinstance(arg, ast.JoinedStr) for arg in (node.args if is_raised else [first])):
            yield node.lineno, "filled in before it is a sentence"
        stars = any(k.arg is None for k in node.keywords)
        if isinstance(first, ast.Constant) and len(node.args) == 1 and given and not stars:
            gaps = set(_gaps(str(first.value)))
            if gaps != given:
                yield node.lineno, f"{first.value!r} has gaps {sorted(gaps)}, given {sorted(given)}"


def _gaps(template: str) -> Iterator[str]:
    for _, field, spec, _ in Formatter().parse(template):
        if field is not None:
            yield field
            yield from _gaps(spec or "")


def out_of_date(folder: Path, wanted: Catalog) -> Iterator[str]:
    """Say what each language in a folder lacks of the sentences, and what it has that nobody says."""
    for file in sorted(folder.glob(PO)):
        with file.open("rb") as opened:
            told = read_po(opened)
        there = {m.id for m in told if m.id and m.string and any(m.string) and not m.fuzzy}
        asked = {m.id for m in wanted if m.id}
        yield from (f"{file}: not translated: {text!r}" for text in _sorted(asked - there))
        yield from (f"{file}: no longer said: {text!r}" for text in _sorted(there - asked))
        yield from (f"{file}: {why}" for why in broken(told))
        if not _is_compiled(told, file.with_suffix(".mo")):
            yield f"{file}: its .mo says something else; compile it"


def _is_compiled(told: Catalog, file: Path) -> bool:
    if not file.exists():
        return False
    with file.open("rb") as opened:
        said = read_mo(opened)
    return _strings(said) == _strings(told)


def _strings(told: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What a catalogue says, form by form."""
    return {_forms(m.id): _forms(m.string) for m in told if m.id and m.string and not m.fuzzy}


def _forms(texts: Any) -> tuple[str, ...]:
    return tuple(texts) if isinstance(texts, tuple | list) else (texts,)


def broken(told: Catalog) -> Iterator[str]:
    """Say which translations have other gaps, other ends or no key to press where the English has."""
    for ids, strings in _strings(told).items():
        for english, other in zip(ids, strings, strict=True):
            # of one thing its number may go without saying
            marks = _MARKS[len(strings) > 1 :]
            if any(sorted(mark(english)) != sorted(mark(other)) for mark in marks):
                yield f"{english!r} became {other!r}: gaps, keys or ends are not the same"


_MARKS: tuple[Callable[[str], Iterable[str]], ...] = (
    lambda text: _gaps(text) if "{" in text else (),
    lambda text: re.findall(r"%\(\w+\)\w|%s|%d", text),
    lambda text: re.findall(r"&(?=\w)", text.replace("&&", "")),
    lambda text: re.findall(r"…$|^\s*|\s*$", text),
)
"""What a translation has just as often: gaps, what argparse fills in, keys of menus, dots and blanks at an end."""


def _sorted(texts: Iterable[Any]) -> list[Any]:
    return sorted(texts, key=str)


def catalogue(locale: str | None = None) -> Catalog:
    """Collect all sentences of the program, in the order of their files."""
    found = Catalog(locale, project="Manikin", charset="utf-8", fuzzy=False)
    for place, module in modules().items():
        for _, text in sentences(module):
            found.add(text, locations=[(place, 0)])
        for both in plurals(module):
            found.add(both, locations=[(place, 0)])
    for both in LIST_WORDS.values():
        found.add(both, locations=[("solver/project/checks/ids.py", 0)])
    for text, place in _of_entries():
        found.add(text, locations=[(place, 0)])
    for text in _of_results():
        found.add(text, locations=[("solver/results/layout.py", 0)])
    for text, place in _of_fields():
        found.add(text, locations=[(place, 0)])
    return found


def _of_entries() -> Iterator[tuple[str, str]]:
    """What the library, samples and load cases are called, and what is said of them."""
    # no Qt with this module: what tests import first decides how Qt is loaded
    from app.features.files.pages import shipped_samples

    for name in (*DUMMIES, *LIBRARY):
        yield called(name), "resources/bodies.json"
    for name in DUMMIES:
        yield from (
            (text, f"resources/dummies/{name}.json")
            for text in dummy_entry(name).held_against.values()
        )
    for one in entries():
        yield from (
            (text, f"resources/library/{one.category}.json")
            for text in (one.name, one.note)
            if text
        )
    for pose in poses().values():
        yield from (
            (text, "resources/bodies/poses.json") for text in (pose.title, pose.note) if text
        )
    for sample in shipped_samples():
        yield from (
            (text, f"sample_projects/{sample.file.name}") for text in (sample.title, sample.note)
        )
    for case in CASES.values():
        yield from ((text, "resources/crashes.json") for text in (case.title, case.note) if text)


def _of_results() -> Iterator[str]:
    """What quantities of results and recorded channels are called, and what they are."""
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
    """What fields of the document are called, and the names of the methods' settings."""
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
        yield word, "solver/engine/maths/profile.py"


def written() -> str:
    """The text of the catalogue, the same for the same sentences."""
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
    made = catalogue("en")
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
    """Write the catalogue, look what cannot be translated or is out of date, or write the made-up language."""
    if arguments[:1] == ["--made-up"]:
        print(f"wrote {write_made_up(Path(arguments[1]))}")
        return 0
    if "--check" in arguments:
        found = [f"{at}:{n}: {why}" for at, one in modules().items() for n, why in unmarked(one)]
        if any(LANGUAGES.glob(PO)):
            found += out_of_date(LANGUAGES, catalogue())
        print("".join(f"{line}\n" for line in found), end="")
        return int(bool(found))
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    CATALOGUE.write_text(written(), encoding="utf-8", newline="\n")
    print(f"wrote {CATALOGUE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
