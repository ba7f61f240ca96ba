"""Injury figures of runs: who is who, which sensors, which signs, files, and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from solver.cli import main
from solver.engine.signals import cfc
from solver.injury import Assessment, G, assess, body_sensors, hic, occupants
from solver.injury.assess import response_unit, unit_of
from solver.project import Project, load_project, save_project, validated
from solver.project.study_parts import ChannelResponse
from solver.results import ResultsError, open_results
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate, simulate_to_file
from tests.solved import trajectory

HEAD = {"format": "manikin-project", "schema_version": 4}
MASSES = {
    "lower_torso": 10.0, "centre_torso": 5.0, "upper_torso": 20.0, "neck": 2.0, "head": 4.0,
    "left_upper_leg": 8.0, "left_lower_leg": 4.0, "left_foot": 1.0,
}  # fmt: skip
PARENTS = {
    "centre_torso": "lower_torso", "upper_torso": "centre_torso", "neck": "upper_torso",
    "head": "neck", "left_upper_leg": "lower_torso", "left_lower_leg": "left_upper_leg",
    "left_foot": "left_lower_leg",
}  # fmt: skip


def column(held: str = "lower_torso", lead: str = "", **more: Any) -> dict[str, Any]:
    """Give a stiff upright body, 0.2 m from joint to joint, pushed as the motion of `held` says."""
    joints = []
    for child, parent in PARENTS.items():
        down = "leg" in child or "foot" in child
        at = 0.1 if down else -0.1
        joints.append({
            "id": f"{lead}to_{child}", "kind": "locked", "parent": lead + parent,
            "child": lead + child, "parent_frame": {"position_m": [0.0, 0.0, at]},
            "child_frame": {"position_m": [0.0, 0.0, -at]},
        })  # fmt: skip
    return {
        **HEAD,
        "segments": [
            {"id": lead + name, "mass_kg": mass, "inertia_kgm2": [0.1, 0.1, 0.1]}
            for name, mass in MASSES.items()
        ],
        "joints": joints,
        "initial": {"roots": [{"segment": lead + held}]},
        "runs": [{"id": "r", "duration_s": 0.05, "channel_rate_hz": 20000.0}],
        **more,
    }


def whole(mass: float = 78.0, held: str = "lower_torso", **more: Any) -> dict[str, Any]:
    """Give the upright body with both legs, all masses as many times as large as its own has to be."""
    data = column(held, **more)
    text = json.dumps([data["segments"][-3:], data["joints"][-3:]]).replace("left", "right")
    segments, joints = json.loads(text)
    data["segments"] += segments
    data["joints"] += joints
    for segment in data["segments"]:
        segment["mass_kg"] *= mass / 67.0
    return data


def pushed(axis: str, acceleration: float) -> dict[str, Any]:
    """Move the pelvis with a constant acceleration along a ground axis, without gravity."""
    pulse = {"kind": "constant", "value": acceleration}
    components = [{"component": axis, "pulse": pulse}]
    return {
        "gravity_m_per_s2": [0.0, 0.0, 0.0],
        "motions": [{"id": "m", "segment": "lower_torso", "components": components}],
    }


@cache
def sled() -> tuple[Project, Trajectory, Assessment]:
    project = load_project(samples() / "sled.json")
    run = simulate(project)
    return project, run, assess(run)


def test_bodies_are_found_by_trees_and_words() -> None:
    (one,) = occupants(sled()[0])
    assert one.name == ""
    assert one.segments["left_lower_leg"] == "left_lower_leg"
    assert "vehicle" not in one.segments.values()
    data = column()
    names = {"lower_torso": "LT", "centre_torso": "CT", "upper_torso": "UT", "neck": "N",
             "head": "H", "left_upper_leg": "LUL", "left_lower_leg": "LLL", "left_foot": "LF"}  # fmt: skip
    old = json.dumps(data)
    for name, code in names.items():
        old = old.replace(f'"{name}"', f'"{code}"')
    (short,) = occupants(validated(json.loads(old)))
    assert short.segments == names
    other = column(lead="rider_")
    both = data | {
        "segments": [*data["segments"], *other["segments"], {"id": "head_rest", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}],
        "joints": [*data["joints"], *other["joints"]],
        "initial": {"roots": [{"segment": "lower_torso"}, {"segment": "rider_lower_torso"}]},
    }  # fmt: skip
    bodies = occupants(validated(both))
    assert [body.name for body in bodies] == ["lower_torso", "rider"]
    assert bodies[1].segments["head"] == "rider_head"
    carried = {
        "id": "hook",
        "kind": "locked",
        "parent": "lower_torso",
        "child": "rider_lower_torso",
    }
    tied = both | {"joints": [*both["joints"], carried], "initial": {}}
    assert [body.name for body in occupants(validated(tied))] == ["lower_torso", "rider"]
    assert occupants(load_project(samples() / "double_pendulum.json")) == []
    # four legs of a robot are nobody, one alone is a body of which legs are judged
    legs = [f"{side}_{part}" for side in ("FR", "FL", "RR", "RL") for part in ("thigh", "calf")]
    robot = {
        "segments": [{"id": one, "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]} for one in ("hull", *legs)],
        "joints": [{"id": f"{one}_joint", "kind": "ball", "parent": one.replace("calf", "thigh") if "calf" in one else "hull", "child": one} for one in legs],
    }  # fmt: skip
    assert occupants(validated(robot)) == []
    single = {name: [one for one in rows if "FR" in one["id"] or one["id"] == "hull"] for name, rows in robot.items()}  # fmt: skip
    assert [sorted(one.segments) for one in occupants(validated(single))] == [["lower_leg", "upper_leg"]]  # fmt: skip
    # links without mass, as imported joints of several axes have, are nobody
    link = {"id": "upper_torso_1", "mass_kg": 0.0, "inertia_kgm2": [0.0, 0.0, 0.0]}
    assert len(occupants(validated(both | {"segments": [*both["segments"], link]}))) == 2
    # links of a neck, named without its body, are part of the body whose head they carry
    linked = json.loads(json.dumps(tied).replace('"rider_neck"', '"lower_neck"'))
    for joint in linked["joints"]:
        if joint["child"] == "rider_head":
            joint["parent"] = "upper_neck"
    link = {"id": "link", "kind": "locked", "parent": "lower_neck", "child": "upper_neck"}
    upper = {"id": "upper_neck", "mass_kg": 0.5, "inertia_kgm2": [0.1, 0.1, 0.1]}
    linked["segments"].append(upper)
    linked["joints"].append(link)
    bodies = occupants(validated(linked))
    assert [body.name for body in bodies] == ["lower_torso", "rider"]
    assert bodies[1].segments["neck"] in ("lower_neck", "upper_neck")


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_pushed_upwards_a_body_is_compressed_by_what_it_carries(way: float) -> None:
    # z points down
    a = 50.0
    found = assess(simulate(validated(column(**pushed("z", -way * a)))))
    above = {"lumbar_compression": 31.0, "neck_compression": 4.0}
    for name, mass in above.items():
        assert found[name].value == pytest.approx(way * mass * a, rel=1e-6)
    assert found["neck_tension"].value == pytest.approx(-way * 4.0 * a, rel=1e-6)
    # legs are attached to the pelvis: pulled along when it goes up
    assert found["femur_compression_left"].value == pytest.approx(-way * 13.0 * a, rel=1e-6)
    assert found["chest_3ms"].value == pytest.approx(a / G, rel=1e-6)
    assert found["HIC"].value == pytest.approx((a / G) ** 2.5 * 0.05, rel=1e-6)
    if way > 0.0:
        omega, ratio, t = 52.9, 0.224, 0.05
        damped = omega * np.sqrt(1.0 - ratio**2)
        left = np.cos(damped * t) + ratio * omega / damped * np.sin(damped * t)
        step = 1.0 - np.exp(-ratio * omega * t) * left
        assert found["DRI"].value == pytest.approx(step * a / G, rel=1e-4)
    assert found["tibia_index_lower_left"].value == pytest.approx(1.0 * a / 35_900.0, rel=1e-6)


def test_a_peak_that_stands_where_the_run_ends_is_told() -> None:
    """A half sine that is over is not; one that the run cuts off while it rises is, and what is left of HIC's window."""
    names = ("neck_shear", "chest_3ms", "HIC15")
    notes = {}
    for lasts in (0.04, 0.2):
        data = column(**pushed("x", 400.0))
        (component,) = (c for c in data["motions"][0]["components"] if c["component"] == "x")
        component["pulse"] = {
            "kind": "half_sine",
            "amplitude": 400.0,
            "start_s": 0.0,
            "duration_s": lasts,
        }
        found = assess(simulate(validated(data)))
        notes[lasts] = [
            "at the end of the run, 50 ms: it may not be its largest" in found[name].note
            for name in names
        ]
        assert "end of the run" not in found["CSI"].note, "it sums up the whole run"
    assert notes == {0.04: [False] * 3, 0.2: [True] * 3}


