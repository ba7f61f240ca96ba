"""Facts of mechanisms: printed matrices, printed arrays, mobility and redundant rows, operations that are really counted."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from solver.analysis.equilibrium.statics import Statics
from solver.analysis.mechanism import Edge, GraphError, LinearGraph, facts
from solver.analysis.mechanism.counting import _Tally, plain
from solver.base.places import samples
from solver.engine.dynamics.forward import accelerations
from solver.engine.dynamics.tree import kinematics
from solver.engine.maths.spatial import dot
from solver.model.compile import compile_model
from solver.project import Project, ProjectError, load_project, validated
from solver.project.changes import with_value
from solver.project.checks import Checked
from solver.running.simulation import Simulation
from tests.models import base, segment

NETWORK = LinearGraph(
    "abcdef",
    [Edge("L1", "a", "b"), Edge("L2", "e", "d"), Edge("R3", "c", "b"), Edge("R4", "e", "b"), Edge("R5", "f", "e"), Edge("C6", "c", "d"), Edge("V7", "f", "a")],
)  # fmt: skip
"""McPhee's Figures 1 and 2."""


def test_mcphee_s_network_has_his_matrices() -> None:
    """Equations (1), (3), (6) and (7); his (5) is lost in print and follows from (7)."""
    assert NETWORK.incidence.tolist() == [
        [-1, 0, 0, 0, 0, 0, 1], [1, 0, 1, 1, 0, 0, 0], [0, 0, -1, 0, 0, -1, 0],
        [0, 1, 0, 0, 0, 1, 0], [0, -1, 0, -1, 1, 0, 0], [0, 0, 0, 0, -1, 0, -1],
    ]  # fmt: skip
    assert [NETWORK.edges[n].name for n in NETWORK.branches] == ["L1", "L2", "R3", "R4", "R5"]
    assert NETWORK.cutset.tolist() == [
        [1, 0, 0, 0, 0, 0, -1], [0, 1, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1, 0],
        [0, 0, 0, 1, 0, -1, 1], [0, 0, 0, 0, 1, 0, 1],
    ]  # fmt: skip
    assert NETWORK.circuit.tolist() == [[0, -1, -1, 1, 0, 1, 0], [1, 0, 0, -1, -1, 0, 1]]
    assert not (NETWORK.circuit @ NETWORK.cutset.T).any()
    # "contains branches L2, R3, and R4"
    assert NETWORK.around(5) == ("C6", "L2", "R3", "R4")


def test_wittenburg_s_matrices_of_the_four_bar() -> None:
    """Equations (33) to (35): W is the negative incidence matrix; T S = 1, and T on the datum's row gives -1."""
    pins = [("P1", "0", "1"), ("P2", "1", "2"), ("P3", "2", "3"), ("P4", "0", "3")]
    bars = LinearGraph("0123", [Edge(*one) for one in pins])
    W = -bars.incidence
    assert W.tolist() == [[1, 0, 0, 1], [-1, 1, 0, 0], [0, -1, 1, 0], [0, 0, -1, -1]]
    S, S0 = W[1:, :3], W[0, :3]
    assert (bars.path @ S).tolist() == np.eye(3).tolist()
    assert (S0 @ bars.path).tolist() == [-1, -1, -1]


def test_graphs_that_are_none_are_refused() -> None:
    with pytest.raises(GraphError, match="which is no vertex"):
        LinearGraph("ab", [Edge("x", "a", "c")])
    with pytest.raises(GraphError, match="in several parts"):
        LinearGraph("abc", [Edge("x", "a", "b")])


def tree(parents: list[int], kinds: list[str]) -> Project:
    bodies = [segment(f"b{k}", 1.0, (0.1, 0.2, 0.3)) for k in range(1, len(parents) + 1)]
    joints: list[dict[str, Any]] = [
        {"id": f"j{k}", "kind": kind, "parent": f"b{up}" if up else "ground", "child": f"b{k}",
         "parent_frame": {"position_m": [0.0, 0.0, 0.3]}, "child_frame": {"position_m": [0.0, 0.0, -0.3]}}
        for k, (up, kind) in enumerate(zip(parents, kinds, strict=True), 1)
        if kind != "free"
    ]  # fmt: skip
    return validated(base(segments=bodies, joints=joints))


def test_huston_s_connection_array() -> None:
    """UCIN, equations (1) and (30): his nine bodies, the first on its own."""
    printed = [0, 1, 1, 3, 1, 5, 6, 7, 6]
    found = facts(tree(printed, ["free", *["ball"] * 8]))
    assert list(found.parents) == printed
    assert [row[8] for row in found.connection_table[:5]] == [9, 6, 5, 1, 0]
    assert found.without_joints == 54
    assert found.mobility == found.gruebler == 6 + 8 * 3
    assert found.coordinates == 7 + 8 * 4
    assert found.carried_by["b9"] == "b6"
    assert found.loops == ()


