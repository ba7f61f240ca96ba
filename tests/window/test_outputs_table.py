"""The table of outputs: what a run writes, and more by choosing what of and which quantity."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.editors.outputs_table import BODY, quantities_of, row, sources, with_output
from solver.base.places import samples
from solver.project import load_project, validated
from solver.project.checks import check
from tests.everything import everything

pytestmark = [pytest.mark.window, pytest.mark.one_window]


@pytest.fixture
def table(window: Any) -> Any:
    window.open_file(samples() / "sled.json")
    window.bench.document.select(f"outputs/{window.bench.document.project.outputs[0].id}")
    QApplication.processEvents()
    return window.panels["editor"].current


def test_every_kind_of_output_is_said_in_words() -> None:
    project = validated(everything())
    rows = [row(project, one) for one in project.outputs]
    assert {one.kind for one in project.outputs} >= {
        "point",
        "rotation",
        "joint",
        "element",
        "body",
    }
    assert all(all(texts) for texts in rows)
    sled = load_project(samples() / "sled.json")
    rows = [row(sled, one) for one in sled.outputs]
    assert not [texts for texts in rows if "missing" in " ".join(texts)]
    assert len({texts[1:] for texts in rows}) == len(rows)


def test_all_that_is_offered_can_be_written() -> None:
    project = load_project(samples() / "sled.json")
    seen = set()
    for _, path in list(sources(project)):
        if path.split("/")[0] in seen:
            continue
        seen.add(path.split("/")[0])
        for words in quantities_of(path):
            project, made, _ = with_output(project, path, words, 180)
            assert not with_output(project, path, words, 180)[2]
            assert made.startswith("outputs/")
    assert BODY in seen
    assert not [p for p in check(project) if p.severity == "error"]


def test_an_output_is_added_once(window: Any, table: Any) -> None:
    count = len(window.bench.document.project.outputs)
    table.choose("segments/upper_torso")
    table.quantity.setCurrentText("Angular velocity")
    table.cfc.show_data(60)
    table.relative.show_data("vehicle")
    QTest.mouseClick(table.add, Qt.MouseButton.LeftButton)
    made = window.bench.document.project.outputs[-1]
    assert (made.kind, made.segment, made.quantity, made.cfc, made.relative_to) == (
        "rotation", "upper_torso", "velocity", 60, "vehicle",
    )  # fmt: skip
    assert window.bench.document.selection == f"outputs/{made.id}"
    assert table.tree.selectedItems()[0].text(2) == "angular velocity seen from Sled"
    QTest.mouseClick(table.add, Qt.MouseButton.LeftButton)
    assert len(window.bench.document.project.outputs) == count + 1
    assert "already" in table.bar.hint.text()
    window.bench.document.undo()
    assert len(window.bench.document.project.outputs) == count


def test_rows_are_selected_everywhere_and_deleted(window: Any, table: Any) -> None:
    count = len(window.bench.document.project.outputs)
    tree = table.tree
    last = tree.topLevelItem(tree.topLevelItemCount() - 1)
    tree.scrollToItem(last)
    QTest.mouseClick(
        tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(last).center()
    )
    chosen = window.bench.document.selection
    assert chosen == last.data(0, Qt.ItemDataRole.UserRole)
    QTest.keyClick(tree, Qt.Key.Key_Delete)
    assert len(window.bench.document.project.outputs) < count
    assert chosen not in [f"outputs/{o.id}" for o in window.bench.document.project.outputs]


def test_what_to_write_about_is_found_by_typing(window: Any, table: Any) -> None:
    table.of.setFocus()
    table.of.fill()
    table.of.lineEdit().setText("Head  ·  segment")
    table.of.lineEdit().editingFinished.emit()
    assert table._source == "segments/head"
    joint = window.bench.document.project.joints[0]
    table.choose(f"joints/{joint.id}")
    assert table.quantity.count() == 3
    assert not table.relative.isVisible()


def test_the_tables_are_offered_where_nothing_is_selected(window: Any, table: Any) -> None:
    window.bench.document.select("")
    panel = window.panels["editor"]
    assert panel.current is None
    QTest.mouseClick(panel.offers["contacts"], Qt.MouseButton.LeftButton)
    assert panel.current is panel._made["contacts"]
    assert panel.current.model.rowCount() > 10
    # it stays while the project changes, and goes when something else is selected
    window.bench.document.edit("segments/head/mass_kg", 4.0, "mass")
    assert panel.current is panel._made["contacts"]
    window.bench.document.select("functions/segment_stiffness")
    assert panel.current is panel._made["functions"]
    window.menus.run("edit.outputs")
    assert panel.current is panel._made["outputs"]


def test_a_run_says_how_much_it_writes(window: Any, table: Any) -> None:
    run = window.bench.document.project.runs[0]
    window.bench.document.select(f"runs/{run.id}")
    frames = round(run.duration_s / run.frame_interval_s) + 1
    assert f"{frames} frames" in window.panels["editor"].current.bar.hint.text()
