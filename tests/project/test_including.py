"""A project in a project: where it stands, what follows its file, what stays, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from solver.base.places import samples
from solver.cli import main
from solver.editing.including import (
    ChangedByHand,
    IncludeError,
    changed_by_hand,
    include,
    let_go,
    paths_of,
    update,
)
from solver.engine.maths.rotation import from_angles
from solver.project import Project, ProjectError, load_project, save_project, to_json
from solver.project.changes import value_at, with_value
from solver.project.checks import check
from solver.project.geometry import Frame, Orientation
from solver.project.pose import start_pose
from solver.project.references import renamed
from solver.project.segments import Plane, Segment, ThreePoints
from solver.running.simulation import project_bytes

LOWER = "segments/part_lower/mass_kg"
SHELF = Plane(
    id="shelf", segment="part_lower",
    placement=ThreePoints(p1_m=(0.0, 0.0, 0.0), p2_m=(0.1, 0.0, 0.0), p3_m=(0.0, 0.1, 0.0)),
)  # fmt: skip
"""A plane of the project's own that an included segment carries."""


def box(**more: object) -> Segment:
    return Segment(id="car", mass_kg=900.0, inertia_kgm2=(300.0, 1200.0, 1200.0), **more)


@pytest.fixture(scope="module")
def pendulum() -> Project:
    return load_project(samples() / "double_pendulum.json")


@pytest.fixture
def part(tmp_path: Path, pendulum: Project) -> Path:
    """The file of a double pendulum, in a folder of its own."""
    (tmp_path / "parts").mkdir()
    save_project(pendulum, tmp_path / "parts" / "part.json")
    return tmp_path / "parts" / "part.json"


def written(part: Path, path: str, value: object) -> None:
    save_project(with_value(load_project(part), path, value), part)


def codes(project: Project) -> list[str]:
    return [one.code for one in check(project) if one.code.startswith("include")]


@pytest.mark.parametrize("name", ["double_pendulum", "sled", "free_body"])
def test_everything_stands_where_its_frame_says(name: str) -> None:
    """Every segment, whether of a joint or free, is the file's, turned and shifted; on a carrier by the carrier's pose, too."""
    file = samples() / f"{name}.json"
    other = load_project(file)
    frame = Frame(position_m=(2.0, -1.0, 0.5), orientation=Orientation(angles_rad=(0.7, 0.2, -0.1)))
    R, p = from_angles((0.7, 0.2, -0.1), "zyx"), np.array(frame.position_m)
    there, made = start_pose(other), start_pose(include(Project(), file, "x", frame=frame))
    for one in other.segments:
        if any(motion.segment == one.id for motion in other.motions):
            continue
        assert made[f"x_{one.id}"].p_W == pytest.approx(p + R @ there[one.id].p_W, abs=1e-9)
        assert pytest.approx(R @ there[one.id].R_WS, abs=1e-9) == made[f"x_{one.id}"].R_WS


def test_one_file_holds_all_and_results_know_no_link(part: Path, pendulum: Project) -> None:
    made = include(Project(runs=pendulum.runs), part, home=part.parent.parent / "host.json")
    assert made.includes[0].id == "part"
    assert codes(made) == []
    assert project_bytes(made) == project_bytes(let_go(made, "part"))
    assert "includes" not in project_bytes(made).decode()
    assert {one.group for one in made.segments} == {"Part"}
    assert set(paths_of(made, "part")) >= {"segments/part_upper", "joints/part_hinge"}


