"""Bellies under belts: how deep a belt sinks, what lies on the pelvis alone, and what is told of a belt that gets there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from solver.bodies.dummies import DUMMIES, dummy_file
from solver.library.belting import between
from solver.library.entries import Strap, Waypoint
from solver.library.occupants import occupant
from solver.project import Project
from solver.project.geometry import PointRef
from solver.results.trajectory import Trajectory
from solver.simulation import simulate

STIFF = 400e3
"""Of the webbing (N at a strain of one)."""
PELVIS = ("lower_torso", "centre_torso")


def held(dummy: str, names: tuple[str, ...] = PELVIS, joints: tuple[dict[str, Any], ...] = ()) -> Project:
    """Give parts of a dummy upright in their places without gravity: on the ground by their first joint, else rigidly one on the other."""
    file = dummy_file(dummy).model_dump()
    parts = [one | {"mirror": None} for one in file["segments"] if one["id"] in names]
    lumbar = next(one for one in file["joints"] if one["id"] == "lumbar")
    joined = []
    if len(names) > 1:
        joined = [lumbar | {"kind": "locked"}]
        joined = [{k: lumbar[k] for k in ("id", "parent", "child", "parent_frame", "child_frame")} | {"kind": "locked"}]
    first = {"id": "held", "kind": "locked", "parent": "ground", "child": parts[0]["id"]}
    laws = ("belt_abdomen", "belt_flesh")
    return Project.model_validate(
        {
            "title": "belly", "gravity_m_per_s2": (0.0, 0.0, 0.0), "segments": parts, "joints": [*(joints or [first]), *joined],
            "functions": [
                *(one for one in file["functions"] if one["id"] == "belt_abdomen_force"),
                {"id": "stretch", "x_unit": "1", "y_unit": "N", "form": {"kind": "table", "x": (0.0, 1.0), "y": (0.0, STIFF)}},
            ],
            "contact_laws": [*(one for one in file["contact_laws"] if one["id"] in laws), {"id": "webbing", "kind": "webbing", "base": "stretch"}],
            "runs": [{"id": "run", "duration_s": 0.12, "frame_interval_s": 2e-3}],
        }
    )  # fmt: skip


def strapped(project: Project, over: str, anchor: tuple[float, float, float], shorter: float, **more: Any) -> Project:
    """Lay a strap from an anchor over a part to the other side, shorter than the way by some length (m)."""
    who = occupant(project)
    assert who is not None
    x, y, z = anchor
    ends = [PointRef(segment="ground", position_m=(x, side * y, z)) for side in (-1.0, 1.0)]
    stop = Waypoint(position_m=(0.0, 0.0, 0.0), over=(over,), angle_rad=0.0)
    laid = Strap(id="lap", law="webbing", waypoints=(stop, stop), follows="body", **more)
    points = [one.model_dump() for one in between(project, laid, ends[0], ends[1], stop, who)]
    anchors = [{"kind": "anchor", "segment": "ground", "position_m": end.position_m} for end in ends]
    strap = {"id": "lap", "law": "webbing", "slack_m": -shorter, "points": [anchors[0], *points, anchors[1]]}
    return Project.model_validate(project.model_dump() | {"harnesses": [{"id": "belt", "straps": [strap]}]})


def points_of(run: Trajectory) -> dict[str, np.ndarray]:
    return {name: np.asarray(column) for name, column in run.table("strap_points").columns.items()}


@pytest.mark.parametrize("dummy", DUMMIES)
@pytest.mark.parametrize("shorter", [0.1, 0.8])
def test_a_belt_sinks_into_the_abdomen_until_its_law_bears_it(dummy: str, shorter: float) -> None:
    """Two sides of webbing and the abdomen between them: one equation for the depth, solved apart."""
    bare = held(dummy, ("centre_torso",))
    deep = bare.segments[0].surfaces[0].semi_axes_m[0]
    back, aside = -0.2 * deep, 2.2 * deep
    project = strapped(bare, "centre_torso", (back, aside, 0.0), shorter * deep)
    found = points_of(simulate(project))
    form = next(one for one in bare.functions if one.id == "belt_abdomen_force").form
    length = 2.0 * np.hypot(deep - back, aside)
    short = length - shorter * deep

    def tension(depth: float) -> float:
        return STIFF * (2.0 * np.hypot(deep - depth - back, aside) / short - 1.0)

    def missing(depth: float) -> float:
        ahead = deep - depth - back
        return 2.0 * tension(depth) * ahead / np.hypot(ahead, aside) - np.interp(depth, form.x, form.y)

    depth = brentq(missing, 0.0, deep)
    print(dummy, shorter, depth, np.interp(depth, form.x, form.y), form.x)
    assert deep - found["position"][-1, 1, 0] == pytest.approx(depth, rel=1e-3)
    assert np.linalg.norm(found["force"][-1, 1]) == pytest.approx(np.interp(depth, form.x, form.y), rel=2e-3)
    assert found["tension"][-1, 0] == pytest.approx(tension(depth), rel=2e-3)


def test_a_belt_that_lies_on_the_pelvis_is_as_it_was_without_the_abdomen() -> None:
    """The point that waits before the abdomen bears nothing and takes nothing from the pelvis."""
    project = strapped(
        held("hybrid_iii_50m"), "lower_torso", (-0.2, 0.25, 0.15), 0.03, friction=0.0
    )
    on = [p.surface.segment for p in project.harnesses[0].straps[0].points if p.kind == "surface"]
    assert on.count("centre_torso") == 1
    data = project.model_dump()
    strap = data["harnesses"][0]["straps"][0]
    row = on.index("centre_torso") + 1
    strap["points"] = [p for k, p in enumerate(strap["points"]) if k != row]
    found, alone = (points_of(simulate(one)) for one in (project, Project.model_validate(data)))
    assert np.linalg.norm(found["force"][-1, row]) < 1e-6 * found["tension"].max()
    without = np.delete(np.arange(len(on) + 2), row)
    assert alone["tension"].max() > 2000.0
    for name in ("position", "force"):
        wide = np.abs(alone[name]).max()
        assert found[name][-1][without] == pytest.approx(alone[name][-1], abs=2e-3 * wide)
