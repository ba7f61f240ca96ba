"""Keep what a fault in a kernel leaves as it is compiled, so that only what calls it is compiled again.

The folders of the cache are named after the sources of whole modules, so a fault would have all
modules compiled that import its own. Here the folders of the sound kernels are copied under the
faulty ones' names, without the kernels that reach the fault.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from solver.engine.jit.compiled import ENGINE, ROOMS, folder_of
from solver.engine.jit.compiling import MARK
from tools.mutants.listed import Fault

ASK = """
from solver.engine.jit.compiled import ENGINE, ROOMS, folder_of
for room in ROOMS:
    for source in (ENGINE / room).rglob("*.py"):
        print(folder_of(source), source.relative_to(ENGINE))
"""

Place = tuple[str, str]
"""A module's name within the engine, and a name defined at its top."""


def provide(tree: Path, fault: Fault, base: Path) -> None:
    """Fill the cache under `base` for the faulty `tree` from the sound kernels' folders."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(base), "PYTHONPATH": str(tree)}
    said = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=tree, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    reached = reaching(tree, fault)
    for line in said.stdout.splitlines():
        faulty, _, source = line.rpartition(" ")
        folder, sound = Path(faulty), folder_of(ENGINE / source)
        module = _dotted(ENGINE, ENGINE / source)
        for file in sorted(sound.glob("*")):
            if (module, _kernel_of(file)) in reached:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            if file.suffix == ".nbi":
                _rename(file, folder / file.name, sound.name, folder.name)
            else:
                shutil.copyfile(file, folder / file.name)


def _kernel_of(file: Path) -> str:
    """The name of the kernel to which a file of the cache belongs."""
    if file.suffix == ".compiled":
        return file.stem
    return file.name.split(".", 1)[1].split("-")[0].split(".")[0]


def _rename(file: Path, copy: Path, old: str, new: str) -> None:
    """Copy an index under the faulty folder's name, without its checksum, which no more fits."""
    content = file.read_bytes()
    copy.write_bytes(content[: content.rfind(MARK)].replace(old.encode(), new.encode()))


def reaching(tree: Path, fault: Fault) -> set[Place]:
    """Find what a fault changes, and whatever uses that, through all kernels."""
    uses: dict[Place, set[Place]] = {}
    engine = tree / "solver" / "engine"
    for room in ROOMS:
        for file in (engine / room).rglob("*.py"):
            module = _dotted(engine, file)
            for name, found in _defined(file, module):
                uses.setdefault((module, name), set()).update(found)
    place = tree / fault.file
    text = place.read_text(encoding="utf-8")
    first = text[: _place_of(fault, text)].count("\n") + 1
    last = first + fault.new.count("\n")
    reached = {
        (_dotted(engine, place), name)
        for statement in ast.parse(text).body
        if statement.lineno <= last and first <= (statement.end_lineno or 0)
        for name in _names(statement)
    }
    while True:
        more = {user for user, used in uses.items() if used & reached} - reached
        if not more:
            return reached
        reached |= more


def _place_of(fault: Fault, text: str) -> int:
    """Where a fault stands, by the sound program: its new text may be empty, or stand elsewhere too."""
    sound = ENGINE.parent.parent / fault.file
    if sound.is_file():
        return sound.read_text(encoding="utf-8").index(fault.old)
    return text.index(fault.new)


def _dotted(engine: Path, file: Path) -> str:
    return ".".join(file.relative_to(engine).with_suffix("").parts)


def _names(statement: ast.stmt) -> set[str]:
    """What a statement at the top of a module defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    nodes = ast.walk(statement)
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _defined(file: Path, module: str) -> Iterator[tuple[str, set[Place]]]:
    """Give what a module defines at its top, and what each of it uses."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    known: dict[str, Place] = {}
    for statement in body:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            home = statement.module.removeprefix("solver.engine.")
            known |= {a.asname or a.name: (home, a.name) for a in statement.names}
        known |= {name: (module, name) for name in _names(statement)}
    for statement in body:
        used: set[Place] = set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id in known:
                used.add(known[node.id])
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                used.add((".".join(known.get(node.value.id, ())), node.attr))
        for name in _names(statement):
            yield name, used