def test_the_path_follows_the_folder(part: Path, tmp_path: Path) -> None:
    made = include(Project(), part)
    for file, path in (
        ("host.json", "parts/part.json"),
        ("a/b/host.json", "../../parts/part.json"),
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        save_project(made, tmp_path / file)
        assert f'"file": "{path}"' in (tmp_path / file).read_text()
        assert load_project(tmp_path / file) == made
        made = load_project(tmp_path / file)
    moved = tmp_path / "elsewhere.json"
    moved.write_bytes((tmp_path / "host.json").read_bytes().replace(b"parts/", b"none/"))
    assert codes(load_project(moved)) == ["include-gone"]


def test_what_is_as_it_was_taken_follows_and_the_rest_stays(part: Path, tmp_path: Path) -> None:
    made = include(Project(segments=(box(),)), part)
    made = with_value(made, "joints/part_hinge/name", "By hand")
    made = made.model_copy(update={"planes": (SHELF,)})
    assert changed_by_hand(made, "part") == ("joints/part_hinge",)
    before = part.read_bytes()
    written(part, "segments/lower/mass_kg", 2.5)
    assert part.read_bytes() != before
    assert codes(made) == ["include-changed"]
    done = update(made, "part")
    assert (done.came, done.changed, done.went) == ((), ("segments/part_lower",), ())
    assert done.kept == ("joints/part_hinge",)
    assert value_at(done.project, LOWER) == 2.5
    assert done.project.planes == (SHELF,)
    assert [one.id for one in done.project.segments] == [one.id for one in made.segments]
    assert codes(done.project) == []
    # once more nothing is to be done, and the change by hand is still known as one
    again = update(done.project, "part")
    assert again.project == done.project
    assert changed_by_hand(done.project, "part") == ("joints/part_hinge",)
    reset = update(done.project, "part", overwrite=True).project
    assert value_at(reset, "joints/part_hinge/name") != "By hand"
    assert changed_by_hand(reset, "part") == ()


def test_a_change_on_both_sides_is_refused_by_name(part: Path) -> None:
    made = with_value(include(Project(), part), LOWER, 7.0)
    written(part, "segments/lower/mass_kg", 2.5)
    with pytest.raises(ChangedByHand, match=r"Changed by hand here.*'Lower"):
        update(made, "part")
    assert value_at(update(made, "part", overwrite=True).project, LOWER) == 2.5
    # the same change on both sides is none to speak of
    assert update(with_value(made, LOWER, 2.5), "part").kept == ()
    gone = made.model_copy(update={"segments": made.segments[:1]})
    with pytest.raises(ChangedByHand, match="part_lower"):
        update(gone, "part")


def test_elements_come_and_go_with_the_file_and_references_are_checked(part: Path) -> None:
    made = include(Project(), part)
    start = made.initial
    made = made.model_copy(update={"planes": (SHELF,)})
    other = load_project(part)
    away = {"segments": (other.segments[0], box()), "joints": other.joints[:1], "outputs": ()}
    initial = other.initial.model_copy(update={"joints": other.initial.joints[:1]})
    save_project(other.model_copy(update={**away, "initial": initial}), part)
    done = update(made, "part")
    assert "segments/part_car" in done.came
    assert {"segments/part_lower", "joints/part_elbow"} & set(done.went)
    assert len(done.project.initial.joints) <= len(start.joints)
    assert "planes/shelf/segment" in [one.path for one in check(done.project)]
    save_project(other, part)
    back = update(done.project, "part").project
    assert [one for one in check(back) if one.severity == "error"] == []
    # an id that both have by now is refused, not overwritten
    both = back.model_copy(update={"segments": (*back.segments, box(name="Own"))})
    both = renamed(both, "segments/car", "part_car")
    save_project(other.model_copy(update={**away, "initial": initial}), part)
    with pytest.raises(IncludeError, match="part_car"):
        update(both, "part")


def test_a_carrier_may_be_renamed(part: Path) -> None:
    host = Project(segments=(box(),))
    frame = Frame(position_m=(0.5, 0.0, -0.3))
    made = include(host, part, "arm", on="car", frame=frame)
    assert {joint.parent for joint in made.joints} == {"car", "arm_upper"}
    made = renamed(made, "segments/car", "van")
    assert changed_by_hand(made, "arm") == ()
    written(part, "segments/lower/mass_kg", 2.5)
    done = update(made, "arm")
    assert done.changed == ("segments/arm_lower",)
    without = done.project.model_copy(update={"segments": done.project.segments[1:]})
    with pytest.raises(IncludeError, match="no segment 'van'"):
        update(without, "arm")


def test_circles_are_refused(part: Path, tmp_path: Path) -> None:
    a, b = tmp_path / "a.json", tmp_path / "b.json"
    save_project(include(Project(), part), a)
    save_project(include(Project(), a), b)
    with pytest.raises(ProjectError, match="would include itself"):
        include(load_project(a), a, home=a)
    with pytest.raises(ProjectError, match=r"'a.json' would include itself \(b.json\)"):
        include(load_project(a), b, home=a)
    # saving sees to it where nobody knew the file before
    made, before = include(load_project(a), b), a.read_bytes()
    with pytest.raises(ProjectError, match="would include itself"):
        save_project(made, a)
    assert a.read_bytes() == before
    save_project(made, tmp_path / "c.json")


def test_points_of_curves_come_along(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "pull.csv").write_text("t,F\n0,0\n0.1,5\n")
    text = (
        '{"format": "manikin-project", "schema_version": 4, "functions": [{"id": "pull", "x_unit": "s",'
        ' "y_unit": "N", "form": {"kind": "table", "csv": {"path": "pull.csv"}}}]}'
    )
    (tmp_path / "in" / "x.json").write_text(text)
    made = include(Project(), tmp_path / "in" / "x.json")
    save_project(made, tmp_path / "host.json")
    form = load_project(tmp_path / "host.json").functions[0].form
    assert (form.x, form.y, form.csv) == ((0.0, 0.1), (0.0, 5.0), None)
    assert changed_by_hand(made, "x") == ()


def test_names_are_free_and_usable(part: Path) -> None:
    twice = include(include(Project(), part), part)
    assert [one.id for one in twice.includes] == ["part", "part_2"]
    assert [one for one in check(twice) if one.code == "id-twice"] == []
    for name, words in (("part", "already"), ("a b", "is no name"), ("n" * 79, "80 characters")):
        with pytest.raises(IncludeError, match=words):
            include(twice, part, name)
    with pytest.raises(IncludeError, match="part_2"):
        update(twice, "none")


def test_commands_add_list_update_and_let_go(
    part: Path, tmp_path: Path, pendulum: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    host = tmp_path / "host.json"
    save_project(pendulum, host)
    add = ["include", "add", str(host), str(part), "--name", "arm", "--at", "0", "1", "0", "--yaw", "90"]  # fmt: skip
    assert main(add) == 0
    assert load_project(host).includes[0].frame.orientation.angles_rad[0] == math.pi / 2
    onto = ["--name", "onto", "--onto", "segments/arm_lower", "--at", "0", "0", "0.25", "-o"]
    assert main(["include", "add", str(host), str(part), *onto, str(tmp_path / "onto.json")]) == 0
    there = load_project(tmp_path / "onto.json")
    lower = start_pose(there)["arm_lower"].p_W
    assert there.includes[-1].frame.position_m == pytest.approx(lower - (0.0, 0.0, -0.25))
    written(part, "segments/lower/mass_kg", 2.5)
    assert main(["check", str(host)]) == 0
    assert "[include-changed]" in capsys.readouterr().err
    assert main(["include", "list", str(host)]) == 0
    assert "changed since" in capsys.readouterr().out
    assert main(["include", "update", str(host), "-o", str(part)]) == 1, "the file itself is spared"
    assert main(["include", "update", str(host)]) == 0
    assert value_at(load_project(host), "segments/arm_lower/mass_kg") == 2.5
    before = to_json(let_go(load_project(host), "arm"))
    assert main(["include", "let-go", str(host), "arm"]) == 0
    assert to_json(load_project(host)) == before
    assert main(["include", "add", str(host), str(host)]) == 1
