"""Models of OpenSim move as OpenSim moves them; what is left out is named, what cannot be read is said with its line."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest

import manikin as mk
from solver.analysis.tracking.chain import Chain
from solver.cli import main
from solver.exchange.opensim import read_tasks
from solver.exchange.trees import TreeError, read_tree
from solver.exchange.trees.files import ReadTree, tree_of
from solver.project import ProjectError
from solver.project.pose import start_pose
from tests.exchange.osim_places import places
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
    said = " ".join(map(str, pendulum("<RigidTendonMuscle name='m'/><RigidTendonMuscle name='n'/><Thelen2003Muscle name='bare'/><ElasticFoundationForce name='h'/><HuntCrossleyForce name='bare'/><PathSpring name='off'><appliesForce>false</appliesForce></PathSpring>").notes))  # fmt: skip
    for words in (
        "kind RigidTendonMuscle are left out (2)",
        "Muscle 'bare' is left out: its line has 0 points",
        "kind ElasticFoundationForce are left out (1)",
        "nothing can touch are left out (1): bare",
        "'off' is switched off",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("PinJoint", "RollingJoint", "RollingJoint: joints of this kind have no like here"),
        ("<parent_body>ground", "<parent_body>grund", "grund: there is no frame of this name"),
        ("<mass>2", "<mass>two", "no number"),
        ("<gravity>", "<length_units>inches</length_units><gravity>", "only models in metres"),
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


KNEE = """<?xml version="1.0"?>
<OpenSimDocument Version="40000"><Model name="knee"><gravity>0 -9.80665 0</gravity>
<BodySet><objects><Body name="shank"><mass>3</mass><mass_center>0 -0.2 0</mass_center><inertia>0.04 0.005 0.04 0 0 0</inertia></Body>
<Body name="cap"><mass>0.1</mass><mass_center>0.01 0 0</mass_center><inertia>1e-5 1e-5 1e-5 0 0 0</inertia></Body>
<Body name="thumb"><mass>0</mass><mass_center>0 0 0</mass_center><inertia>0 0 0 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects>
<CustomJoint name="knee"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>shank_off</socket_child_frame>
<coordinates><Coordinate name="bend"><default_value>{bend}</default_value></Coordinate></coordinates>
<frames><PhysicalOffsetFrame name="shank_off"><socket_parent>/bodyset/shank</socket_parent><translation>0.01 0.02 0</translation><orientation>0.1 0.2 0.3</orientation></PhysicalOffsetFrame></frames>
<SpatialTransform>
<TransformAxis name="rotation1"><coordinates>bend</coordinates><axis>0 0 1</axis><LinearFunction><coefficients>1 0</coefficients></LinearFunction></TransformAxis>
<TransformAxis name="rotation2"><coordinates>bend</coordinates><axis>0 1 0</axis><SimmSpline><x>-2 -1.2 -0.4 0</x><y>0.3 0.2 -0.1 0</y></SimmSpline></TransformAxis>
<TransformAxis name="rotation3"><coordinates/><axis>1 0 0</axis><Constant><value>0.05</value></Constant></TransformAxis>
<TransformAxis name="translation1"><coordinates>bend</coordinates><axis>1 0 0</axis><MultiplierFunction><function><SimmSpline><x>-2.0944 -1.74533 -1.39626 -1.0472 -0.698132 -0.349066 -0.174533 0</x><y>-0.0032 0.00179 0.00411 0.0041 0.00212 -0.001 -0.0031 -0.00525</y></SimmSpline></function><scale>1.1</scale></MultiplierFunction></TransformAxis>
<TransformAxis name="translation2"><coordinates>bend</coordinates><axis>0 1 0</axis><SimmSpline><x>-2 -1 0</x><y>-0.42 -0.40 -0.39</y></SimmSpline></TransformAxis>
<TransformAxis name="translation3"><coordinates/><axis>0 0 1</axis><Constant><value>0</value></Constant></TransformAxis>
</SpatialTransform></CustomJoint>
<CustomJoint name="cap_joint"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/cap</socket_child_frame>
<coordinates><Coordinate name="beta"><default_value>0</default_value></Coordinate></coordinates>
<SpatialTransform>
<TransformAxis name="rotation1"><coordinates>beta</coordinates><axis>0 0 1</axis><SimmSpline><x>-2 -1 0</x><y>-1.2 -0.7 0.02</y></SimmSpline></TransformAxis>
<TransformAxis name="rotation2"><coordinates/><axis>0 1 0</axis><Constant><value>0</value></Constant></TransformAxis>
<TransformAxis name="rotation3"><coordinates/><axis>1 0 0</axis><Constant><value>0</value></Constant></TransformAxis>
<TransformAxis name="translation1"><coordinates>beta</coordinates><axis>1 0 0</axis><LinearFunction><coefficients>0.02 0.05</coefficients></LinearFunction></TransformAxis>
<TransformAxis name="translation2"><coordinates>beta</coordinates><axis>0 1 0</axis><SimmSpline><x>-2 -1 0</x><y>-0.42 -0.405 -0.38</y></SimmSpline></TransformAxis>
<TransformAxis name="translation3"><coordinates/><axis>0 0 1</axis><Constant><value>0</value></Constant></TransformAxis>
</SpatialTransform></CustomJoint>
<PinJoint name="thumb_joint"><socket_parent_frame>/bodyset/shank</socket_parent_frame><socket_child_frame>/bodyset/thumb</socket_child_frame><coordinates><Coordinate name="thumb_angle"/></coordinates></PinJoint>
</objects></JointSet>
<ConstraintSet><objects><CoordinateCouplerConstraint name="cap_follows"><coupled_coordinates_function><LinearFunction><coefficients>0.9 0.01</coefficients></LinearFunction></coupled_coordinates_function>
<independent_coordinate_names>bend</independent_coordinate_names><dependent_coordinate_name>beta</dependent_coordinate_name></CoordinateCouplerConstraint></objects></ConstraintSet>
<ForceSet><objects><Thelen2003Muscle name="vasti"><max_isometric_force>5000</max_isometric_force><optimal_fiber_length>0.1</optimal_fiber_length><tendon_slack_length>0.12</tendon_slack_length><pennation_angle_at_optimal>0.2</pennation_angle_at_optimal><default_activation>0.3</default_activation>
<GeometryPath><PathPointSet><objects><PathPoint name="a"><socket_parent_frame>/ground</socket_parent_frame><location>0.02 -0.15 0.01</location></PathPoint>
<ConditionalPathPoint name="b"><socket_parent_frame>/ground</socket_parent_frame><location>0.06 -0.3 0</location><socket_coordinate>/jointset/knee/bend</socket_coordinate><range>-3 -1</range></ConditionalPathPoint>
<PathPoint name="c"><socket_parent_frame>/bodyset/shank</socket_parent_frame><location>0.04 -0.02 0</location></PathPoint></objects></PathPointSet></GeometryPath></Thelen2003Muscle></objects></ForceSet>
<MarkerSet><objects><Marker name="R.Heel"><socket_parent_frame>/bodyset/shank</socket_parent_frame><location>0.01 -0.4 0.02</location></Marker></objects></MarkerSet>
</Model></OpenSimDocument>"""


@pytest.mark.parametrize("bend", [0.0, -1.5])
def test_what_follows_a_knee_stands_where_its_functions_say(bend: float, tmp_path: Path) -> None:
    """Places by an own reading of the same XML, which agrees with places that OpenSim printed; the kneecap starts apart."""
    text = KNEE.format(bend=bend)
    (tmp_path / "knee.osim").write_text(text)
    made = tree_of(text.encode(), "knee.osim")
    pose, told = start_pose(made.project), places(str(tmp_path / "knee.osim"), {})
    for name, centre in (("shank", (0.0, -0.2, 0.0)), ("cap", (0.01, 0.0, 0.0)), ("thumb", (0.0, 0.0, 0.0))):  # fmt: skip
        R, p = told[name]
        assert np.abs(pose[name].p_W - (p + R @ centre)).max() < 1e-9, name
        assert np.abs(pose[name].R_WS - R).max() < 1e-9, name
    (marker,) = made.project.markers
    assert (marker.id, marker.name) == ("R_Heel", "R.Heel")
    R, p = told["shank"]
    there = pose["shank"].of(marker.point_m)
    assert there == pytest.approx(p + R @ (0.01, -0.4, 0.02), abs=1e-12)
    assert "that nothing determines: thumb_angle." in " ".join(map(str, made.notes))
    assert not any("No body" in str(one) for one in made.notes)
    bare = pendulum(**{"<mass>2</mass>": "<mass>0</mass>", ">0.1</inertia": ">0</inertia", ">0.02</inertia": ">0</inertia"})  # fmt: skip
    assert "No body of the file has mass" in str(bare.notes[-1])
    assert not [one for one in mk.Model(made.project).problems if one.severity == "error"]


@pytest.mark.parametrize("bend", [-0.2, -1.5])
def test_a_muscle_pulls_as_thelen_with_a_stiff_tendon(bend: float, tmp_path: Path) -> None:
    """F = F0 cos(a) (activation exp(-(l - 1)^2 / 0.45) + passive), at rest, along its path: a point comes in from -1 rad on."""
    text = KNEE.format(bend=bend)
    (tmp_path / "knee.osim").write_text(text)
    R, p = places(str(tmp_path / "knee.osim"), {})["shank"]
    project = tree_of(text.encode(), "knee.osim").project
    run = mk.run(mk.Model(project), until=1e-3)
    (force,) = (one for one in project.coordinate_forces if one.name == "vasti")
    line = [np.array((0.02, -0.15, 0.01)), *([np.array((0.06, -0.3, 0.0))] if bend < -1.0 else []), p + R @ (0.04, -0.02, 0.0)]  # fmt: skip
    length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    lean = math.cos(0.2)
    stretch = 1.0 + (length - 0.12 - 0.1 * lean) * lean / 0.1
    passive = max(math.exp(5.0 * (stretch - 1.0) / 0.6) - 1.0, 0.0) / (math.exp(5.0) - 1.0)
    wanted = 5000.0 * lean * (0.3 * math.exp(-((stretch - 1.0) ** 2) / 0.45) + passive)
    assert run[f"coordinate_forces/{force.id}/force"].value[0] == pytest.approx(wanted, rel=1e-9)  # fmt: skip


def test_files_that_name_bodies_by_connectors_are_read() -> None:
    joint = """<connectors><Connector_PhysicalFrame_ name="parent_body"><connectee_name>../ground</connectee_name></Connector_PhysicalFrame_>
    <Connector_PhysicalFrame_ name="child_body"><connectee_name>../bob</connectee_name></Connector_PhysicalFrame_></connectors>"""
    text = PENDULUM.format(forces="").replace("<parent_body>ground</parent_body>", joint)
    text = text.replace("<location>", "<location_in_child>").replace("</location>", "</location_in_child>")  # fmt: skip
    start, end = text.index("<Joint>"), text.index("</Joint>")
    held = text[start + 7 : end]
    text = text[:start] + text[end + 8 :]
    text = text.replace("<ForceSet>", f"<JointSet><objects>{held}</objects></JointSet><ForceSet>")
    old, new = start_pose(pendulum().project), start_pose(tree_of(text.encode()).project)
    assert new["bob"].p_W == pytest.approx(old["bob"].p_W, abs=1e-12)


def test_a_knee_that_is_bent_here_takes_along_what_follows_it(tmp_path: Path) -> None:
    """At 86 degrees, with the kneecap's coordinate by its coupler and what that moves by its functions."""
    text = KNEE.format(bend=0.0)
    (tmp_path / "knee.osim").write_text(text)
    model = mk.Model(tree_of(text.encode()).project).pose_joint("bend", (-1.5,))
    pose, told = start_pose(model.project), places(str(tmp_path / "knee.osim"), {"bend": -1.5})
    for name, centre in (("shank", (0.0, -0.2, 0.0)), ("cap", (0.01, 0.0, 0.0))):
        R, p = told[name]
        assert np.abs(pose[name].p_W - (p + R @ centre)).max() < 1e-9, name
    assert not [one for one in model.problems if one.severity == "error"]


