"""The worked examples of docs/extending.md, applied to a copy of the program and run with it."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools import house

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


def examples(heading: str) -> list[tuple[str, str]]:
    """Give file and changes of each example below a heading."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    return re.findall(r"^```diff\n--- (\S+)\n(.*?)^```$", section, re.M | re.S)


def applied(text: str, changes: str) -> str:
    """Apply changes to a text; each must fit at just one place."""
    for hunk in re.split(r"^@@\n", changes, flags=re.M):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] or "\n" for line in lines if line[0] in " -\n")
        new = "".join(line[1:] or "\n" for line in lines if line[0] in " +\n")
        assert text.count(old) == 1 or not text, f"not at one place:\n{old}"
        text = text.replace(old, new) if text else new
    return text


def changed(root: Path, name: str, changes: str) -> str:
    """Give a file with its changes; one that is not there yet begins empty."""
    file = root / name
    if not file.exists():
        assert all(line.startswith("+") for line in changes.splitlines()), name
        return applied("", changes)
    return applied(file.read_text(encoding="utf-8"), changes)


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    yield from copied(tmp_path)


def copied(folder: Path) -> Iterator[Path]:
    """Copy the program with its bytecode; what is large and only read is linked."""
    out = folder / "copy"
    for name in ("solver", "app", "tools", "resources"):
        shutil.copytree(ROOT / name, out / name)
    for name in ("sample_projects", "docs"):
        (out / name).symlink_to(ROOT / name, target_is_directory=True)
    yield out
    shutil.rmtree(out)


def change(copy: Path, heading: str, files: int | None = None) -> None:
    for name, changes in examples(heading)[:files]:
        text = changed(copy, name, changes)
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(text, encoding="utf-8")


def run(copy: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(copy), **environment}
    return subprocess.run(
        [sys.executable, *words], cwd=copy, env=given, capture_output=True, text=True, check=False
    )


