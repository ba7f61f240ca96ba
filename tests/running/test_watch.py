"""What passes through what is told: planes that face away, pairs that nobody allowed, depths beyond a law."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import open_results, simulate
from solver.cli import main
from solver.cli.project_commands import _summary
from solver.engine.maths.rotation import matrices
from solver.project import Project
from solver.project.checks import check
from solver.project.names import with_names
from solver.project.saving import to_json
from solver.report import report
from solver.results.events import Event
from solver.running.outputs.penetration import Passage, PenetrationMonitor, log_lines, passages
from solver.running.simulation import simulate_to_file
from tests.models import base, project

Array = np.ndarray[Any, Any]
BALL = 0.1
LAW = {"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 1e4}


def codes(of: Project) -> list[str]:
    return [p.code for p in check(of) if p.code != "no-outputs"]


def ball(id_: str, *semi: float, **more: Any) -> Any:
    surface = {"id": "body", "kind": "ellipsoid", "semi_axes_m": list(semi or (BALL,) * 3), **more}
    return {"id": id_, "mass_kg": 1.0, "inertia_kgm2": [0.01, 0.01, 0.01], "surfaces": [surface]}  # fmt: skip


def floor(up: bool = True, **more: Any) -> Any:
    """Give a plane of one metre at z = 0; z points down."""
    corners = [[-0.5, -0.5, 0.0], [-0.5, 0.5, 0.0], [0.5, -0.5, 0.0]]
    if not up:
        corners[1:] = corners[:0:-1]
    points = dict(zip(("p1_m", "p2_m", "p3_m"), corners, strict=True))
    return {"id": "floor", "segment": "ground", "placement": {"kind": "points", **points}, **more}


def on_floor(**more: Any) -> Any:
    surface = {"segment": "ball", "surface": "body"}
    return {"id": "pair", "kind": "plane", "plane": "floor", "surface": surface, "law": "law", **more}  # fmt: skip


def between(a: str, b: str, **more: Any) -> Any:
    ends = {"first": {"segment": a, "surface": "body"}, "second": {"segment": b, "surface": "body"}}
    return {"id": f"{a}-{b}", "kind": "surfaces", "law": "law", **ends, **more}


def scene(up: bool = True, **parts: Any) -> Project:
    """Give a ball that may touch a floor."""
    whole = {
        "segments": [ball("ball")], "planes": [floor(up)], "contact_laws": [LAW],
        "contacts": [on_floor()], "initial": {"roots": [{"segment": "ball"}]},
    }  # fmt: skip
    return project(base(**(whole | parts)))


def seen(of: Project, *ways: Array, block: int = 10_000, turns: Array | None = None) -> Any:
    """Give what is told where segments go such ways (T, 3), at 1 kHz, handed over in blocks."""
    watch, time = PenetrationMonitor(of), np.arange(len(ways[0])) * 1e-3
    place = np.stack(ways, axis=1)
    q = np.zeros((*place.shape[:2], 4))
    q[..., 0] = 1.0
    q = q if turns is None else turns
    depths = np.zeros((len(time), len(of.contacts)))
    for n in range(0, len(time), block):
        part = slice(n, n + block)
        columns = {"position": place[part], "quaternion_wxyz": q[part]}
        watch.look(time[part], columns, depths[part])
    return watch.found()


def down(start: float, end: float, x: float = 0.0, count: int = 101) -> Array:
    z = np.linspace(start, end, count)
    return np.stack([np.full(count, x), np.zeros(count), z], axis=1)


def test_a_ball_that_sinks_through_a_plane_is_told() -> None:
    """From 0.3 m above to 0.2 m below, 5 mm a frame: half of 0.1 m deep after 50 frames."""
    (found,) = seen(scene(), down(-0.3, 0.2001))
    assert found == Passage(
        "through", "segments/ball", "planes/floor", "contacts/pair",
        pytest.approx(0.3001), pytest.approx(0.1), pytest.approx(0.05),
    )  # fmt: skip
    assert str(found.sentence()) == (
        "'ball' passed through 'floor' by 300 mm at 100 ms, too deep from 50 ms on; "
        "'pair' did not hold it"
    )
    assert list(map(str, log_lines([found]))) == [f"warning: {found.sentence()}"]


@pytest.mark.parametrize("deepest", [-0.06, -0.052])
def test_less_than_half_of_the_semi_axis_is_not_told(deepest: float) -> None:
    assert seen(scene(), down(-0.3, deepest)) == ()


def test_what_goes_around_an_edge_is_not_told() -> None:
    around = np.concatenate(
        [down(-0.3, 0.3, x=0.8), np.linspace([0.8, 0, 0.3], [0, 0, 0.3], 50), down(0.3, -0.3)]
    )
    assert seen(scene(), around) == ()
    # the same way through a plane without edges is one through it
    (endless,) = seen(scene(planes=[floor(bounded=False)]), around)
    assert endless.kind == "through"
    (held,) = seen(scene(contacts=[on_floor(edge="none")]), around)
    assert held.depth_m == pytest.approx(0.4)


def test_what_comes_out_in_front_again_may_be_told_again() -> None:
    around = np.concatenate([np.linspace([0.8, 0, 0.3], [0, 0, 0.3], 50), down(0.3, -0.3)])
    (found,) = seen(scene(), np.concatenate([around, down(-0.3, 0.0)]))
    assert found.depth_m == pytest.approx(0.1)
    assert found.first_s > 0.15


def test_a_law_that_is_given_so_deep_may_be_used_so_deep() -> None:
    """A cushion of 0.15 m is there to be pressed; wholly behind it is through all the same."""
    table = {"kind": "table", "x": [0.0, 0.15], "y": [0.0, 3000.0]}
    force = {"id": "force", "x_unit": "m", "y_unit": "N", "form": table}
    law = {"id": "law", "kind": "hysteretic", "base": "force"}
    cushion = {"functions": [force], "contact_laws": [law]}
    assert seen(scene(**cushion), down(-0.3, 0.045)) == ()
    (found,) = seen(scene(**cushion), down(-0.3, 0.055))
    assert (found.kind, found.depth_m) == ("deep", pytest.approx(0.155))
    thick = {**table, "x": [0.0, 0.5]}
    cushion["functions"] = [{**force, "form": thick}]
    assert seen(scene(**cushion), down(-0.3, 0.095)) == ()
    assert seen(scene(**cushion), down(-0.3, 0.11))[0].kind == "through"
    holds = {**cushion, "contacts": [on_floor(holds_when_behind=True)]}
    assert seen(scene(**holds), down(-0.3, 0.11)) == ()


def test_a_body_is_no_thicker_than_it_is_whatever_its_law() -> None:
    """Two balls on a law of 0.5 m: told from 0.1 m on, where the centre of one is inside the other."""
    table = {"kind": "table", "x": [0.0, 0.5], "y": [0.0, 3000.0]}
    balls = {
        "segments": [ball("ball"), ball("other")], "planes": [], "contacts": [between("ball", "other")],
        "functions": [{"id": "force", "x_unit": "m", "y_unit": "N", "form": table}],
        "contact_laws": [{"id": "law", "kind": "hysteretic", "base": "force"}],
    }  # fmt: skip
    there = np.zeros((101, 3))
    assert seen(scene(**balls), down(-0.3, -0.101), there) == ()
    (found,) = seen(scene(**balls), down(-0.3, -0.095), there)
    assert (found.kind, found.depth_m) == ("deep", pytest.approx(0.105))


@pytest.mark.parametrize(
    ("one", "other", "limit"),
    [
        (0.02, 0.1, 0.04),
        (0.02, 0.03, 0.03),
        (0.02, 0.02, 0.02),
        (0.1, (0.1, 0.1, 0.15), 0.15),
        (0.1, (0.15, 0.15, 0.02), 0.04),
    ],
)
def test_the_thicker_gives_way_to_its_middle_and_the_thinner_sinks_in_whole(
    one: float, other: float | tuple[float, float, float], limit: float
) -> None:
    """Press a ball down on another, or on an ellipsoid that is long or flat there, on a law of 0.5 m: told from its limit on."""
    table = {"kind": "table", "x": [0.0, 0.5], "y": [0.0, 3000.0]}
    semi = other if isinstance(other, tuple) else (other,) * 3
    balls = {
        "segments": [ball("ball", *(one,) * 3), ball("other", *semi)], "planes": [],
        "contacts": [between("ball", "other")],
        "functions": [{"id": "force", "x_unit": "m", "y_unit": "N", "form": table}],
        "contact_laws": [{"id": "law", "kind": "hysteretic", "base": "force"}],
    }  # fmt: skip
    there, apart = np.zeros((101, 3)), one + semi[2]
    assert seen(scene(**balls), down(-0.3, limit - apart - 0.001), there) == ()
    (found,) = seen(scene(**balls), down(-0.3, limit - apart + 0.001), there)
    assert found.depth_m == pytest.approx(limit + 0.001)


def test_things_are_as_thick_as_they_are_where_they_press() -> None:
    """Press a ball through a disc beside its middle: the disc is thin there, however far it reaches to the side."""
    table = {"kind": "table", "x": [0.0, 0.5], "y": [0.0, 3000.0]}
    things = {
        "segments": [ball("ball", *(0.1,) * 3), ball("disc", 0.19, 0.19, 0.03)], "planes": [],
        "contacts": [between("ball", "disc")],
        "functions": [{"id": "force", "x_unit": "m", "y_unit": "N", "form": table}],
        "contact_laws": [{"id": "law", "kind": "hysteretic", "base": "force"}],
    }  # fmt: skip
    there, beside = np.zeros((101, 3)), np.array([0.12, 0.0, 0.0])
    assert seen(scene(**things), down(-0.3, -0.08) + beside, there) == ()
    (found,) = seen(scene(**things), down(-0.3, -0.02) + beside, there)
    assert found.depth_m > 0.06


def test_a_law_by_a_formula_says_how_deep_it_is_meant() -> None:
    """Let a ball of 0.1 m into a floor by 80 mm: told where nobody knows more, not where the law is meant to 0.09 m."""
    for meant, is_told in ((None, True), (0.06, True), (0.09, False)):
        law = LAW | ({} if meant is None else {"deepest_m": meant})
        found = seen(scene(contact_laws=[law]), down(-0.3, -0.02))
        assert bool(found) == is_told


def test_a_plane_that_faces_away_is_told_by_the_check_and_by_the_run(tmp_path: Path) -> None:
    """The ball falls 0.3 m, through: no force, and no silence."""
    roots = {"roots": [{"segment": "ball", "position_m": [0.0, 0.0, -0.4]}]}
    right, wrong = (scene(up, initial=roots) for up in (True, False))
    assert codes(right) == []
    # beside the plane's area as well: anyone who comes to it from there meets nothing
    beside = {"roots": [{"segment": "ball", "position_m": [0.9, 0.0, -0.4]}]}
    for start, code in ((roots, "start-behind"), (beside, "plane-faces-away")):
        problem = next(p for p in check(scene(False, initial=start)) if p.code != "no-outputs")
        assert problem.code == code
        assert "Turn the plane round" in problem.hint
        assert codes(scene(True, initial=start)) == []
    # behind at the start, and so never through
    assert passages(wrong, simulate(wrong)) == ()
    strangers = scene(initial=roots, contacts=[], segments=[ball("ball"), ball("other")])
    assert passages(strangers, simulate(strangers)) == ()


def test_a_run_tells_in_its_log_its_summary_and_its_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ball on a floor far too soft for it, and a block that may touch something else alone."""
    roots = [{"segment": "ball", "position_m": [0.0, 0.0, -0.2]}]
    soft = {**LAW, "stiffness_n_per_m": 1.0}
    falls = scene(contact_laws=[soft], initial={"roots": roots})
    outcome = simulate_to_file(falls, tmp_path / "run.h5")
    (found,) = outcome.passages
    assert (found.kind, found.contact) == ("through", "contacts/pair")
    assert f"warning: {found.sentence()}" in outcome.log
    with open_results(tmp_path / "run.h5") as run:
        assert passages(falls, run) == outcome.passages
        (event,) = [e for e in run.events() if e.kind == "goes_too_deep"]
        assert event == Event(found.first_s, "goes_too_deep", ("segments/ball", "planes/floor"))
        times = [e.time for e in run.events()]
        assert times == sorted(times)
        assert f"warning: {found.sentence()}" in run.log
        assert sum("goes deeper into 'floor'" in line for line in run.log) == 1
        page = report(run).content
    assert any(v.tone == "bad" and "passed through" in v.text for v in page.verdicts)
    assert any(with_names(falls, found.sentence()) in map(str, lines) for _, lines in page.lists)
    file = tmp_path / "ball.json"
    file.write_text(to_json(falls))
    assert main(["run", str(file), "-o", str(tmp_path / "two.h5")]) == 0
    assert str(found.sentence()) in capsys.readouterr().out
    # however much else there is to say
    outcome.notes[:0] = [f"note: number {n}" for n in range(20)]
    assert str(found.sentence()) in _summary(outcome, 1.0, file)