MARKERS = {
    "R.Heel": (0.01, -0.4, 0.02),
    "R.Shin": (0.06, -0.1, 0.03),
    "R.Side": (0.0, -0.25, -0.08),
}
SETUP = """<?xml version="1.0"?><OpenSimDocument Version="30000"><InverseKinematicsTool name="ik"><IKTaskSet><objects>
<IKMarkerTask name="R.Heel"><apply>true</apply><weight>{heel}</weight></IKMarkerTask>
<IKMarkerTask name="R.Shin"><apply>true</apply><weight>2</weight></IKMarkerTask>
<IKMarkerTask name="R.Side"><apply>true</apply><weight>1</weight></IKMarkerTask>
<IKMarkerTask name="Not.There"><apply>true</apply><weight>1</weight></IKMarkerTask>
<IKCoordinateTask name="bend"><apply>{drawn}</apply><weight>10</weight><value_type>manual_value</value_type><value>-0.5</value></IKCoordinateTask>
</objects></IKTaskSet><time_range>0.1 2</time_range></InverseKinematicsTool></OpenSimDocument>"""


def walked(folder: Path, noise: float) -> tuple[list[str], np.ndarray]:
    """A model with three markers, their tracks from the plain reading, a set-up; the arguments of the command and the bend."""
    set_ = "".join(f'<Marker name="{name}"><socket_parent_frame>/bodyset/shank</socket_parent_frame><location>{p[0]} {p[1]} {p[2]}</location></Marker>' for name, p in MARKERS.items())  # fmt: skip
    text = KNEE.format(bend=0.0)
    start, end = text.index("<Marker name"), text.index("</objects></MarkerSet>")
    (folder / "knee.osim").write_text(text[:start] + set_ + text[end:])
    time = np.arange(0.0, 1.0, 0.05)
    bend = -0.75 + 0.7 * np.cos(3.0 * time)
    rng = np.random.default_rng(5)
    lines = ["PathFileType\t4\t(X/Y/Z)\tx.trc", "DataRate\t\tCameraRate\t\tNumFrames\t\tNumMarkers\t\tUnits", "20\t\t20\t\t20\t\t3\t\tmm",
             "Frame#\t\tTime\t\t" + "\t\t\t\t\t\t".join(MARKERS), ""]  # fmt: skip
    for n, (t, q) in enumerate(zip(time, bend, strict=True), 1):
        R, p = places(str(folder / "knee.osim"), {"bend": q})["shank"]
        row = np.array([1e3 * (p + R @ np.array(m)) + noise * rng.normal(size=3) for m in MARKERS.values()])  # fmt: skip
        cells = [f"{v:.9f}".replace(".", ",") for v in row.ravel()]
        if n % 4 == 0:
            cells[3:6] = ["", "", ""]
        lines.append("\t\t".join([str(n), f"{t:.4f}", *cells]))
    (folder / "x.trc").write_text("\n".join(lines) + "\n")
    (folder / "ik.xml").write_text(SETUP.format(heel=1, drawn="false"))
    return ["motion", str(folder / "knee.osim"), "--from-markers", str(folder / "x.trc"), "--setup", str(folder / "ik.xml")], bend[2:]  # fmt: skip


