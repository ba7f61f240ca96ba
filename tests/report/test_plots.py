"""Plots in files: panels, labels, overlays, and files that other programs can read."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from matplotlib import rcParams
from matplotlib.figure import Figure
from matplotlib.image import imread

from solver.base.words import tr
from solver.cli import main
from solver.report.plots import Curve, PlotError, curves_figure, save_figure
from solver.report.plots.curves import MOST_POINTS, clear_legend, draw_panel, styled
from tests.solved import stored_run

T = np.linspace(0.0, 100.0, 201)


def curve(label: str, unit: str = "g", run: str = "", factor: float = 1.0) -> Curve:
    return Curve(T, factor * np.sin(T / 20.0), unit, label, run, "acceleration")


def texts(figure: Figure) -> list[str]:
    return [
        text.get_text()
        for axes in figure.axes
        for legend in [axes.get_legend()]
        if legend is not None
        for text in legend.get_texts()
    ]


def test_each_unit_has_a_panel_and_its_label() -> None:
    figure = curves_figure(
        [curve("head_x"), curve("head_z"), curve("belt", "kN")], "time [ms]", title="Sled"
    )
    assert len(figure.axes) == 2
    assert figure.axes[0].get_ylabel() == "acceleration [g]"
    assert figure.axes[1].get_ylabel() == "acceleration [kN]"
    assert figure.axes[1].get_xlabel() == "time [ms]"
    assert [len(axes.lines) for axes in figure.axes] == [2, 1]
    assert texts(figure) == ["x", "z"]
    assert figure.axes[0].get_title(loc="left") == "head"


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_peak_is_what_is_farthest_from_zero(sign: float) -> None:
    y = sign * (2.0 + 3.0 * np.sin(T / 20.0))
    y[0] = np.nan
    figure = curves_figure(
        [Curve(T, y, "g", "head_x", "", "acceleration")], "time [ms]", peaks=True
    )
    assert texts(figure) == [f"head_x  (peak {5.0 * sign:.4g} g at 31.5)"]


def test_common_words_of_labels_are_said_once() -> None:
    names = [f"contacts/{c}/force/resultant" for c in ("seat", "back", "dash")]
    figure = curves_figure([curve(n) for n in names], "time [ms]")
    assert texts(figure) == ["seat", "back", "dash"]
    assert figure.axes[0].get_title(loc="left") == "contacts … force / resultant"


def test_runs_are_told_by_dashes_and_single_quantities_by_colours() -> None:
    many = curves_figure([curve(n, run=r) for r in ("a", "b") for n in ("x", "y")], "time [ms]")
    lines = many.axes[0].lines
    assert lines[0].get_color() == lines[2].get_color() != lines[1].get_color()
    assert lines[0].get_linestyle() != lines[2].get_linestyle()
    one = curves_figure([curve("x", run=r) for r in ("a", "b")], "time [ms]")
    lines = one.axes[0].lines
    assert lines[0].get_color() != lines[1].get_color()
    assert lines[0].get_linestyle() == lines[1].get_linestyle() == "-"
    assert texts(one) == ["a", "b"]


def test_curves_are_told_apart_when_colours_come_again() -> None:
    figure = curves_figure([curve(f"c{n}q") for n in range(20)], "time [ms]")
    marks = {(line.get_color(), str(line._dash_pattern)) for line in figure.axes[0].lines}  # type: ignore[attr-defined]
    assert len(marks) == 20


def test_peaks_are_marked_where_they_are() -> None:
    figure = curves_figure([curve("x", factor=-3.0)], "time [ms]", peaks=True)
    dots = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    at = int(np.argmax(np.abs(np.sin(T / 20.0))))
    assert dots[0].get_xdata()[0] == T[at]
    assert dots[0].get_ydata()[0] == pytest.approx(-3.0 * np.sin(T[at] / 20.0))
    assert "peak -" in texts(figure)[0]


def test_a_long_curve_is_thinned_but_keeps_its_peaks() -> None:
    x = np.arange(200_000.0)
    y = np.sin(x / 777.0)
    y[123_457], y[50_001] = 9.0, -8.0
    line = curves_figure([Curve(x, y, "g", "a")], "t").axes[0].lines[0]
    shown = np.asarray(line.get_ydata())
    assert len(shown) <= MOST_POINTS + 10
    assert (shown.max(), shown.min()) == (9.0, -8.0)
    assert np.all(np.diff(np.asarray(line.get_xdata())) > 0.0)


def test_too_much_is_refused() -> None:
    with pytest.raises(PlotError, match="at most 64"):
        curves_figure([curve(str(n)) for n in range(65)], "t")
    with pytest.raises(PlotError, match="nothing"):
        curves_figure([], "t")
    with pytest.raises(PlotError, match="at most 8 panels"):
        curves_figure([curve("a", u) for u in "abcdefghi"], "t")


def test_files_are_what_their_ending_says_and_repeat_to_the_byte(tmp_path: Path) -> None:
    before = dict(rcParams)
    for ending, start in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")):
        a, b = tmp_path / f"a{ending}", tmp_path / f"b{ending}"
        for path in (a, b):
            save_figure(curves_figure([curve("x"), curve("y")], "time [ms]"), path)
        assert a.read_bytes().startswith(start)
        assert a.read_bytes() == b.read_bytes()
    assert ET.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")
    assert imread(tmp_path / "a.png").std() > 0.05
    assert dict(rcParams) == before
    with pytest.raises(PlotError, match="must end in"):
        save_figure(curves_figure([curve("x")], "t"), tmp_path / "a.gif")


def test_the_command_plots_any_against_any_of_several_runs(
    capsys: pytest.CaptureFixture[str], results_file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.h5"
    other.write_bytes(results_file.read_bytes())
    target = tmp_path / "a.svg"
    base = ["plot", str(results_file), str(other), "-o", str(target)]
    for extra in (
        ["--y", "head_resultant", "neck_x", "--filtered"],
        ["--y", "segments/head/position/z@neck", "--x", "segments/head/position/x@neck"],
        ["--y", "head_resultant", "--x", "neck_x", "--cfc", "60", "--units", "inch_pound", "--peaks"],
        ["--y", "head_resultant", "--size", "5", "3", "--title", "Mine"],
    ):  # fmt: skip
        assert main([*base, *extra]) == 0, extra
        assert ET.parse(target).getroot().tag.endswith("svg")
        target.unlink()
    for extra, words in (
        (["--y", "head_resultant", "--size", "0", "3"], "inches"),
        (["--y", "head_resultant", "--x", "*"], "one is needed"),
        (["--y", "segments/head/position/q"], "No quantity fits"),
    ):
        assert main([*base, *extra]) == 1
        assert words in capsys.readouterr().err
    assert not target.exists()


def test_names_in_words_are_cut_between_their_parts() -> None:
    names = ["Three-point belt, lap · tension · 1", "Three-point belt, shoulder · tension · 1"]
    curves = [
        Curve(T, T, "kN", name, "Run 1", quantity)
        for name, quantity in zip(names, ("tension", "force"), strict=True)
    ]
    axes = curves_figure(curves, "time [ms]").axes[0]
    assert axes.get_title(loc="left") == "Three-point belt … tension · 1"
    assert [t.get_text() for t in axes.get_legend().get_texts()] == [
        "Run 1 · lap",
        "Run 1 · shoulder",
    ]
    assert axes.get_ylabel() == "tension, force [kN]"


def test_ids_are_cut_at_points_too() -> None:
    curves = [
        Curve(T, T, "kN", f"harnesses/driver_three_point_belt.{s}/tension") for s in ("lap", "up")
    ]
    axes = curves_figure(curves, "time [ms]").axes[0]
    assert axes.get_title(loc="left") == "harnesses / driver_three_point_belt … tension"


@pytest.mark.usefixtures("made_up")
def test_what_is_written_into_a_plot_is_translated() -> None:
    y = 3.0 * np.sin(T / 20.0)
    shown = [Curve(T, y, "rad/s", name, "", "angular_velocity") for name in ("head", "chest")]
    figure = curves_figure(shown, tr("time [{unit}]", unit="ms"), peaks=True)
    axes = figure.axes[0]
    said = (axes.get_ylabel(), axes.get_xlabel(), texts(figure)[0].partition("  ")[2])
    assert all(one.startswith("⟦") for one in said), said


@pytest.mark.parametrize("number", [2, 6])
def test_a_legend_of_a_report_lies_on_no_curve(number: int) -> None:
    """Curves that fill a panel leave no free corner: the legend gets room above them."""
    with styled():
        axes = Figure(figsize=(3.4, 2.4)).add_axes((0.15, 0.15, 0.8, 0.7))
        full = [Curve(T, np.sin(T * (1.0 + 0.2 * n)), "g", f"Curve {n}") for n in range(number)]
        draw_panel(axes, full, beside=False)
        clear_legend(axes)
        axes.get_ylim()
        box = axes.get_legend().get_window_extent()
        assert axes.bbox.y0 < box.y0
        assert box.y1 <= axes.bbox.y1
        for line in axes.lines:
            assert not line.get_path().transformed(axes.transData).intersects_bbox(box, False)


@pytest.mark.parametrize("count", [4, 5])
def test_no_legend_lies_on_curves_or_is_cut(count: int) -> None:
    """A panel of many curves has its legend beside it, and then so has every other; few have room above their curves."""
    x = np.linspace(0.0, 100.0, 50)
    label = "Three-point belt of one webbing (Passenger), tension at end"
    curves = [Curve(x, 1.0 + np.cos(x + n), "g", f"{n} {label}") for n in range(count)]
    curves += [Curve(x, 1.0 + np.cos(x + n), "kN", f"{label} {n} of four") for n in range(4)]
    figure = curves_figure(curves, "time [ms]", peaks=True)
    figure.draw_without_rendering()
    for axes in figure.axes:
        legend = axes.get_legend()
        assert legend is not None
        box = legend.get_window_extent()
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
        drawn = [line.get_path().transformed(axes.transData) for line in axes.lines]
        assert not any(path.intersects_bbox(box, filled=False) for path in drawn)


def test_a_plot_names_quantities_as_people_do(tmp_path: Path) -> None:
    """What leaves the program for others has no ids in it."""
    run = stored_run("frontal", tmp_path)
    wanted = ["driver_head_acceleration_x", "harnesses/*/tension/1"]
    file = tmp_path / "a.svg"
    assert main(["plot", str(run), "--y", *wanted, "-o", str(file)]) == 0
    text = file.read_text(encoding="utf-8")
    assert "Head acceleration · x" in text
    assert "driver_" not in text