def test_pushed_forward_the_neck_pushes_and_bends_the_head() -> None:
    found = assess(simulate(validated(column(**pushed("x", 40.0)))))
    force, lever = 4.0 * 40.0, 0.1
    assert found["neck_shear"].value == pytest.approx(force, rel=1e-6)
    # as in a rear impact: pushed 0.1 m below its mass centre the head would stay behind, so the neck
    # is extended
    assert found["Nij"].value == pytest.approx(force * lever / 135.0, rel=1e-5)
    assert "tension-flexion 0," in found["Nij"].note
    assert found["Nkm"].value == pytest.approx(force / 845.0 + force * lever / 47.5, rel=1e-5)
    assert found["Nkm"].note.startswith("forward, extension; ")
    assert "no verdict: " in found["Nkm"].note
    assert found["NIC"].value == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("names", [("c7", "c5", "c2"), ("neck_1", "neck_2", "neck_3")])
def test_a_neck_of_several_links_has_its_condyles_below_the_head(names: tuple[str, ...]) -> None:
    """Also where none of the links is called a neck; what the head weighs is what its joint carries."""
    data = column(**pushed("z", -50.0))
    chain = ("upper_torso", *names, "head")
    bare = [s for s in data["segments"] if s["id"] != "neck"]
    inertia = [0.1, 0.1, 0.1]
    links = [{"id": name, "mass_kg": 0.5, "inertia_kgm2": inertia} for name in names]
    joints = [j for j in data["joints"] if "neck" not in (j["parent"], j["child"])]
    joints += [
        {"id": f"to_{child}", "kind": "locked", "parent": parent, "child": child,
         "parent_frame": {"position_m": [0.0, 0.0, -0.1]},
         "child_frame": {"position_m": [0.0, 0.0, 0.1]}}
        for parent, child in pairwise(chain)
    ]  # fmt: skip
    project = validated(data | {"segments": [*bare, *links], "joints": joints})
    found = assess(simulate(project))
    assert found["neck_compression"].value == pytest.approx(4.0 * 50.0, rel=1e-6)
    assert "Nij" in {figure.name for figure in found.figures}
    assert found["NIC"].value == pytest.approx(0.0, abs=1e-6)
    assert found["lumbar_compression"].value == pytest.approx(30.5 * 50.0, rel=1e-6)
    ids = {output.id for output in body_sensors(project)}
    assert {"to_head.force", "to_head.torque", f"upper_torso.acceleration_at_to_{names[0]}"} <= ids


