"""A page of plots as it stands in the window: each with its curves, two units at most, and what happened when."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.atomic import write_atomic
from solver.base.units import pretty
from solver.report.plots.curves import (
    COLOURS,
    DASHES,
    INK,
    QUIET,
    Band,
    Curve,
    PlotError,
    styled,
    thinned,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PLOTS, MOST_CURVES = 24, 64
_WIDE, _HIGH = 4.6, 2.9
"""Width and height (inches) of one plot where people say none."""
_HEAD = 0.5
_ROOM = 0.12
"""What is left above the curves for names of what happened, as a part of the height."""
_LETTERS = 26
_INCH = 16.0
"""So many letters of a legend have room in an inch."""
_LEGEND_PT, _ROWS = 7.5, 5
"""Size of its letters, and from how many rows on it has two columns."""


@dataclass(frozen=True, slots=True)
class SheetPlot:
    """One plot of a page: curves of one or two units, bands, instants with their names, and what lies across."""

    curves: tuple[Curve, ...]
    x_label: str
    bands: tuple[Band, ...] = ()
    events: tuple[tuple[float, str], ...] = ()
    against_time: bool = True
    spreads: tuple[tuple[Band, str], ...] = ()
    """Bands of several runs, each with the label of the curve whose colour it has."""


def sheet_figure(
    plots: Sequence[SheetPlot],
    columns: int,
    title: str = "",
    note: str = "",
    size: tuple[float, float] | None = None,
) -> Figure:
    """Draw all plots of a page in their lines and columns, with a title, units, and legends in names."""
    from matplotlib.figure import Figure

    shown = [plot for plot in plots if plot.curves or plot.bands]
    if not shown:
        raise PlotError("There is nothing to plot.")
    count = sum(len(plot.curves) for plot in shown)
    if len(shown) > MOST_PLOTS or count > MOST_CURVES:
        raise PlotError(
            "A page shows at most {plots} plots and {curves} curves; there are {shown} and {count}.",
            plots=MOST_PLOTS, curves=MOST_CURVES, shown=len(shown), count=count,
        )  # fmt: skip
    columns = max(1, min(columns, len(shown)))
    lines = math.ceil(len(shown) / columns)
    with styled():
        figure = Figure(
            figsize=size or (_WIDE * columns, _HEAD + _HIGH * lines), layout="constrained"
        )
        grid = figure.subplots(lines, columns, squeeze=False)
        for n, axes in enumerate(grid.flat):
            if n < len(shown):
                _draw(axes, shown[n], figure.get_size_inches()[0] / columns - 0.8)
            else:
                axes.set_visible(False)
        if title:
            figure.suptitle(title, x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)
        if note:
            figure.text(0.988, 0.995, note, ha="right", va="top", fontsize=7.5, color=QUIET)
        return figure


def _draw(axes: Axes, plot: SheetPlot, inches: float) -> None:
    """Draw one plot; a second unit has its axis on the right, as in the window."""
    drawn: list[Curve | Band] = [*plot.curves, *plot.bands, *(band for band, _ in plot.spreads)]
    units = list(dict.fromkeys(one.unit for one in drawn))[:2]
    sides = {units[0]: axes}
    if len(units) > 1:
        sides[units[1]] = axes.twinx()
        sides[units[1]].grid(visible=False)
        sides[units[1]].spines["right"].set_visible(True)
    labels = list(dict.fromkeys(curve.label for curve in plot.curves))
    runs = list(dict.fromkeys(curve.run for curve in plot.curves))
    handles: list[Artist] = []
    bands: list[Artist] = []
    named = [*((band, "") for band in plot.bands), *plot.spreads]
    for band, alike in named:
        if band.unit in sides:
            tone = COLOURS[labels.index(alike) % len(COLOURS)] if alike in labels else QUIET
            filled = sides[band.unit].fill_between(
                band.x, band.low, band.high, color=tone, alpha=0.22, linewidth=0, zorder=1
            )
            is_told = any(one.get_label() == band.label for one in bands)
            filled.set_label(band.label or "_")
            bands += [filled] if band.label and not is_told else []
    for curve in plot.curves:
        if curve.unit not in sides:
            continue
        x, y = thinned(curve.x, curve.y) if plot.against_time else (curve.x, curve.y)
        name = (
            curve.label if len(runs) < 2 else " · ".join(w for w in (curve.run, curve.label) if w)
        )
        handles += sides[curve.unit].plot(
            x, y, color=COLOURS[labels.index(curve.label) % len(COLOURS)],
            linestyle=DASHES[runs.index(curve.run) % len(DASHES)], label=name,
        )  # fmt: skip
    axes.set_xlabel(plot.x_label)
    for unit, side in sides.items():
        side.set_ylabel(f"[{pretty(unit)}]" if pretty(unit) else "")
        side.margins(y=_ROOM if plot.events else 0.05)
    _draw_events(axes, plot.events)
    _draw_legend(axes, [*handles, *bands], inches)


def _draw_legend(axes: Axes, handles: Sequence[Artist], inches: float) -> None:
    """Put the names above the plot: they take height of their own, and never the plot's width."""
    columns = 2 if len(handles) > _ROWS else 1
    letters = max(12, int(_INCH * inches / columns) - 5)
    words = [str(one.get_label()) for one in handles]
    words = [_shortened(w, letters) for w in words]
    rows = math.ceil(len(handles) / columns)
    axes.set_title("\n".join([" "] * rows), fontsize=1.2 * _LEGEND_PT)
    legend = axes.legend(
        handles, words, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2,
        fontsize=_LEGEND_PT, ncols=columns,
    )  # fmt: skip
    legend.set_in_layout(False)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _draw_events(axes: Axes, events: Sequence[tuple[float, str]]) -> None:
    """Draw instants as lines; names that would lie on each other are left out."""
    low, high = axes.get_xlim()
    near, last = 0.022 * (high - low), -math.inf
    for time, words in sorted(events):
        if not low <= time <= high:
            continue
        axes.axvline(time, color=QUIET, linewidth=0.6, linestyle=(0, (1, 2)), zorder=0)
        if time - last >= near:
            last = time
            short = words if len(words) <= _LETTERS else f"{words[: _LETTERS - 1].rstrip()}…"
            named = axes.annotate(
                short, (time, 0.99), xycoords=("data", "axes fraction"), rotation=90, ha="left", va="top",
                fontsize=5.5, color=QUIET, xytext=(1, 0), textcoords="offset points", zorder=1.6,
                # over the lines of other instants, below the curves
                bbox={"facecolor": axes.get_facecolor(), "edgecolor": "none", "pad": 0.2},
            )  # fmt: skip
            named.set_parse_math(False)
            named.set_in_layout(False)
    axes.set_xlim(low, high)


