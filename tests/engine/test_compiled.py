"""Which kernels are compiled: those a model needs, once, and again where their sources changed."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from app.jobs import ahead
from solver.base.places import DEFAULT_SAMPLE, samples
from solver.cli.project_commands import Compiling
from solver.engine.dynamics.tree import Array
from solver.engine.jit import compiled, compiling
from solver.engine.jit.kernels import Kernel, SeparatelyCompiled, marked
from solver.engine.maths.spatial import Table, Three
from solver.project import load_project
from solver.running import warm
from solver.running.simulation import Simulation
from solver.running.warm import NEEDED, Example, Part, parts
from tools.wheel import installed

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Give a folder of sources in the place of the program's."""
    engine = tmp_path / "solver" / "engine"
    for room in compiled.ROOMS:
        (engine / room).mkdir(parents=True)
    monkeypatch.setattr(compiled, "ENGINE", engine)
    monkeypatch.setattr(compiled, "BASE", tmp_path / "cache")
    yield engine
    fresh()


def fresh() -> None:
    compiled.read.cache_clear()
    compiled.folder_of.cache_clear()


def state(*sources: Path) -> str:
    fresh()
    return compiled.fingerprint(*sources)


def test_what_is_compiled_ahead_is_what_is_marked_and_gets_what_it_takes() -> None:
    example = Example()
    names = [part.name for part in parts()]
    assert len(names) == len(set(names))
    ours = {one.__name__ for one in marked if one.__module__.startswith("solver.engine.")}
    # beside them only what Python calls
    called = called_from_python()
    assert set(names) - ours <= called
    assert called <= set(names) | {"fill"}, "all but what draws a picture without a screen"
    assert ours | set(NEEDED) <= set(names)
    for part in parts():
        inspect.signature(part.kernel.py_func).bind(*part.arguments(example))


