"""Count what makes the code hard or easy to live in: `python -m tools.house [FOLDER]`.

Kernels are all functions in the engine's packages of arrays; everything is counted from the source text alone,
so another checkout can be counted too.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ("maths", "dynamics", "forces", "integrate")
"""Packages of kernels, in `solver` or in `solver/engine`."""
TREES = ("solver", "app", "manikin")
"""Who may be the one importer of a file."""
OTHERS = ("tools", "benchmarks", "validation")
SMALL = 100
WEBBING = "forces.straps."
"""What stands in the names of the modules of webbing."""

_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler)
_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")


@dataclass(frozen=True)
class Figure:
    """One row of the table."""

    what: str
    now: str
    asked: str = ""
    where: str = ""


@dataclass(frozen=True)
class Source:
    """A module: its file, name, tree and number of lines."""

    file: Path
    name: str
    tree: ast.Module
    lines: int


Arrows = dict[str, set[str]]


def figures(top: Path) -> list[Figure]:
    """All figures of the checkout in a folder."""
    sources = modules(top)
    folders = [top / "solver" / inside / name for inside in ("", "engine") for name in KERNELS]
    kernels = [one for one in sources.values() if any(one.file.is_relative_to(f) for f in folders)]
    rooms = (*_of_rooms(top / "solver", sources), *_of_imports(sources))
    return [*_of_kernels(kernels), *rooms, *_of_dummies(top / "docs" / "extending.md")]


def modules(top: Path, trees: Iterable[str] = (*TREES, *OTHERS)) -> dict[str, Source]:
    """All modules of some folders of a checkout, by name."""
    return {one.name: one for one in _sources(top, trees)}


def _sources(top: Path, trees: Iterable[str]) -> Iterator[Source]:
    files = (file for tree in trees for file in sorted((top / tree).rglob("*.py")))
    for file in (*files, *top.glob("main.py")):
        text = file.read_text(encoding="utf-8")
        name = ".".join(file.relative_to(top).with_suffix("").parts).removesuffix(".__init__")
        yield Source(file, name, ast.parse(text), len(text.splitlines()))


def _of_kernels(sources: list[Source]) -> Iterator[Figure]:
    functions = [
        (f"{one.name}.{node.name}", node)
        for one in sources
        for node in ast.walk(one.tree)
        if isinstance(node, ast.FunctionDef)
    ]
    for what, asked, count in (
        ("lines of the longest function of the engine", "130", length),
        ("most branches of one", "30", branches),
        ("most arguments of one (a record is one)", "8", arguments),
    ):
        counted = [(count(node), name) for name, node in functions]
        most, where = max(counted, default=(0, ""))
        above = sum(number > int(asked) for number, _ in counted)
        yield Figure(what, str(most), asked, f"{where}; {above} above {asked}")
    sums = {one.name: written_out(one.tree) for one in sources}
    worst = max(sums, key=lambda name: sums[name], default="")
    yield Figure(
        "sums of three or more products written out in kernels",
        str(sum(sums.values())),
        "100",
        f"{worst}: {sums.get(worst, 0)}",
    )
    names = [name for _, node in functions for name in local_names(node)]
    short = sum(len(name) <= 2 for name in names)
    yield Figure(
        "locals of one or two letters in kernels",
        f"{short / max(len(names), 1):.1%}",
        "40%",
        f"{short:,} of {len(names):,}",
    )
    meanings: dict[str, list[str]] = defaultdict(list)
    for one in sources:
        for name, value in constants(one.tree).items():
            meanings[name].append(value)
    repeated = {name: values for name, values in meanings.items() if len(values) > 1}
    differing = sum(len(set(values)) > 1 for values in repeated.values())
    often = sorted(repeated, key=lambda name: -len(repeated[name]))[:4]
    yield Figure(
        "constants of one name in several modules of kernels",
        str(len(repeated)),
        "10",
        f"{differing} with another value; {', '.join(f'{n} {len(repeated[n])}' for n in often)}; "
        f"{len(meanings)} names in all",
    )


def _of_rooms(solver: Path, sources: dict[str, Source]) -> Iterator[Figure]:
    inside = [entry for entry in solver.iterdir() if entry.name != "__init__.py"]
    packages = sum((entry / "__init__.py").exists() for entry in inside)
    loose = sum(entry.suffix == ".py" for entry in inside)
    yield Figure("packages and loose files directly in solver", f"{packages} + {loose}", "14 + 0")
    for tree, asked in (("solver", "420"), ("app", "290")):
        count = len(list(_within(tree, sources)))
        yield Figure(f"files in {tree}", str(count), asked)
    lines = {tree: sum(one.lines for one in _within(tree, sources)) for tree in ("solver", "app")}
    told = ", ".join(f"{tree} {count:,}" for tree, count in lines.items())
    yield Figure("lines of solver + app", f"{sum(lines.values()):,}", "148,000", told)


def _of_dummies(page: Path) -> Iterator[Figure]:
    """Count the files of the worked example, which a test runs."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    found = re.findall(r"^## A dummy\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    files = [name for section in found for name in re.findall(r"^--- (\S+)$", section, re.M)]
    now = str(len(files)) if files else "no example"
    yield Figure("files that a new dummy touches", now, "2", ", ".join(files))