def test_a_load_along_the_axes_of_the_parent_is_that_on_the_parent() -> None:
    outputs = [
        {"id": "force", "kind": "joint", "joint": "to_head", "quantity": "force", "in_axes_of": "parent"},
        {"id": "pull", "kind": "injury", "criterion": "neck_tension", "output": "force"},
    ]  # fmt: skip
    found = assess(simulate(validated(column(**pushed("z", 50.0), outputs=outputs))))
    assert found["neck_tension"].value == pytest.approx(200.0, rel=1e-6)
    assert found["pull"].value == pytest.approx(-200.0, rel=1e-6)


def test_figures_of_the_sled_and_every_choice_behind_them() -> None:
    _, run, found = sled()
    channel = run.channel("head_acceleration_resultant")
    filtered = channel.filtered(1000)
    one = hic(filtered.time, filtered.value / G, 0.036)
    assert found["HIC"].criterion == "HIC36"
    assert found["HIC"].value == pytest.approx(one.value, rel=1e-12)
    assert found["HIC"].channels == ("head_acceleration_x, _y, _z",)
    assert found["HIC"].filters == (1000,)
    # a body of 95 kg is like the dummy of the large man, which FMVSS 208 does not name
    assert found["HIC"].limits == ()
    assert found["HIC"].note.endswith("not for Hybrid III 95th percentile")
    assert [one.limit for one in found["Nij"].limits] == [1.0]
    assert found["Nij"].note.endswith("like Hybrid III 95th percentile in mass alone")
    assert found["CSI"].filters == (180,)
    assert found["Nij"].filters == (600, 600)
    assert found["Nij"].channels[1].startswith("head_pivot_torque")
    # what the project asks for is not computed a second time
    assert "HIC36" not in {f.name for f in found.figures}
    assert found["head.HIC"].criterion == "HIC"
    assert len(found.figures) >= 25
    assert found.missing == ()
    assert dict(run.injury) == {f.name: f.stored() for f in found.figures}
    # of several classes a file keeps the one that lets most through
    assert replace(found["Nij"], filters=(600, 1000)).stored().filter == 1000
    with pytest.raises(ResultsError, match="HICK"):
        found["HICK"]