def _shortened(words: str, letters: int) -> str:
    """Leave out the middle of a long name: what is measured stands at its end."""
    if len(words) <= letters:
        return words
    end = (2 * letters) // 3
    return f"{words[: letters - end - 1].rstrip()}…{words[-end:].lstrip()}"


# Slides for presentations (PowerPoint, ECMA-376): each with a title and a picture; written without another library.

_EMU = 914_400
"""Units of the format to an inch."""
WIDE, HIGH = 13.333, 7.5
"""Width and height of a slide (inches)."""
_TITLE = (0.5, 0.3, WIDE - 1.0, 0.7)
PICTURE = (0.5, 1.1, WIDE - 1.0, HIGH - 1.5)
"""Left, top, width and height (inches) of what a picture may take."""
_DATE = (1980, 1, 1, 0, 0, 0)
"""The same slides, the same bytes."""

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPACES = (
    f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{_OFFICE}" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_SLIDE_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TYPE = "application/vnd.openxmlformats-officedocument.presentationml"
_NO_SHAPES = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
)
_COLOURS = {
    "dk1": "1E2833", "lt1": "FFFFFF", "dk2": "5A6672", "lt2": "F3F2EF", "accent1": "0B5FA5", "accent2": "D1495B",
    "accent3": "2E8B57", "accent4": "E08E0B", "accent5": "7A5195", "accent6": "178F9E", "hlink": "0B5FA5", "folHlink": "7A5195",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide: its title, what the picture shows in words, and the picture (PNG) with its size in any unit."""

    title: str
    words: str
    picture: bytes
    size: tuple[float, float]


def write_slides(path: Path, slides: Sequence[Slide]) -> None:
    """Write slides into a file; OSError where that cannot be."""
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _types(len(slides)),
        "_rels/.rels": _relations([("officeDocument", "ppt/presentation.xml")]),
        "ppt/presentation.xml": _presentation(len(slides)),
        "ppt/_rels/presentation.xml.rels": _relations(
            [
                ("slideMaster", "slideMasters/slideMaster1.xml"),
                *(("slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1)),
                ("theme", "theme/theme1.xml"),
            ]
        ),
        "ppt/theme/theme1.xml": _theme(),
        "ppt/slideMasters/slideMaster1.xml": _master(),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            [("slideLayout", "../slideLayouts/slideLayout1.xml"), ("theme", "../theme/theme1.xml")]
        ),
        "ppt/slideLayouts/slideLayout1.xml": _layout(),
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": _relations(
            [("slideMaster", "../slideMasters/slideMaster1.xml")]
        ),
    }
    for n, slide in enumerate(slides, 1):
        parts[f"ppt/slides/slide{n}.xml"] = _slide(slide)
        parts[f"ppt/slides/_rels/slide{n}.xml.rels"] = _relations(
            [
                ("slideLayout", "../slideLayouts/slideLayout1.xml"),
                ("image", f"../media/image{n}.png"),
            ]
        )
        parts[f"ppt/media/image{n}.png"] = slide.picture
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    write_atomic(path, out.getvalue())


def _types(count: int) -> str:
    overrides = [
        ("/ppt/presentation.xml", f"{_TYPE}.presentation.main+xml"),
        ("/ppt/slideMasters/slideMaster1.xml", f"{_TYPE}.slideMaster+xml"),
        ("/ppt/slideLayouts/slideLayout1.xml", f"{_TYPE}.slideLayout+xml"),
        ("/ppt/theme/theme1.xml", "application/vnd.openxmlformats-officedocument.theme+xml"),
        *((f"/ppt/slides/slide{n}.xml", f"{_TYPE}.slide+xml") for n in range(1, count + 1)),
    ]
    rows = "".join(
        f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in overrides
    )
    return (
        f'{_SLIDE_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Default Extension="png" ContentType="image/png"/>{rows}</Types>'
    )


def _relations(found: Sequence[tuple[str, str]]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(found, 1)
    )
    return f'{_SLIDE_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'


def _presentation(count: int) -> str:
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="rId{1 + n}"/>' for n in range(1, count + 1))
    return (
        f"{_SLIDE_HEAD}<p:presentation {_SPACES}>"
        '<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>'
        f"<p:sldIdLst>{ids}</p:sldIdLst>"
        f'<p:sldSz cx="{_emu(WIDE)}" cy="{_emu(HIGH)}"/><p:notesSz cx="{_emu(HIGH)}" cy="{_emu(10)}"/></p:presentation>'
    )


def _master() -> str:
    scheme = 'bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"'  # fmt: skip
    return (
        f"{_SLIDE_HEAD}<p:sldMaster {_SPACES}><p:cSld>"
        '<p:bg><p:bgPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>'
        f"<p:spTree>{_NO_SHAPES}{_title('')}</p:spTree></p:cSld><p:clrMap {scheme}/>"
        '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>'
        '<p:txStyles><p:titleStyle><a:lvl1pPr><a:defRPr sz="2400" b="1"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill>'
        "</a:defRPr></a:lvl1pPr></p:titleStyle><p:bodyStyle/><p:otherStyle/></p:txStyles></p:sldMaster>"
    )


def _layout() -> str:
    return (
        f'{_SLIDE_HEAD}<p:sldLayout {_SPACES} type="titleOnly"><p:cSld name="Title and picture">'
        f"<p:spTree>{_NO_SHAPES}{_title('')}</p:spTree></p:cSld>"
        "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def _title(words: str) -> str:
    text = f'<a:r><a:rPr lang="en"/><a:t>{escape(words, quote=False)}</a:t></a:r>' if words else ""
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Title"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f'<p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr>{_place(_TITLE)}'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f'<p:txBody><a:bodyPr anchor="ctr"><a:normAutofit/></a:bodyPr><a:lstStyle/><a:p>{text}</a:p></p:txBody></p:sp>'
    )


def _slide(slide: Slide) -> str:
    """Put the picture as large as it goes below the title, in the middle."""
    left, top, wide, high = PICTURE
    scale = min(wide / slide.size[0], high / slide.size[1])
    w, h = scale * slide.size[0], scale * slide.size[1]
    box = (left + 0.5 * (wide - w), top + 0.5 * (high - h), w, h)
    words = escape(slide.words).replace("\n", "&#10;")
    return (
        f"{_SLIDE_HEAD}<p:sld {_SPACES}><p:cSld><p:spTree>{_NO_SHAPES}{_title(slide.title)}"
        f'<p:pic><p:nvPicPr><p:cNvPr id="3" name="Plots" descr="{words}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/>'
        '</p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rId2"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>'
        f'<p:spPr>{_place(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic></p:spTree></p:cSld>'
        "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"
    )


def _place(box: tuple[float, float, float, float]) -> str:
    x, y, w, h = map(_emu, box)
    return f'<a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{w}" cy="{h}"/></a:xfrm>'


def _emu(inches: float) -> int:
    return round(_EMU * inches)


def _theme() -> str:
    colours = "".join(
        f'<a:{name}><a:srgbClr val="{rgb}"/></a:{name}>' for name, rgb in _COLOURS.items()
    )
    font = '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    lines = "".join(f'<a:ln w="{w}">{fill}</a:ln>' for w in (6350, 12700, 19050))
    effects = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    return (
        f'{_SLIDE_HEAD}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Manikin"><a:themeElements>'
        f'<a:clrScheme name="Manikin">{colours}</a:clrScheme>'
        f'<a:fontScheme name="Manikin"><a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont></a:fontScheme>'
        f'<a:fmtScheme name="Manikin"><a:fillStyleLst>{fill * 3}</a:fillStyleLst><a:lnStyleLst>{lines}</a:lnStyleLst>'
        f"<a:effectStyleLst>{effects}</a:effectStyleLst><a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme>"
        "</a:themeElements></a:theme>"
    )
