"""Facts of a model as a mechanism: who carries whom, freedoms, loops, mobility, and rows of constraint that say nothing new."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from solver.analysis.equilibrium.skeleton import ACTING, Bound, bound, skeleton
from solver.analysis.equilibrium.statics import Statics
from solver.analysis.mechanism.counting import Operations, operations
from solver.analysis.mechanism.graph import Edge, LinearGraph
from solver.base.words import Sentence
from solver.engine.dynamics.tree import DRIVEN, HELD, SPEEDS, Array, IntArray
from solver.model.compile import Model, compile_model
from solver.project.checks import Checked, checked
from solver.project.document import LISTS, Project
from solver.project.expanding import expanded
from solver.project.fields import Element
from solver.project.joint_table import carrying
from solver.project.links import FixedDistance, ZeroDistance
from solver.project.motions import FrameDriver
from solver.project.problems import listed
from solver.project.segments import GROUND

BINDING = tuple(
    name
    for name in LISTS
    if name not in ACTING
    and name not in ("segments", "joints", "planes", "functions", "motions", "drivers", "frames", "unit_systems", "runs")
)  # fmt: skip
"""Lists whose elements bind segments by rows."""

SAYS = 1e-8
"""Part of itself that a row must add to those before it to say something new."""

BESIDE = 0.02
"""How far (rad, or as many metres) a pose lies beside the start, in which the rank is looked for again."""


@dataclass(frozen=True, slots=True)
class RowFact:
    """One row of constraint: its name, its element, and if it is redundant the rows it follows from (none: nothing can move that way)."""

    name: str
    element: str
    redundant: bool
    follows_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop: the element that closes it, and the joints on the way around."""

    closed_by: str
    around: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """What a model is as a mechanism, at its start.

    `carried_by` names for each segment the one that carries it, or the ground: Huston's array L(k) in names; `parents` is that array.
    `joint_freedoms` counts the freedoms of each joint; `open` are the speeds that are neither locked nor driven, `coordinates` the numbers that say where
    all is. `gruebler` is `open` less all rows, `mobility` is `open` less their rank: what the model can really do. They differ by the rows that are redundant.
    """

    carried_by: dict[str, str]
    joint_freedoms: dict[str, int]
    speeds: int
    coordinates: int
    open: int
    driven: int
    rows: tuple[RowFact, ...]
    rank: int
    rank_beside: int
    """Rank in a pose beside the start: if it is larger the start is a singular position."""
    rank_of_places: int
    loops: tuple[Loop, ...]
    graph: LinearGraph
    """Ground and segments as vertices; joints as edges, whatever stands free, and the elements that close loops."""
    model: Model
    """The compiled model."""

    @property
    def segments(self) -> tuple[str, ...]:
        """Name the segments in their order: body k of `parents` is the k-th."""
        return tuple(self.carried_by)

    @property
    def parents(self) -> tuple[int, ...]:
        """The body connection array L(k): the number of the body that carries body k, from 1; 0 is the ground."""
        number = {name: n for n, name in enumerate(self.segments, 1)} | {GROUND: 0}
        return tuple(number[name] for name in self.carried_by.values())

    @property
    def connection_table(self) -> tuple[tuple[int, ...], ...]:
        """The arrays L^0(k), L^1(k), ... until all bodies have come to the ground."""
        whole, rows = (0, *self.parents), [tuple(range(1, len(self.segments) + 1))]
        while any(rows[-1]):
            rows.append(tuple(whole[k] for k in rows[-1]))
        return tuple(rows)

    @property
    def without_joints(self) -> int:
        """6 N: the freedoms of the segments if nothing held them."""
        return 6 * len(self.segments)

    @property
    def mobility(self) -> int:
        """How many speeds can be chosen: those that are open less the rank of all rows."""
        return self.open - self.rank

    @property
    def gruebler(self) -> int:
        """The count of Grübler (Kutzbach, Chebyshev): open freedoms less all rows, as if each row said something new."""
        return self.open - len(self.rows)

    @property
    def redundant(self) -> tuple[str, ...]:
        """Name the rows that say nothing new."""
        return tuple(row.name for row in self.rows if row.redundant)

    @property
    def is_singular(self) -> bool:
        """Whether rows that differ beside the start are one at it, as at a dead centre."""
        return self.rank_beside > self.rank

    @cached_property
    def operations(self) -> tuple[Operations, ...]:
        """Count multiplications and additions of an evaluation by part: motions, accelerations, and what constraints take."""
        return operations(self.model)

    def as_data(self) -> dict[str, Any]:
        """Give them as plain data."""
        graph = self.graph
        return {
            "segments": len(self.segments),
            "without_joints": self.without_joints,
            "carried_by": self.carried_by,
            "parents": list(self.parents),
            "joint_freedoms": self.joint_freedoms,
            "coordinates": self.coordinates,
            "speeds": self.speeds,
            "open": self.open,
            "driven": self.driven,
            "rank": self.rank,
            "mobility": self.mobility,
            "gruebler": self.gruebler,
            "singular": self.is_singular,
            "redundant": list(self.redundant),
            "rows": [asdict(row) for row in self.rows],
            "loops": [asdict(loop) for loop in self.loops],
            "edges": [one._asdict() for one in graph.edges],
            "tree": [graph.edges[n].name for n in graph.branches],
            "incidence": graph.incidence.tolist(),
            "cutsets": graph.cutset.tolist(),
            "circuits": graph.circuit.tolist(),
            "operations": [one._asdict() for one in self.operations],
        }

    def sentences(self) -> Iterator[Sentence]:
        """Say them in short sentences."""
        yield Sentence(
            "Segments: {segments}, with {loose} freedoms; joints leave {speeds} of them, {open} open and {driven} driven.",
            segments=len(self.segments), loose=self.without_joints, speeds=self.speeds, open=self.open, driven=self.driven,
        )  # fmt: skip
        yield Sentence(
            "A state has {state} numbers: {coordinates} coordinates and {speeds} speeds; with Euler parameters for each segment it would have {thirteen}.",
            state=self.coordinates + self.speeds, coordinates=self.coordinates, speeds=self.speeds, thirteen=13 * len(self.segments),
        )  # fmt: skip
        yield Sentence("L(k): {parents}", parents=", ".join(map(str, self.parents)))
        if not self.rows:
            yield Sentence("No loops: mobility {mobility}.", mobility=self.mobility)
            return
        yield Sentence(
            "Loops: {loops}, with {rows} rows of constraint, {rank} of them independent: mobility {mobility}, by Grübler's count {gruebler}.",
            loops=len(self.loops), rows=len(self.rows), rank=self.rank, mobility=self.mobility, gruebler=self.gruebler,
        )  # fmt: skip
        for loop in self.loops:
            yield Sentence(
                "'{element}' closes the loop {around}.", element=loop.closed_by, around=" – ".join(loop.around)
            )  # fmt: skip
        for row in self.rows:
            if row.redundant and row.follows_from:
                yield Sentence(
                    "'{row}' says nothing new: it follows from {others}.", row=row.name, others=listed(row.follows_from)
                )  # fmt: skip
            elif row.redundant:
                yield Sentence("'{row}' says nothing new: nothing can move that way.", row=row.name)
        if self.is_singular:
            yield Sentence(
                "The start is a singular position: beside it {rank} rows are independent.",
                rank=self.rank_beside,
            )


