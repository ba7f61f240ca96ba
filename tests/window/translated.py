"""Open the window with every text marked, and print what is shown without the mark: run as a program.

Words of the schema (labels, help, what may be chosen), names in the project and words of the library
belong to the data, not to the window.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from app import texts

MARK = "‹"


def marked(text: str) -> str:
    """Mark a text, gaps and keys of menus as they are."""
    return f"{MARK}{text}" if any(char.isalpha() for char in text) else text


texts.translate(marked)

from PySide6.QtWidgets import (  # noqa: E402
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextBrowser,
    QTreeWidget,
    QWidget,
)

from app.forms.shape import fields_of, spoken_word  # noqa: E402
from app.panels.gallery import Card  # noqa: E402
from app.settings import Settings  # noqa: E402
from app.studio import Studio  # noqa: E402
from app.window import MainWindow  # noqa: E402
from solver.bodies import poses  # noqa: E402
from solver.places import samples  # noqa: E402
from solver.project import LISTS, Project  # noqa: E402
from solver.project.describe import models  # noqa: E402


def of_the_schema() -> Iterator[str]:
    """Give labels, help and choices of all fields."""
    for model in models():
        for shape in fields_of(model):
            yield shape.label
            yield from shape.help.split("\n")
            for choice in shape.choices:
                yield spoken_word(choice)
        for field in model.model_fields.values():
            yield from _literals(field.annotation)


def _literals(annotation: Any) -> Iterator[str]:
    if get_origin(annotation) is Literal:
        yield from (spoken_word(word) for word in get_args(annotation))
    for inner in get_args(annotation):
        if not isinstance(inner, str):
            yield from _literals(inner)


def of_the_project(project: Project) -> Iterator[str]:
    """Give names and notes in a project."""
    yield from (project.title, project.note, project.source)
    for list_name in LISTS:
        for item in getattr(project, list_name):
            yield from (item.id, item.name, item.note, item.source)


def shown(widget: QWidget) -> Iterator[str]:
    """Give all words that a widget shows or tells."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.windowTitle(), widget.statusTip())
    if hasattr(widget, "placeholderText"):
        yield widget.placeholderText()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(i) for i in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(i) for i in range(widget.count()))
    elif isinstance(widget, QTreeWidget) and not widget.isHeaderHidden():
        head = widget.headerItem()
        yield from (head.text(i) for i in range(head.columnCount()))
    elif hasattr(widget, "text") and not isinstance(
        widget, QLineEdit | QPlainTextEdit | QTextBrowser
    ):
        yield widget.text()
    for action in widget.actions():
        yield from (action.text(), action.statusTip())


def is_foreign(widget: QWidget) -> bool:
    """Tell what pyqtgraph brings along but never shows, and what names files and elements."""
    here: QWidget | None = widget
    while here is not None:
        menu = here.title() if isinstance(here, QMenu) else ""
        if type(here).__module__.startswith("pyqtgraph") or menu == "Plot Options":
            return True
        if isinstance(here, Card) or here.objectName() == "link":
            return True
        here = here.parentWidget()
    return False


def main() -> None:
    """Print every leak on a line of its own."""
    application = QApplication(["manikin"])
    application.setStyle("Fusion")
    window = MainWindow(Studio(Settings()))
    window.show()
    window.open_file(samples() / "lap_belt.json")
    document = window.document
    for name in texts.panels.DRAWER:
        window.drawer.open(name)
        application.processEvents()
    for list_name in LISTS:
        for item in getattr(document.project, list_name)[:1]:
            document.select(f"{list_name}/{item.id}")
            for section in list(window.inspector.form.sections.values()):
                section.open()
            application.processEvents()
    for id_ in ("edit.preferences", "help.keys", "place.body", "place.library", "help.tour"):
        window.menus.run(id_)
        application.processEvents()
    known = {*of_the_schema(), *of_the_project(document.project), "Manikin"}
    known |= {pose.title for pose in poses().values()}
    plain = {word.lower() for word in known if word}
    told = set()
    for widget in window.findChildren(QWidget):
        if is_foreign(widget) or (
            widget.metaObject().className() == "QToolButton"
            and isinstance(widget.parentWidget(), QTabBar)
        ):
            continue
        for text in shown(widget):
            for line in text.split("\n"):
                # a field of three numbers tells each apart, and a unit stands beside
                whole = line.replace("&", "").strip().lower()
                words = re.sub(r" [123]$|, .*$|^\d+ +", "", whole)
                pieces = re.split(" – |: ", whole)
                is_data = {words, whole} & plain or all(one in plain for one in pieces)
                if MARK in line or not re.search(r"[^\W\d_]{3,}", line) or is_data:
                    continue
                if re.fullmatch(r"[xyz]{3}|[a-z]+/s2?|rad", words):
                    continue
                told.add(f"{type(widget).__name__}: {line}")
    for line in sorted(told):
        print(line)
    document.history.setClean()
    window.close()


if __name__ == "__main__":
    main()
