"""Models of OpenSim move as OpenSim moves them; what is left out is named, what cannot be read is said with its line."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.exchange.trees import TreeError, read_tree
from solver.exchange.trees.files import ReadTree, tree_of
from solver.project import ProjectError
from solver.project.pose import start_pose
from tests.exploring import SEED
from tests.rows import rows

DATA = Path(__file__).parent.parent / "data" / "osim"
PENDULUM = """<?xml version="1.0"?>
<OpenSimDocument Version="30000"><Model name="pendulum"><gravity>0 -9.80665 0</gravity>
<BodySet><objects><Body name="ground"><mass>0</mass></Body>
<Body name="bob"><mass>2</mass><mass_center>0 0 0</mass_center><inertia_xx>0.1</inertia_xx><inertia_yy>0.1</inertia_yy><inertia_zz>0.02</inertia_zz>
<Joint><PinJoint name="pivot"><parent_body>ground</parent_body><location_in_parent>0 1 0</location_in_parent><orientation_in_parent>0 0 0</orientation_in_parent>
<location>0 0.5 0</location><orientation>0 0 0</orientation>
<CoordinateSet><objects><Coordinate name="angle"><default_value>0.7</default_value><default_speed_value>1.5</default_speed_value></Coordinate></objects></CoordinateSet>
<reverse>false</reverse></PinJoint></Joint></Body></objects></BodySet>
<ForceSet><objects>{forces}</objects></ForceSet></Model></OpenSimDocument>"""


def pendulum(forces: str = "", **changes: str) -> ReadTree:
    text = PENDULUM.format(forces=forces)
    for old, new in changes.items():
        text = text.replace(old, new)
    return tree_of(text.encode(), "pendulum.osim")


def vector(run: mk.Run, name: str) -> np.ndarray:
    return np.array([run[name.format(axis)].value[0] for axis in "xyz"])


def test_every_joint_and_force_moves_as_opensim_moves_it() -> None:
    """Places, accelerations and rates of turning at rest, as OpenSim 4.6 gives them for the same file."""
    made = read_tree(DATA / "every_joint.osim")
    told = json.loads((DATA / "every_joint.json").read_text(encoding="utf-8"))["bodies"]
    pose, run = start_pose(made.project), mk.run(mk.Model(made.project), until=1e-3)
    assert len(told) == 9
    for name, want in told.items():
        assert np.abs(pose[name].p_W - want["place_m"]).max() < 1e-12, name
        linear = vector(run, f"segments/{name}/acceleration/{{}}")
        turning = vector(run, f"segments/{name}/angular_acceleration/{{}}@ground")
        size = 1.0 + max(np.abs(one["angular_acceleration_rad_per_s2"]).max() for one in told.values())  # fmt: skip
        assert np.abs(linear - want["acceleration_m_per_s2"]).max() < 1e-9 * size, name
        assert np.abs(turning - want["angular_acceleration_rad_per_s2"]).max() < 1e-9 * size, name


def test_a_pendulum_of_version_three_has_its_closed_form() -> None:
    """(I + m L2) a = -m g L sin q - c q'; energy stays that of the start."""
    spring = "<SpringGeneralizedForce name='damper'><coordinate>angle</coordinate><stiffness>0</stiffness><rest_length>0</rest_length><viscosity>0.4</viscosity></SpringGeneralizedForce>"
    for forces, drag in (("", 0.0), (spring, 0.4)):
        made = pendulum(forces)
        run = mk.run(mk.Model(made.project), until=1e-3)
        wanted = (-2.0 * 9.80665 * 0.5 * math.sin(0.7) - drag * 1.5) / (0.02 + 2.0 * 0.25)
        assert run["segments/bob/angular_acceleration/z@ground"].value[0] == pytest.approx(wanted, rel=1e-12)  # fmt: skip
        assert run["segments/bob/angular_velocity/z@ground"].value[0] == pytest.approx(1.5, rel=1e-12)  # fmt: skip
        assert run["segments/bob/position/x"].value[0] == pytest.approx(0.5 * math.sin(0.7), abs=1e-12)  # fmt: skip


def test_what_is_left_out_is_named() -> None:
    said = " ".join(map(str, pendulum("<Thelen2003Muscle name='m'/><Thelen2003Muscle name='n'/><HuntCrossleyForce name='h'/><PathSpring name='off'><appliesForce>false</appliesForce></PathSpring>").notes))  # fmt: skip
    for words in (
        "kind Thelen2003Muscle are left out (2)",
        "HuntCrossleyForce",
        "'off' is switched off",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("PinJoint", "EllipsoidJoint", "EllipsoidJoint: joints of this kind have no like here"),
        ("<parent_body>ground", "<parent_body>grund", "grund: there is no frame of this name"),
        ("<mass>2", "<mass>two", "no number"),
        ("<gravity>", "<length_units>inches</length_units><gravity>", "only models in metres"),
        ("<reverse>false", "<reverse>true", "count from the child"),
        ("<?xml version=\"1.0\"?>", "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>", "document types and entities are not read"),
        ("OpenSimDocument", "MADYMO_7", "its format is closed"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said(old: str, new: str, said: str) -> None:
    with pytest.raises(TreeError, match=said):
        pendulum(**{old: new})


@rows("seed", range(25))
def test_a_damaged_model_gives_a_sentence(seed: int) -> None:
    text = (DATA / "every_joint.osim").read_text(encoding="utf-8")
    rng = random.Random(f"{SEED} osim {seed}")
    for _ in range(rng.randint(1, 6)):
        at, length = rng.randrange(len(text)), rng.randint(0, 30)
        text = text[:at] + "".join(rng.choice("<>/ae0.-\" \n&x") for _ in range(rng.randint(0, 9))) + text[at + length :]  # fmt: skip
    try:
        said = repr(tree_of(text.encode(), "x.osim").project)
    except (TreeError, ProjectError) as failure:
        said = str(failure)
    assert said


def test_import_from_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    before = (DATA / "every_joint.osim").read_bytes()
    assert main(["import", str(DATA / "every_joint.osim"), "-o", str(out)]) == 0
    assert "Cylinders are hyperellipsoids" in capsys.readouterr().out
    assert len(mk.load(out).project.joints) == 15
    assert (DATA / "every_joint.osim").read_bytes() == before


def test_a_property_that_nothing_reads_is_named() -> None:
    forces = "<SpringGeneralizedForce name='s'><coordinate>angle</coordinate><stiffness>3</stiffness><hysteresis>2</hysteresis></SpringGeneralizedForce>"
    made = pendulum(forces, **{"<default_value>": "<backlash>1</backlash><range>-1 1</range><default_value>"})  # fmt: skip
    told = " ".join(map(str, made.notes))
    assert "<Coordinate>: not read: <backlash> (first on line" in told
    assert "<SpringGeneralizedForce>: not read: <hysteresis>" in told
    assert "range" not in told
    assert not pendulum().notes
