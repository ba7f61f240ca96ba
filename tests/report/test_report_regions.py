"""Loads by region: the worst of each, of whom, and what is shown of such a body for the load case."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from solver.base.places import samples
from solver.base.words import Sentence
from solver.cli.report_commands import _as_table
from solver.injury import CRITERIA, assess
from solver.injury.figures import Judged, channels_text, figure_name
from solver.injury.judging import MatchedDummy
from solver.injury.parts import occupants
from solver.project import Project, load_project
from solver.project.changes import with_value
from solver.project.names import called, told_apart, with_names
from solver.report import report
from solver.report.gather import Subject
from solver.report.injury_table import (
    HELD,
    PARTS,
    REGIONS,
    held,
    injury_table,
    region_of,
    region_table,
)
from solver.report.make import _limits
from solver.report.tables import share_cell, tone_of
from solver.results.trajectory import Trajectory
from solver.running.outputs.penetration import Passage
from tests.solved import trajectory

STRAPS = {"strap_tension", "strap_tension_total"}


@cache
def project() -> Project:
    found = load_project(samples() / "frontal.json")
    return found.model_copy(update={"studies": ()})


def run() -> Trajectory:
    return trajectory("frontal")


def test_every_criterion_has_a_region() -> None:
    without = {name for name, one in CRITERIA.items() if not one.region}
    assert without == {"3ms", "3ms_in_one"} | STRAPS
    assert {one.region for one in CRITERIA.values()} - {""} | set(PARTS.values()) == set(REGIONS)


def test_each_region_shows_the_figure_that_is_nearest_to_its_limit() -> None:
    table = region_table([Subject(run(), "run")])
    assert table is not None
    figures = assess(run()).figures
    rows = {row[0].text: row for row in table.rows}
    assert list(rows) == [words for words in REGIONS.values() if words in rows]
    assert {"head", "neck", "chest", "pelvis", "thighs, knees"} <= set(rows)
    for region, words in REGIONS.items():
        limited = [f for f in figures if region_of(f) == region and f.share is not None]
        if limited:
            worst = max(limited, key=lambda f: f.share or 0.0)
            assert rows[words][1].text == figure_name(worst)
            assert rows[words][4].share == worst.share
            assert worst.strictest is not None
            assert worst.strictest.source in rows[words][3].text
    assert rows["pelvis"][3].text == "no limit"
    (note,) = table.notes
    assert "held against one car test, a driver at 57 km/h" in note


def test_a_risk_that_is_not_of_the_figure_shown_says_whose_it_is() -> None:
    """Nij may come nearest to its limit where HIC has the greatest risk: one must not be read as the other's."""
    subject = Subject(run(), "run")
    found = subject.assessment.figures
    table = region_table([subject])
    assert table is not None
    named = 0
    for row in table.rows:
        (region,) = [key for key, words in REGIONS.items() if words == row[0].text]
        there = [f for f in found if region_of(f) == region]
        shown = next(f for f in there if figure_name(f, whose=False) == row[1].text)
        risk, _, whose = row[-1].text.partition(" by ")
        if not risk:
            assert not any(f.risks for f in there)
            continue
        of = next(f for f in there if figure_name(f, whose=False) == whose) if whose else shown
        assert whose != row[1].text
        assert risk in [one.said for one in of.risks]
        named += bool(whose)
    assert named


def test_a_body_without_a_limit_says_so_beside_those_that_have_one() -> None:
    subjects = [Subject(run(), name) for name in ("a", "b", "c")]
    before = subjects[2].assessment
    one = next(f for f in before.figures if f.share is not None)
    without = replace(one, limits=(), why_not=Sentence("its limits are for others"))
    figures = tuple(without if f is one else f for f in before.figures)
    subjects[2].__dict__["assessment"] = replace(before, figures=figures)
    table = injury_table(subjects)
    assert table is not None
    row = next(row for row in table.rows if row[0].text == figure_name(one))
    assert [cell.text for cell in row[-3:]] == [f"{100 * one.share:.0f} %"] * 2 + ["no verdict"]
    assert row[-4].text == "each its own"


def test_what_is_shown_depends_on_who_is_pushed_from_where() -> None:
    (body,) = occupants(project())
    man = Judged("", MatchedDummy("hybrid_iii_50", "dummy", 77.7), "ahead")
    assert "NHTSA 10146" in held(project(), body, man)
    side = held(project(), body, replace(man, way="side"))
    assert side == "pushed from the side: held against no measurement of a whole body"
    other = with_value(project(), "segments/driver_neck_2/mass_kg", 0.5)
    assert "changed against the library" in held(other, body, man)
    assert set(HELD) == {"ahead", "side"}
    # nobody knows this man: a mass alone is no person with a flexible spine
    like = replace(man, who=MatchedDummy("hybrid_iii_50", "mass", 77.7))
    assert "no measurement of a whole body" in held(project(), body, like)
    ribs = project().segments[0].model_copy(update={"id": "driver_lower_ribs"})
    person = project().model_copy(update={"segments": (*project().segments, ribs)})
    assert "eight cadavers" in held(person, body, like)


