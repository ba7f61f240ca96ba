"""Everything that the window says stands in `app/texts`: literals of words elsewhere are refused."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from app import texts
from app.actions import ACTIONS
from solver.project import LISTS
from solver.project.describe import models

APP = Path(__file__).resolve().parent.parent / "app"

PROSE = re.compile(r"[^\W\d_]{2,}\W*\s+\W*[^\W\d_]+|^&?[A-Z][a-z]{2,}|…")
"""Two words beside each other, or one that begins like a title."""
LETTERS = re.compile(r"[^\W\d_]{2,}")
MARKUP = re.compile(r"<[^>]*>|&\w+;|\w+=|'[^']*'")
"""Tags and attributes of rich text, which are no words."""

SHOWS = (
    "setText setToolTip setStatusTip setWindowTitle setPlaceholderText setAccessibleName "
    "setAccessibleDescription setTitle setFormat setSuffix setPrefix setHeaderLabels setItemText "
    "setTabText setTabToolTip addAction addItem addItems addMenu addRow addTab drawText say _say "
    "showMessage QLabel QPushButton QToolButton QCheckBox QRadioButton QGroupBox QAction QMenu "
    "QTreeWidgetItem"
)
"""Calls whose words people see, single words too."""
CODES = re.compile(r"([a-z]+(-[a-z]+)+\s*)+")
"""Codes of checks in a row."""
NO_WORDS = frozenset({"objectName", "merge_key"})
"""Arguments of such calls that no one sees."""

KNOWN: dict[str, set[str]] = {
    "style.py": {"*"},  # the style sheet
    "opening.py": {"Fusion"},  # a style of Qt's
    "studio.py": {"Manikin {}, Python {}, PySide6 {}, {}"},  # of a report for developers
    "movie/lettering.py": {"DejaVu Sans"},
    "movie/encoder.py": {"No space left"},  # what ffmpeg says, read
    "movie/filming.py": {"film writer"},  # the name of a thread
    "scene/graphics.py": {"renderer string"},  # what VTK says, read
    "export/gltf.py": {"Manikin"},  # written into files of other formats
    "export/paraview.py": {"*"},  # names of a file format
    "forms/shape.py": {"no editor for {}"},  # the schema is wrong, not the person
    "panels/run_rows.py": {"Nij"},  # a name of the solver's
    "panels/injury.py": {"note: "},  # a mark of the solver's sentences
    "editors/matrix_table.py": {"*QTableView"},  # a style sheet
    "guide/reference.py": {"*\\s*"},  # a pattern
    "editing/mending.py": {
        "Did you mean '([^']+)'\\?",
        "*CODES",
    },  # a sentence of the solver's, read
}
"""Literals that look like words and are none that the window says."""
NAMES = {model.__name__ for model in models()} | {"Space", "Home", "Del", "Left", "Right"}
"""Names of models, and of keys."""


def literals(tree: ast.AST) -> Iterator[tuple[ast.expr, str, bool]]:
    """Give every string of a module that is no docstring, its gaps as {}, and whether it is shown."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    notes = {
        id(part) for node in ast.walk(tree) for note in _notes(node) for part in ast.walk(note)
    }
    for node in ast.walk(tree):
        if id(node) in notes or isinstance(parents.get(node), ast.JoinedStr | ast.FormattedValue):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node, node.value, _is_shown(node, parents)
        elif isinstance(node, ast.JoinedStr):
            parts = (v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
            yield node, "".join(str(part) for part in parts), _is_shown(node, parents)


def _notes(node: ast.AST) -> Iterator[ast.AST]:
    """Give what is written for readers of the code: docstrings, annotations, what a module offers."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant | ast.JoinedStr):
        yield node.value
    if isinstance(node, ast.Assign) and _id(node.targets[0]) == "__all__":
        yield node.value
    for name in ("annotation", "returns"):
        note = getattr(node, name, None)
        if note is not None:
            yield note


def _is_shown(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    child, here = node, parents.get(node)
    while here is not None and not isinstance(here, ast.stmt):
        if isinstance(here, ast.keyword) and here.arg in NO_WORDS:
            return False
        if isinstance(here, ast.Call) and child is not here.func:
            name = here.func.attr if isinstance(here.func, ast.Attribute) else _id(here.func)
            if name == "addItem" and child is not here.args[0]:
                return False
            return name in SHOWS.split()
        if isinstance(here, ast.Subscript | ast.Compare | ast.Lambda):
            return False
        child, here = here, parents.get(here)
    return False


def _id(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def words_in(source: str, name: str = "") -> list[str]:
    """List the literals of a module that should stand in `app/texts`."""
    allowed = KNOWN.get(name, set())
    found = []
    for node, text, shown in literals(ast.parse(source)):
        plain = MARKUP.sub(" ", text) if "<" in text else text
        bare = plain.replace("{}", "")
        is_words = bool(LETTERS.search(bare)) and (shown or bool(PROSE.search(plain)))
        listed = (
            "*" in allowed
            or text in allowed
            or any(one[0] == "*" and text.startswith(one[1:]) for one in allowed)
        )
        is_codes = "*CODES" in allowed and CODES.fullmatch(text) is not None
        is_key = re.fullmatch(r"((Ctrl|Shift|Alt)\+)+\S+", text) is not None
        if is_words and not (listed or is_codes or is_key) and (shown or text not in NAMES):
            found.append(f"{name}:{node.lineno}: {text!r}")
    return found


@pytest.mark.parametrize(
    "file",
    [f for f in sorted(APP.rglob("*.py")) if f.parent.name != "texts"],
    ids=lambda f: str(f.relative_to(APP)),
)
def test_words_stand_in_one_place(file: Path) -> None:
    name = file.relative_to(APP).as_posix()
    assert not words_in(file.read_text(encoding="utf-8"), name)


@pytest.mark.parametrize(
    "source",
    [
        'self.words.setText("Ready")',
        'QLabel("mass")',
        'button = QToolButton(text="Save…", toolTip=tip)',
        'menu.addAction("copy", self.copy)',
        'raise CannotMake(f"{what} needs a segment")',
        'titles = ("Head", "Chest")',
        'self._window.say(f"{count} found")',
        'label = f"<b>{name}</b> is too long"',
    ],
)
def test_the_scan_sees_words(source: str) -> None:
    assert words_in(source)


@pytest.mark.parametrize(
    "source",
    [
        'QLabel(objectName="muted")',
        "self.words.setText(texts.panels.NO_PROBLEMS)",
        'box.addItem(name, "kind")' if False else "box.addItem(name, kind)",
        'self.setText(f"{value} {unit}")',
        'def name() -> str:\n    """Give the name of a thing."""\n    return self._words["kind"]',
        'Action("view.fit", lambda w: w.fit(), "Ctrl+Home")',
    ],
)
def test_the_scan_lets_other_strings_be(source: str) -> None:
    assert not words_in(source)


def test_every_action_has_a_title_and_a_sentence_and_no_words_are_left_over() -> None:
    assert {action.id for action in ACTIONS} == set(texts.actions.WORDS)
    for id_, (title, tip) in texts.actions.WORDS.items():
        assert title.replace("&", ""), id_
        assert tip.endswith("."), id_
        assert title.count("&") <= 1, id_
    assert {action.menu for action in ACTIONS} == set(texts.actions.MENUS)


def test_every_list_of_elements_has_its_words() -> None:
    assert set(texts.elements.ONE) == set(texts.elements.MANY) == set(LISTS)


def modules() -> list[ModuleType]:
    """Give the modules of words."""
    return [getattr(texts, name) for name in texts.__all__]


def test_the_package_names_all_its_subjects() -> None:
    there = {file.stem for file in (APP / "texts").glob("*.py")} - {"__init__"}
    assert there == set(texts.__all__)


def strings(value: Any) -> Iterator[str]:
    """Give all texts in a text, a table or a tuple of them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from strings(one)


@pytest.mark.parametrize("module", modules(), ids=lambda m: m.__name__.rpartition(".")[2])
def test_every_word_is_used_and_its_gaps_have_names(module: ModuleType) -> None:
    subject = module.__name__.rpartition(".")[2]
    code = "\n".join(
        file.read_text(encoding="utf-8")
        for file in APP.rglob("*.py")
        if file.name != f"{subject}.py" or file.parent.name != "texts"
    )
    named = {name: value for name, value in vars(module).items() if name[0].isupper()}
    if subject == "actions":
        del named["MAKERS"]
    assert not [name for name in named if not re.search(rf"texts\.{subject}\.{name}\b", code)]
    for text in strings(list(named.values())):
        for _, gap, _, _ in string.Formatter().parse(text):
            assert gap is None or re.fullmatch(r"[a-z]\w*(\.\w+)?", gap), text
