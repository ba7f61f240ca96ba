"""Quantities stand by person, part and quantity; words find them, the best first; no ids are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.curves.finding import Entry, QuantityGroup, entries, ranked
from app.features.plots.picker import MOST, Picker, Recent
from app.widgets.items import children_of, rows_of
from solver.base.places import samples
from solver.project import Project, load_project
from solver.project.joint_table import row_of
from solver.results.layout import FRAME_GROUPS
from solver.results.names import quantity_label
from solver.results.quantities import SEGMENT_COLUMNS, QuantityInfo, component_names

RECORDED = {
    "driver_chest_acceleration_resultant": "acceleration",
    "driver_chest_acceleration_x": "acceleration",
    "driver_condyles.force_resultant": "force",
}


@pytest.fixture(scope="module")
def project() -> Project:
    return load_project(samples() / "frontal.json")


@pytest.fixture(scope="module")
def infos(project: Project) -> Mapping[str, QuantityInfo]:
    """Give what a run of the driver holds, as results list it."""
    out = {name: QuantityInfo(name, "1", column=column) for name, column in RECORDED.items()}

    def add(group: str, id_: str, column: str, part: str, unit: str) -> None:
        name = "/".join(word for word in (group, id_, column, part) if word)
        out[name] = QuantityInfo(name, unit, "", group, id_, column, part)

    for segment in project.segments:
        for column, (unit, parts, _) in SEGMENT_COLUMNS.items():
            for part in parts:
                add("segments", segment.id, column, part, unit)
    lists = ("joints", "contacts", "airbags", "coordinate_forces")
    ids = [(name, item.id) for name in lists for item in getattr(project, name)]
    ids += [("harnesses", f"{h.id}.{strap.id}") for h in project.harnesses for strap in h.straps]
    for group, id_ in ids:
        for column, about in FRAME_GROUPS[group].columns.items():
            for part in component_names(group, column, about):
                add(group, id_, column, part, about.unit)
    add("energy", "", "kinetic", "", "J")
    return out


def test_everything_of_a_person_stands_below_it(
    project: Project, infos: Mapping[str, QuantityInfo]
) -> None:
    found = {one.name: one for one in entries(project, infos)}
    head = found["segments/driver_head/acceleration/x"]
    assert (head.branches, head.words) == (("Driver", "Head"), "acceleration · x")
    assert found["energy/kinetic"].branches == ("Energy",)
    assert found["segments/vehicle/velocity/x"].branches == ("Segments", "Vehicle")
    belt = f"harnesses/{project.harnesses[0].id}.{project.harnesses[0].straps[0].id}/tension/1"
    assert found[belt].branches[:2] == ("Driver", "Harnesses")
    chest = found["driver_chest_acceleration_x"]
    assert chest.branches == ("Driver", "Recorded channels", "Chest acceleration")
    assert found["driver_condyles.force_resultant"].branches[-1] == "Condyles"
    # those of the driver first
    owners = [one.owned for one in entries(project, infos)]
    assert owners == sorted(owners, reverse=True)


def test_no_name_holds_an_id_or_the_number_of_an_axis(
    project: Project, infos: Mapping[str, QuantityInfo]
) -> None:
    lists = ("segments", "joints", "contacts", "harnesses", "airbags", "outputs")
    ids = {item.id for name in lists for item in getattr(project, name) if "_" in item.id}
    for one in entries(project, infos):
        assert not ids & set(one.whole.replace(",", " ").split()), one.whole
        assert one.whole.rpartition(" · ")[2] not in {"1", "2", "3", "4"}, one.whole
        assert one.whole == quantity_label(project, one.name)


def test_joints_have_the_angles_that_they_have(
    project: Project, infos: Mapping[str, QuantityInfo]
) -> None:
    names = [one.name for one in entries(project, infos)]
    for joint in project.joints:
        angles = [n for n in names if n.startswith(f"joints/{joint.id}/angle/")]
        row = row_of(joint)
        if row.acts != "ball" and joint.breakage is None:
            assert len(angles) == len(row.turns), joint.id
    knee = quantity_label(project, "joints/driver_left_knee/angle/1")
    assert knee == "Left knee · angle"
    assert quantity_label(project, "joints/driver_lumbar/angle/2") == "Lumbar · angle · pitch"
    assert quantity_label(project, "joints/driver_lumbar/rate/2") == "Lumbar · rate · y"


@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("head acceleration", "segments/driver_head/acceleration/resultant"),
        ("chest acceleration", "driver_chest_acceleration_resultant"),
        ("belt tension start", "harnesses/{belt}/tension/1"),
        ("pelvis speed x", "segments/driver_lower_torso/velocity/x"),
        ("left knee angle", "joints/driver_left_knee/angle/1"),
        ("bag pressure", "airbags/driver_bag/pressure"),
        ("kin", "energy/kinetic"),
        ("neck tens", "driver_condyles.force_resultant"),
        ("chest deflection", "joints/driver_sternum/slide"),
    ],
)
def test_words_find_what_people_mean(
    project: Project, infos: Mapping[str, QuantityInfo], words: str, best: str
) -> None:
    harness = project.harnesses[0]
    found = ranked(entries(project, infos), words)
    assert found[0].name == best.format(belt=f"{harness.id}.{harness.straps[0].id}")


def test_what_was_used_lately_comes_first_and_nonsense_finds_nothing(
    project: Project, infos: Mapping[str, QuantityInfo]
) -> None:
    listed = entries(project, infos)
    usual = ranked(listed, "head acceleration")
    late = usual[3].name
    assert ranked(listed, "head acceleration", [late])[0].name == late
    # 'hic' stands inside 'vehicle', and means nothing there
    assert ranked(listed, "hic") == []
    assert ranked(listed, "head xyzzy") == []


def test_what_was_used_is_kept_without_doubles(tmp_path: Path) -> None:
    kept = Recent(tmp_path)
    for name in [f"q{n}" for n in range(MOST + 3)] + ["q5"]:
        kept.use(name)
    assert Recent(tmp_path).names[:2] == ["q5", f"q{MOST + 2}"]
    assert len(Recent(tmp_path).names) == MOST == len(set(kept.names))
    (tmp_path / "plot_recent.json").write_text("{")
    assert Recent(tmp_path).names == []


def test_the_tree_words_what_is_opened_and_no_more(
    project: Project, infos: Mapping[str, QuantityInfo], qtbot: Any, monkeypatch: Any
) -> None:
    """All 4,000 at once would hold the window up."""
    worded: list[str] = []
    plain = QuantityGroup.entry

    def entry(shelf: QuantityGroup, info: QuantityInfo) -> Entry:
        worded.append(info.name)
        return plain(shelf, info)

    monkeypatch.setattr(QuantityGroup, "entry", entry)
    picker = Picker()
    qtbot.addWidget(picker)
    picker.recent.names = []
    picker.show_infos(project, infos)
    assert len(worded) < 10
    driver = next(item for item in rows_of(picker.tree) if item.text(0) == "Driver")
    picker.tree.expandItem(driver)
    head = next(item for item in children_of(driver) if item.text(0) == "Head")
    worded.clear()
    picker.tree.expandItem(head)
    assert set(worded) == {name for name in infos if name.startswith("segments/driver_head/")}
    # there is one person: that name would take the room of what tells quantities apart
    owned = [entry for entry in picker.entries if entry.owned]
    assert owned[0].line.startswith("Driver · ")
    assert not [entry for entry in owned if picker._line(entry).startswith("Driver · ")]
    picker.search.setText("head acceleration")
    assert len(worded) > 0.8 * len(infos)


def test_lines_that_are_cut_are_told_apart_and_nothing_is_said(
    project: Project, infos: Mapping[str, QuantityInfo], qtbot: Any
) -> None:
    """In a narrow list the ends of names stay, recorded ones lean; what finds nothing says so."""
    picker = Picker()
    qtbot.addWidget(picker)
    picker.resize(165, 300)
    picker.show()
    picker.show_infos(project, infos)
    picker.search.setText("chest acceleration")
    lines = [item.text(0) for item in rows_of(picker.tree)]
    lines = [line for line in dict.fromkeys(lines) if line.startswith("Sternum · acceleration")]
    assert len(lines) >= 4
    metrics, room = picker.tree.fontMetrics(), picker.tree.viewport().width() - 8
    cut = [metrics.elidedText(line, picker.tree.textElideMode(), room) for line in lines]
    assert cut != lines, "there is too little room for them"
    assert len(set(cut)) == len(cut)
    recorded = [item.font(0).italic() for item in rows_of(picker.tree)]
    assert any(recorded)
    assert not all(recorded)
    picker.search.setText("chest xyzzy")
    (nothing,) = list(rows_of(picker.tree))
    assert nothing.text(0) == "Nothing is called so"
    drawn: list[str] = []
    picker.chosen.connect(drawn.append)
    picker._take_first()
    assert drawn == []
