"""Events are data from the kernels to files; words are made at the edge alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from string import Formatter, ascii_lowercase

import h5py
import numpy as np
import pytest

from solver.base.places import samples
from solver.engine.forces.system import CONTACT_EVENTS
from solver.model.compile import compile_model
from solver.project import Project, load_project
from solver.results import open_results, save_run
from solver.results.events import KINDS, LACKING, MOST_TOLD, Event, log_of, read_words, sentence
from solver.running.outputs.elements import PAIRS
from solver.running.outputs.frames import IMPULSES, TRIGGERS, Events
from solver.running.outputs.restraints import BAGS, PARTS, SPOOLS, STRAPS
from solver.running.simulation import simulate, simulate_to_file
from tests.made_up_run import EVENTS, LONG
from tests.models import project

PLAIN = {
    "joints/neck": "joint 'neck' opens",
    "joints/neck/spin": "the spin of joint 'neck' opens",
    "joints/neck/first": "the first axis of joint 'neck' opens",
}


def dropped(id_: str) -> Project:
    """Let a ball fall on a floor, by a contact of some id."""
    data = json.loads(
        (samples() / "bouncing_ball.json").read_text().replace('"ball-pad"', f'"{id_}"')
    )
    data["runs"][0]["duration_s"] = 1.0
    return project(data)


def test_ids_of_any_letters_and_any_length_reach_the_file(tmp_path: Path) -> None:
    data = dropped(LONG)
    simulate_to_file(data, tmp_path / "run.h5")
    live = simulate(data)
    with open_results(tmp_path / "run.h5") as stored:
        assert stored.events() == live.events()
        assert stored.log == live.log
        kinds = {event.kind for event in stored.events()}
        assert kinds == {"contact_touches", "contact_turns", "contact_leaves"}
        assert {event.elements for event in stored.events()} == {(f"contacts/{LONG}",)}
        assert any(f"'{LONG}' touches" in line for line in stored.log)
    saved = save_run(live, tmp_path / "saved.h5", "1")
    with open_results(saved) as again:
        assert (again.events(), again.log) == (live.events(), live.log)


def test_every_kind_has_its_words() -> None:
    """Whatever a model can give is in the table, and the words fill with what there is."""
    given = {*PAIRS, *PARTS, *TRIGGERS, *BAGS, *SPOOLS, *STRAPS, *IMPULSES.values()}
    for sample in sorted(samples().glob("*.json")):
        model = compile_model(load_project(sample))
        events, names = Events(model), set(Events(model).names())
        given |= {kind for kind, _ in model.events}
        for number in range(events._count):
            event = events.event(0.0, number, 0)
            assert set(event.elements) <= names
            assert "{" not in sentence(event)
    assert given <= set(KINDS)
    for kind in KINDS.values():
        gaps = {field for _, field, _, _ in Formatter().parse(kind.sentence) if field is not None}
        assert gaps <= {"0", "1", *ascii_lowercase[: len(kind.values)]}


def test_what_impulses_lack_is_an_event_of_the_pair_or_stop() -> None:
    assert set(IMPULSES.values()) == set(LACKING)
    model = compile_model(load_project(samples() / "bouncing_ball.json"))
    events, pair = Events(model), int(model.system.first[CONTACT_EVENTS])
    for what, kind in IMPULSES.items():
        assert events.event(0.5, pair, what) == Event(0.5, kind, ("contacts/ball-pad",))
        assert "where 'ball-pad' strikes" in sentence(Event(0.5, kind, ("contacts/ball-pad",)))


@pytest.mark.parametrize("path", PLAIN)
def test_parts_of_elements_have_names(path: str) -> None:
    assert sentence(Event(0.0, "joint_opens", (path,))) == PLAIN[path]


def test_a_kind_of_a_later_version_is_told_by_its_name() -> None:
    said = sentence(Event(0.0, "door_slams", ("segments/door",)))
    assert said == "door slams 'door'"


def test_the_log_tells_so_many_events_of_one_element_and_no_more() -> None:
    many = [Event(1e-3 * n, "contact_touches", ("contacts/a",)) for n in range(50)]
    lines = log_of(["note"], [*many, Event(1.0, "contact_touches", ("contacts/b",))])
    assert len(lines) == 1 + MOST_TOLD + 1 + 1
    assert lines[0] == "note"
    assert "alone" in lines[-2]
    assert lines[-1] == "1000 ms: 'b' touches"


OLD = (
    Event(0.0, "speeds_corrected"),
    Event(0.0, "joint_opens", ("joints/neck/spin",)),
    Event(1e-3, "joint_released", ("joints/rail/slide",)),
    Event(1e-3, "joint_at_stop", ("joints/knee/first",)),
    Event(2e-3, "trigger_passed", ("airbags/bag",)),
    Event(2e-3, "trigger_fires", ("harnesses/belt/lap",)),
    Event(3e-3, "airbag_vents", ("airbags/bag",)),
    Event(3e-3, "contact_touches", ("contacts/Kopf-auf-Ärmel",)),
    Event(3e-3, "belt_taut", ("belts/lap",)),
    Event(4e-3, "belt_turns", ("belts/lap",)),
    Event(4e-3, "contact_turns", ("contacts/head",)),
    Event(4e-3, "rolling_changes", ("constraints/wheel",)),
    Event(5e-3, "retractor_locks", ("harnesses/belt/lap",)),
    Event(5e-3, "harness_gives_back", ("harnesses/belt",)),
    Event(5e-3, "wind_meets", ("winds/gust",)),
)


def test_words_of_older_files_are_read() -> None:
    for event in OLD:
        assert list(read_words(event.time, sentence(event), ["lap"])) == [event]
    both = "; ".join(sentence(event) for event in OLD[:2])
    assert list(read_words(0.0, both)) == list(OLD[:2])
    assert list(read_words(0.0, "'head' tou")) == [Event(0.0, "told", ("'head' tou",))]


def as_version_1(new: Path, old: Path) -> None:
    """Write events as the first version did: as words in the steps, cut to 80 bytes, and in the log."""
    shutil.copy(new, old)
    with h5py.File(old, "r+") as file:
        file.attrs["schema_version"] = 1
        words = np.zeros(len(file["integrator/time"]), "S80")
        for row, event in enumerate(EVENTS[:2]):
            words[row] = sentence(event).encode()[:80]
        made = file["integrator"].create_dataset("event", data=words)
        made.attrs["unit"] = "1"
        lines = ["started", f"3 ms: {sentence(EVENTS[0])}", "Kopf trifft Polster"]
        del file["log"], file["events"]
        file.create_dataset("log", data=lines, dtype=h5py.string_dtype()).attrs["unit"] = ""


def test_results_of_version_1_still_open(tmp_path: Path, results_file: Path) -> None:
    old = tmp_path / "old.h5"
    as_version_1(results_file, old)
    with open_results(old) as run:
        assert run.notes == ("started", "Kopf trifft Polster")
        first, cut = run.events()
        assert (first.time, first.kind) == (0.0, "told")
        assert cut.elements[0].startswith("the retractor of 'Kopf-auf-Ärmel-ßß")
        assert len(run.log) == 4
        assert "event" not in run.steps().columns
    with h5py.File(old, "r+") as file:
        file["integrator/event"][0] = b"'head-panel' touches"
    with open_results(old) as run:
        assert run.events()[0] == Event(0.0, "contact_touches", ("contacts/head-panel",))
