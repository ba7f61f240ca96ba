"""Bellies under belts: how deep a belt sinks, what lies on the pelvis alone, and what is told of a belt that gets there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from app.run_view.marks import marks
from solver.bodies.dummies import DUMMIES, dummy_file
from solver.bodies.library.belting import between
from solver.bodies.library.entries import Strap, Waypoint
from solver.bodies.library.occupants import occupant
from solver.engine.maths.rotation import matrices
from solver.project import Project
from solver.project.geometry import PointRef
from solver.project.pose import start_pose
from solver.results.trajectory import Trajectory
from solver.running.outputs.submarining import LOADED, submarining
from solver.running.simulation import simulate

STIFF = 400e3
"""Of the webbing (N at a strain of one)."""
PELVIS = ("lower_torso", "centre_torso")


def held(
    dummy: str, names: tuple[str, ...] = PELVIS, joints: tuple[dict[str, Any], ...] = ()
) -> Project:
    """Give parts of a dummy upright in their places without gravity: on the ground by their first joint, else rigidly one on the other."""
    file = dummy_file(dummy).model_dump()
    parts = [one | {"mirror": None} for one in file["segments"] if one["id"] in names]
    lumbar = next(one for one in file["joints"] if one["id"] == "lumbar")
    joined = []
    if len(names) > 1:
        joined = [
            {k: lumbar[k] for k in ("id", "parent", "child", "parent_frame", "child_frame")}
            | {"kind": "locked"}
        ]
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


def strapped(
    project: Project, over: str, anchor: tuple[float, float, float], shorter: float, **more: Any
) -> Project:
    """Lay a strap from an anchor over a part to the other side, shorter than the way by some length (m)."""
    who = occupant(project)
    assert who is not None
    x, y, z = anchor
    ends = [PointRef(segment="ground", position_m=(x, side * y, z)) for side in (-1.0, 1.0)]
    stop = Waypoint(position_m=(0.0, 0.0, 0.0), over=(over,), angle_rad=0.0)
    laid = Strap(id="lap", law="webbing", waypoints=(stop, stop), follows="body", **more)
    points = [one.model_dump() for one in between(project, laid, ends[0], ends[1], stop, who)]
    anchors = [
        {"kind": "anchor", "segment": "ground", "position_m": end.position_m} for end in ends
    ]
    strap = {
        "id": "lap",
        "law": "webbing",
        "slack_m": -shorter,
        "points": [anchors[0], *points, anchors[1]],
    }
    return Project.model_validate(
        project.model_dump() | {"harnesses": [{"id": "belt", "straps": [strap]}]}
    )


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
    form: Any = next(one.form for one in bare.functions if one.id == "belt_abdomen_force")
    short = 2.0 * np.hypot(deep - back, aside) - shorter * deep

    def tension(depth: float) -> float:
        return STIFF * (2.0 * np.hypot(deep - depth - back, aside) / short - 1.0)

    def missing(depth: float) -> float:
        ahead = deep - depth - back
        return 2.0 * tension(depth) * ahead / np.hypot(ahead, aside) - np.interp(
            depth, form.x, form.y
        )

    depth = brentq(missing, 0.0, deep)
    assert deep - found["position"][-1, 1, 0] == pytest.approx(depth, rel=1e-3)
    assert np.linalg.norm(found["force"][-1, 1]) == pytest.approx(
        np.interp(depth, form.x, form.y), rel=2e-3
    )
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
    assert alone["tension"][-1].max() > 2000.0
    pelvis = [k for k, name in enumerate(["", *on, ""]) if name == "lower_torso"]
    total = found["force"][-1, pelvis].sum(axis=0)
    bare = alone["force"][-1, [k - (k > row) for k in pelvis]].sum(axis=0)
    # friction along the strap holds it a little otherwise, by the way it came
    assert total == pytest.approx(bare, rel=3e-3, abs=3e-3 * np.linalg.norm(bare))
    place = found["position"][-1][without] - alone["position"][-1]
    assert np.abs(place).max() < 1e-3


def depth_in(shape: Any, place: np.ndarray) -> float:
    """How deep a place lies in a hyperellipsoid, along the radius from its middle; below zero outside."""
    u, e = place / shape.semi_axes_m, np.array(shape.powers)
    scale = brentq(lambda f: (np.abs(f * u) ** e).sum() - 1.0, 1e-3, 50.0)
    return (scale - 1.0) * float(np.linalg.norm(place))


def over_the_crests(waits: bool = True) -> tuple[Project, int]:
    """Throw a guided pelvis into a lap belt whose anchors are too high; give the row of the point before the belly."""
    forward = {"angles_rad": (0.0, np.pi / 2, 0.0)}
    ends = {"parent_frame": {"orientation": forward}, "child_frame": {"orientation": forward}}
    guide = {
        "id": "guide",
        "kind": "slip",
        "rotation": "none",
        "parent": "ground",
        "child": "lower_torso",
        **ends,
    }
    laid = strapped(
        held("hybrid_iii_50m", joints=(guide,)),
        "lower_torso",
        (-0.25, 0.22, -0.15),
        0.0,
        friction=0.15,
    )
    data = laid.model_dump()
    strap = data["harnesses"][0]["straps"][0]
    for point in strap["points"]:
        if point["kind"] == "surface":
            point.update(follows="webbing", friction_across=0.15)
    on = [p["surface"]["segment"] if p["kind"] == "surface" else "" for p in strap["points"]]
    row = on.index("centre_torso")
    if not waits:
        strap["points"] = [p for k, p in enumerate(strap["points"]) if k != row]
    data["initial"] = {"joints": [{"joint": "guide", "values": [0.0], "rates": [8.0]}]}
    data["runs"] = [{"id": "run", "duration_s": 0.03, "frame_interval_s": 5e-4}]
    return Project.model_validate(data), row  # fmt: skip


def test_a_lap_belt_that_goes_over_the_crests_presses_into_the_belly_and_is_told() -> None:
    project, row = over_the_crests()
    found = simulate(project)
    force = np.linalg.norm(points_of(found)["force"][:, row], axis=1)
    told = {one.kind: one for one in submarining(project, found)}
    assert told["lap_belt_over_crest"].time_s < told["lap_belt_in_belly"].time_s
    assert told["lap_belt_in_belly"].force_n == pytest.approx(force.max(), rel=1e-6)
    assert 800.0 < force.max() < 2652.0, "the room for foam is not used up"
    at = told["lap_belt_in_belly"].time_s
    assert force[found.time < at - 1e-4].max() < LOADED < force[np.argmin(abs(found.time - at))]
    (line,) = [
        one
        for one in found.log
        if "presses into the belly above 'lower_torso'" in one and "warning" in one
    ]
    deep = told["lap_belt_in_belly"].depth_m
    belly, place = found.segment("centre_torso"), points_of(found)["position"][:, row]
    shape = next(s for one in project.segments if one.id == "centre_torso" for s in one.surfaces if s.id == "insert")  # fmt: skip
    local = np.einsum("tji,tj->ti", matrices(belly.quaternion_wxyz), place - belly.position)
    assert deep == pytest.approx(max(depth_in(shape, one - shape.centre_m) for one in local), rel=1e-6)  # fmt: skip
    assert f"with up to {1e-3 * force.max():.2g} kN, {1e3 * deep:.0f} mm deep" in line
    assert "lap belt in belly" in [one.short for one in marks(project, found)]


def test_without_the_point_before_the_belly_nothing_would_be_told_of_it() -> None:
    project, _ = over_the_crests(waits=False)
    kinds = {one.kind for one in submarining(project, simulate(project))}
    assert "lap_belt_over_crest" in kinds
    assert "lap_belt_in_belly" not in kinds


@pytest.mark.parametrize("dummy", DUMMIES)
def test_the_law_ends_where_the_spine_is(dummy: str) -> None:
    """Foam gives way before the rubber, much less at it; deeper than the joint of the lumbar spine the law says nothing."""
    file = dummy_file(dummy)
    deep = next(s for s in file.segments if s.id == "centre_torso").surfaces[0].semi_axes_m[0]
    spine = next(j for j in file.joints if j.id == "lumbar").child_frame.position_m[0]
    form: Any = next(one.form for one in file.functions if one.id == "belt_abdomen_force")
    assert form.x[-1] == pytest.approx(deep - spine, abs=2e-4)
    first, beyond = np.diff(form.y) / np.diff(form.x)
    assert beyond == pytest.approx(10.0 * first, rel=1e-3)
    assert 0.55 < form.x[1] / form.x[-1] < 0.7


def ribbed(dummy: str) -> Project:
    """Give a dummy's chest upright, all of it held, its breastbone and shoulders where they are."""
    file, names = dummy_file(dummy), ("upper_torso", "sternum", "right_shoulder", "left_shoulder")
    pose = start_pose(file)
    held = [
        {"id": f"held_{id_}", "kind": "locked", "parent": "ground", "child": id_, "parent_frame": {"position_m": tuple(map(float, pose[id_].p_W))}}
        for id_ in names
    ]  # fmt: skip
    webbing = {"id": "stretch", "x_unit": "1", "y_unit": "N", "form": {"kind": "table", "x": (0.0, 1.0), "y": (0.0, STIFF)}}  # fmt: skip
    data = {
        "title": "chest", "gravity_m_per_s2": (0.0, 0.0, 0.0), "joints": held, "functions": [webbing],
        "segments": [one.model_dump() | {"mirror": None} for one in file.segments if one.id in names],
        "contact_laws": [*(one for one in file.contact_laws if one.id == "belt_ribs"), {"id": "webbing", "kind": "webbing", "base": "stretch"}],
        "runs": [{"id": "run", "duration_s": 0.5, "frame_interval_s": 0.1}],
    }  # fmt: skip
    return Project.model_validate(data)