def said(copy: Path, script: str, **environment: str) -> Any:
    """Run a script in the copy and give what it prints as JSON."""
    done = run(copy, "-c", script, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def lacks(copy: Path) -> list[str]:
    return run(copy, "-m", "tools.kinds").stdout.splitlines()


def whole_and_said(copy: Path, script: str, **environment: str) -> Any:
    """Hold the copy to lack nothing, and give what a script prints as JSON, in one process."""
    first = "from tools.kinds import missing\nassert not missing(), missing()\n"
    return said(copy, first + script, **environment)


BODY = """
import json
from solver import check, simulate
from solver.project import validated

def project(joint, **more):
    return validated({
        "format": "manikin-project", "schema_version": 4,
        "segments": [{"id": "arm", "mass_kg": 2.0, "inertia_kgm2": [0.02, 0.03, 0.01]}],
        "joints": [{"id": "hinge", "parent": "ground", "child": "arm",
                    "child_frame": {"position_m": [0.2, 0.0, 0.0]}, **joint}],
        "outputs": [{"id": "hinge", "kind": "joint", "joint": "hinge"},
                    {"id": "load", "kind": "joint", "joint": "hinge", "quantity": "torque"}],
        "runs": [{"id": "run", "duration_s": 0.1}], **more})
"""

JOINTS = (
    BODY
    + """
from app.editing.making import maker
from solver.editing.mirror_joints import mirrored_values
from app.editing.grips import coordinates

spring = {"linear_nm_per_rad": 3.0, "stop_rad": 0.05, "quadratic_nm_per_rad2": 50.0}
held = {"lock": {"locked": True}}
one = project({"kind": "pin", "spring": spring})
other = project({"kind": "cardan", "pitch": {"spring": spring}, "yaw": held, "roll": held})
a, b = simulate(one), simulate(other)
free = project({"kind": "cardan"})
print(json.dumps({
    "problems": [str(p) for p in check(other) if p.severity == "error"],
    "pin": a.channel("hinge_angle").value.tolist(),
    "cardan": b.channel("hinge_pitch").value.tolist(),
    "held": abs(b.channel("hinge_yaw").value).max(),
    "names": list(b.channel_names),
    "mirror": mirrored_values(free.joints[0], (0.1, 0.2, 0.3)),
    "sliders": [c.title for c in coordinates(free, free.joints[0])],
    "title": maker("joints.cardan").title,
}))
"""
)

ELEMENTS = """
import json
import numpy as np
from app.editing.making import add, maker
from solver.scene.placing import pose_at_start
from solver.scene.shapes import links
from solver import check, simulate
from solver.project import validated
from solver.project.references import without

project = validated({
    "format": "manikin-project", "schema_version": 4,
    "segments": [{"id": "weight", "mass_kg": 2.0, "inertia_kgm2": [0.02, 0.02, 0.02]}],
    "cables": [{"id": "cable", "a": {"segment": "ground", "position_m": [0.0, 0.0, -0.5]},
                "b": {"segment": "weight"}, "stiffness_n_per_m": 2000.0, "rest_length_m": 0.501}],
    "outputs": [{"id": "cable", "kind": "element", "of": "cables", "element": "cable"}],
    "runs": [{"id": "run", "duration_s": 0.1}]})
run = simulate(project)
length = run.channel("cable_length").value
made = add(validated({"format": "manikin-project", "schema_version": 4, "segments": [
    {"id": "weight", "mass_kg": 2.0, "inertia_kgm2": [0.02, 0.02, 0.02]}]}), maker("cables"))
print(json.dumps({
    "problems": [str(p) for p in check(project) if p.severity == "error"],
    "tension": run.channel("cable_tension").value.tolist(),
    "pull": (2000.0 * np.maximum(length - 0.501, 0.0)).tolist(),
    "made": [made.path, maker("cables").title],
    "seen": [shape.element for shape in links(project, pose_at_start(project))],
    "left": [cable.id for cable in without(project, "segments/weight").project.cables],
}))
"""

LAWS = """
import json
from app.editing.making import maker
from solver import check
from solver.model.law_paths import law_path
from solver.project import validated

law = {"id": "law", "kind": "quadratic", "stiffness_n_per_m": 1000.0, "growth_n_per_m2": 2.0e4}
project = validated({"format": "manikin-project", "schema_version": 4, "contact_laws": [
    law, {**law, "id": "damped", "damping_ns_per_m": 50.0}]})
still, damped = law_path(project, "law", (0.1, 0.0)), law_path(project, "damped", (0.1, 0.0), 2.0)
print(json.dumps({
    "problems": [str(p) for p in check(project) if p.severity == "error"],
    "force": still.force[still.turn[1]], "held": still.held[still.turn[1]],
    "absorbed": still.absorbed, "lost": damped.absorbed, "first": damped.force[0],
    "title": maker("contact_laws.quadratic").title,
}))
"""


DUMMY = """
import io, json
from contextlib import redirect_stdout
from dataclasses import replace
from typing import get_args
from solver.editing.persons import WHO
from app.editing.shape import english_word
from app.forms.figures import _WHO
from solver import check, simulate
from solver.analysis.crash.build import crash, first
from solver.bodies.library.describe import library_markdown
from solver.cli import main
from solver.injury import assess, occupants, reference
from solver.injury.judging import matched_dummy
from solver.project import outputs
from solver.project.outputs import InjuryOutput

project = crash(replace(first("frontal"), who="man_70", duration_s=0.012), rest=False)
found = assess(simulate(project))
(body,) = occupants(project)
known = matched_dummy(project, body)
figure = {f.criterion: f for f in found.figures}
with redirect_stdout(listed := io.StringIO()):
    main(["body", "--list"])
asked = InjuryOutput(id="asked", criterion="HIC15", output="x", compared_with="man_70")
print(json.dumps({
    "offered": list(WHO), "called": _WHO["man_70"],
    "read": asked.compared_with == "man_70",
    "compared_with": ["man_70" in get_args(outputs.Body), "man_70" in get_args(outputs.Neck), english_word("man_70")],
    "lies_on": sorted({p.surface.segment.removeprefix("driver_") for h in project.harnesses for s in h.straps
                       for p in s.points if p.kind == "surface"}),
    "problems": [str(p) for p in check(project) if p.severity == "error"],
    "who": [known.size, known.how],
    "limit": [one.limit for one in reference().limits["HIC15"] if "man_70" in one.sizes],
    "intercepts": reference().necks["man_70"]["tension"],
    "criteria": sorted(figure),
    "page": library_markdown(), "listed": listed.getvalue(),
}))
"""

SEAT = """
import json
from dataclasses import replace
import numpy as np
from solver import check
from solver.analysis.crash.build import CASES, crash, first
from solver.bodies import BodyError
from solver.bodies.library.describe import library_markdown
from solver.project.pose import start_pose

chosen = replace(first("frontal"), seat="shell_seat", duration_s=0.01)
project = crash(chosen, rest=False)
thigh = start_pose(project)["driver_right_upper_leg"].R_WS[:, 2]
try:
    crash(replace(chosen, who="hybrid_iii_95m"), rest=False)
    refused = ""
except BodyError as failure:
    refused = str(failure)
print(json.dumps({
    "cases": [name for name, one in CASES.items() if "shell_seat" in one.seats],
    "problems": [str(p) for p in check(project) if p.severity == "error"],
    "pressed": [c.id for c in project.contacts if c.id.startswith("seat_lower_torso-seat_pan")],
    "thigh_rad": float(np.arctan2(thigh[0], thigh[2])),
    "refused": refused, "page": library_markdown(),
}))
"""

SLIP = """
import json
import numpy as np
from solver.engine.dynamics.tree import kinematics
from solver.engine.forces.state import Around
from solver.engine.forces.straps.arrays import TENSION
from solver.engine.forces.straps.kernels import end_straps, remember_straps, strap_forces
from solver.engine.forces.system import make_work
from solver.model.compile import compile_model
from solver.project import validated

anchor = {"kind": "anchor", "segment": "ground", "position_m": [0.0, 0.0, 1.0]}
ring = {"kind": "ring", "segment": "ground", "position_m": [0.0, 0.0, 0.0], "friction": 0.3}
end = {"kind": "anchor", "segment": "weight", "position_m": [0.0, 0.0, 0.0]}
table = {"kind": "table", "x": [0.0, 10.0], "y": [0.0, 10000.0]}
model = compile_model(validated({
    "format": "manikin-project", "schema_version": 4,
    "segments": [{"id": "weight", "mass_kg": 2.0, "inertia_kgm2": [0.02, 0.02, 0.02]}],
    "initial": {"roots": [{"segment": "weight", "position_m": [1.0, 0.0, 0.0]}]},
    "functions": [{"id": "tension", "x_unit": "1", "y_unit": "N", "form": table}],
    "contact_laws": [{"id": "webbing", "kind": "webbing", "base": "tension"}],
    "harnesses": [{"id": "harness", "straps": [
        {"id": "strap", "law": "webbing", "points": [anchor, ring, end]}]}],
    "runs": [{"id": "run", "duration_s": 0.1}]})).fresh()
s, q = model.system, model.q.copy()
work = make_work(s, len(model.v), model.rows)
around = Around(s.laws, s.curves, s.surfaces, s.planes, s.gravity, work.motion)
seen = []
for way in (0.1, 0.2, 0.3, 0.3, 0.3):
    q[0] = 1.0 + way
    kinematics(s.tree, s.locked, q, model.v, work.motion)
    strap_forces(s.straps, around, 1e6, work.applied, work.g, work.sums)
    end_straps(s.straps, -np.inf)
    remember_straps(s.straps, s.laws, s.curves)
    seen.append(s.straps.workspace.seen[:2, TENSION].tolist())
print(json.dumps([seen[-1], np.allclose(seen[-1], seen[-2], rtol=1e-6)]))
"""


def test_a_joint_of_two_files_swings_as_a_pin(copy: Path) -> None:
    change(copy, "A joint", files=1)
    assert "CardanJoint has no row in the table of joints (solver/project/joint_table.py)." in (
        lacks(copy)
    )
    shutil.copy(ROOT / "solver/project/joints.py", copy / "solver/project/joints.py")
    change(copy, "A joint")
    found = whole_and_said(copy, JOINTS)
    assert found["problems"] == []
    assert max(abs(angle) for angle in found["pin"]) > 0.1
    assert found["cardan"] == pytest.approx(found["pin"], abs=1e-6)
    assert found["held"] == 0.0
    assert {"hinge_yaw", "hinge_pitch", "hinge_roll", "load_spring_pitch"} <= set(found["names"])
    assert found["mirror"] == [-0.1, 0.2, -0.3]
    assert found["sliders"] == ["Yaw", "Pitch", "Roll"]
    assert found["title"] == "Cardan joint"


@pytest.mark.slow
def test_a_contact_law_of_two_files_follows_its_equation(copy: Path, tmp_path: Path) -> None:
    change(copy, "A contact law", files=1)
    assert lacks(copy) == [
        "QuadraticLaw acts by QUADRATIC, which solver/engine/forces/laws.py does not know."
    ]
    shutil.copy(ROOT / "solver/project/contact.py", copy / "solver/project/contact.py")
    change(copy, "A contact law")
    # only the law itself and the course along it are compiled
    found = whole_and_said(copy, LAWS, NUMBA_CACHE_DIR=str(tmp_path / "kernels"))
    assert found["problems"] == []
    assert found["force"] == pytest.approx(1000.0 * 0.1 + 2.0e4 * 0.1**2, rel=1e-9)
    assert found["held"] == pytest.approx(1000.0 * 0.1**2 / 2 + 2.0e4 * 0.1**3 / 3, rel=1e-9)
    assert found["absorbed"] == pytest.approx(0.0, abs=1e-4)
    assert found["lost"] > 1.0
    assert found["title"] == "Quadratic contact law"


@pytest.mark.slow
def test_webbing_slips_by_a_law_of_one_file(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mu, turn = 0.3, math.pi / 2.0
    exec(SLIP, {})  # as it is, here
    (low, high), steady = json.loads(capsys.readouterr().out)
    assert steady
    assert high / low == pytest.approx(math.exp(mu * turn), rel=1e-5)
    change(copy, "The slip of webbing")
    (low, high), steady = said(copy, SLIP)
    assert steady
    assert high**0.1 - low**0.1 == pytest.approx(0.1 * mu * turn * 1000.0**0.1, rel=1e-5)
    assert high / low > 1.05 * math.exp(mu * turn)


def test_the_files_of_webbing_are_those_that_the_page_lists() -> None:
    """As `tools.house` counts them: the package of straps and what nothing else imports, here of the engine."""
    engine = house.modules(ROOT, ["solver/engine"])
    counted = house.webbing(engine, house.importers_of(house.arrows_of(engine)))
    (section,) = re.findall(r"^## The slip of webbing\n(.*?)^## ", PAGE, re.M | re.S)
    listed = re.findall(r"^\| `(\w+)\.py` \|", section, re.M)
    assert counted == sorted(f"solver.engine.forces.straps.{name}" for name in listed)
    assert len(listed) <= 7


@pytest.mark.slow
def test_an_element_pulls_what_hangs_on_it(copy: Path) -> None:
    found = examples("An element")
    change(copy, "An element", files=2)
    missing = lacks(copy)
    assert "The list 'cables' has no words in LIST_WORDS (solver/project/checks/ids.py)." in missing
    assert "The list 'cables' has no icon in FORMS (app/icons.py)." in missing
    for name, changes in found[2:]:
        (copy / name).write_text(changed(copy, name, changes), encoding="utf-8")
    told = whole_and_said(copy, ELEMENTS)
    assert told["problems"] == []
    assert told["tension"] == pytest.approx(told["pull"], rel=1e-9, abs=1e-9)
    assert max(told["tension"]) > 10.0
    assert min(told["tension"]) == 0.0
    assert told["made"] == ["cables/cable", "Cable"]
    assert told["seen"]
    assert told["left"] == []


MADE = "resources/dummies/man_70.json"
"""What the page makes by a script."""


@pytest.fixture(scope="module")
def of_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Any]]:
    """Say what comes of a dummy and of a seat, which are data alone: in one copy, and one process."""
    (script,) = re.findall(r"^## A dummy\n.*?^```python\n(.*?)^```$", PAGE, re.M | re.S)
    for out in copied(tmp_path_factory.mktemp("data")):
        with contextlib.chdir(out):
            exec(script, {})
        for heading in ("A dummy", "A seat"):
            change(out, heading)
        done = run(out, "-c", DUMMY + SEAT)
        assert done.returncode == 0, done.stderr
        yield [json.loads(line) for line in done.stdout.splitlines()[-2:]]