def chain() -> Any:
    """Give three links on joints, of which the first may touch the floor, and a block that moves as told."""
    links = [ball(name, 0.05, 0.05, 0.2) for name in ("ball", "middle", "last")]
    joints = [
        {
            "id": f"joint_{n}", "kind": "ball", "parent": a, "child": b,
            "parent_frame": {"position_m": [0.0, 0.0, 0.2]},
            "child_frame": {"position_m": [0.0, 0.0, -0.2]},
        }
        for n, (a, b) in enumerate((("ball", "middle"), ("middle", "last")))
    ]  # fmt: skip
    block = ball("block", 0.3, 0.3, 0.3)
    pulse = {"kind": "constant", "value": 0.0}
    motion = {"id": "motion", "segment": "block", "components": [{"component": "x", "pulse": pulse}]}  # fmt: skip
    roots = [
        {"segment": "ball", "position_m": [0.0, 0.0, -2.0]},
        {"segment": "block", "position_m": [2.0, 0.0, 0.0]},
    ]
    return {
        "segments": [*links, block], "joints": joints, "motions": [motion],
        "initial": {"roots": roots},
    }  # fmt: skip


def test_parts_of_a_body_and_the_vehicle_are_looked_at_neighbours_are_not() -> None:
    body = scene(**chain())
    far = np.tile([5.0, 0.0, -9.0], (50, 1))
    still = np.tile([0.0, 0.0, -2.0], (50, 1))
    aside = np.stack([np.linspace(0.4, 0.06, 50), np.zeros(50), np.full(50, -2.0)], 1)
    (found,) = seen(body, still, far, aside, far + 3.0)
    assert (found.what, found.into, found.contact) == ("segments/ball", "segments/last", "")
    # both have 0.05 m of radius: their depth is 0.1 m less the distance of the centres
    assert found.depth_m == pytest.approx(0.04, abs=1e-6)
    assert "no contact is allowed" in str(found.sentence())
    assert seen(body, still, aside, far, far + 3.0) == ()
    for deep, times in ((0.05, 1), (0.049, 2)):
        parts = chain()
        shapes = next(one["surfaces"] for one in parts["segments"] if one["id"] == "ball")
        shapes.append({**shapes[0], "id": "core", "semi_axes_m": [deep, 0.03, 0.05]})
        assert len(seen(scene(**parts), still, far, aside, far + 3.0)) == times
    (vehicle,) = seen(body, still, far, far, 0.5 * aside + 0.5 * still + [0.25, 0.0, 0.0])
    assert {vehicle.what, vehicle.into} == {"segments/ball", "segments/block"}
    (floor_,) = seen(body, still, far, down(-1.5, -0.05, x=0.3, count=50), far + 3.0)
    assert (floor_.what, floor_.into, floor_.contact) == ("segments/last", "planes/floor", "")