def test_hic_of_the_touch_stands_beside_that_of_the_whole_run() -> None:
    text = (samples() / "bouncing_ball.json").read_text(encoding="utf-8")
    data = json.loads(text.replace('"segment": "ball"', '"segment": "head"').replace('"id": "ball"', '"id": "head"'))  # fmt: skip
    data["outputs"].append({"id": "own", "kind": "injury", "criterion": "contact_HIC36",
                            "output": "ball_acceleration", "second": "pad_load"})  # fmt: skip
    run = simulate(validated(data))
    found = assess(run)
    touch, load = run.channel("head.touch_force_resultant"), run.channel("pad_load_force_resultant")
    assert np.array_equal(touch.value, load.value)
    first, last = touch.time[np.flatnonzero(load.value > 0.0)[[0, -1]]]
    one = found["contact_HIC36"]
    assert first > 0.3
    assert one.value == pytest.approx(found["HIC36"].value, rel=1e-9)
    assert found["own"].value == one.value > 10.0
    assert f"touched from {1e3 * first:.3g}"[:-1] in str(one.note)
    assert one.t2 <= last + 1e-3
    assert one.channels[1] == "head.touch_force_resultant"
    del data["contacts"], data["outputs"][1:]
    alone = assess(simulate(validated(data)))
    assert "Nothing in the project may touch 'head'." in str(dict(alone.missing)["contact_HIC36"])
    assert alone["HIC36"].value < 1.0


def test_a_bag_touches_too() -> None:
    run = trajectory("airbag_catch")
    touch = run.channel("head.touch_force_resultant")
    table = run.table("airbag_contacts")
    at_frames = np.interp(np.asarray(run.time), touch.time, touch.value)
    size = np.linalg.norm(np.asarray(table["force"])[:, 0], axis=1)
    assert size.max() > 100.0
    assert at_frames == pytest.approx(size, abs=1e-6 * size.max())
    found = assess(run)
    # both may have one window, cut out at other samples
    assert 0.0 < found["contact_HIC36"].value <= found["HIC36"].value * (1.0 + 1e-12)


