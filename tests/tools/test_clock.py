"""Tests wait for what is to come about, never by the clock: that is too short on a busy machine, and too long on all others."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parent.parent
WAITS = {("time", "sleep"), ("qtbot", "wait"), ("QTest", "qWait"), ("QTest", "qSleep")}

SLOW = {"test_results_salvaged.py": 1, "test_saving.py": 1, "test_stopping.py": 5}
"""Here work is made slow, or ended at odd moments, on purpose: nothing is waited for."""

LEFT = {
    "test_stopping.py": 1,
    "window/playing.py": 6,
    "window/test_accessible.py": 2,
    "window/test_certify.py": 2,
    "window/test_dialogs.py": 3,
    "window/test_docks.py": 2,
    "window/test_guide.py": 1,
    "window/test_inspector.py": 2,
    "window/test_kept_runs.py": 3,
    "window/test_library_dialog.py": 1,
    "window/test_made_up.py": 1,
    "window/test_new_crash.py": 2,
    "window/test_opened_in_turns.py": 3,
    "window/test_plain.py": 2,
    "window/test_plot_pages.py": 1,
    "window/test_plots.py": 2,
    "window/test_preferences.py": 2,
    "window/test_run_going_on.py": 1,
    "window/test_run_told.py": 2,
    "window/test_side_by_side.py": 2,
    "window/test_skins_made_beside.py": 9,
    "window/test_stories.py": 1,
    "window/test_story_long_edit.py": 1,
    "window/test_studies.py": 2,
    "window/test_studies_report.py": 1,
    "window/test_tour.py": 2,
    "window/test_whatif.py": 1,
    "window/test_window.py": 1,
}
"""Waits of before, by file: each is to become one for a condition. None may be added; who takes one away counts anew."""


def waits(text: str) -> int:
    """Count waits of a fixed time; one in a `while` looks for a condition again and again."""
    may = any(f"{name}(" in text for _, name in WAITS)
    return _count(ast.parse(text), in_while=False) if may else 0


def _count(node: ast.AST, in_while: bool) -> int:
    found = 0
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not in_while:
        owner = node.func.value
        who = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
        found += (who, node.func.attr) in WAITS
    looks = isinstance(node, ast.While) and not isinstance(node.test, ast.Constant)
    return found + sum(_count(one, in_while or looks) for one in ast.iter_child_nodes(node))


def test_no_test_waits_by_the_clock() -> None:
    files = {one.relative_to(TESTS).as_posix(): one for one in TESTS.rglob("*.py")}
    found = Counter({name: waits(one.read_text(encoding="utf-8")) for name, one in files.items()})
    assert +found == Counter(SLOW) + Counter(LEFT), (
        "wait for a condition (qtbot.waitUntil), with a long limit"
    )


def test_waits_are_found() -> None:
    assert waits("time.sleep(1)\nplay.qtbot.wait(5)\nfor _ in range(3):\n    QTest.qWait(1)") == 3
    assert waits("while not done():\n    QTest.qWait(1)") == 0
    assert waits("while True:\n    time.sleep(1)") == 1
    assert waits("work.wait(1)\nqtbot.waitUntil(done, timeout=60_000)") == 0