def test_pairs_that_may_touch_or_overlap_at_the_start_are_not_strangers() -> None:
    parts = chain()
    still = np.tile([0.0, 0.0, -2.0], (50, 1))
    far = np.tile([5.0, 0.0, -9.0], (50, 1))
    deep = np.stack([np.linspace(0.4, 0.076, 50), np.zeros(50), np.full(50, -2.0)], 1)
    allowed = scene(**parts, contacts=[on_floor(), between("ball", "last")])
    assert seen(allowed, still, far, deep, far + 3.0) == ()
    (found,) = seen(allowed, still, far, deep - [0.03, 0.0, 0.0], far + 3.0)
    assert found.contact == "contacts/ball-last"
    # in each other from the start
    assert seen(scene(**parts), still, far, deep[::-1] - [0.03, 0.0, 0.0], far + 3.0) == ()


def test_a_mechanism_of_which_nothing_may_touch_is_there_to_be_looked_at() -> None:
    still = np.tile([0.0, 0.0, -2.0], (50, 1))
    aside = np.stack([np.linspace(0.4, 0.0, 50), np.zeros(50), np.full(50, -2.0)], 1)
    bare = scene(**chain(), contacts=[], contact_laws=[])
    assert seen(bare, still, still + 4.0, aside, still + 8.0) == ()


