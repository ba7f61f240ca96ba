"""Sets of markers in files of their own, and clamped coordinates in inverse kinematics."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares

import manikin as mk
from solver.cli import main
from solver.exchange.trees import TreeError, read_tree
from tests.exchange.test_osim_joints import BODY, MODEL, joint

SET = """<OpenSimDocument Version="30000"><MarkerSet name="set"><objects><Marker name="Wrist"><body>hand</body><location>0.1 0.2 0.03</location></Marker>
<Marker name="Elbow"><body>fore</body><location>0.25 0.01 0</location></Marker></objects></MarkerSet></OpenSimDocument>"""
OWN = '<MarkerSet><objects><Marker name="Wrist"><socket_parent_frame>/bodyset/hand</socket_parent_frame><location>0 0 0</location></Marker><Marker name="Tip"><socket_parent_frame>/bodyset/hand</socket_parent_frame><location>0.15 0 0.01</location></Marker></objects></MarkerSet></Model>'
RANGES = {"upper": (-0.3, 0.4), "fore": (0.1, 1.0), "hand": (-0.5, 0.2)}
LENGTHS = (0.3, 0.25, 0.0)


def arm(folder: Path, clamped: str = "true") -> Path:
    bodies, joints, before = "", "", "ground"
    for n, (name, (low, high)) in enumerate(RANGES.items()):
        bodies += BODY.format(name, 1.0, "0.1 0 0", 0.003)
        more = f"<clamped>{clamped}</clamped><range>{low} {high}</range>"
        joints += joint(f"to_{name}", before, name, f"{LENGTHS[n - 1] if n else 0} 0 0", value=0.15, more=more)  # fmt: skip
        before = name
    (folder / "arm.osim").write_text(MODEL.format(bodies, joints).replace("</Model>", OWN))
    (folder / "set.xml").write_text(SET)
    return folder / "arm.osim"


def places(q: np.ndarray) -> np.ndarray:
    """Wrist, Elbow and Tip in closed form."""
    a, b, c = np.cumsum(q)
    turned = [np.array([[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]]) for t in (a, b, c)]  # fmt: skip
    elbow = turned[0] @ (0.3, 0.0)
    hand = elbow + turned[1] @ (0.25, 0.0)
    flat = [hand + turned[2] @ (0.1, 0.2), elbow + turned[1] @ (0.25, 0.01), hand + turned[2] @ (0.15, 0.0)]  # fmt: skip
    return np.column_stack([flat, (0.03, 0.0, 0.01)])


def test_a_set_of_markers_comes_to_a_model(tmp_path: Path) -> None:
    """Markers of the set stand where they say, those of the same name go there, the others stay."""
    file = arm(tmp_path)
    made = read_tree(file, markers=tmp_path / "set.xml")
    assert "2 markers are those of 'set.xml'; 1 more are the model's own." in map(str, made.notes)
    assert {m.name: m.segment for m in made.project.markers} == {"Wrist": "hand", "Tip": "hand", "Elbow": "fore"}  # fmt: skip
    (wrist,) = (m for m in made.project.markers if m.name == "Wrist")
    assert wrist.point_m == pytest.approx((0.0, 0.2, 0.03))
    assert main(["import", str(file), "--markers", str(tmp_path / "set.xml"), "-o", str(tmp_path / "a.json")]) == 0  # fmt: skip
    assert len(mk.load(tmp_path / "a.json").project.markers) == 3
    with pytest.raises(TreeError, match="This is a set of markers of OpenSim: read its model with"):
        read_tree(tmp_path / "set.xml")
    for old, new, said in (
        ("<body>fore", "<body>four", "In 'set.xml': Line 2, <Marker>, four: there is no frame"),
        ("MarkerSet", "Markers", "'set.xml' is no set of markers"),
        ("Marker ", "Marking ", "without a marker"),
    ):
        (tmp_path / "set.xml").write_text(SET.replace(old, new).replace("</Marker>", "</Marking>" if new == "Marking " else "</Marker>"))  # fmt: skip
        if new == "Marking ":
            (tmp_path / "set.xml").write_text("<OpenSimDocument><MarkerSet/></OpenSimDocument>")
        with pytest.raises(TreeError, match=said):
            read_tree(file, markers=tmp_path / "set.xml")


def test_clamped_coordinates_stay_where_the_least_squares_between_ends_are(tmp_path: Path) -> None:
    """From there scipy's search on the closed form finds nothing less, at places within and beyond the ranges of one, two and all three."""
    made = read_tree(arm(tmp_path), markers=tmp_path / "set.xml")
    assert made.ranges == {f"q_to_{name}": ends for name, ends in RANGES.items()}
    model, ends = mk.Model(made.project), np.array(list(RANGES.values())).T
    rng = np.random.default_rng(52)
    held = set[int]()
    for _ in range(30):
        there = places(rng.uniform(-0.9, 1.2, 3)) + rng.normal(0.0, 0.01, (3, 3))
        found = mk.pose_from_markers(model, dict(zip(("Wrist", "Elbow", "Tip"), there, strict=True)), ranges=made.ranges)  # fmt: skip
        q = np.array([found.values[f"q_to_{name}"][0] for name in RANGES])
        inside = np.clip(q, ends[0] + 1e-6, ends[1] - 1e-6)
        told = least_squares(lambda q, there=there: (places(q) - there).ravel(), inside, bounds=ends, xtol=1e-14, ftol=1e-14, gtol=1e-12)  # fmt: skip
        assert ((ends[0] <= q) & (q <= ends[1])).all()
        assert 0.5 * float(((places(q) - there) ** 2).sum()) <= told.cost * (1.0 + 1e-6) + 1e-12
        held.add(int(((q == ends[0]) | (q == ends[1])).sum()))
    assert held == {0, 1, 2, 3}


def test_ranges_that_are_not_clamped_hold_nothing(tmp_path: Path) -> None:
    assert not read_tree(arm(tmp_path, "false")).ranges


def test_a_motion_of_an_opensim_model_stays_in_its_ranges(tmp_path: Path) -> None:
    file = arm(tmp_path)
    bend = np.linspace(0.0, 1.3, 20)
    point = [places(np.array((0.1, b, 0.0))) for b in bend]
    mk.save_tracks(tmp_path / "x.trc", mk.Tracks(np.arange(20) / 50.0, ("Wrist", "Elbow", "Tip"), np.array(point)))  # fmt: skip
    command = ["motion", "", "--from-markers", str(tmp_path / "x.trc")]
    more = ["--markers", str(tmp_path / "set.xml")]
    assert main(["import", str(file), *more, "-o", str(tmp_path / "arm.json")]) == 0
    most = {}
    for name, given in {"arm.osim": more, "arm.json": [], "ranged": ["--ranges", str(file)]}.items():  # fmt: skip
        command[1] = str(tmp_path / ("arm.json" if name == "ranged" else name))
        assert main([*command, *given, "-o", str(tmp_path / "out.mot")]) == 0
        most[name] = max(one.value.max() for one in mk.read_test(tmp_path / "out.mot") if one.name == "q_to_fore")  # fmt: skip
    assert most["arm.osim"] == pytest.approx(1.0, abs=1e-12)
    assert most["ranged"] == pytest.approx(1.0, abs=1e-12)
    assert most["arm.json"] == pytest.approx(1.3, abs=1e-6)
    assert main([*command[:1], str(tmp_path / "arm.json"), *command[2:], *more]) == 1
