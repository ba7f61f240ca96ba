"""The outline of two people: each row says whose it is, and a name that is typed has none of that in it."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QLineEdit
from shiboken6 import isValid

import manikin as mk
from app.features.outline.panel import NAME
from solver.editing.next_seat import copy_to_next_seat, people
from tests.window.solving import CATCH

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def test_rows_of_two_people_are_told_apart_and_renamed(window: Any) -> None:
    document, outline = window.bench.document, window.panels["outline"]
    project = mk.sample("frontal").project
    document.adopt(copy_to_next_seat(project, people(project)[0]).project)
    outline.catch_up()
    rows = [outline.item(f"segments/{who}_head") for who in ("driver", "passenger")]
    assert [row.text(NAME) for row in rows] == ["Head (Driver)", "Head (Passenger)"]
    belts = [f"harnesses/{who}_three_point_belt" for who in ("driver", "passenger")]
    assert len({outline.item(path).text(NAME) for path in belts}) == 2
    version = document.project
    rows[0].setText(NAME, "Head (Driver) ")
    assert document.project is version, "nothing was typed"
    rows[1].setText(NAME, "Skull (Passenger)")
    names = {one.id: one.name for one in document.project.segments}
    assert (names["driver_head"], names["passenger_head"]) == ("Head", "Skull")
    outline.catch_up()
    assert outline.item("segments/driver_head").text(NAME) == "Head"


def test_an_element_that_is_deleted_meanwhile_is_not_renamed(window: Any) -> None:
    document, outline = window.bench.document, window.panels["outline"]
    window.open_file(CATCH)
    path = f"segments/{document.project.segments[-1].id}"
    document.select(path)
    item = outline.item(path)
    outline.rename(path)
    outline.tree.findChild(QLineEdit).setText("Another")
    window.features["elements"].delete()
    left = document.project
    assert path.partition("/")[2] not in {one.id for one in left.segments}
    outline.rename(path)
    outline.tree.itemChanged.emit(item, NAME) if isValid(item) else outline._on_edited(item, NAME)
    assert document.project is left