def test_depth_is_that_of_both_shapes_however_they_lie() -> None:
    """Against the least reach over a fine net of directions, for random ellipsoids and turns."""
    rng = np.random.default_rng(7)
    n = rng.normal(size=(200_000, 3))
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    compared = 0
    for _ in range(30):
        semis = rng.uniform(0.05, 0.3, (2, 3))
        pair = scene(segments=[ball("ball", *semis[0]), ball("other", *semis[1])],
                     contacts=[on_floor(), between("ball", "other")])  # fmt: skip
        q = rng.normal(size=(2, 4))
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        far = np.tile([0.0, 0.0, -5.0], (2, 1))
        near = far[0] + rng.uniform(-0.15, 0.15, 3)
        other = np.array([[3.0, 0.0, -5.0], near])
        found = seen(pair, far, other, turns=np.broadcast_to(q, (2, 2, 4)))
        reach = sum(
            np.linalg.norm((n @ R) * s, axis=1) for R, s in zip(matrices(q), semis, strict=True)
        )
        depth = float(np.min(reach - n @ (near - far[1])))
        if abs(depth - 0.5 * semis.min()) < 1e-3:
            continue
        assert bool(found) == (depth > 0.5 * semis.min())
        if found:
            compared += 1
            assert found[0].depth_m == pytest.approx(depth, abs=2e-4)
    assert compared > 10


