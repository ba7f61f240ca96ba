"""Straps that the route finder has laid: found out, laid again as anchors move, left alone where hands laid them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from app.editing.moving import CannotMove, moved
from solver.base.places import samples
from solver.editing.strapping import laid_again, line_of, relaid
from solver.model.route import angle_towards, best_angle, route
from solver.project import Project, load_project, validated
from solver.project.changes import with_value
from solver.project.geometry import PointRef, SurfaceRef
from solver.running.simulation import simulate
from tests.window.belted import belted

BELT = "harnesses/driver_three_point_belt"
UP = np.array([0.0, 0.0, -0.06])


@pytest.fixture(scope="module")
def frontal() -> Project:
    return belted()


def ends(points: Any, first: int, last: int) -> tuple[PointRef, PointRef]:
    one, two = (
        PointRef(segment=points[k].segment, position_m=points[k].position_m) for k in (first, last)
    )
    return one, two


def test_a_moved_anchor_takes_the_strap_along_in_its_plane(frontal: Project) -> None:
    after = moved(frontal, BELT, "straps/0/points/0", UP)
    old, new = (p.harnesses[0].straps[0].points for p in (frontal, after))
    assert len(new) == len(old)
    assert after.harnesses[0].straps[1] == frontal.harnesses[0].straps[1]
    over = [new[1].surface]
    laid = route(after, *ends(new, 0, -1), over, math.radians(-12.0), 0.0858)
    wanted = [p.position_m for wrap in laid.wraps for p in wrap.points()]
    assert np.array([p.position_m for p in new[1:-1]]) == pytest.approx(np.array(wanted), abs=2e-5)
    # what the points are like stays
    kept = {"position_m": (0.0, 0.0, 0.0)}
    assert new[3].model_copy(update=kept) == old[3].model_copy(update=kept)


def test_there_and_back_again_is_the_same_strap(frontal: Project) -> None:
    there = moved(frontal, BELT, "straps/0/points/0", UP)
    back = moved(there, BELT, "straps/0/points/0", -UP)
    line = [line_of(p, p.harnesses[0].straps[0].points) for p in (frontal, back)]
    assert line[1] == pytest.approx(line[0], abs=5e-5)


def test_a_ring_moves_the_stretches_on_both_sides(frontal: Project) -> None:
    ring = [p.kind for p in frontal.harnesses[0].straps[1].points].index("ring")
    after = moved(frontal, BELT, f"straps/1/points/{ring}", UP)
    old, new = (p.harnesses[0].straps[1].points for p in (frontal, after))
    assert (new[0], new[-1]) == (old[0], old[-1])
    assert [p.kind for p in new] == [p.kind for p in old]
    over = [new[1].surface]
    places = line_of(after, new)[1:ring]
    for place in places:
        assert angle_towards(after, *ends(new, 0, ring), over, place) == pytest.approx(
            0.0, abs=1e-3
        )


def test_points_that_hands_have_set_stay(frontal: Project) -> None:
    sled = load_project(samples() / "sled.json")
    after = moved(sled, "harnesses/harness", "straps/0/points/0", UP)
    old, new = (p.harnesses[0].straps[0].points for p in (sled, after))
    assert new[1:] == old[1:]
    assert new[0] != old[0]
    nudged = moved(frontal, BELT, "straps/0/points/3", np.array([0.0, 0.03, 0.0]))
    again = moved(nudged, BELT, "straps/0/points/0", UP)
    assert again.harnesses[0].straps[0].points[1:] == nudged.harnesses[0].straps[0].points[1:]


def test_a_strap_laid_at_its_shortest_stays_at_its_shortest() -> None:
    egg = {
        "id": "egg", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0],
        "surfaces": [{"id": "b", "kind": "ellipsoid", "semi_axes_m": [0.2, 0.8, 0.15]}],
    }  # fmt: skip
    form = {"kind": "table", "x": [0, 1], "y": [0, 1]}
    base = validated(
        {
            "format": "manikin-project",
            "segments": [egg],
            "functions": [{"id": "f", "x_unit": "1", "y_unit": "N", "form": form}],
            "contact_laws": [{"id": "w", "kind": "webbing", "base": "f"}],
            "initial": {"roots": [{"segment": "egg", "position_m": [0.02, 0.02, 0.08]}]},
        }
    )
    surfaces = [SurfaceRef(segment="egg", surface="b")]
    a, b = (PointRef(segment="ground", position_m=p) for p in ((-0.5, 0.0, 0.0), (0.5, 0.0, 0.0)))
    angle = best_angle(base, a, b, surfaces)
    points = route(base, a, b, surfaces, angle, 0.05).points()
    from solver.project.belts import Harness, Strap

    harness = Harness(id="h", straps=(Strap(id="s", law="w", points=points),))
    project = base.model_copy(update={"harnesses": (harness,)})
    after = moved(project, "harnesses/h", "straps/0/points/0", np.array([0.05, 0.1, 0.05]))
    new = after.harnesses[0].straps[0].points
    best = best_angle(after, *ends(new, 0, -1), surfaces)
    assert best != pytest.approx(angle, abs=1e-3)
    found = angle_towards(after, *ends(new, 0, -1), surfaces, line_of(after, new)[len(new) // 2])
    assert found == pytest.approx(best, abs=1e-3)


def test_an_anchor_inside_a_body_is_refused_with_the_reason(frontal: Project) -> None:
    points = frontal.harnesses[0].straps[0].points
    line = line_of(frontal, points)
    into = line[3] - line[0]
    middle = 0.5 * (line[2] + line[4]) - line[0] - 0.05 * into / np.linalg.norm(into)
    with pytest.raises(CannotMove, match="is inside 'driver_lower_torso"):
        moved(frontal, BELT, "straps/0/points/0", middle)


def test_hand_laid_straps_are_laid_anew_when_asked_for() -> None:
    sled = load_project(samples() / "sled.json")
    after = laid_again(sled, "harnesses/harness")
    for old, new in zip(sled.harnesses[0].straps, after.harnesses[0].straps, strict=True):
        assert (new.points[0], new.points[-1]) == (old.points[0], old.points[-1])
        used = {p.surface for p in new.points[1:-1]}
        assert used <= {p.surface for p in old.points[1:-1]}
    again = moved(after, "harnesses/harness", "straps/0/points/0", np.array([0.0, 0.0, -0.02]))
    assert again.harnesses[0].straps[0].points[1:-1] != after.harnesses[0].straps[0].points[1:-1]
    assert relaid(after, after, "harnesses/harness") is after


def test_a_strap_laid_anew_runs(frontal: Project) -> None:
    after = moved(frontal, BELT, "straps/0/points/0", UP)
    short = after.runs[0].model_copy(update={"duration_s": 0.03})
    run = simulate(with_value(after, "runs", (short,)))
    assert run.status == "completed"
