"""What goes into what in random crashes: depths that are measured, crashes that are drawn again alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solver import simulate
from solver.analysis.crash.build import CASES
from tests.running.test_watch import chain, scene
from tools.crossings import Drawn, Row, depths, drawn, table


def test_depths_are_measured_and_those_that_are_untold_are_counted() -> None:
    """Drive a block of 0.3 m into a limb of 0.05 m until their middles are 0.3 m apart: 50 mm deep, by hand."""
    parts = chain()
    parts["initial"]["roots"][1]["position_m"] = [2.0, 0.0, -2.0]
    parts["motions"][0]["components"][0] |= {"start_value": 0.0, "start_rate": -10.0}
    of = scene(**parts, gravity_m_per_s2=[0.0, 0.0, 0.0], runs=[{"id": "run", "duration_s": 0.17}])
    found = list(depths(of, simulate(of)))
    (limb,) = (one for one in found if set(one.pair) == {"segments/ball", "segments/block"})
    assert (limb.depth_m, limb.time_s) == pytest.approx((0.05, 0.17), abs=1e-4)
    assert limb.said
    (one,) = drawn([11], 1)
    row = Row(Drawn(1, one.crash, one.who, of), (limb, replace(limb, said=False)), ("told",))
    assert row.silent == [replace(limb, said=False)]
    assert "in 1 of them 1 pairs without a contact" in table([row])
    assert "| ball – block | no | 2 | 1 | 50 | 1 | 50 |" in table([row])


def test_a_crash_is_drawn_again_alike_whatever_else_is_drawn() -> None:
    """Draw the same fall alone and after another: load cases come in turn."""
    (alone,), (_, again) = drawn([11], 1), drawn([23, 11], 1)
    assert alone.crash.case == list(CASES)[11]
    assert (alone.who, alone.project) == (again.who, again.project)
    assert next(drawn([11], 2)).project != alone.project