@pytest.mark.parametrize(("noise", "most"), [(0.0, 1e-5), (0.3, 0.1)])
def test_inverse_kinematics_runs_from_the_files_of_opensim_alone(noise: float, most: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    """The bend that the markers were made with comes back (degrees, root mean square), with 0.3 mm of noise and with gaps; what follows is no freedom."""
    command, bend = walked(tmp_path, noise)
    assert main([*command, "-o", str(tmp_path / "out.mot")]) == 0
    (found,) = mk.read_test(tmp_path / "out.mot")
    assert (found.name, found.unit, len(found)) == ("bend", "rad", 18)
    assert np.degrees(np.sqrt(((found.value - bend) ** 2).mean())) <= most
    mk.save_storage(tmp_path / "again.sto", [found])
    (again,) = mk.read_test(tmp_path / "again.sto")
    assert np.abs(again.value - found.value).max() < 1e-12


def test_markers_move_by_what_follows_a_knee() -> None:
    """The slope of a marker of the shank by its bend is that of differences, with all that slides and turns along."""
    chain = Chain(tree_of(KNEE.format(bend=-0.7).encode()).project)
    (bend,) = chain.coordinates
    q, h, names = chain.start(), 1e-5, list(chain.markers)
    moved = (chain.places(q + h, names) - chain.places(q - h, names)).ravel() / (2.0 * h)
    assert bend.label == "bend.angle"
    assert chain.jacobian(q, names)[:, 0] == pytest.approx(moved, abs=1e-8)


def test_weights_of_a_set_up_multiply_squares_and_draw_coordinates(tmp_path: Path) -> None:
    """The slope of the sum that OpenSim makes least is zero where it ends: by differences of the plain reading."""
    walked(tmp_path, 3.0)
    (tmp_path / "ik.xml").write_text(SETUP.format(heel=7, drawn="true"))
    model = mk.Model(read_tree(tmp_path / "knee.osim").project)
    tracks = mk.tracks(tmp_path / "x.trc")
    motion = mk.motion_from_markers(model, tracks, setup=tmp_path / "ik.xml")
    q, seen = float(motion.value[0, 0]), tracks.at(float(motion.time[0]))

    def whole(bend: float) -> float:
        R, p = places(str(tmp_path / "knee.osim"), {"bend": bend})["shank"]
        off = [seen[name] - (p + R @ np.array(m)) for name, m in MARKERS.items()]
        far = sum(w * float(d @ d) for w, d in zip((7, 2, 1), off, strict=True))
        return far + 10.0 * (bend + 0.5) ** 2

    h = 1e-4
    less, here, more = whole(q - h), whole(q), whole(q + h)
    assert abs(0.5 * h * (more - less) / (more - 2.0 * here + less)) < 1e-6
    assert abs(q + 0.5) < 0.1, "the coordinate's weight draws it"


MARKER = "<IKMarkerTask name='m'><weight>0</weight></IKMarkerTask>"
FROM_FILE = "<IKCoordinateTask name='q'><value_type>from_file</value_type></IKCoordinateTask>"


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("a.mot", "Coordinates\nversion=1\n", "no line 'endheader'"),
        ("a.sto", "x\nendheader\nt a\n0 1\n", "no column 'time'"),
        ("a.sto", "x\nendheader\ntime a\n0 1\n1 b\n", "Line 5 of 'a.sto' does not hold 2 numbers"),
        ("a.sto", "x\nendheader\ntime a\n1 1\n0 2\n", "Line 5 of 'a.sto': its time is not above"),
        ("a.xml", "<a/>", "no InverseKinematicsTool"),
        ("a.xml", "<IKTaskSet file='other.xml'/>", "stand in 'other.xml': give that file"),
        ("a.xml", f"<IKTaskSet>{MARKER}</IKTaskSet>", "gives no marker a weight"),
        ("a.xml", f"<IKTaskSet>{FROM_FILE}</IKTaskSet>", "make it manual_value"),
    ],
)
def test_files_beside_models_that_cannot_be_read_are_said(
    file: str, text: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / file).write_text(text)
    with pytest.raises((mk.ResultsError, TreeError), match=said):
        (read_tasks if file.endswith("xml") else mk.read_test)(tmp_path / file)


