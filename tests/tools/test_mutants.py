"""The list of faults fits the program, and a fault is told as killed only where a test fails."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from tests.rows import rows
from tools.mutants import nearest
from tools.mutants.changes import spots
from tools.mutants.compiled import reaching
from tools.mutants.drawing import SCOPES, draw
from tools.mutants.drawn import drawn_markdown, equivalent, read_draws
from tools.mutants.listed import ROOT, Fault, Misfit, read_faults
from tools.mutants.score import Outcome, mutants_markdown, share
from tools.mutants.swapped import CANNOT, Server
from tools.mutants.trial import ALL_PASSED, SOME_FAILED, copy_tree, put_in, trial

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


SOURCE = '''
"""Text."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import this

LIMIT = 3
WIDTH_PX = 240


class Lamp:
    """Text."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._high = low, high

    def __repr__(self) -> str:
        return "a" if self._low > 1 else "b"

    def lit(self, by: float, names: list[str]) -> bool:
        if len(names) > LIMIT and not by:
            raise ValueError(f"{1 + 1} of " + "names")
        names.append("one")
        self.update()
        self.resize(3 + 4, 5)
        return max(by, -self._low) == clip(by, self._high) - 2.0
'''


def test_places_of_a_source_and_what_they_may_become() -> None:
    found = [
        (one.function, one.text, {change.new for change in one.changes})
        for one in spots(SOURCE.encode())
    ]
    sum_ = "clip(by, self._high) - 2.0"
    whole = f"max(by, -self._low) == {sum_}"
    assert [(function.rpartition(".")[2], text, new) for function, text, new in found] == [
        ("", "3", {"4"}),
        ("lit", "len(names) > LIMIT and not by", {"True", "False"}),
        ("lit", "len(names) > LIMIT and not by", {"((len(names) > LIMIT) or (not by))"}),
        ("lit", "len(names) > LIMIT", {"(len(names)) <= (LIMIT)", "(len(names)) >= (LIMIT)"}),
        ("lit", "not by", {"(by)"}),
        ("lit", 'raise ValueError(f"{1 + 1} of " + "names")', {"pass"}),
        ("lit", 'names.append("one")', {"pass"}),
        ("lit", f"return {whole}", {f"return not ({whole})"}),
        ("lit", whole, {f"(max(by, -self._low)) != ({sum_})"}),
        ("lit", "max(by, -self._low)", {"min"}),
        ("lit", "-self._low", {"(self._low)"}),
        ("lit", "self._low", {"self._high"}),
        ("lit", sum_, {"((clip(by, self._high)) + (2.0))"}),
        ("lit", "clip(by, self._high)", {"clip(self._high, by)"}),
        ("lit", "self._high", {"self._low"}),
        ("lit", "2.0", {"3.0"}),
    ]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Give a small program with three files of tests, one of which does not know its module."""
    text = {
        "app/lamps.py": SOURCE,
        "app/others.py": "def other():\n    return 2\n",
        "tests/app/test_lamps.py": "from app.lamps import Lamp\n\n\ndef test_dark():\n    Lamp(1.0, 2.0)\n\n\n"
        "def test_lit():\n    Lamp(1.0, 2.0).lit(2.0, [])\n",
        "tests/app/test_lit.py": "assert lamp.lit(2.0, []) and lamp.lit(3.0, [])\n",
        "tests/app/test_others.py": "from app.others import other\n",
        "tests/model/test_lamps.py": "from app.lamps import Lamp\n",
    }
    for name, content in text.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def test_a_draw_stays_what_it_was_where_the_program_does(program: Path) -> None:
    first = draw("app", 5, 1, program, kernels=True)
    assert len({one.name for one in first}) == 5
    assert draw("app", 3, 1, program, kernels=True) == first[:3]
    assert draw("app", 5, 2, program, kernels=True) != first
    lamps = program / "app" / "lamps.py"
    lamps.write_text(f"NONE = None\n\n\n{SOURCE}", encoding="utf-8")
    again = draw("app", 5, 1, program, kernels=True)
    assert [one.name for one in again] == [one.name for one in first]
    for one in again:
        text = one.fault(("test",), program).put_in(
            (program / one.file).read_text(encoding="utf-8")
        )
        assert text != lamps.read_text(encoding="utf-8")
        ast.parse(text)


def test_near_is_what_imports_a_module_or_knows_its_names(program: Path) -> None:
    assert nearest.files("app/lamps.py", program) == ["tests/app/test_lamps.py", "tests/app/test_lit.py", "tests/app/test_others.py"]  # fmt: skip
    assert nearest.files("app/others.py", program, 1) == ["tests/app/test_others.py"]
    inside = next(
        one for one in draw("app", 99, 1, program, kernels=True) if one.spot.function == "Lamp.lit"
    )
    assert nearest.chosen(inside, program, 1) == ("tests/app/test_lamps.py::test_lit",)


def test_a_drawn_fault_with_which_nothing_can_be_run_is_found(tree: Path) -> None:
    outcome, _ = trial(tree, fault("UNSEEN = 1", "raise ValueError"), may_stop_all=True)
    assert outcome.killed
    with pytest.raises(Misfit, match="could not be run"):
        trial(tree, fault("x / 2", "x / 3", "test_half.py::test_gone"), may_stop_all=True)


def test_a_loaded_program_takes_a_fault_in_a_function_and_is_sound_again(tree: Path) -> None:
    (tree / "tools").symlink_to(ROOT / "tools")
    part, before = (
        tree / "part",
        "PART = 2\n\n\nclass Of:\n    def half(self, x):\n        return x / PART\n",
    )
    part.mkdir()
    (part / "__init__.py").write_text("")
    (part / "of.py").write_text(before)
    (tree / "test_of.py").write_text(
        "from part.of import Of\n\n\ndef test_half():\n    assert Of().half(2) == 1\n"
    )
    with Server(tree, "part", 60.0) as server:
        for old, new, line, code in (
            ("x / PART", "x / 3", 6, SOME_FAILED),
            ("x / PART", "x / PART", 6, ALL_PASSED),
            ("x / PART", "(", 6, CANNOT),
            ("PART = 2", "PART = 3", 1, CANNOT),
        ):
            source = before.replace(old, new).encode()
            assert server.run("part/of.py", source, line, ["test_of.py"])[0] == code


def test_what_changes_nothing_was_drawn_and_the_page_says_why() -> None:
    known, same, page = read_draws(), equivalent(), drawn_markdown()
    names = {name for scope in SCOPES for name in known.names(scope)}
    for name, why in same.items():
        assert name in names
        assert not known.rows[name].killed
        assert why in page
    assert all(f"| {name} |" in page for name in names)
