"""What a run itself says went wrong with a body: from then on figures of that region are not judged."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import manikin as mk
from app.comparing.runs import compared
from app.run_view.record import headline, read_record
from solver.base.places import samples
from solver.base.words import Sentence
from solver.cli import main
from solver.injury import Figure, Limit, assess
from solver.injury.faults import Fault, Places, faults, spoilt
from solver.injury.reference import Risk
from solver.project import Project, load_project
from solver.project.contact import PlaneContact
from solver.report.gather import Subject
from solver.report.injury_table import figures_in_full, injury_table, region_table
from solver.report.make import _limits
from solver.results import open_results
from solver.results.events import Event
from solver.running.outputs.penetration import Passage, log_lines

RIM = "segments/car_steering_wheel/rim"


@cache
def frontal() -> Project:
    return load_project(samples() / "frontal.json")


@pytest.mark.parametrize(
    ("segment", "region"),
    [
        ("driver_head", "head"), ("driver_neck_4", "head"), ("driver_sternum", "chest"), ("driver_upper_torso", "chest"),
        ("driver_lower_torso", "pelvis"), ("driver_centre_torso", "pelvis"), ("driver_left_knee_block", "left_leg"),
        ("driver_right_upper_leg", "right_leg"), ("driver_left_foot", "left_leg"), ("driver_left_hand", "arm"),
        ("driver_right_shoulder", "arm"), ("car_steering_wheel", None), ("vehicle", None),
    ],
)  # fmt: skip
def test_every_segment_of_a_body_has_its_region(segment: str, region: str | None) -> None:
    found = Places(frontal()).of(segment)
    assert found == (None if region is None else ("", region))


def test_ribs_are_of_the_chest() -> None:
    side = load_project(samples() / "side_impact.json")
    assert Places(side).of("driver_left_ribs") == ("", "chest")


def happened(*events: Event, notes: Any = ()) -> tuple[Fault, ...]:
    run: Any = SimpleNamespace(events=lambda: events, notes=tuple(notes))
    return faults(frontal(), run)


def deep(time: float, what: str, into: str = RIM) -> Event:
    return Event(time, "goes_too_deep", (what, into))


def test_passages_and_submarining_are_of_regions() -> None:
    found = happened(
        deep(0.1, "segments/driver_head/body"),
        deep(0.09, "segments/driver_sternum", "segments/driver_left_upper_leg"),
        Event(0.05, "lap_belt_pulls_up", ("harnesses/belt/lap", "segments/driver_lower_torso")),
        Event(0.04, "lap_belt_in_belly", ("harnesses/belt/lap", "segments/driver_lower_torso")),
        Event(0.01, "contact_touches", ("contacts/car_head-rim",)),
    )
    assert [(one.region, one.first) for one in found] == [
        ("pelvis", 0.05), ("chest", 0.09), ("left_leg", 0.09), ("head", 0.1),
    ]  # fmt: skip
    assert "submarines from 50 ms on" in str(found[0].said)
    assert str(found[-1].said) == "Head goes too deep into Steering wheel › Rim from 100 ms on"


def test_what_an_arm_meets_does_not_count_within_one_body() -> None:
    hand = "segments/driver_left_hand"
    assert happened(deep(0.1, hand)) == ()
    assert happened(deep(0.1, "segments/driver_left_upper_leg", hand)) == ()
    assert happened(deep(0.1, hand, "segments/driver_head/chin")) == ()


@pytest.mark.parametrize(("kind", "word"), [("through", "through"), ("deep", "into")])
def test_the_depth_is_that_of_the_warning(kind: Any, word: str) -> None:
    head, other = "segments/driver_head/body", "planes/car_floor"
    notes = log_lines(
        [
            Passage(kind, "segments/driver_head/body", other, "", 0.5, 0.2, 0.15),
            Passage(kind, head, RIM, "contacts/car_head-rim", 0.0902, 0.115, 0.103),
        ]
    )
    (found,) = happened(deep(0.103, head), notes=notes)
    assert str(found.said) == (
        f"Head went 90 mm {word} Steering wheel › Rim at 115 ms, too deep from 103 ms on"
    )


def test_a_contact_beyond_its_curve_counts_for_what_it_presses_on() -> None:
    contact = next(
        c for c in frontal().contacts if isinstance(c, PlaneContact) and "left_knee" in c.id
    )
    beyond = Sentence(
        "warning: {what}",
        what=Sentence(
            "{what} went to {amount}, beyond the end of '{curve}' at {end}, from {first:.4g} ms on; …",
            what=Sentence("'{element}'", element=contact.id), amount="1 m", curve="c", end="1 m", first=73.1,
        ),
    )  # fmt: skip
    (found,) = happened(notes=[beyond, "warning: words of an older file beyond the end of 'c'"])
    assert (found.region, found.first) == ("left_leg", pytest.approx(0.0731))
    assert "went beyond the end of its curve from 73.1 ms on" in str(found.said)


def figure(t1: float, t2: float) -> Figure:
    return Figure(
        "HIC15", "HIC15", "Head", 500.0, "1", t1, t2, ("c",), (1000,), "", "head",
        limits=(Limit("HIC15", 700.0, "a man", (), "a paragraph", standard="fmvss_208"),), risks=(Risk("AIS3+", 0.1, "x"),),
    )  # fmt: skip


def test_only_what_was_over_before_is_judged() -> None:
    fault = Fault("", "head", 0.103, Sentence("the head went through it"))
    for t1, t2 in ((0.08, 0.095), (0.103, 0.103)):
        one = spoilt(figure(t1, t2), "", "head", [fault])
        assert one == figure(t1, t2), "its own time lies before"
        assert one.verdict == "good"
    for t1, t2 in ((0.095, 0.11), (0.12, 0.12), (0.0, 0.14)):
        one = spoilt(figure(t1, t2), "", "head", [fault])
        assert (one.value, one.verdict, one.share, one.risks) == (500.0, "", None, ())
        assert one.share_text == "not judged"
        assert one.no_verdict == "not judged: the head went through it"
        assert one.note == "not judged: the head went through it"
        for chosen in (["fmvss_208"], ["un_r94"]):
            assert one.under(chosen).no_verdict == one.no_verdict
    for body, region in (("other", "head"), ("", "chest")):
        assert spoilt(figure(0.12, 0.12), body, region, [fault]) == figure(0.12, 0.12)


@cache
def large_man() -> mk.Run:
    """The 95th man's head passes a weak rim as the bag has gone flat, in a belt that lets go too early."""
    model = mk.crash("frontal", who="hybrid_iii_95m")
    for name, part in (("driver_load_limit", 0.7), ("car_steering_rim_force", 0.3)):
        force = next(one for one in model.project.functions if one.id == name).form.y
        model = model.with_value(f"functions/{name}/form/y", tuple(part * f for f in force))
    return mk.run(model)


