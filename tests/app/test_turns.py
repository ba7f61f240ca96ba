"""What can wait is done in turns of the event loop, one thing in each."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QTimer

from app.jobs.turns import Turns

pytestmark = pytest.mark.window


def test_one_thing_a_turn_and_what_comes_meanwhile_between(qapp: Any) -> None:
    turns, done = Turns(), list[str]()

    def first() -> None:
        done.append("first")
        turns.add(lambda: done.append("third"))

    turns.add(first)
    turns.add(lambda: done.append("second"))
    assert done == [], "nothing is done at once"
    seen = []
    watch = QTimer(interval=0)
    watch.timeout.connect(lambda: seen.append(len(done)))
    watch.start()
    for _ in range(50):
        qapp.processEvents()
    assert done == ["first", "second", "third"]
    assert {1, 2, 3} <= set(seen), "others have their turn between any two"
    turns.add(lambda: done.append("too late"))
    turns.clear()
    for _ in range(5):
        qapp.processEvents()
    assert "too late" not in done
