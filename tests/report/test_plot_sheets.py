"""Pages of plots as drawings and slides: what stands in them, where, in which colour; slides are a sound package."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.colors import to_hex
from PIL import Image

from solver.report.plots import Band, Curve, PlotError, save_figure
from solver.report.plots.curves import figure_bytes
from solver.report.plots.sheet import (
    HIGH,
    PICTURE,
    WIDE,
    SheetPlot,
    Slide,
    sheet_figure,
    write_slides,
)

TIME = np.linspace(0.0, 100.0, 201)
EVENTS = ((12.0, "Bag fires"), (12.5, "Belt locks"), (60.0, "HIC15 $x_1$"), (900.0, "too late"))


def curve(label: str, unit: str, size: float, run: str = "Run 1") -> Curve:
    return Curve(TIME, size * np.sin(0.1 * TIME), unit, label, run)


def legend_of(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_a_page_has_its_plots_in_columns_with_units_and_names() -> None:
    pair = SheetPlot(
        (curve("Head · speed", "m/s", 2.0), curve("Head · acceleration", "g", 50.0)),
        "time (ms)",
        (),
        EVENTS,
    )
    lone = SheetPlot((curve("Belt · tension", "kN", 3.0),), "time (ms)")
    figure = sheet_figure([pair, SheetPlot((), "time (ms)"), lone, lone], 2, "Chest", "Run 1")
    seen = [axes for axes in figure.axes if axes.get_visible()]
    # an empty plot is none; the second unit has an axis of its own
    assert len(seen) == 4
    left, lone_, *_ = (axes for axes in seen if axes.get_legend() is not None)
    right = next(axes for axes in seen if axes is not left and axes.get_legend() is None)
    assert legend_of(left) == ["Head · speed", "Head · acceleration"]
    assert (left.get_ylabel(), right.get_ylabel(), left.get_xlabel()) == (
        "[m/s]",
        "[g]",
        "time (ms)",
    )
    assert legend_of(lone_) == ["Belt · tension"]
    assert figure.get_suptitle() == "Chest"
    figure.canvas.draw()
    places = [axes.get_position() for axes in (left, lone_)]
    assert places[0].y0 == pytest.approx(places[1].y0, abs=0.02)
    assert places[0].x1 < places[1].x0
    assert min(place.width for place in places) > 0.3


def test_what_happened_stands_at_its_instant_and_names_do_not_lie_on_each_other() -> None:
    figure = sheet_figure([SheetPlot((curve("a", "g", 1.0),), "time (ms)", (), EVENTS)], 1)
    axes = figure.axes[0]
    lines = [line.get_xdata()[0] for line in axes.get_lines() if len(line.get_xdata()) == 2]
    assert lines == [12.0, 12.5, 60.0]
    assert [text.get_text() for text in axes.texts] == ["Bag fires", "HIC15 $x_1$"]
    assert axes.get_xlim()[1] < 110.0


def test_a_band_of_runs_has_the_colour_of_its_curve_and_is_named_once() -> None:
    curves = (curve("Head", "g", 1.0), curve("Chest", "g", 2.0))
    words = "band: lowest to highest of 3 runs"
    bands = tuple((Band(TIME, one.y - 1.0, one.y + 1.0, "g", words), one.label) for one in curves)
    figure = sheet_figure([SheetPlot(curves, "time (ms)", spreads=bands)], 1)
    axes = figure.axes[0]
    lines = [to_hex(line.get_color()) for line in axes.get_lines()]
    fills = [to_hex(one.get_facecolor()[0][:3]) for one in axes.collections]
    assert lines == fills
    assert len(set(lines)) == 2
    assert legend_of(axes) == ["Head", "Chest", words]


def test_several_runs_are_told_apart_and_long_names_keep_their_ends() -> None:
    long = "Three-point belt of one webbing that slips through its tongue, outboard left · tension at its {}"
    curves = [curve(long.format(end), "kN", 1.0, run) for end in ("start", "end") for run in ("A", "B")]  # fmt: skip
    figure = sheet_figure([SheetPlot(tuple(curves), "time (ms)")] * 2, 2)
    figure.canvas.draw()
    axes = figure.axes[0]
    # long names take no width from the plots
    assert axes.get_position().width > 0.35
    drawn = axes.get_lines()
    assert len({line.get_color() for line in drawn}) == 2
    assert len({line.get_linestyle() for line in drawn}) == 2
    names = legend_of(axes)
    assert len(set(names)) == 4
    assert [name.endswith(end) for name, end in zip(names, ("start", "start", "its end", "its end"), strict=True)] == [True] * 4  # fmt: skip


def test_what_is_too_much_or_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlotError, match="nothing to plot"):
        sheet_figure([SheetPlot((), "time (ms)")], 1)
    lone = SheetPlot((curve("a", "g", 1.0),), "time (ms)")
    with pytest.raises(PlotError, match="at most 24 plots"):
        sheet_figure([lone] * 25, 5)
    save_figure(sheet_figure([lone], 1), tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")


def slides() -> list[Slide]:
    out = []
    for n, size in enumerate(((8.0, 2.0), (3.0, 6.0))):
        figure = sheet_figure([SheetPlot((curve("a", "g", 1.0),), "time (ms)")], 1, size=size)
        out.append(Slide(f"Belt & <bag> {n}", 'a "b"\nc', figure_bytes(figure, ".png", 50), size))
    return out


def test_slides_are_a_whole_package(tmp_path: Path) -> None:
    file = tmp_path / "a.pptx"
    write_slides(file, slides())
    with zipfile.ZipFile(file) as package:
        assert package.testzip() is None
        names = set(package.namelist())
        parts = {n: ElementTree.fromstring(package.read(n)) for n in names if not n.endswith("png")}
        pictures = [Image.open(BytesIO(package.read(f"ppt/media/image{n}.png"))) for n in (1, 2)]
    types = parts["[Content_Types].xml"]
    known = {one.get("PartName", "").lstrip("/") for one in types}
    ends = {one.get("Extension") for one in types}
    assert all(n in known or n.endswith((".rels", ".png")) for n in names - {"[Content_Types].xml"})
    assert known - {""} <= names
    assert {"rels", "png", "xml"} <= ends
    for name in [n for n in names if n.endswith(".rels")]:
        folder = posixpath.dirname(posixpath.dirname(name))
        ids = {one.get("Id"): one.get("Target", "") for one in parts[name]}
        targets = {posixpath.normpath(posixpath.join(folder, target)) for target in ids.values()}
        assert targets <= names, name
        owner = posixpath.join(folder, posixpath.basename(name).removesuffix(".rels"))
        if owner in parts:
            used = {v for e in parts[owner].iter() for k, v in e.attrib.items() if "relationships}" in k}  # fmt: skip
            assert used <= set(ids), owner
    assert [picture.size for picture in pictures] == [(400, 100), (150, 300)]


def test_a_slide_has_its_title_and_its_picture_undistorted(tmp_path: Path) -> None:
    file = tmp_path / "a.pptx"
    made = slides()
    write_slides(file, made)
    with zipfile.ZipFile(file) as package:
        for n, slide in enumerate(made, 1):
            root = ElementTree.fromstring(package.read(f"ppt/slides/slide{n}.xml"))
            assert texts(root) == [slide.title]
            shown = next(e for e in root.iter() if e.tag.endswith("}pic"))
            assert (
                next(e for e in shown.iter() if e.tag.endswith("}cNvPr")).get("descr")
                == slide.words
            )
            x, y = (int(v) / 914400 for v in attributes(shown, "off", "x", "y"))
            w, h = (int(v) / 914400 for v in attributes(shown, "ext", "cx", "cy"))
            assert w / h == pytest.approx(slide.size[0] / slide.size[1], rel=1e-4)
            assert y >= PICTURE[1] - 1e-6
            assert x >= 0.0
            assert x + w <= WIDE
            assert y + h <= HIGH
    again = tmp_path / "b.pptx"
    write_slides(again, made)
    assert again.read_bytes() == file.read_bytes()


def texts(root: ElementTree.Element) -> list[str]:
    return [str(e.text) for e in root.iter() if e.tag.endswith("}t")]


def attributes(root: ElementTree.Element, tag: str, *names: str) -> Sequence[str]:
    found = next(e for e in root.iter() if e.tag.endswith(f"}}{tag}"))
    return [found.attrib[name] for name in names]