def facts(project: Project | Checked) -> Facts:
    """Find the facts of a model; raises ProjectError where it has errors."""
    ready = checked(project)
    project = expanded(ready.project)
    bare = skeleton(project)
    statics = Statics(bare)
    statics.evaluate(statics.q)
    model, tree = statics.model, statics.tree
    speeds = np.array([s for b in statics.open for s in statics.speeds_of(int(b))], np.int64)
    measure = np.sqrt(np.maximum(np.diag(statics.mass(statics.columns(np.eye(len(statics.rest))))), 1e-30))  # fmt: skip
    whole = bound(statics)
    named = list(_named_rows(bare, statics))
    rows = np.array([row for _, _, row, _ in named]).reshape(-1, len(statics.rest))
    scaled = (rows / measure)[:, speeds]
    told, independent = _told([(name, element) for name, element, _, _ in named], scaled, rows / measure)  # fmt: skip
    joints = {
        joint.id: sum(
            SPEEDS[tree.kind[b]] for b in model.trees.joints[joint.id].bodies if model.system.locked[b] != HELD
        )
        for joint in carrying(project.joints)
    }  # fmt: skip
    carriers = {j.child: j.parent for j in carrying(project.joints)}
    graph, loops = _graph(project, statics, named)
    driven = [b for b in range(len(tree.parent)) if model.system.locked[b] == DRIVEN]
    seen = [b for b in range(len(tree.parent)) if model.system.locked[b] != HELD]
    return Facts(
        carried_by={one.id: carriers.get(one.id, GROUND) for one in project.segments},
        joint_freedoms={name: int(count) for name, count in joints.items()},
        speeds=int(sum(SPEEDS[tree.kind[b]] for b in seen)),
        coordinates=int(sum(_COORDINATES.get(int(tree.kind[b]), SPEEDS[tree.kind[b]] + 1) for b in seen)),
        open=len(speeds),
        driven=int(sum(SPEEDS[tree.kind[b]] for b in driven)),
        rows=told,
        rank=independent,
        rank_beside=max(independent, _rank_beside(statics, speeds, measure, whole)),
        rank_of_places=_rank((whole.rows[whole.held] / measure)[:, speeds]),
        loops=loops,
        graph=graph,
        model=compile_model(ready),
    )  # fmt: skip


