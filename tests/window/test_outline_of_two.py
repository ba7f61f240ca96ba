"""The outline of two people: each row says whose it is, and a name that is typed has none of that in it."""

from __future__ import annotations

from typing import Any

import pytest

import manikin as mk
from app.editing.next_seat import beside, people
from app.features.outline.element_tree import NAME

pytestmark = pytest.mark.window


def test_rows_of_two_people_are_told_apart_and_renamed(window: Any) -> None:
    document, outline = window.bench.document, window.panels["outline"]
    project = mk.sample("frontal").project
    document.adopt(beside(project, people(project)[0]).project)
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