def called_from_python() -> set[str]:
    """Names of kernels in functions that are none, in all modules of the solver."""
    found = set[str]()
    marks = {"kernel", "entry", "inner", "inlined", "separate"}

    def look(node: ast.AST, module: ModuleType) -> None:
        decorators = getattr(node, "decorator_list", ())
        if marks & {one.id for one in decorators if isinstance(one, ast.Name)}:
            return
        if isinstance(node, ast.Name):
            one = getattr(module, node.id, None)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            of = getattr(module, node.value.id, None)
            one = getattr(of, node.attr, None) if isinstance(of, ModuleType) else None
        else:
            one = None
        if isinstance(one, Kernel | SeparatelyCompiled):
            found.add(one.__name__)
        for part in ast.iter_child_nodes(node):
            look(part, module)

    for file in sorted((ROOT / "solver").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "kernel" in text or "solver.engine" in text:
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            if "jit" not in name and name != warm.__name__:
                look(ast.parse(text), importlib.import_module(name.removesuffix(".__init__")))
    return found


class Numbered(NamedTuple):
    """A record that no model holds."""

    table: Table
    row: Array
    three: Three


def test_types_stand_in_signatures() -> None:
    def taken(a: Table, b: Array, c: Three, d: Numbered, e: bool) -> None:
        """Take all kinds."""

    a, b, c, d, e = Part(Kernel(taken, "entry")).arguments(Example())
    assert (a.ndim, b.ndim, c, e) == (2, 1, (0.0, 0.0, 0.0), False)
    assert isinstance(d, Numbered)
    assert (d.table.ndim, d.row.ndim, d.three) == (2, 1, c)

    def text(words: str) -> None:
        """Take what no kernel can."""

    with pytest.raises(TypeError, match="takes <class 'str'>"):
        Part(Kernel(text, "entry")).arguments(Example())


def test_the_longest_is_compiled_first() -> None:
    sizes = [part.size() for part in parts()]
    assert sizes == sorted(sizes, reverse=True)
    by_name = {part.name: part.size() for part in parts()}
    # what is linked into it counts
    assert by_name["strap_forces"] > 10 * len(
        next(p for p in parts() if p.name == "strap_forces").kernel.py_func.__code__.co_code
    )


@pytest.mark.parametrize("laid", [str, installed], ids=["checkout", "wheel"])
def test_a_changed_kernel_is_never_run_from_an_old_cache(
    tree: Path, laid: Callable[[str], str]
) -> None:
    contacts = tree / "forces" / "contacts"
    contacts.mkdir()
    belts, laws = tree / "forces" / "belts.py", tree / "forces" / "laws.py"
    curve, winds = tree / "maths" / "curve.py", tree / "forces" / "winds.py"
    deepest = contacts / "deepest.py"
    belts.write_text(laid("from solver.engine.forces.laws import (\n    law,\n)\n"))
    laws.write_text(
        laid("from solver.engine.forces.contacts import deepest\ndef law():\n    from solver.engine.maths import curve\n")
    )  # fmt: skip
    deepest.write_text("x = 1\n")
    curve.write_text("x = 1\n")
    winds.write_text(laid("from solver.project.document import Project\n"))
    seen = [state(belts)]
    for source in (belts, laws, curve, deepest):
        source.write_text(source.read_text() + "y = 2\n")
        seen.append(state(belts))
    assert len(set(seen)) == 5, "all that it calls, near and far"
    winds.write_text("y = 2\n")
    assert state(belts) == seen[-1], "what it does not call leaves it as it is"
    assert state(winds) != seen[-1]


def test_modules_of_one_name_are_kept_apart() -> None:
    forces = compiled.ENGINE / "forces"
    one, other = (forces / room / "kernels.py" for room in ("contacts", "airbags"))
    assert compiled.folder_of(one).name.startswith("forces.contacts.kernels-")
    assert compiled.folder_of(other).name.startswith("forces.airbags.kernels-")


def test_the_program_follows_what_it_imports() -> None:
    forces = compiled.ENGINE / "forces"
    far = set(compiled.read(forces / "belts.py")[1])
    assert {forces / "laws.py", compiled.ENGINE / "maths" / "curve.py"} <= far
    assert forces / "airbags" / "kernels.py" not in far


def test_the_cache_is_good_for_every_place_of_the_program() -> None:
    belts = compiled.ENGINE / "forces" / "belts.py"
    locator = compiling.BySource.from_function(compiled.fingerprint, str(belts))
    assert locator is not None
    assert Path(locator.get_cache_path()) == compiled.folder_of(belts)
    assert locator.get_source_stamp() == compiled.folder_of(belts).name
    assert compiling.BySource.from_function(compiled.fingerprint, subprocess.__file__) is None


def test_only_other_versions_of_the_same_module_are_cleared_out(tree: Path) -> None:
    source = tree / "forces" / "belts.py"
    source.write_text("def pull():\n    pass\n")
    names: dict[str, object] = {}
    exec(compile(source.read_text(), str(source), "exec"), names)

    class Kernel:
        py_func = names["pull"]

    others = [compiled.BASE / f"forces.belts-{n}" for n in range(compiled.KEPT + 2)]
    foreign = compiled.BASE / "forces.laws-0"
    for age, folder in enumerate([*others, foreign], start=2):
        folder.mkdir(parents=True)
        os.utime(folder, (1e9 - 1e6 * age, 1e9 - 1e6 * age))
    fresh()
    assert not compiled.is_compiled(Kernel)
    compiled.mark_compiled(Kernel)
    assert compiled.is_compiled(Kernel)
    assert [folder.exists() for folder in others] == [True] * compiled.KEPT + [False] * 2
    assert foreign.exists()


def needed(sample: str) -> set[str]:
    model = Simulation(load_project(samples() / sample)).model
    return {part.name for part in warm.parts() if part.is_needed(model)}


def test_a_model_needs_what_it_has() -> None:
    body, frontal = needed("free_body.json"), needed("frontal.json")
    special = {
        "contact_forces",
        "bag_forces",
        "strap_forces",
        "collide",
        "switch_contact",
        "belt_forces",
    }
    assert not special & body
    assert special - frontal == {"belt_forces", "collide"}
    assert "belt_forces" in needed("lap_belt.json")
    assert "constrain" in needed("four_bar.json")
    assert "advance" in body
    assert "rub" not in frontal


def test_the_default_sample_needs_so_many_kernels_and_each_once() -> None:
    """A first start waits for all of them: one more has to be worth it."""
    model = Simulation(load_project(samples() / f"{DEFAULT_SAMPLE}.json")).model
    names = [part.name for part in parts() if part.is_needed(model)]
    assert len(names) == len(set(names)) <= 36


def test_a_start_without_motions_given_does_not_compile_what_gives_them() -> None:
    """Each process that compiles looks at the smallest model first, and would compile them once more."""
    script = """
import os, sys, tempfile
os.environ["NUMBA_CACHE_DIR"] = sys.argv[1]
from solver.running.warm import Example
Example()
"""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", script, folder], cwd=ROOT, check=True)
        made = [file.name.partition("-")[0] for file in Path(folder).rglob("*.nbc")]
    assert made == ["tree.kinematics"]


RUN = """
import json, sys
from numba import typeof
from solver.engine.jit import call_table
from solver.project import load_project
from solver.running.warm import NEEDED, Example, Part, parts
from solver.running.simulation import Simulation
example = Example()
ahead = {part.name: tuple(map(typeof, part.arguments(example))) for part in parts()}
for name in sys.argv[1:]:
    outcome = Simulation(load_project(name)).go([], cancel=None)
    found = {name.rpartition(".")[2]: one._found for name, one in call_table._all.items()}
    others = [name for name, types in found.items() if set(types) - {ahead[name]}]
    print(json.dumps([outcome.status, {name: len(types) for name, types in found.items()}, others]))
"""


def test_what_a_run_calls_was_compiled_for_it_and_has_one_set_of_types(tmp_path: Path) -> None:
    """Else it would be compiled in the midst of the run, or looked for by name at each call."""
    names, called = ("four_bar", "lap_belt", "pedestrian", "frontal"), set[str]()
    for name in names:
        data = json.loads((samples() / f"{name}.json").read_text())
        data["runs"] = data["runs"][:1]
        data["runs"][0]["duration_s"] = 0.06
        if name == "pedestrian":
            for law in data["contact_laws"]:
                law |= {"friction_law": "bristle"} if "friction" in law else {}
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    files = [str(tmp_path / f"{name}.json") for name in names]
    done = subprocess.run(
        [sys.executable, "-c", RUN, *files], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name, line in zip(names, done.stdout.splitlines(), strict=True):
        status, found, others = json.loads(line)
        assert not others, "called with other types than their signatures say"
        assert status == "completed"
        new = {one for one, count in found.items() if count} - called
        assert new <= needed(str(tmp_path / f"{name}.json"))
        assert new, name
        assert max(found.values()) == 1
        called |= new
    assert "rub" in called


def test_a_run_compiles_what_it_needs_and_nothing_else(tmp_path: Path) -> None:
    """All is in the cache but a kernel of every model, one of airbags and one of harnesses."""
    base = tmp_path / "cache"
    shutil.copytree(compiled.BASE, base, ignore=shutil.ignore_patterns("all-*", "claimed"))
    for name in ("ready", "bag_forces", "strap_forces"):
        found = [*base.rglob(f"*.{name}-*"), *base.rglob(f"{name}.compiled")]
        assert len(found) >= 3
        for file in found:
            file.unlink()
    words = [sys.executable, "main.py", "run", "sample_projects/free_body.json", "-o"]
    done = subprocess.run(
        [*words, str(tmp_path / "out.h5")], cwd=ROOT, capture_output=True, text=True, check=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(base)},
    )  # fmt: skip
    lines = [line for line in done.stderr.splitlines() if "part" in line]
    assert lines
    assert lines[0].endswith("part 1 of 1")
    assert list(base.rglob("ready.compiled"))
    for name in ("bag_forces", "strap_forces"):
        assert not [*base.rglob(f"*.{name}-*"), *base.rglob(f"{name}.compiled")]
    assert not (base / "claimed").exists()


def test_two_processes_share_the_work(tmp_path: Path) -> None:
    (one, *_) = warm.parts()
    assert warm._claimed(tmp_path, one)
    assert not warm._claimed(tmp_path, one)
    (claim,) = tmp_path.iterdir()
    assert claim.read_text() == str(os.getpid())
    os.utime(claim, (1e9, 1e9))
    assert warm._claimed(tmp_path, one), "nobody is at work on it any more"


def test_the_window_compiles_ahead_only_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[list[str]] = []

    class Child:
        ended = 0

        def __init__(self, words: list[str], **_: object) -> None:
            made.append(words)

        def terminate(self) -> None:
            Child.ended += 1

        def wait(self) -> None:
            pass

    monkeypatch.setattr(ahead.subprocess, "Popen", Child)
    for is_done in (True, False):
        monkeypatch.setattr(compiled, "are_all_compiled", lambda is_done=is_done: is_done)
        beside = ahead.CompiledAhead()
        beside.begin()
        beside.close()
    assert [words[1:] for words in made] == [["-m", "solver.running.warm", "--kindly"]]
    assert Child.ended == 1


def test_a_command_says_which_part_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    said = Compiling()
    for done in (0, 1, 2):
        said(done, 2)
    lines = capsys.readouterr().err.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == [
        "part 1 of 2", "part 2 of 2", "part 2 of 2",
    ]  # fmt: skip