_COORDINATES = {0: 1, 1: 1}
"""Coordinates of a turn and a slide; a ball and a free body have one more than speeds."""

Named = tuple[str, str, Array, tuple[int, ...]]
"""A row's name, its element, itself over all speeds, and the bodies that it binds."""


def _named_rows(bare: Project, statics: Statics) -> Iterator[Named]:
    """The rows of each element alone, in the pose of the start."""
    nothing: dict[str, object] = dict.fromkeys(BINDING, ())
    for name in BINDING:
        for element in getattr(bare, name):
            alone = Statics(bare.model_copy(update=nothing | {name: (element,)}))
            alone.evaluate(statics.q)
            found, used = bound(alone), alone.work.rows
            numbers = [r for r in range(int(used.used[0])) if used.soft[r] == 0.0] if alone.model.rows else []  # fmt: skip
            for n, (row, r) in enumerate(zip(found.rows, numbers, strict=True)):
                bodies = tuple(int(b) for b in used.body[r])
                yield _name(element, n, len(numbers)), element.id, row, bodies


def _name(element: Element, n: int, of: int) -> str:
    """Name one row of an element."""
    if isinstance(element, ZeroDistance) and of == 3:
        return f"{element.id}/{'xyz'[n]}"
    if isinstance(element, FixedDistance) and of == 1:
        return f"{element.id}/distance"
    if isinstance(element, FrameDriver) and of == 1:
        return f"{element.id}/{element.component}"
    names = getattr(element, "row_names", ())
    if len(names) == of:
        return f"{element.id}/{names[n]}"
    return element.id if of == 1 else f"{element.id}/{n + 1}"


