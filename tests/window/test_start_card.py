"""Where something is at the start stands in its own form: a root's place, one angle of a pin."""

from __future__ import annotations

import math
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

import manikin as mk

pytestmark = pytest.mark.window


def typed(field: Any, text: str) -> None:
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_a_pin_shows_one_angle(inspector: Any) -> None:
    """Select the rod, then its hinge: one field each; typing turns the rod, as one step."""
    document = inspector.document
    document.adopt(mk.sample("double_pendulum").project)
    before = document.project
    for path in (f"segments/{before.segments[0].id}", f"joints/{before.joints[0].id}"):
        document.select(path)
        seen = [field for field in inspector.start.fields if field.isVisible()]
        assert [field.text() for field in seen] == ["90°"]
        assert seen[0].accessibleName() == "Angle of hinge"
    typed(seen[0], "45.5")
    (start,) = (j for j in document.project.initial.joints if j.joint == before.joints[0].id)
    assert start.values == (pytest.approx(math.radians(45.5), abs=1e-9),)
    document.undo()
    assert document.project == before
    assert seen[0].text() == "90°"
    document.select("runs/" + before.runs[0].id)
    assert not inspector.start.isVisible()


def test_what_stands_free_shows_its_place(inspector: Any) -> None:
    """Select the ball: position, velocity and what they count from stand above its mass."""
    document = inspector.document
    document.adopt(mk.sample("bouncing_ball").project)
    before = document.project
    document.select("segments/ball")
    (form,) = inspector.start.forms
    assert list(form.rows)[:2] == ["initial/roots/0/position_m", "initial/roots/0/velocity_m_per_s"]
    typed(form.rows["initial/roots/0/position_m"].editor.findChildren(QLineEdit)[2], "-700")
    assert document.project.initial.roots[0].position_m == pytest.approx((0.0, 0.0, -0.7))
    assert inspector.start.forms == [form], "the form stays as it is"
    document.undo()
    assert document.project == before
