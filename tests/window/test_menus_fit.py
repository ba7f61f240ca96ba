"""Menus are no higher than the smallest screen."""

from __future__ import annotations

from typing import Any

import pytest

from app.features.all import MENUS

pytestmark = pytest.mark.window
LOWEST = 668
"""A screen of 700 points with a bar of 32."""


def test_no_menu_is_higher_than_a_small_screen(window: Any) -> None:
    heights = {name: window.menus.menu(name).sizeHint().height() for name in MENUS}
    assert max(heights.values()) <= LOWEST, heights
    assert window.menus.where(window.menus.find("insert.frames")) == "Insert › Marks and frames"
    assert window.menus.where(window.menus.find("insert.drivers")) == "Insert › Drivers"
    assert window.menus.where(window.menus.find("insert.constraints.gear")) == "Insert › Coupled axes"  # fmt: skip
    assert window.menus.where(window.menus.find("insert.beams")) == "Insert › Flexible parts"


def test_the_menus_are_called_by_words(window: Any) -> None:
    for menu in window.menuBar().actions():
        assert menu.text()
        assert menu.icon().isNull(), "an icon would stand in place of the word"
