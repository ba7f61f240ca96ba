"""See what selected joints may do: pointers as the channels have them, arcs in pictures, and when none is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.features.movie.film import Film, Shot
from app.look import DARK_STRONG, LIGHT, Theme
from app.run_view.overlays import Overlays
from app.run_view.playback import Playback
from app.scene.lens import Lens
from app.scene.reach import reading_text
from app.scene.stage import Stage
from solver import simulate
from solver.base.places import samples
from solver.engine.maths.rotation import from_angles, matrices
from solver.project import Project, load_project, validated
from solver.project.joint_table import row_of
from solver.project.pose import turn
from solver.project.ranges import Range
from solver.results.trajectory import Trajectory
from solver.scene.reach import Reach, Reading
from tests.models import hung
from tests.window.solving import solved

pytestmark = [pytest.mark.window, pytest.mark.one_window]

STOP = {"stop_rad": 0.3, "quadratic_nm_per_rad2": 200.0}
AXIS = {"spring": STOP, "centre_rad": 0.2}
KINDS: dict[str, tuple[dict[str, Any], list[float]]] = {
    "pin": ({"kind": "pin", "spring": STOP}, [0.9]),
    "universal": ({"kind": "universal", "first": AXIS, "second": AXIS}, [0.4, -0.7]),
    "euler": ({"kind": "euler", "nutation": AXIS, "spin": AXIS}, [0.4, 0.9, -0.3]),
    "ball": ({"kind": "ball", "flexure": STOP, "torsion": STOP}, [0.5, 0.8, -0.4]),
    "slip": ({"kind": "slip", "rotation": "pin_y", "flexure": STOP}, [0.0, 0.7]),
}


def swung(kind: str) -> tuple[Project, Trajectory]:
    """Let a rod swing on a joint whose frames are turned in both segments."""
    joint, values = KINDS[kind]
    frames = {
        "parent_frame": {"position_m": [0.1, 0.2, -0.3], "orientation": {"angles_rad": [0.3, -0.2, 0.5]}},
        "child_frame": {"position_m": [0.0, 0.0, -0.5], "orientation": {"angles_rad": [-0.4, 0.2, 0.1]}},
    }  # fmt: skip
    data = hung({**joint, **frames}, values)
    data["runs"][0]["duration_s"] = 0.4
    project = validated(data)
    return project, simulate(project)


def shown(project: Project, run: Trajectory, t: float) -> Reach:
    playback, stage = Playback(project, run, Overlays(reach=True)), Stage(LIGHT)
    playback.joints = ("joint",)
    stage.show(project)
    playback.show(stage, t)
    stage.prepare(320, 240)
    found: Reach = stage.overlays.reaches.shown["joint"]
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_pointers_stand_where_the_channels_and_the_bodies_say(kind: str) -> None:
    project, run = swung(kind)
    joint, table = project.joints[0], run.table("joints")
    row = row_of(joint)
    R_WP = turn(joint.parent_frame.orientation)
    segments = run.table("segments")
    met = set()
    for frame in range(0, len(run.time), 4):
        made = shown(project, run, float(run.time[frame]))
        told = table["angle"][frame, 0]
        read = {one.name: one.value for one in made.readings}
        pointers = {one.name: one for one in made.pointers}
        R_WC = matrices(segments["quaternion_wxyz"][frame])[0] @ turn(joint.child_frame.orientation)
        if row.acts == "ball":
            R = R_WP @ from_angles(tuple(told), "zyx")
            assert pointers["flexure"].way == pytest.approx(R[:, 2], abs=1e-9)
            assert pointers["torsion"].way == pytest.approx(R[:, 0], abs=1e-9)
            assert read["flexure"] == pytest.approx(np.arccos(R[:, 2] @ R_WP[:, 2]), abs=1e-7)
        else:
            # the angle of each pointer is measured from where the turns before have led
            R = R_WP
            for n, one in enumerate(row.turns):
                axis = "xyz".index(one.axis)
                zero = R[:, 0 if one.axis == "z" else 2]
                way = pointers[one.name].way
                angle = np.arctan2(np.cross(zero, way) @ R[:, axis], zero @ way)
                assert np.cos(angle - told[n]) == pytest.approx(1.0, abs=1e-12)
                assert read[one.name] == told[n]
                R = R @ from_angles((told[n],), one.axis)
        last = row.turns[-1].axis
        axis = 0 if row.acts == "ball" or last == "z" else 2
        assert made.pointers[-1].way == pytest.approx(R_WC[:, axis], abs=1e-6)
        if row.slides:
            assert read["slide"] == table["slide"][frame, 0]
            point = segments["position"][frame, 0] + matrices(segments["quaternion_wxyz"][frame])[0] @ [0, 0, -0.5]  # fmt: skip
            assert pointers["slide"].at == pytest.approx(point, abs=1e-6)
        for one in made.readings:
            beyond = not one.range.low <= one.value <= one.range.high
            assert (one.range.where(one.value) == "stop") is beyond
        met |= {tone for tone, _ in made.strokes if tone in ("met", "pointer")}
    assert met == {"met", "pointer"}, "some are in a stop, and some are not"


def test_between_frames_a_pointer_goes_straight_on() -> None:
    project, run = swung("pin")
    told, time = run.table("joints")["angle"][:, 0, 0], run.time
    t = float(0.75 * time[11] + 0.25 * time[12])
    (one,) = shown(project, run, t).readings
    assert one.value == pytest.approx(0.75 * told[11] + 0.25 * told[12], rel=1e-12)


@pytest.mark.parametrize("theme", [LIGHT, DARK_STRONG], ids=["light", "dark and strong"])
def test_a_picture_shows_the_arc_where_the_joint_is(theme: Theme) -> None:
    """The free sector is seen about the joint, the band of the stop beyond it, and nothing elsewhere."""
    project, run = swung("pin")
    t = float(run.time[0])

    def filmed(on: bool) -> tuple[Any, Any, Lens]:
        shot = Shot(
            (480, 360), "side", shows_time=False, theme=theme, joints=("joint",),
            overlays=Overlays(reach=on),
        )  # fmt: skip
        with Film(project, run, shot) as film:
            seen = film.picture(t)
            stage = film._stage
            lens = Lens(stage.camera, 480.0, 360.0)
            return seen.astype(int), stage.overlays.reaches.shown.get("joint"), lens

    (plain, none, _), (seen, made, lens) = filmed(False), filmed(True)
    assert none is None, "movies show it only where it is asked for"
    changed = np.abs(seen - plain).max(axis=2) > 8
    assert changed.any()
    rows, columns = np.nonzero(changed)
    size = 1.6 * 0.115 * 360.0
    x, y = lens.pixel(made.at)
    near = np.hypot(columns - x, rows - y) < size
    words = rows[~near]
    assert not len(words) or words.max() - words.min() < 30, (
        "beside the arc there is only its label"
    )

    def colour(tone: str, mean: bool = False) -> Any:
        points = np.vstack([m.points[m.faces].mean(axis=1) for t, m in made.areas if t == tone])
        at = lens.pixels(points)
        found = [seen[int(r), int(c)] - plain[int(r), int(c)] for c, r in at]
        return np.median(found, axis=0)

    free, stop, met = colour("free"), colour("stop"), colour("met")
    for one, other in ((free, stop), (free, met), (stop, met)):
        assert np.abs(one - other).max() > 15, "each has a colour of its own"


def test_it_follows_selection_and_switch_of_model_and_run(window: Any, qtbot: Any) -> None:
    solved(window, qtbot, samples() / "double_pendulum.json")
    bench = window.bench
    run_view, document, reaches = (
        bench.run_view,
        bench.document,
        bench.viewport.stage.overlays.reaches,
    )
    first, second = (joint.id for joint in document.project.joints)

    def seen() -> tuple[str, ...]:
        bench.viewport.settle()
        return tuple(reaches.shown)

    run_view.go(0.3)
    assert seen() == ()
    document.select(f"joints/{first}")
    assert seen() == (first,)
    (one,) = reaches.shown[first].readings
    table = run_view.playback.replay.motion.loads.table("joints")
    frame = run_view.playback.replay.motion.near(0.3)
    assert one.value == pytest.approx(table["angle"][frame, table.ids.index(first), 0])
    (tag,) = bench.viewport.picture.key.tags
    assert tag.words == f"Angle {np.degrees(one.value):.1f}°  ·  no stop".replace("-", "−")
    document.select(f"joints/{second}", add=True)
    assert seen() == (first, second)
    run_view.switch(False)
    assert seen() == (first, second), "also of the model"
    assert reaches.told is None
    window.menus.run("view.reach")
    assert seen() == ()
    assert bench.viewport.picture.key.tags == ()
    run_view.switch(True)
    assert seen() == ()
    window.menus.run("view.reach")
    assert seen() == (first, second)
    bench.units_changed.emit("si")
    bench.viewport.settle()
    assert "rad" in bench.viewport.picture.key.tags[0].words
    document.select("")
    assert seen() == ()


def test_of_many_joints_only_the_last_is_drawn(window: Any) -> None:
    window.open_file(samples() / "fall.json")
    document, reaches = window.bench.document, window.bench.viewport.stage.overlays.reaches
    names = [joint.id for joint in document.project.joints][:6]
    for n, name in enumerate(names):
        document.select(f"joints/{name}", add=n > 0)
    assert reaches.joints == (names[-1],)
    document.select(f"segments/{document.project.segments[0].id}", add=True)
    assert reaches.joints == (), "of a whole body none"


@pytest.mark.parametrize(
    ("name", "range_", "value", "words"),
    [
        ("angle", Range(-1.0, 0.5), 0.2, "Angle 11.5°  ·  free −57.3° to 28.6°"),
        ("angle", Range(-1.0, 0.5), -1.2, "Angle −68.8°  ·  free −57.3° to 28.6°  ·  in its stop"),
        ("angle", Range(high=0.5), 0.2, "Angle 11.5°  ·  free to 28.6°"),
        ("angle", Range(low=0.1), 0.2, "Angle 11.5°  ·  free from 5.7°"),
        ("angle", Range(0.0, 0.0, -1.0, 1.0), 0.2, "Angle 11.5°  ·  resisted −57.3° to 57.3°"),
        ("angle", Range(0.0, 0.0, -1.0, 1.0), 1.2, "Angle 68.8°  ·  resisted −57.3° to 57.3°  ·  beyond its law's end"),
        ("flexure", Range(0.0, 0.5, 0.0, 1.0), 0.2, "Flexure 11.5°  ·  free to 28.6°"),
        ("flexure", Range(low=0.0), 0.2, "Flexure 11.5°  ·  no stop"),
        ("angle", Range(), 0.2, "Angle 11.5°  ·  no stop"),
        ("torsion", Range(0.0, 0.0), 0.2, "Torsion 11.5°  ·  resisted from the first"),
    ],
)  # fmt: skip
def test_labels_say_angle_and_range(name: str, range_: Range, value: float, words: str) -> None:
    assert reading_text(Reading(name, "rad", value, range_), "metric") == words


def test_labels_keep_inside_and_off_each_other() -> None:
    """Without room to the right they lie above; one that would lie on another goes below it."""
    from app.features.movie.film import lettered
    from app.scene.key import Key, Tag, tag_boxes

    stage = Stage(LIGHT)
    stage.show(load_project(samples() / "pendulum.json"))
    lens = Lens(stage.camera, 640.0, 480.0)

    def place(x: float, y: float) -> Any:
        eye, way = lens.ray(x, y)
        return tuple((eye + way).tolist())

    first = Tag(place(100.0, 200.0), "one", place(60.0, 120.0))
    second = Tag(place(140.0, 210.0), "two", place(60.0, 120.0))
    words = "Angle 11.5°  ·  free −57.3° to 28.6°"
    last = Tag(place(600.0, 200.0), words, place(620.0, 120.0))
    boxes = [box for _, box in tag_boxes((first, second, last), lens, lambda _: (200.0, 30.0))]
    assert boxes[0] == pytest.approx((100.0, 185.0, 200.0, 30.0))
    assert boxes[1] == pytest.approx((140.0, 218.0, 200.0, 30.0)), "below the first"
    assert boxes[2] == pytest.approx((436.0, 90.0, 200.0, 30.0)), "above its joint, and whole"
    blank = np.zeros((480, 640, 3), np.uint8)
    drawn = lettered(blank, "", Key(tags=(last,)), lens, LIGHT)
    rows, columns = np.nonzero(drawn.max(axis=2) > 0)
    assert columns.max() < 640
    assert rows.max() < 130