def _of_imports(sources: dict[str, Source]) -> Iterator[Figure]:
    arrows = arrows_of(sources)
    importers = importers_of(arrows)
    once = [
        one for tree in TREES for one in _within(tree, sources) if len(importers[one.name]) == 1
    ]
    small = sum(one.lines < SMALL for one in once)
    yield Figure("files with one importer", str(len(once)), "220")
    yield Figure(f"of these below {SMALL} lines", str(small), "60")
    of_webbing = webbing(sources, importers)
    yield Figure(
        "files to read to change belt slip",
        str(len(of_webbing)),
        "7",
        ", ".join(name.removeprefix("solver.engine.forces.") for name in of_webbing),
    )
    rooms: Arrows = defaultdict(set)
    for name, targets in arrows.items():
        rooms[room(name)] |= {room(target) for target in targets} - {room(name)}
    yield Figure(
        "arrows between packages",
        str(sum(map(len, rooms.values()))),
        "",
        f"{len(rooms)} packages and loose files",
    )
    for what, graph in (("packages", rooms), ("modules", arrows)):
        found = circles(graph)
        yield Figure(f"circles of {what}", str(len(found)), "0", "; ".join(map(", ".join, found)))


def arrows_of(sources: Mapping[str, Source]) -> Arrows:
    """What each module imports."""
    return {name: imported(one.tree, set(sources)) - {name} for name, one in sources.items()}


def importers_of(arrows: Arrows) -> Arrows:
    """Who of the program imports each module."""
    found: Arrows = defaultdict(set)
    for name, targets in arrows.items():
        for target in targets:
            if name.split(".")[0] in TREES:
                found[target].add(name)
    return found


def webbing(sources: Mapping[str, Source], importers: Mapping[str, set[str]]) -> list[str]:
    """The modules of webbing: those of the package of straps, and all that no others import."""
    found = {name for name, one in sources.items() if WEBBING in name and _says_something(one)}
    while True:
        more = {
            name
            for name, by in importers.items()
            if by and by <= found and _says_something(sources[name])
        }
        if more <= found:
            return sorted(found)
        found |= more


def _says_something(one: Source) -> bool:
    return one.file.name != "__init__.py"


def _within(tree: str, sources: dict[str, Source]) -> Iterator[Source]:
    return (one for name, one in sources.items() if name.split(".")[0] == tree)


def length(function: ast.FunctionDef) -> int:
    """Lines of a function from its `def` on."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def branches(function: ast.FunctionDef) -> int:
    """Ways through a function as McCabe counts them: each `and` and `or` is one more."""
    nodes = list(ast.walk(function))
    joined = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return 1 + joined + sum(isinstance(node, _BRANCHES) for node in nodes)


def arguments(function: ast.FunctionDef) -> int:
    """Arguments of a function; a tuple of named parts is one."""
    given = function.args
    return len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)


def written_out(tree: ast.AST) -> int:
    """Sums of three or more products, such as `a * x + b * y + c * z`; those within another count too."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub):
        terms = list(_terms(tree))
        inner = sum(written_out(part) for term in terms for part in ast.iter_child_nodes(term))
        return inner + (sum(map(_is_product, terms)) >= 3)
    return sum(written_out(part) for part in ast.iter_child_nodes(tree))


def _terms(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms(node.left)
        yield from _terms(node.right)
    else:
        yield node


def _is_product(node: ast.expr) -> bool:
    while isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)


def local_names(function: ast.FunctionDef) -> set[str]:
    """Names that a function sets, without its arguments."""
    nodes = (node for node in ast.walk(function) if isinstance(node, ast.Name))
    return {node.id for node in nodes if isinstance(node.ctx, ast.Store)}


def constants(tree: ast.Module) -> dict[str, str]:
    """Upper-case names that a module sets, each with its value as it is written."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name: value for one in targets for name, value in _set(one, node.value)}
    return {name: value for name, value in found.items() if _CONSTANT.fullmatch(name)}


def _set(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    if isinstance(target, ast.Name):
        yield target.id, ast.unparse(value)
    elif isinstance(target, ast.Tuple):
        parts = value.elts if isinstance(value, ast.Tuple) else []
        for place, one in enumerate(target.elts):
            if isinstance(one, ast.Name):
                whole = f"{ast.unparse(value)}[{place}]"
                yield one.id, ast.unparse(parts[place]) if place < len(parts) else whole


def imported(tree: ast.AST, known: Iterable[str]) -> set[str]:
    """Those of the known modules which a module imports anywhere in it, for the type checker too."""
    all_known, found = set(known), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inside if inside <= all_known else {node.module, *inside}
    return found & all_known


def room(module: str) -> str:
    """The package or loose file of `solver`, or the tree, in which a module stands."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "solver" else parts[0]


def circles(arrows: Arrows) -> list[list[str]]:
    """Groups of modules, each of which reaches the others of its group (Tarjan 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    open_now: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        open_now.append(name)
        for target in sorted(arrows.get(name, ())):
            if target not in order:
                visit(target)
            if target in open_now:
                low[name] = min(low[name], low[target])
        if low[name] == order[name]:
            at = open_now.index(name)
            if len(open_now) - at > 1:
                found.append(sorted(open_now[at:]))
            del open_now[at:]

    for name in sorted(arrows):
        if name not in order:
            visit(name)
    return found


def table(rows: list[Figure]) -> str:
    """The figures as a table in Markdown."""
    head = ("figure", "now", "asked", "where")
    cells = [head, *((row.what, row.now, row.asked, row.where) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(3)]
    lines = [
        f"| {row[0]:<{widths[0]}} | {row[1]:>{widths[1]}} | {row[2]:>{widths[2]}} | {row[3]} |"
        for row in cells
    ]
    rule = f"|{'-' * (widths[0] + 2)}|{'-' * (widths[1] + 1)}:|{'-' * (widths[2] + 1)}:|---|"
    return "\n".join([lines[0], rule, *lines[1:]])


def main(say: Callable[[str], object] = print) -> int:
    """Print the table."""
    arguments = argparse.ArgumentParser(prog="tools.house", description=__doc__)
    arguments.add_argument("folder", nargs="?", type=Path, default=ROOT, help="a checkout")
    say(table(figures(arguments.parse_args().folder)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