def test_the_figures_of_a_head_that_went_through_the_rim_are_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = large_man()
    found = run.injury
    first = next(e.time for e in run.trajectory.events() if e.kind == "goes_too_deep")
    head = [f for f in found.figures if f.part in ("head", "neck")]
    for one in found.figures:
        assert bool(one.spoilt) == (one in head and one.t2 > first), one.name
    assert {"HIC15", "head_3ms"} <= {f.name for f in head if f.spoilt}
    assert found["HIC15"].limits == ()
    # of another region
    assert found["chest_3ms"].verdict == "good"
    why = found["HIC15"].no_verdict
    said = r"not judged: Head went (\d+) mm through Steering wheel › Rim at (\d+) ms"
    found_mm, found_ms = map(int, re.match(said, why).groups())
    assert 60 < found_mm < 140
    assert 1e3 * first < found_ms <= 140

    file = tmp_path / "large.h5"
    run.save(file)
    with open_results(file) as opened:
        assert assess(opened).figures == found.figures
    assert main(["injury", str(file)]) == 0
    (line,) = [x for x in capsys.readouterr().out.splitlines() if x.startswith("HIC15 ")]
    assert " not judged " in line
    assert line.endswith(why)
    assert main(["injury", str(file), "--json"]) == 0
    told = {f["name"]: f for f in json.loads(capsys.readouterr().out)["figures"]}
    assert (told["HIC15"]["verdict"], told["HIC15"]["of_limit"]) == ("", None)
    assert told["HIC15"]["no_verdict"] == f"not judged: {told['HIC15']['not_judged']}" == why

    subject = Subject(run.trajectory, "large")
    assert _limits(subject, "").tone == "bad"
    assert f"figures are not judged: Head went {found_mm} mm" in _limits(subject, "").text
    for table in (injury_table([subject]), region_table([subject])):
        assert table is not None
        (row,) = [r for r in table.rows if r[0].text in ("HIC15", "head")]
        assert any(cell.text == "not judged" and cell.share is None for cell in row)
        assert not any(cell.tone in ("good", "near") for cell in row)
    assert any("HIC15" in line and why in line for line in figures_in_full(subject))

    records = [read_record(file)]
    assert headline(records[0]) == f"HIC15 is {found['HIC15'].value:.4g}."
    records[0].assess()
    assert headline(records[0]) == f"HIC15 is {found['HIC15'].value:.4g}, not judged."
    line_ = next(one for one in compared(records, "metric").figures if "HIC15" in one.title)
    assert line_.cells[0].words == f"{found['HIC15'].value:.4g}, not judged"
    assert line_.cells[0].share is None
    assert why in line_.tip
    records[0].close()