LIMIT = """<CoordinateLimitForce name='end'><coordinate>angle</coordinate><upper_stiffness>3</upper_stiffness><upper_limit>20</upper_limit><lower_stiffness>2</lower_stiffness>
<lower_limit>-30</lower_limit><damping>0.5</damping><transition>10</transition></CoordinateLimitForce>"""


@pytest.mark.parametrize(
    ("degrees", "rate", "told"),
    [
        (25.0, 0.0, -7.5),
        (25.0, 1.0, -21.823944878270588),
        (40.0, -0.5, -45.67605512172942),
        (-33.0, 0.7, -2.2918485030477194),
        (10.0, 3.0, 0.0),
    ],
)
def test_limits_of_coordinates_come_in_as_in_opensim(degrees: float, rate: float, told: float) -> None:  # fmt: skip
    """Loads (N m) as OpenSim's own law gives them: stiffness and damping are by degree, both grow over the transition."""
    start = {"<default_value>0.7": f"<default_value>{math.radians(degrees)}", ">1.5</def": f">{rate}</def"}  # fmt: skip
    run = mk.run(mk.Model(pendulum(LIMIT, **start).project), until=1e-3)
    weight = -2.0 * 9.80665 * 0.5 * math.sin(math.radians(degrees))
    turned = run["segments/bob/angular_acceleration/z@ground"].value[0]
    assert turned == pytest.approx((weight + told) / 0.52, rel=1e-9, abs=1e-12)
