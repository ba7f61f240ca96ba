"""Insert > Connector: all fifteen of Table 2 of seed 003, each with a picture, each a model that checks and runs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.editing.making import CONNECTORS, add, is_fresh, maker
from app.elements import find
from app.icons import FORMS_OF_CONNECTORS, icon
from solver.project import Project, to_json, validated
from solver.project.checks import check
from solver.running.simulation import simulate
from solver.scene.placing import pose_at_start
from tests.models import base


def two_bodies() -> Project:
    """Give two balls of a kilogram, one beside the other, over a floor."""
    data = base(0.02, gravity_m_per_s2=[0.0, 0.0, 9.81])
    data["runs"][0]["frame_interval_s"] = 0.005
    project = validated(data)
    for _ in range(2):
        project = add(project, maker("segments")).project
    return add(project, maker("planes")).project


BETWEEN = ("segments/segment", "segments/segment_2")
STATES = {"connector_breaks_both": 7, "connector_breaks_one": 3, "connector_breaks_none": 1, "connector_pin_locks": 1,
          "connector_pin_breaks": 1, "connector_rigid_both": 2, "connector_rigid_one": 1, "connector_rigid_none": 1,
          "connector_pin": 0, "connector_extensional_both": 0, "connector_neck": 0}  # fmt: skip


def test_there_are_fifteen_with_a_picture_each(qapp: Any) -> None:
    assert len(CONNECTORS) == 15
    assert [one.kind for one in CONNECTORS] == list(FORMS_OF_CONNECTORS)
    seen = set()
    for kind in FORMS_OF_CONNECTORS:
        image = icon(kind, "#000000").pixmap(48, 48).toImage().convertToFormat(QImage.Format.Format_ARGB32)  # fmt: skip
        bits = bytes(image.constBits())
        assert np.count_nonzero(np.frombuffer(bits, np.uint8)) > 200, kind
        seen.add(bits)
    assert len(seen) == 15
    assert len({one.title for one in CONNECTORS}) == 15


@pytest.mark.parametrize("chosen", [(), BETWEEN], ids=["on the ground", "between two"])
@pytest.mark.parametrize("one", CONNECTORS, ids=lambda m: m.kind)
def test_each_makes_a_model_that_checks_and_runs(one: Any, chosen: tuple[str, ...]) -> None:
    before = two_bodies()
    made = add(before, one, chosen)
    after = made.project
    new = {str(p) for p in check(after) if p.severity in ("error", "warning")}
    assert not new - {str(p) for p in check(before)}
    assert validated(json.loads(to_json(after))) == after
    assert is_fresh(one.list_name, find(after, made.path))
    # nothing has been moved by it
    was, now = pose_at_start(before), pose_at_start(after)
    for name in was:
        assert now[name].p_W == pytest.approx(was[name].p_W, abs=2e-4)
        assert pytest.approx(was[name].R_WS, abs=1e-6) == now[name].R_WS
    run = simulate(after)
    assert run.status == "completed", run.message
    assert np.abs(run.table("energy")["balance"]).max() < 1e-5
    if one.kind in STATES:
        assert set(run.table("joints")["state"][:, 0]) == {STATES[one.kind]}


def test_edges_along_each_other_are_made_whole() -> None:
    made = add(two_bodies(), maker("constraints.edge_on_edge"))
    assert not [p for p in check(made.project) if p.severity == "error"]
    assert simulate(made.project).status == "completed"


def test_they_stand_in_a_menu_of_their_own(window: Any) -> None:
    window.bench.commands.run("file.new_empty")
    for _ in range(2):
        window.bench.commands.run("insert.segments")
    before = len(window.bench.document.project.joints)
    assert window.bench.commands.where(window.bench.commands.find("insert.connector.breaks_both")) == "Insert › Connector"  # fmt: skip
    window.bench.commands.run("insert.connector.breaks_both")
    (*_, joint) = window.bench.document.project.joints
    assert len(window.bench.document.project.joints) == before + 1
    assert joint.kind == "extensional"
    assert joint.breakage is not None