def test_a_file_holds_the_same_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = validated(whole(**pushed("z", -50.0)) | {"load_case": "aircraft"})
    file = tmp_path / "r.h5"
    outcome = simulate_to_file(project, file)
    live = simulate(project)
    with open_results(file) as run:
        assert dict(run.injury) == dict(live.injury)
        assert [value.name for value in outcome.injury] == list(run.injury)
        assert assess(run).figures == assess(live).figures
    assert main(["injury", str(file)]) == 0
    said = capsys.readouterr().out
    assert "lumbar_compression" in said
    assert "1804.5" in said
    assert main(["injury", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    figure = next(f for f in data["figures"] if f["name"] == "lumbar_compression")
    assert figure["limits"][0]["limit"] == 6672
    assert figure["filters"] == [600]
    assert main(["injury", str(file), "--csv", str(tmp_path / "i.csv")]) == 0
    rows = (tmp_path / "i.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == len(data["figures"]) + 1
    assert main(["injury", str(tmp_path / "none.h5")]) == 1


def test_sensors_can_be_left_out_and_what_is_missing_is_said() -> None:
    data = column(**pushed("z", -50.0))
    data["runs"][0]["body_sensors"] = False
    data["outputs"] = [{"id": "chest", "kind": "point", "segment": "upper_torso"}]
    project = validated(data)
    run = simulate(project)
    assert all(name.startswith("chest_") for name in run.channel_names)
    found = assess(run)
    assert {f.name for f in found.figures} == {"CSI", "chest_3ms", "chest_3ms_in_one"}
    assert "body_sensors" in str(dict(found.missing)["HIC15"])
    assert any("HIC15" in line and "not computed" in line for line in run.log)
    assert len({o.id for o in body_sensors(project)}) == len(body_sensors(project)) > 10


def test_a_rate_too_low_for_a_class_is_said() -> None:
    data = column(**pushed("z", -50.0))
    data["runs"][0]["channel_rate_hz"] = 2000.0
    found = assess(simulate(validated(data)))
    assert "channel_rate_hz" in str(dict(found.missing)["HIC15"])
    assert found["chest_3ms"].filters == (180,)


def test_explicit_classes_deflections_and_two_outputs() -> None:
    outputs = [
        {"id": "head", "kind": "point", "segment": "head", "cfc": 600},
        {"id": "turn", "kind": "rotation", "segment": "head", "quantity": "acceleration"},
        {"id": "chest", "kind": "point", "segment": "upper_torso"},
        {"id": "rise", "kind": "point", "segment": "head", "quantity": "position"},
        {"id": "a", "kind": "injury", "criterion": "HIC15", "output": "head"},
        {"id": "b", "kind": "injury", "criterion": "HIC15", "output": "head", "cfc": 0},
        {"id": "c", "kind": "injury", "criterion": "GAMBIT", "output": "head", "second": "turn"},
        {"id": "d", "kind": "injury", "criterion": "chest_deflection", "output": "rise", "channel": "z"},
        {"id": "e", "kind": "injury", "criterion": "CTI", "output": "chest", "second": "rise", "channel": "z"},
        {"id": "f", "kind": "injury", "criterion": "TTI", "output": "chest", "second": "head"},
    ]  # fmt: skip
    a = 50.0
    run = simulate(validated(column(**pushed("z", -a), outputs=outputs)))
    found = assess(run)
    assert found["a"].filters == (600,)
    assert found["b"].filters == (0,)
    assert found["c"].value == pytest.approx(a / G / 250.0, rel=1e-4)
    # upwards z falls: 0.5 a t^2 at the end
    fallen = 0.5 * a * 0.05**2
    assert found["d"].value == pytest.approx(fallen, rel=1e-4)
    assert found["e"].value == pytest.approx(a / G / 85.0 + 1e3 * fallen / 102.0, rel=1e-4)
    assert found["f"].value == pytest.approx(0.0, abs=1e-9)
    z = run.channel("head_z")
    assert np.abs(cfc(z.time, z.value, 600)).max() == pytest.approx(a, rel=1e-6)


def test_a_damaged_project_in_results_is_said() -> None:
    class Broken:
        project_json = b"{"

    with pytest.raises(ResultsError, match="damaged"):
        assess(Broken())  # type: ignore[arg-type]


def test_a_project_without_bodies_has_no_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = load_project(samples() / "four_bar.json")
    save_project(project, tmp_path / "p.json")
    simulate_to_file(project, tmp_path / "r.h5")
    assert main(["injury", str(tmp_path / "r.h5")]) == 0
    assert "no injury figure" in capsys.readouterr().out


def test_a_number_of_a_quantity_has_a_unit_before_any_run() -> None:
    """Integrals are over time, times of peaks are times."""
    project = load_project(samples() / "pendulum.json")
    units = [
        response_unit(
            project,
            ChannelResponse(id="a", kind="channel", quantity=f"segments/lower/{what}", take=way),
        )
        for what, way in (
            ("acceleration/x", "max"),
            ("acceleration/x", "integral"),
            ("position/x", "time_of_min"),
        )
    ]
    assert units == ["m/s2", "m/s2*s", "s"]
    unitless = ChannelResponse(id="asked", kind="channel", quantity="any", take="integral")
    assert unit_of("1", unitless) == "s"