def test_two_runs_stand_below_each_other_in_each_region() -> None:
    table = region_table([Subject(run(), "before"), Subject(run(), "after")])
    assert table is not None
    assert table.heads[:2] == ("region", "who")
    assert [row[1].text for row in table.rows] == ["before", "after"] * (len(table.rows) // 2)
    assert [row[0].text for row in table.rows[:4]] == ["head", "", "neck", ""]
    assert len(table.notes) == 2
    assert all(len(row) == len(table.heads) == len(table.widths) for row in table.rows)


def test_a_contact_without_a_name_is_called_by_what_meets() -> None:
    (ball,) = load_project(samples() / "bouncing_ball.json").contacts
    project = load_project(samples() / "frontal.json")
    assert called(load_project(samples() / "bouncing_ball.json"), ball) == "Ball on pad"
    names = {called(project, one) for one in project.contacts if not one.name}
    assert {"Neck 1 on left shoulder", "Head › Head on left upper arm"} <= names
    named = ball.model_copy(update={"name": "Bounce"})
    assert called(project, named) == "Bounce"


def test_runs_are_called_by_what_tells_them_apart_and_elements_by_their_names() -> None:
    whole = report(run(), run(), labels=["Driver: Hybrid III, small woman", "Driver: Hybrid III, large man"]).content  # fmt: skip
    assert whole.subtitle == "Driver: Hybrid III, small woman and large man"
    assert whole.runs == ("small woman", "large man")
    assert whole.injury.heads[2:4] == ("small woman", "large man")
    assert not [v.text for v in whole.verdicts if "driver_" in v.text]
    # deflections are said in the unit of their limits
    rows = {row[0].text: row for row in whole.injury.rows}
    assert rows["Chest deflection"][1].text == "mm"
    assert told_apart(["Run 1", "Run 2"]) == ("", ["Run 1", "Run 2"])
    assert told_apart(["a: b", "a: b, c"]) == ("a: ", ["b", "b, c"])
    assert told_apart(["a, b", "a, b"]) == ("", ["a, b", "a, b"])


def test_what_passed_through_what_is_told_by_names() -> None:
    what, into = "segments/driver_head", "planes/car_floor"
    passage = Passage("through", what, into, "", 0.05, 0.01, 0.008)
    sentence = with_names(project(), passage.sentence())
    assert sentence.startswith("‘Head’ passed through ‘Floor’ by 50 mm")


def test_channels_that_are_no_sensors_are_said_by_the_names_of_their_parts() -> None:
    known = ["driver_sternum.slide_slide", "driver_head.touch_force_resultant"]
    assert channels_text(project(), known) == "Sternum · slide; Head · touch force · resultant"


def test_what_was_found_before_a_run_ended_early_does_not_count_as_good() -> None:
    subject = Subject(run())
    whole = _limits(subject, "")
    assert whole.tone == "good"
    assert whole.text.startswith("Within ")
    subject.facts = replace(subject.facts, status="cancelled")
    part = _limits(subject, "")
    assert (part.tone, part.text) == ("muted", f"Until then w{whole.text[1:]}")


def test_a_run_that_ended_early_proves_no_limit_kept() -> None:
    """Of each figure it is said until when it is known, without a verdict; what is exceeded stays so; nothing is rated."""
    whole, early = assess(run()), assess(run(), status="failed")
    assert any(f.share is not None for f in whole.figures)
    assert whole.scores
    for one, part in zip(whole.figures, early.figures, strict=True):
        assert (one.value, one.share) == (part.value, part.share)
        assert part.verdict == ("" if part.share is None else "open")
        if one.share is not None:
            assert one.verdict in ("good", "near")
            assert part.share_text == f"{100.0 * one.share:.0f} % until 150 ms"
            assert share_cell(part).tone == tone_of(part) == "muted"
            assert share_cell(part).share is None, "no bar"
            over = replace(part, value=2.0 * min(limit.limit for limit in part.limits))
            assert (over.verdict, over.share_text) == ("bad", "200 %")
    assert early.scores == ()
    assert any("not rated: the run ended early, at 150 ms" in str(one) for one in early.said)


def test_the_command_and_the_tables_say_until_when() -> None:
    subject = Subject(run(), "run")
    table = region_table([subject])
    assert table is not None
    assert not any(cell.text.endswith("until 150 ms") for row in table.rows for cell in row)
    subject.__dict__["assessment"] = assess(run(), status="cancelled")
    for table in (region_table([subject]), injury_table([subject])):
        assert table is not None
        cells = [cell for row in table.rows for cell in row]
        assert any(cell.text.endswith("until 150 ms") for cell in cells)
        assert not any(cell.tone in ("good", "near") for cell in cells)
    assert " % until 150 ms" in _as_table(subject.assessment, "cancelled", {})
    assert "until" not in _as_table(assess(run()), "completed", {})