@pytest.mark.parametrize("dummy", ["hybrid_iii_50m", "hybrid_iii_3y"])
def test_ribs_beside_the_breastbone_bear_a_belt_by_a_law_of_their_own(dummy: str) -> None:
    """What they bear is 1.5 times as much as the breastbone's spring would at their depth; the breastbone is not asked for it."""
    bare = ribbed(dummy)
    chest = bare.segments[0]
    wide = chest.surfaces[0].semi_axes_m[1]
    base = start_pose(bare)[chest.id].p_W
    low, high = (
        PointRef(segment="ground", position_m=tuple(map(float, base + np.array(way) * wide)))
        for way in ((-1.6, 1.4, 1.2), (-1.6, -1.1, -1.4))
    )
    who = occupant(bare)
    assert who is not None
    stop = Waypoint(position_m=(0.0, 0.0, 0.0), over=("upper_torso",), angle_rad=0.0)
    laid = Strap(id="belt", law="webbing", waypoints=(stop, stop), follows="body")
    points = [one.model_dump() for one in between(bare, laid, low, high, stop, who)]
    ends = [{"kind": "anchor", "segment": "ground", "position_m": one.position_m} for one in (low, high)]  # fmt: skip
    strap = {"id": "belt", "law": "webbing", "slack_m": -0.1 * wide, "points": [ends[0], *points, ends[1]]}  # fmt: skip
    project = Project.model_validate(
        bare.model_dump() | {"harnesses": [{"id": "belt", "straps": [strap]}]}
    )
    found = points_of(simulate(project))
    on = [p["surface"]["surface"] for p in points]
    assert {"right_ribs", "left_ribs"} & set(on)
    spring: Any = next(one.form for one in dummy_file(dummy).functions if one.id == "ribs_force")
    checked = 0
    for row, name in enumerate(on, 1):
        force = found["force"][-1, row]
        if not name.endswith("_ribs") or np.linalg.norm(force) < 50.0:
            continue
        shape = next(one for one in chest.surfaces if one.id == name)
        end = found["position"][-1, row] - base - shape.centre_m
        semi, power = np.array(shape.semi_axes_m), np.array(shape.powers)  # type: ignore[union-attr]
        # a point of webbing goes in along the radius; what it presses is along the normal there
        deep = depth_in(shape, end)
        skin = end * (1.0 + deep / np.linalg.norm(end))
        out = np.sign(skin) * np.abs(skin / semi) ** (power - 1.0) * power / semi
        bears = -force @ out / np.linalg.norm(out)
        assert bears == pytest.approx(1.5 * spring.y[1] / spring.x[1] * deep, rel=2e-3)
        checked += 1
    assert checked
