"""Paths of OpenSim's muscles: points that move or come and go, and wrap objects, against lengths that OpenSim 4.6 gives."""

from __future__ import annotations

from typing import Any

import pytest

from solver.exchange.trees.files import tree_of
from solver.model.paths import Courses
from solver.project.coordinates import DistanceCoordinate
from solver.project.pose import start_pose
from solver.running.simulation import simulate
from tests.models import project

POINT = "<PathPoint name='{name}'><socket_parent_frame>{on}</socket_parent_frame><location>{at}</location></PathPoint>"
ARM, LOWER = "/bodyset/upper", "/bodyset/lower"
MOVING = """<MovingPathPoint name='m'><socket_parent_frame>/bodyset/lower</socket_parent_frame>
<socket_x_coordinate>/jointset/elbow/bend</socket_x_coordinate><socket_y_coordinate>/jointset/elbow/bend</socket_y_coordinate><socket_z_coordinate>/jointset/elbow/bend</socket_z_coordinate>
<x_location><SimmSpline><x>-1 0 1 2</x><y>0.03 0.04 0.06 0.05</y></SimmSpline></x_location>
<y_location><MultiplierFunction><function><SimmSpline><x>-1 0 1 2.5</x><y>-0.1 -0.05 -0.08 -0.12</y></SimmSpline></function><scale>0.9</scale></MultiplierFunction></y_location>
<z_location><Constant><value>0.01</value></Constant></z_location></MovingPathPoint>"""
ONLY = """<ConditionalPathPoint name='c'><socket_parent_frame>/bodyset/upper</socket_parent_frame><location>0.07 -0.12 0</location>
<socket_coordinate>/jointset/elbow/bend</socket_coordinate><range>0.5 3</range></ConditionalPathPoint>"""


def muscle(name: str, points: str, *wraps: tuple[str, str]) -> str:
    inner = "".join(f"<PathWrap name='w{n}'><wrap_object>{of}</wrap_object><method>hybrid</method><range>{span}</range></PathWrap>" for n, (of, span) in enumerate(wraps))  # fmt: skip
    return f"""<Thelen2003Muscle name='{name}'><max_isometric_force>500</max_isometric_force><optimal_fiber_length>0.1</optimal_fiber_length><tendon_slack_length>0.2</tendon_slack_length>
<GeometryPath><PathPointSet><objects>{points}</objects></PathPointSet><PathWrapSet><objects>{inner}</objects></PathWrapSet></GeometryPath></Thelen2003Muscle>"""


def two(a: str, b: str, more: str = "") -> str:
    return POINT.format(name="a", on=ARM, at=a) + more + POINT.format(name="b", on=LOWER, at=b)


FORCES = "".join((
    muscle("back", two("-0.04 -0.05 0.01", "-0.03 -0.04 0.02"), ("tube", "-1 -1")),
    muscle("front", two("0.05 -0.1 0", "0.04 -0.06 -0.01"), ("ball", "-1 -1")),
    muscle("egged", two("0.06 -0.05 0.01", "0.05 -0.1 -0.01"), ("egg", "1 2")),
    muscle("moving", two("0.04 -0.1 0.01", "0.02 -0.2 0", MOVING)),
    muscle("guided", two("0.03 -0.02 0", "0.04 -0.1 0", ONLY)),
    muscle("through", two("-0.05 -0.05 0", "0.02 -0.06 0"), ("torus", "-1 -1")),
))  # fmt: skip


def wrap(kind: str, name: str, sizes: str, at: str, quadrant: str = "all") -> str:
    return f"<{kind} name='{name}'><active>true</active><xyz_body_rotation>0.1 0.2 -0.1</xyz_body_rotation><translation>{at}</translation><quadrant>{quadrant}</quadrant>{sizes}</{kind}>"