def test_three_quarters_of_what_is_told_is_not_told_however_shapes_lie() -> None:
    """Slender ellipsoids askew, which a box about them would take for deeper than they are."""
    rng = np.random.default_rng(11)
    n = rng.normal(size=(20_000, 3))
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    far = np.tile([0.0, 0.0, -5.0], (2, 1))
    for _ in range(20):
        semis = rng.uniform(0.05, 0.4, (2, 3))
        q = rng.normal(size=(2, 4))
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        reach = sum(
            np.linalg.norm((n @ R) * s, axis=1) for R, s in zip(matrices(q), semis, strict=True)
        )
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        near, apart = 0.0, 1.0
        for _ in range(40):
            middle = 0.5 * (near + apart)
            is_deep = np.min(reach - middle * (n @ way)) > 0.75 * 0.5 * semis.min()
            near, apart = (middle, apart) if is_deep else (near, middle)
        pair = scene(segments=[ball("ball", *semis[0]), ball("other", *semis[1])],
                     contacts=[on_floor(), between("ball", "other")])  # fmt: skip
        other = np.array([[3.0, 0.0, -5.0], far[0] + near * way])
        assert seen(pair, far, other, turns=np.broadcast_to(q, (2, 2, 4))) == ()


@pytest.mark.parametrize("block", [1, 7, 64])
def test_blocks_of_any_size_tell_the_same(block: int) -> None:
    rng = np.random.default_rng(3)
    body = scene(**chain())
    t = np.linspace(0.0, 6.0, 300)
    # far apart at the start, soon among each other
    ways = [
        np.array([4.0 * n, 0.0, -2.0]) * np.exp(-5.0 * t)[:, None]
        + np.stack([0.3 * np.sin(w * t) for w in rng.uniform(1.0, 6.0, 3)], axis=1)
        for n in range(4)
    ]
    whole = seen(body, *ways)
    assert len(whole) > 3
    assert seen(body, *ways, block=block) == whole


