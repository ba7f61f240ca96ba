"""A measured pulse becomes the motion of a sled: a file, a channel, what it does, one step that can be undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.features.editors.pulse_dialog import MeasuredPulseDialog, moved_first, read_pulse_file
from solver.base.places import samples
from solver.project.motions import History
from tests.measured_files import mme_channel
from tests.window.test_dialogs import hold

pytestmark = [pytest.mark.window, pytest.mark.one_window]
PEAK, LONG, OFFSET = 28.0, 0.09, 0.4
CHANGE = -2.0 / np.pi * PEAK * 9.80665 * LONG


def a_sled_test(folder: Path) -> Path:
    """A half sine of 28 g from time zero, with an offset, 20 ms before it, and a head."""
    t = np.arange(-0.02, 0.15, 1e-4)
    pulse = np.where((t > 0) & (t < LONG), np.sin(np.pi * np.clip(t, 0.0, LONG) / LONG), 0.0)
    for n, (code, scale) in enumerate({"11HEADCG00H3ACXA": 40.0, "S0SLED000000ACXP": -PEAK}.items(), 1):  # fmt: skip
        values = [f"{v:.6g}" for v in scale * pulse + OFFSET]
        mme_channel(folder / "Channel" / f"lab.{n:03d}", values, Channel_code=code, Name_of_the_channel="", Direction="", Time_of_first_sample="-0.02", Channel_frequency_class="")  # fmt: skip
    (folder / "lab.mme").write_text("Title                       :Sled, 28 g\n")
    return folder / "lab.mme"


def dialog_of(window: Any, qtbot: Any, file: Path) -> MeasuredPulseDialog:
    qtbot.waitUntil(lambda: not window.findChildren(MeasuredPulseDialog), timeout=60_000)
    read_pulse_file(window.bench, file)
    qtbot.waitUntil(lambda: bool(window.findChildren(MeasuredPulseDialog)), timeout=60_000)
    (dialog,) = window.findChildren(MeasuredPulseDialog)
    return dialog


def test_a_measured_pulse_moves_a_sled(window: Any, qtbot: Any, tmp_path: Path) -> None:
    window.open_file(samples() / "sled.json")
    document = window.bench.document
    (motion,) = document.project.motions
    document.select(f"segments/{motion.segment}")
    panel = window.panels["inspector"]
    qtbot.waitUntil(lambda: panel.form.y() > 0, timeout=60_000)
    assert panel.pulse.isVisibleTo(panel)
    assert panel.pulse.y() < panel.form.y(), "seen without scrolling"
    dialog = dialog_of(window, qtbot, a_sled_test(tmp_path / "lab"))
    assert dialog.segment.currentData() == motion.segment
    assert dialog.channel.currentText() == "sled · acceleration x", "before the head"
    assert (dialog.axis.currentData(), dialog.unit.isEnabled()) == ("x", False)
    dialog.zero.setChecked(True)
    assert dialog.begin.value() == 0.0
    assert dialog.end.value() == pytest.approx(1e3 * LONG, abs=3.0), "where it is over"
    assert "Peak -27" in dialog.said.text() or "Peak -28" in dialog.said.text()
    assert f"{CHANGE:+.1f}"[:-1] in dialog.said.text()
    hold(dialog)
    dialog.turned.setChecked(True)
    assert "speed change +15" in dialog.said.text()
    dialog.turned.setChecked(False)
    before = document.project
    dialog.take.click()
    (led,) = document.project.motions
    (x,) = [one for one in led.components if one.component == "x"]
    assert isinstance(x.pulse, History)
    (old,) = [one for one in motion.components if one.component == "x"]
    assert x.start_rate == old.start_rate
    made = next(one for one in document.project.functions if one.id == x.pulse.function)
    assert made.form.y[-1] == 0.0  # type: ignore[union-attr]
    assert np.trapezoid(made.form.y, made.form.x) == pytest.approx(CHANGE, rel=0.02)  # type: ignore[union-attr]
    assert document.selection == f"motions/{led.id}"
    document.undo()
    assert document.project == before


def test_a_table_without_a_unit_is_asked_and_one_without_accelerations_is_told(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    window.open_file(samples() / "sled.json")
    file = tmp_path / "sled.csv"
    file.write_text("time [ms],sled,way [mm]\n" + "".join(f"{n},{-20 * np.sin(n / 30):.4f},{n}\n" for n in range(95)))  # fmt: skip
    dialog = dialog_of(window, qtbot, file)
    assert (dialog.channel.count(), dialog.unit.isEnabled(), dialog.unit.currentData()) == (
        1,
        True,
        "g",
    )
    assert "Peak -2" in dialog.said.text()
    dialog.reject()
    file.write_text("time [ms],way [mm]\n0,1\n1,2\n")
    dialog = dialog_of(window, qtbot, file)
    assert not dialog.take.isEnabled()
    assert "no acceleration" in dialog.said.text()
    dialog.reject()
    read_pulse_file(window.bench, tmp_path / "none.mme")
    qtbot.waitUntil(window.notice.isVisible, timeout=60_000)


def test_what_can_move_is_offered_in_order() -> None:
    from solver.project import load_project

    project = load_project(samples() / "sled.json")
    led = project.motions[0].segment
    assert moved_first(project, "")[0] == led
    other = next(one.id for one in project.segments if one.id != led)
    assert moved_first(project, f"segments/{other}")[0] == other