@pytest.mark.slow
def test_a_dummy_of_one_file_and_one_line_is_a_body_of_the_library(of_data: list[Any]) -> None:
    assert [name for name, _ in examples("A dummy")] == [MADE, "resources/bodies.json"]
    found, _ = of_data
    assert found["offered"][3:5] == ["hybrid_iii_50m", "man_70"]
    assert found["called"] == "Made-up man of 70 kg"
    assert found["read"]
    assert found["compared_with"] == [True, True, "Made-up man of 70 kg"]
    assert {"lower_torso", "sternum"} <= set(found["lies_on"])
    assert found["problems"] == []
    assert found["who"] == ["man_70", "dummy"]
    assert found["limit"] == [650.0]
    assert found["intercepts"] == 6000.0
    assert {"HIC15", "Nij", "chest_deflection"} <= set(found["criteria"])
    assert "| `man_70` | Made-up man of 70 kg | 69.9 kg |" in found["page"]
    assert "man_70" in found["listed"]


def test_a_seat_of_one_file_and_one_line_is_offered_in_crashes(of_data: list[Any]) -> None:
    assert [name for name, _ in examples("A seat")] == [
        "resources/library/seats/shell_seat.json",
        "resources/crashes.json",
    ]
    _, found = of_data
    assert found["cases"] == ["frontal", "passenger"]
    assert found["problems"] == []
    assert found["pressed"] == ["seat_lower_torso-seat_pan"]
    assert found["thigh_rad"] == pytest.approx(1.7, abs=1e-6)
    assert found["refused"] == (
        "The seat 'shell_seat' is for bodies of up to 90 kg, not for one of 102.5 kg."
    )
    assert "| `shell_seat` | Shell seat |" in found["page"]


def test_every_example_fits_where_it_says() -> None:
    headings = (
        "A joint", "A contact law", "The slip of webbing", "An element", "A dummy", "A seat"
    )  # fmt: skip
    found = [one for heading in headings for one in examples(heading)]
    assert len(found) == 19 == len(re.findall("^```diff", PAGE, re.M))
    for name, changes in found:
        if name == MADE:
            assert applied('{\n  "format": "manikin-project",\n', changes)
        else:
            assert changed(ROOT, name, changes)