@cache
def four_bar() -> Project:
    return load_project(samples() / "four_bar.json")


def test_the_four_bar_has_one_redundant_row_and_four_if_it_is_closed_twice() -> None:
    once = facts(four_bar())
    assert (once.mobility, once.gruebler, once.redundant) == (1, 0, ("closure/y",))
    assert once.loops[0].around == ("crank_pin", "coupler_pin", "output_pin")
    closure = four_bar().constraints[0]
    again = closure.model_copy(update={"id": "again"})
    twice = facts(four_bar().model_copy(update={"constraints": (closure, again)}))
    assert (twice.mobility, twice.gruebler) == (1, -3)
    assert twice.redundant == ("closure/y", "again/x", "again/y", "again/z")
    follows = {row.name: row.follows_from for row in twice.rows}
    assert follows["again/x"] == ("closure/x",)
    assert follows["again/y"] == ()
    said = [str(one) for one in twice.sentences()]
    assert "'again/z' says nothing new: it follows from 'closure/z'." in said


def test_a_change_point_is_a_singular_position() -> None:
    """A parallelogram that lies flat: both its branches go through there, and beside it two rows are independent."""
    project = four_bar()
    for n in range(3):
        project = with_value(project, f"initial/joints/{n}/values", [0.0])
        project = with_value(project, f"initial/joints/{n}/rates", [])
    for path, x in (("parent_frame", 0.4), ("child_frame", -0.055)):
        project = with_value(project, f"joints/output_pin/{path}/position_m", (x, 0.0, 0.0))
    project = with_value(project, "constraints/closure/b/position_m", (0.055, 0.0, 0.0))
    found = facts(project)
    assert found.redundant == ("closure/x", "closure/y")
    assert (found.rank, found.rank_beside, found.mobility) == (1, 2, 2)
    assert found.is_singular
    assert not facts(four_bar()).is_singular


def test_drivers_and_locks_take_freedoms_and_open_loops_are_refused() -> None:
    still = with_value(four_bar(), "initial/joints/0/rates", [])
    driven = with_value(still, "drivers", [{"id": "turn", "joint": "crank_pin", "axis": "angle", "pulse": {"kind": "constant", "value": 10.0}, "quantity": "velocity"}])  # fmt: skip
    found = facts(driven)
    assert (found.open, found.driven, found.mobility) == (2, 1, 0)
    with pytest.raises(ProjectError):
        facts(with_value(four_bar(), "constraints/closure/a/position_m", (0.24, 0.0, 0.0)))


def chain(n: int) -> Project:
    return tree(list(range(n)), ["pin"] * n)


def test_operations_are_those_of_the_kernels() -> None:
    """The code that counts gives the accelerations of the compiled one, and grows by the same for each pin more."""
    tally = _Tally()
    a, b = tally.given((1.0, 2.0, 3.0)), tally.given((4.0, 5.0, 6.0))
    assert plain(dot, tally)(a, b) == 32.0
    assert (tally.products, tally.sums) == (3, 2)

    model = compile_model(Checked(chain(3)))
    statics = Statics(chain(3))
    q = np.array([0.3, -0.5, 0.8])
    v = np.array([1.0, 2.0, -3.0])
    work = statics.work
    tree_, applied = model.system.tree, work.applied
    kinematics(tree_, model.system.locked, q, v, work.motion)
    rates = np.zeros(3)
    accelerations(tree_, model.system.locked, v, work.motion, applied, model.system.gravity, work.space, rates)  # fmt: skip
    given = tally.given((tree_, q, v, work.motion, applied, model.system.gravity, work.space, np.zeros(3)))  # fmt: skip
    of_tree, of_q, of_v, motion, loads, gravity, space, out = given
    plain(kinematics, tally)(of_tree, model.system.locked, of_q, of_v, motion)
    plain(accelerations, tally)(of_tree, model.system.locked, of_v, motion, loads, gravity, space, out)  # fmt: skip
    assert out.astype(float) == pytest.approx(rates, rel=1e-12)

    counted = {n: [one[1:] for one in facts(chain(n)).operations] for n in (2, 3, 6)}
    step = np.array(counted[3]) - np.array(counted[2])
    assert (np.array(counted[6]) - np.array(counted[3]) == 3 * step).all()
    assert (step[:, :2] > 0).all()


def test_the_speeds_of_a_run_are_those_that_are_counted() -> None:
    found = facts(four_bar())
    assert found.speeds == len(Simulation(four_bar(), "two_seconds").begin().present()[4])
