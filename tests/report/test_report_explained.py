"""A run explained: what happened when, what made the peaks, and where the energy went."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from solver.project import Project, load_project
from solver.project.names import called_at
from solver.report import report
from solver.report.explaining import Happening, flows, frames_of, happenings, steps, story_sentences
from solver.report.gather import Subject
from solver.report.pdf_page import figures
from solver.report.plots.curves import styled
from solver.results import open_results
from solver.results.events import Event
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.solved import stored_run


@pytest.fixture(scope="module")
def ran() -> tuple[Project, Trajectory]:
    """Solve the first part of the sled test, whose occupant has a name and a belt."""
    project = load_project(samples() / "sled.json")
    run = project.runs[0].model_copy(update={"duration_s": 0.06})
    project = project.model_copy(update={"runs": (run,)})
    return project, simulate(project)


class Crafted:
    """Give a run other events."""

    def __init__(self, run: Trajectory, *events: Event) -> None:
        self._run, self._events = run, events

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)

    def events(self) -> tuple[Event, ...]:
        return self._events


def test_peaks_are_where_they_are_and_their_shares_make_a_hundred(
    ran: tuple[Project, Trajectory],
) -> None:
    project, run = ran
    lines = story_sentences(Subject(run))
    peaks = [line for line in lines if "is accelerated most" in line]
    assert {word for line in peaks for word in ("pelvis", "chest", "head") if word in line} == {
        "pelvis", "chest", "head",
    }  # fmt: skip
    for line in peaks:
        words = line.partition("What makes it: ")[2].rstrip(".")
        for_it, _, against = words.partition("; less what holds against it: ")
        parts, rest = re.findall(r"(-?\d+) %", for_it), re.findall(r"rest (-?\d+) %", words)
        held = [n for n in re.findall(r"(-?\d+) %", against) if n not in rest]
        total = sum(map(int, parts)) - sum(map(int, held)) + (sum(map(int, rest)) if against else 0)
        assert abs(total - 100) <= 6, line
    head = next(line for line in peaks if "The head" in line)
    (segment,) = [s.id for s in project.segments if s.id.endswith("head")]
    sizes = np.linalg.norm(run.segment(segment).acceleration, axis=1)
    assert head.startswith(f"{1e3 * run.time[sizes.argmax()]:.1f} ms")
    assert f"{sizes.max() / 9.80665:.1f} g" in head


def test_the_energy_that_came_went_somewhere(ran: tuple[Project, Trajectory]) -> None:
    project, run = ran
    subject = Subject(run)
    found = dict(flows(subject))
    left = float(run.table("energy")["balance"][-1])
    assert sum(found.values()) == pytest.approx(-left, abs=1e-6)
    assert abs(left) < 1e-4
    # the sled's own motion is no store: only that of who sits on it counts
    moved = {motion.segment for motion in project.motions}
    people = [s for s in project.segments if s.id not in moved]
    ends = [
        sum(0.5 * s.mass_kg * float((run.segment(s.id).velocity[n] ** 2).sum()) for s in people)
        for n in (0, -1)
    ]
    assert found["motion at the start"] == pytest.approx(ends[0], rel=1e-3, abs=1e-3)
    # what turns is in it too
    assert -found["motion at the end"] > ends[1]
    assert -found["motion at the end"] == pytest.approx(ends[1], rel=0.1)


def test_devices_and_touches_are_told_by_name(ran: tuple[Project, Trajectory]) -> None:
    project, run = ran
    joint = project.joints[1]
    crafted: Any = Crafted(
        run, Event(0.03, "joint_breaks", (f"joints/{joint.id}",)), Event(0.01, "told", ("else",)),
        Event(0.04, "joint_breaks", (f"joints/{joint.id}",)),
    )  # fmt: skip
    found = happenings(Subject(crafted))
    (broken,) = [one for one in found if one.words.endswith("breaks.")]
    assert broken.time == 0.03
    assert called_at(project, f"joints/{joint.id}") in broken.words
    assert [one.time for one in found] == sorted(one.time for one in found)
    touches = [one for one in found if one.words.startswith("First touch")]
    table = run.table("contacts")
    for one in touches:
        name = one.words.split(": ")[1].partition(", later")[0]
        (id_,) = [c for c in table.ids if called_at(project, f"contacts/{c}") == name]
        acting = np.any(table.row(id_)["force"] != 0.0, axis=1) | (
            table.row(id_)["penetration"] > 0
        )
        assert one.time == run.time[acting.argmax()] > 0.0
    assert any("pulls hardest" in one.words for one in found)


def test_what_is_near_is_one_step_and_the_nearest_are_joined_first() -> None:
    found = [Happening(t, str(t), w) for t, w in ((0.01, 0), (0.012, 3), (0.02, 0), (0.025, 0), (0.09, 0))]  # fmt: skip
    groups = steps(found, 0.003, 10)
    assert [[one.time for one in group] for group in groups] == [[0.01, 0.012], [0.02], [0.025], [0.09]]  # fmt: skip
    assert frames_of(np.arange(100) * 1e-3, groups) == [12, 20, 25, 90]
    fewer = steps(found, 0.003, 3)
    assert [[one.time for one in group] for group in fewer] == [[0.01, 0.012], [0.02, 0.025], [0.09]]  # fmt: skip


def test_the_page_has_a_picture_for_each_step_and_the_pdf_too(
    ran: tuple[Project, Any], tmp_path: Path
) -> None:
    project, run = ran
    joints = [f"joints/{joint.id}" for joint in project.joints]
    events = (
        Event(t, "joint_breaks", (joint,)) for t, joint in zip((0.01, 0.03), joints, strict=False)
    )
    run = Crafted(run, *events)
    made = report(run, labels=["sled"], explained=True)
    (story,) = made.content.stories
    page = made.html()
    root = ET.fromstring(page.split("\n", 1)[1])
    shown = [one for one in root.iter("div") if one.get("class") == "step"]
    assert len(shown) == len(story.steps) == 3
    for one, step in zip(shown, story.steps, strict=True):
        words = "".join(one.itertext())
        assert step.when in words
        assert all(sentence in words for _, sentence in step.sentences)
        assert next(one.iter("img")).get("src", "").startswith("data:image/png")
    images = [step.picture.image for step in story.steps]
    assert any(not np.array_equal(images[0], other) for other in images[1:])
    assert "Where the energy came from and went" in page
    plain, whole = report(run, labels=["sled"]), made.save(tmp_path / "a.pdf").read_bytes()
    assert not plain.content.stories
    with styled():
        pages = figures(plain.content)
    assert len(re.findall(rb"/Type /Page\b", whole)) > len(pages)


@pytest.mark.parametrize(
    ("sample", "told_once"),
    [
        ("frontal_5f", {"gives back": (80.0, 140.0)}),
        ("pedestrian", {"Right tibia cell (joint) breaks": (27.0, 31.0), "Right femur cell (joint) breaks": (50.0, 54.0)}),
    ],
)  # fmt: skip
def test_a_rebound_follows_the_greatest_pull_and_a_bone_that_lets_go_breaks(
    sample: str, told_once: dict[str, tuple[float, float]], tmp_path: Path
) -> None:
    """A belt with slack gives a little back at once, which is no rebound; what opens in a bone has broken."""
    with open_results(stored_run(sample, tmp_path)) as run:
        early = [e.time for e in run.events() if e.kind == "harness_gives_back"]
        assert sample != "frontal_5f" or early[0] < 1e-3
        lines = story_sentences(Subject(run))
        for words, (first, last) in told_once.items():
            (line,) = [one for one in lines if words in one]
            assert first <= float(line.partition(" ms")[0]) <= last, line
        # joints that hold a posture open in every crash: nobody's waist breaks
        assert sum("breaks" in one for one in lines) == sum("breaks" in one for one in told_once)
