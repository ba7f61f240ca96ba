"""Tests wait for what is to come about, never by the clock: that is too short on a busy machine, and too long on all others."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).parent.parent
WAITS = {("time", "sleep"), ("qtbot", "wait"), ("QTest", "qWait"), ("QTest", "qSleep")}

SLOW = {
    "results/test_results_salvaged.py": 1,
    "project/test_saving.py": 1,
    "running/test_stopping.py": 5,
}
"""Here work is made slow, or ended at odd moments, on purpose: nothing is waited for."""

LONG_MS = 20_000
LIMITED = {"waitUntil": 1, "waitSignal": 1, "waitExposed": 1, "waitActive": 1,
           "qWaitForWindowExposed": 1, "qWaitForWindowActive": 1}  # fmt: skip
"""What gives up after a time, and where that stands among what it is given, if it has no name."""


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


def impatient(text: str) -> list[int]:
    """Give the lines in which a busy machine is given up soon, or something is done after a time, whatever has come."""
    if not any(f"{name}(" in text for name in (*LIMITED, "singleShot")):
        return []
    return sorted(
        one.lineno
        for one in ast.walk(ast.parse(text))
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and _is_soon(one)
    )


def _is_soon(call: ast.Call) -> bool:
    assert isinstance(call.func, ast.Attribute)
    name = call.func.attr
    if name == "singleShot":
        return bool(call.args) and getattr(call.args[0], "value", 1) != 0
    if name not in LIMITED:
        return False
    named = [key.value for key in call.keywords if key.arg == "timeout"]
    limit = named or call.args[LIMITED[name] :]
    if not limit:
        return True
    return isinstance(limit[0], ast.Constant) and float(str(limit[0].value)) < LONG_MS


def of_all(count: Callable[[str], int]) -> Counter[str]:
    files = {one.relative_to(TESTS).as_posix(): one for one in TESTS.rglob("*.py")}
    return +Counter({name: count(one.read_text(encoding="utf-8")) for name, one in files.items()})


def test_no_test_waits_by_the_clock() -> None:
    assert of_all(waits) == Counter(SLOW), "wait for a condition (tests/window/waiting.py)"


def test_no_test_gives_up_soon() -> None:
    assert not of_all(lambda text: len(impatient(text))), "20 s or more; `once` for what is to come"


def test_waits_are_found() -> None:
    assert waits("time.sleep(1)\nplay.qtbot.wait(5)\nfor _ in range(3):\n    QTest.qWait(1)") == 3
    assert waits("while not done():\n    QTest.qWait(1)") == 0
    assert waits("while True:\n    time.sleep(1)") == 1
    assert waits("work.wait(1)\nqtbot.waitUntil(done, timeout=60_000)") == 0


def test_short_limits_are_found() -> None:
    soon = "q.waitUntil(f)\nq.waitUntil(f, timeout=5000)\nq.waitUntil(f, 100)\nQTest.qWaitForWindowActive(w)\nQTimer.singleShot(5, f)"
    assert impatient(soon) == [1, 2, 3, 4, 5]
    assert impatient("q.waitUntil(f, timeout=20_000)\nQTimer.singleShot(0, f)\nq.waitUntil(f, timeout=given)") == []  # fmt: skip