def _told(
    names: list[tuple[str, str]], rows: Array, whole: Array
) -> tuple[tuple[RowFact, ...], int]:
    """Say of each row whether it follows from those before it; count the others."""
    out, kept, basis = [], list[int](), np.zeros((0, rows.shape[1]))
    for n, ((name, element), row) in enumerate(zip(names, rows, strict=True)):
        size = float(np.linalg.norm(whole[n]))
        rest = row - basis.T @ (basis @ row)
        rest = rest - basis.T @ (basis @ rest)
        left = float(np.linalg.norm(rest))
        if left > SAYS * size:
            basis = np.vstack([basis, rest / left])
            kept.append(n)
            out.append(RowFact(name, element, redundant=False))
            continue
        follows = tuple[str, ...]()
        if float(np.linalg.norm(row)) > SAYS * size:
            parts = np.linalg.lstsq(rows[kept].T, row, rcond=None)[0]
            follows = tuple(
                names[k][0] for k, part in zip(kept, parts, strict=True)
                if abs(part) * float(np.linalg.norm(rows[k])) > 1e-6 * float(np.linalg.norm(row))
            )  # fmt: skip
        out.append(RowFact(name, element, redundant=True, follows_from=follows))
    return tuple(out), len(kept)


def _rank(rows: Array) -> int:
    sizes = np.linalg.norm(rows, axis=1)
    keep = sizes > SAYS * max(float(sizes.max(initial=0.0)), 1e-300)
    if not keep.any():
        return 0
    values = np.linalg.svd(rows[keep] / sizes[keep, None], compute_uv=False)
    return int(np.sum(values > SAYS * values[0]))


def _rank_beside(statics: Statics, speeds: IntArray, measure: Array, at_start: Bound) -> int:
    """The rank of all rows in a closed pose beside the start; zero where none is found."""
    if not len(speeds) or not len(at_start.rows):
        return 0
    random = np.random.default_rng(1993)
    rows = (at_start.rows[at_start.held] / measure)[:, speeds]
    way = random.standard_normal(len(speeds))
    way -= np.linalg.pinv(rows, rcond=SAYS) @ (rows @ way)
    way /= measure[speeds]
    size = float(np.abs(way).max())
    if size == 0.0:
        return 0
    x = np.zeros(len(statics.rest))
    x[speeds] = BESIDE * way / size
    q = statics.moved(statics.q, x)
    for _ in range(20):
        statics.evaluate(q)
        found = bound(statics)
        error = found.error[found.held]
        if float(np.linalg.norm(error)) < 1e-11:
            return _rank((found.rows / measure)[:, speeds])
        rows = (found.rows[found.held] / measure)[:, speeds]
        back = np.zeros(len(statics.rest))
        back[speeds] = -(np.linalg.pinv(rows, rcond=1e-6) @ error) / measure[speeds]
        q = statics.moved(q, back)
    return 0


def _graph(project: Project, statics: Statics, named: list[Named]) -> tuple[LinearGraph, tuple[Loop, ...]]:  # fmt: skip
    """Ground and segments with all joints, and the elements that close loops."""
    carried = {j.child: j for j in carrying(project.joints)}
    moved = {one.segment: one.id for one in project.motions}
    edges = []
    for one in project.segments:
        joint = carried.get(one.id)
        if joint is not None:
            edges.append(Edge(joint.id, joint.parent, one.id))
        else:
            edges.append(Edge(moved.get(one.id, f"{one.id} free"), GROUND, one.id))
    segment = {b: name for name, b in statics.model.trees.body_of.items()} | {-1: GROUND}
    closes: dict[str, tuple[str, str]] = {}
    for _, element, _, bodies in named:
        ends = [segment[b] for b in bodies if b >= 0 and b in segment]
        if ends:
            closes.setdefault(element, (ends[-1] if len(ends) > 1 else GROUND, ends[0]))
    first = len(edges)
    edges += [Edge(element, *ends) for element, ends in closes.items()]
    graph = LinearGraph((GROUND, *(one.id for one in project.segments)), edges)
    loops = tuple(
        Loop(edges[n].name, graph.around(n)[1:]) for n in graph.chords if n >= first
    )  # fmt: skip
    return graph, loops
