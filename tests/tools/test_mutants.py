"""The list of faults fits the program, and a fault is told as killed only where a test fails."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from tests.rows import rows
from tools.mutants.compiled import reaching
from tools.mutants.listed import ROOT, Fault, Misfit, read_faults
from tools.mutants.score import Outcome, mutants_markdown, share
from tools.mutants.trial import copy_tree, put_in, trial

FAULTS = read_faults()


def test_each_fault_has_a_name_of_its_own_and_says_what_it_breaks() -> None:
    assert len({one.name for one in FAULTS}) == len(FAULTS)
    assert all(one.breaks.endswith(".") and one.tests for one in FAULTS)


@rows("fault", FAULTS, ids=lambda one: one.name)
def test_a_fault_fits_the_tree_and_its_tests_are_there(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text(encoding="utf-8")
    ast.parse(fault.put_in(text))
    assert fault.old != fault.new
    for test in fault.tests:
        # of a test with cases one may be named
        file, _, name = test.partition("[")[0].partition("::")
        assert (ROOT / file).is_file(), test
        assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), test


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Give a small program under version control, with a test that looks at half of it."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "half.py").write_text("def half(x):\n    return x / 2\n\n\nSEEN = 1\nUNSEEN = 1\n")
    (root / "test_half.py").write_text(
        "from half import SEEN, half\n\n\ndef test_half():\n    assert half(2) == SEEN\n"
    )
    (root / ".gitignore").write_text("left_out.py\n")
    (root / "left_out.py").write_text("")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    copy = tmp_path / "copy"
    copy_tree(root, copy)
    return copy


def fault(old: str, new: str, test: str = "test_half.py") -> Fault:
    return Fault("name", "half.py", old, new, (test,), "Something.")


def test_a_copy_has_what_is_to_be_kept_and_gets_its_text_back(tree: Path) -> None:
    assert sorted(one.name for one in tree.iterdir()) == [".gitignore", "half.py", "test_half.py"]
    before = (tree / "half.py").read_bytes()
    with put_in(tree, fault("x / 2", "x / 3")):
        assert b"x / 3" in (tree / "half.py").read_bytes()
    assert (tree / "half.py").read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "killed"),
    [
        ("x / 2", "x / 3", True),
        ("return x / 2", "import os; os.abort()", True),
        ("UNSEEN = 1", "UNSEEN = 2", False),
        # what ends the program after its last test is no failure of one
        ("UNSEEN = 1", "import atexit, os; atexit.register(os._exit, 1)", False),
    ],
)
def test_a_fault_is_killed_where_a_test_fails(tree: Path, old: str, new: str, killed: bool) -> None:
    outcome, said = trial(tree, fault(old, new))
    assert outcome.killed is killed
    assert ("signal" if "abort" in new else "1 failed" if killed else "1 passed") in said


@pytest.mark.parametrize(
    ("old", "new", "test", "why"),
    [
        ("no such text", "x", "test_half.py", "occurs 0 times"),
        ("SEEN = 1", "x", "test_half.py", "occurs 2 times"),
        ("x / 2", "x / 3", "test_half.py::test_gone", "could not be run"),
        ("def half(x):", "def half(x)", "test_half.py", "could not be run"),
    ],
)
def test_what_says_nothing_of_tests_is_refused(
    tree: Path, old: str, new: str, test: str, why: str
) -> None:
    with pytest.raises(Misfit, match=why):
        trial(tree, fault(old, new, test))


def test_whatever_calls_a_changed_kernel_is_compiled_anew(tmp_path: Path) -> None:
    maths, contacts = (
        tmp_path / "solver" / "engine" / room for room in ("maths", "forces/contacts")
    )
    for room in (maths, contacts):
        room.mkdir(parents=True)
    (maths / "low.py").write_text(
        "FACTOR = 3.0\n\n\ndef low(x):\n    return x\n\n\ndef alone():\n    pass\n"
    )
    (maths / "high.py").write_text(
        "from solver.engine.maths.low import FACTOR, alone\nfrom solver.engine.maths.low import low as deep\n\n\n"
        "def middle(x):\n    return deep(x)\n\n\ndef top(x):\n    return middle(x)\n\n\n"
        "def scaled(x):\n    return FACTOR * x\n\n\ndef other():\n    return alone()\n"
    )  # fmt: skip
    (contacts / "low.py").write_text(
        "from solver.engine.maths import high\n\n\n"
        "def low(x):\n    return high.other()\n\n\ndef far(x):\n    return high.top(x)\n"
    )
    changed = Fault("name", "solver/engine/maths/low.py", "old", "return x", ("t",), "Something.")
    assert reaching(tmp_path, changed) == {
        ("maths.low", "low"),
        ("maths.high", "middle"),
        ("maths.high", "top"),
        ("forces.contacts.low", "far"),
    }
    constant = Fault(
        "name", "solver/engine/maths/low.py", "old", "FACTOR = 3.0", ("t",), "Something."
    )
    assert reaching(tmp_path, constant) == {("maths.low", "FACTOR"), ("maths.high", "scaled")}


def test_the_page_tells_each_fault_and_the_share_that_is_killed() -> None:
    page = mutants_markdown()
    assert all(f"`{one.name}`" in page for one in FAULTS)
    two = (fault("a", "b"), Fault("more", "half.py", "a", "b", ("t",), "Something."))
    assert share(two, {"name": Outcome(True, 1.0), "more": Outcome(False, 1.0)}) == 50.0
    assert share(two, {"name": Outcome(True, 1.0)}) == 100.0