def test_contact_inside_is_told_by_its_own_depth() -> None:
    bowl = ball("bowl", 0.5, 0.5, 0.5)
    inside = scene(segments=[ball("ball"), bowl], contacts=[between("ball", "bowl", inside=True)])
    watch = PenetrationMonitor(inside)
    columns = {
        "position": np.zeros((3, 2, 3)),
        "quaternion_wxyz": np.tile([1.0, 0, 0, 0], (3, 2, 1)),
    }
    watch.look(np.arange(3.0), columns, np.array([[0.0], [0.04], [0.06]]))
    (found,) = watch.found()
    assert (found.depth_m, found.first_s, found.into) == (0.06, 2.0, "segments/bowl")


def test_long_runs_are_cheap_to_watch() -> None:
    """By what is done, not by the clock: a pair that stays apart is never measured."""
    body = scene(**chain())
    ways = [np.tile([3.0 * n, 0.0, -9.0], (5000, 1)) for n in range(4)]
    import solver.running.outputs.penetration as module

    called: list[int] = []
    kept = module.gaps_along
    module.gaps_along = lambda *given: called.append(1) or kept(*given)  # type: ignore[assignment]
    try:
        assert seen(body, *ways) == ()
    finally:
        module.gaps_along = kept
    assert called == []


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize(("offset", "told_of"), [(0.02, 0), (0.15, 1)])
def test_a_shape_within_another_that_it_is_fixed_to_meets_what_that_one_meets(
    offset: float, told_of: int, is_cut: bool
) -> None:
    """A chin within a head is no stranger to what the head may touch, nor a half of a pelvis behind a rigid cut; a bumper beside a bonnet's edge is one."""
    one, chin = ball("ball"), ball("chin", 0.06, 0.06, 0.12)
    joint = {
        "id": "cut", "kind": "locked", "parent": "ball", "child": "chin",
        "parent_frame": {"position_m": [offset, 0.0, 0.0]},
    }  # fmt: skip
    if not is_cut:
        one["surfaces"].append(
            {**chin["surfaces"][0], "id": "chin", "centre_m": [offset, 0.0, 0.0]}
        )
    data = base(
        0.3, segments=[one, chin] if is_cut else [one], joints=[joint] if is_cut else [],
        planes=[floor()], contacts=[on_floor()],
        contact_laws=[{**LAW, "stiffness_n_per_m": 2e3}],
        initial={"roots": [{"segment": "ball", "position_m": [0.0, 0.0, -0.3]}]},
    )  # fmt: skip
    of = project(data)
    found = [p for p in passages(of, simulate(of)) if p.what.endswith("/chin")]
    assert len(found) == told_of


def person(*touched: str) -> Project:
    """Give a person of balls on joints with a hand, a block that moves as told, and its bag of 0.2 m, which touches these parts."""
    of = {one: {"segment": one, "surface": "body"} for one in ("pelvis", "chest", "hand", "block")}
    joints = [{"id": b, "kind": "ball", "parent": a, "child": b} for a, b in (("pelvis", "chest"), ("chest", "head"), ("head", "hand"))]  # fmt: skip
    bag = {
        "id": "bag", "panels": [of["block"]], "deployment_point_m": [0.31, 0.0, 0.0], "semi_axes_m": [0.2] * 3,
        "fabric_mass_kg": 0.1, "trigger": {"kind": "time", "time_s": 0.0}, "panel_stiffness_n_per_m": 1e4,
        "inflator": {"kind": "tank", "volume_m3": 0.001, "pressure_pa": 1e7, "temperature_k": 600.0, "throat_area_m2": 1e-4},
        "touches": [of[one] for one in ("chest", *touched)],
    }  # fmt: skip
    still = {"component": "x", "pulse": {"kind": "constant", "value": 0.0}}
    return scene(
        segments=[*map(ball, ("pelvis", "chest", "head")), ball("hand", 0.04, 0.03, 0.06), ball("block", 0.3, 0.3, 0.3)],
        joints=joints, motions=[{"id": "motion", "segment": "block", "components": [still]}], airbags=[bag],
        contacts=[{**on_floor(), "surface": of["pelvis"]}, between("chest", "block")], initial={"roots": [{"segment": one} for one in ("pelvis", "block")]},
    )  # fmt: skip