WRAPS = "".join((
    wrap("WrapCylinder", "tube", "<radius>0.025</radius><length>0.2</length>", "0 -0.3 0", "-x"),
    wrap("WrapSphere", "ball", "<radius>0.03</radius>", "0.03 -0.25 0"),
    wrap("WrapEllipsoid", "egg", "<dimensions>0.05 0.09 0.04</dimensions>", "0.02 -0.2 0", "x"),
    wrap("WrapTorus", "torus", "<inner_radius>0.01</inner_radius><outer_radius>0.03</outer_radius>", "0 -0.2 0"),
))  # fmt: skip
MODEL = """<?xml version="1.0"?><OpenSimDocument Version="40000"><Model name="arm"><gravity>0 -9.8 0</gravity>
<BodySet><objects><Body name="upper"><WrapObjectSet><objects>{wraps}</objects></WrapObjectSet><mass>2</mass><mass_center>0 -0.15 0</mass_center><inertia>0.02 0.002 0.02 0 0 0</inertia></Body>
<Body name="lower"><mass>1</mass><mass_center>0 -0.12 0</mass_center><inertia>0.01 0.001 0.01 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects><PinJoint name="shoulder"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/upper</socket_child_frame><coordinates><Coordinate name="raise"><default_value>0.3</default_value></Coordinate></coordinates></PinJoint>
<PinJoint name="elbow"><socket_parent_frame>up_end</socket_parent_frame><socket_child_frame>/bodyset/lower</socket_child_frame><coordinates><Coordinate name="bend"><default_value>{bend}</default_value></Coordinate></coordinates>
<frames><PhysicalOffsetFrame name="up_end"><socket_parent>/bodyset/upper</socket_parent><translation>0 -0.3 0</translation></PhysicalOffsetFrame></frames></PinJoint></objects></JointSet>
<ForceSet><objects>{forces}</objects></ForceSet></Model></OpenSimDocument>"""
TOLD = {
    0.2: {"back": 0.2959137603939295, "front": 0.25165764491865444, "egged": 0.3390230048388272, "moving": 0.3928455818983221, "guided": 0.3711998916725472},
    1.1: {"back": 0.31634309708147856, "front": 0.19304238008054073, "egged": 0.2568726474742927, "moving": 0.3193670506036002, "guided": 0.30103987588277126},
}  # fmt: skip
"""What OpenSim says (m). It goes round an ellipsoid near the shortest way, and onto a cylinder within one degree."""
NEAR = {"egged": 2e-8, "back": 3e-5}
ROUND = {"front": (4, 2), "back": (2, 4), "egged": (4, 2), "guided": (2, 3)}
"""Knots of a line at both angles: it comes on and lifts off."""


@pytest.mark.parametrize("bend", TOLD)
def test_paths_are_as_long_as_in_opensim(bend: float) -> None:
    made = tree_of(MODEL.format(bend=bend, wraps=WRAPS, forces=FORCES).encode(), "arm.osim")
    pose, found = start_pose(made.project), dict[str, Any]()
    for one in made.project.coordinate_forces:
        assert isinstance(one.coordinate, DistanceCoordinate)
        found[one.name] = Courses(made.project, [one.coordinate]).laid(pose)
    for name, length in TOLD[bend].items():
        assert found[name].length(0) == pytest.approx(length, abs=NEAR.get(name, 1e-12)), name
    for name, count in ROUND.items():
        assert len(found[name].knots(0)) == count[bend > 1.0], name
    assert any("'torus' is left out" in str(note) for note in made.notes)


def test_springs_along_paths_pull_and_lose_as_in_opensim() -> None:
    """T = k x (1 + d x') beyond the resting length, round what stands in the way."""
    path = muscle("front", two("0.05 -0.1 0", "0.04 -0.06 -0.01"), ("ball", "-1 -1"))
    inside = path[path.index("<GeometryPath>") : path.index("</Thelen")]
    spring = f"<PathSpring name='band'>{inside}<resting_length>0.24</resting_length><stiffness>2000</stiffness><dissipation>0.3</dissipation></PathSpring>"  # fmt: skip
    made = tree_of(MODEL.format(bend=0.2, wraps=WRAPS, forces=spring).encode(), "arm.osim").project
    data = made.model_dump()
    for one in data["initial"]["joints"]:
        one["rates"] = [-4.0] if one["joint"] == "bend" else None
    data["runs"][0]["duration_s"] = 0.01
    data["initial"]["joints"] = [{k: v for k, v in one.items() if v is not None} for one in data["initial"]["joints"]]  # fmt: skip
    seen = simulate(project(data)).table("coordinate_forces")
    way, rate, force = (float(seen[name][0, 0]) for name in ("way", "rate", "force"))
    assert way == pytest.approx(0.25165764491865444 - 0.24, abs=1e-12)
    assert abs(rate) > 0.1
    assert force == pytest.approx(2000.0 * way * (1.0 + 0.3 * rate), rel=1e-9)