@pytest.mark.parametrize(("part", "radius"), [(3, 0.04), (2, 0.1)])
@pytest.mark.parametrize(("deep", "told"), [(0.0095, 0), (0.0105, 1)])
def test_limbs_and_heads_are_told_of_from_10_mm_on(part: int, radius: float, deep: float, told: int) -> None:  # fmt: skip
    """Move a hand, and a head, along x into a block; half of their semi-axes are 15 and 50 mm."""
    ways = [np.tile([5.0 * n, 0.0, -9.0], (50, 1)) for n in (1, 2, 3, 4, 0)]
    ways[part] = np.linspace([2.0, 0.0, -9.0], [0.3 + radius - deep, 0.0, -9.0], 50)
    found = seen(person(), *ways)
    assert [(one.kind, one.contact) for one in found] == told * [("deep", "")]
    assert not told or found[0].depth_m == pytest.approx(deep, abs=1e-6)


@pytest.mark.parametrize(("part", "told"), [(3, 1), (0, 0)])
def test_what_lies_in_something_from_the_start_is_told_of_as_a_limb_alone(part: int, told: int) -> None:  # fmt: skip
    """A hand that lies 20 mm in a block goes 10.5 mm deeper; a pelvis that does so by far more is made so."""
    radius, deeper = {3: (0.04, 0.0105), 0: (0.1, 0.08)}[part]
    ways = [np.tile([5.0 * n, 0.0, -9.0], (50, 1)) for n in (1, 2, 3, 4, 0)]
    at = 0.3 + radius - 0.02
    ways[part] = np.linspace([at, 0.0, -9.0], [at - deeper, 0.0, -9.0], 50)
    found = seen(person(), *ways)
    assert [one.contact for one in found] == told * [""]
    assert not told or found[0].depth_m == pytest.approx(0.0305, abs=1e-6)
    ways[part] = np.linspace([at, 0.0, -9.0], [at - 0.0095, 0.0, -9.0], 50)
    assert seen(person(), *ways) == ()


@pytest.mark.parametrize(("pascal", "touched", "ends", "told"), [(2e3, (), -0.2, 1), (500.0, (), -0.2, 0), (2e3, ("hand",), -0.2, 0), (2e3, (), -0.2475, 0)])  # fmt: skip
def test_a_hand_in_a_bag_that_does_not_touch_it_is_told(pascal: float, touched: tuple[str, ...], ends: float, told: int) -> None:  # fmt: skip
    """Move a hand along its x into a ball of cloth, or beside it: how deep follows from both radii and their distance."""
    watch, place = PenetrationMonitor(person(*touched)), np.full((20, 5, 3), 9.0)
    place[:, 3] = np.linspace([-1.0, 0.0, 0.0], [ends, 0.0, 0.0], 20)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (20, 5, 1))
    stands = {"position": np.zeros((20, 1, 3)), "quaternion_wxyz": still[:, :1], "semi_axes": np.full((20, 1, 3), 0.2), "pressure": np.full((20, 1), pascal)}  # fmt: skip
    watch.look(np.arange(20.0), {"position": place, "quaternion_wxyz": still}, None, stands)
    found = [one for one in watch.found() if one.into == "airbags/bag"]
    assert [one.what for one in found] == told * ["segments/hand"]
    assert not told or (found[0].depth_m, found[0].time_s) == pytest.approx((0.04, 19.0))
