"""The steps of the first five minutes, as data: where each points, and when it is done; and what all tours share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtWidgets import QMenuBar, QScrollArea, QTreeWidget, QWidget

from app.editing.grips import grips
from app.workbench import Workbench
from solver.base.words import msgid
from solver.scene.placing import pose_at_start

_SPOT_PX = 44
_WORN = ("harnesses", "belts")


def _nothing(_: Workbench) -> Any:
    return None


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its words stand in `WORDS` under its id.

    `target` gives the place that it points at, in the bench, or none where that is not seen; `note`
    is taken down when the step is reached, and `is_done` compares with it. What is done already when
    one comes along is left out. A step that `explains` stays until one has read it. What is `inside` of a page is
    scrolled to, once.
    """

    id: str
    target: Callable[[Workbench], QRect | None]
    is_done: Callable[[Workbench, Any], bool]
    note: Callable[[Workbench], Any] = _nothing
    explains: bool = False
    inside: Callable[[Workbench], QWidget | None] = _nothing


@dataclass(frozen=True, slots=True)
class Way:
    """A tour: what it is called, which sample it begins with, and its steps."""

    title: str
    tip: str
    steps: tuple[Step, ...]
    sample: str = ""


def place_of(bench: Workbench, widget: QWidget) -> QRect | None:
    """Give the place of a widget in the window, or in its dialog as that stands to the window; None where it is not seen."""
    if not widget.isVisible() or widget.width() < 4 or widget.visibleRegion().isEmpty():
        return None
    seen = widget.visibleRegion().boundingRect()
    if widget.window() is bench.window:
        return seen.translated(widget.mapTo(bench.window, QPoint()))
    if widget.window().parentWidget() is not bench.window:
        return None
    return seen.translated(bench.window.mapFromGlobal(widget.mapToGlobal(QPoint())))


def scroll_to(widget: QWidget) -> bool:
    """Bring a widget into sight in the page around it; tells whether all of it was seen already."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    if above is None or not widget.isVisible() or widget.height() < 4:
        return False
    is_whole = widget.visibleRegion().boundingRect() == widget.rect()
    if not is_whole:
        above.ensureWidgetVisible(widget)
    return is_whole


def part(panel: str, name: str) -> Callable[[Workbench], QRect | None]:
    """Point at a part of a panel."""
    return lambda bench: place_of(bench, bench.panels.find(panel).parts[name])


def spot(bench: Workbench, at: QPointF | None) -> QRect | None:
    """A small place around a point of the scene."""
    view = bench.viewport
    whole = place_of(bench, view)
    if at is None or whole is None or not view.rect().contains(at.toPoint()):
        return whole
    place = QRect(0, 0, _SPOT_PX, _SPOT_PX)
    place.moveCenter(view.mapTo(bench.window, at.toPoint()))
    return place


def _first_card(bench: Workbench) -> QRect | None:
    card = bench.panels.find("welcome").parts.get("card 0")
    return place_of(bench, card) if card is not None else None


def tab_of(bench: Workbench, name: str) -> QRect | None:
    """Give the place of a panel's tab, or of the button that leads to where it is."""
    if not bench.panels.is_shown(name):
        return part("run_control", "understand")(bench)
    bar, tab = bench.panels.tab(name)
    whole = place_of(bench, bar)
    return None if whole is None else tab.translated(whole.topLeft())


def _injury_tab(bench: Workbench) -> QRect | None:
    return tab_of(bench, "injury")


def _figures(bench: Workbench) -> QTreeWidget:
    tree = bench.panels.find("injury").parts["figures"]
    assert isinstance(tree, QTreeWidget)
    return tree


def _first_figure(bench: Workbench) -> QRect | None:
    tree = _figures(bench)
    item = tree.topLevelItem(0)
    if item is None or not tree.isVisible():
        return _injury_tab(bench)
    row = tree.visualItemRect(item)
    whole = place_of(bench, tree.viewport())
    return None if whole is None else row.translated(whole.topLeft())


def _belt(bench: Workbench) -> str:
    """Name the first belt of the model; empty for none."""
    project = bench.document.project
    return next((f"{n}/{item.id}" for n in _WORN for item in getattr(project, n)), "")


def _belt_spot(bench: Workbench) -> QRect | None:
    belt, stage, lens = _belt(bench), bench.viewport.stage, bench.viewport.lens
    if not belt or stage is None or lens is None:
        return place_of(bench, bench.viewport)
    return spot(bench, QPointF(*lens.pixel(stage.middle(belt))))


def _anchor_spot(bench: Workbench) -> QRect | None:
    document, lens = bench.document, bench.viewport.lens
    if lens is None:
        return None
    points = grips(document.project, pose_at_start(document.project), document.selection)
    seen = [QPointF(*lens.pixel(one.p_W)) for one in points if lens.is_ahead(one.p_W)]
    inside = [at for at in seen if bench.viewport.rect().contains(at.toPoint())]
    # the uppermost: what lies above it is of no use to the hand
    return spot(bench, min(inside, key=lambda at: at.y(), default=None))


def menu(bench: Workbench, name: str) -> QRect | None:
    """The place of a menu's title."""
    found = bench.commands.menu(name)
    bar = found.parentWidget()
    if not isinstance(bar, QMenuBar):
        return None
    whole = place_of(bench, bar)
    if whole is None:
        return None
    return bar.actionGeometry(found.menuAction()).translated(whole.topLeft())


def _eye(bench: Workbench) -> Any:
    """Note from where the scene is seen."""
    camera = bench.viewport.camera()
    if camera is None:
        return None
    return camera.azimuth, camera.elevation, camera.distance, tuple(camera.target)


def was_played(bench: Workbench) -> bool:
    """Whether a run has been shown and is held, or has come to its end."""
    run_view, record = bench.run_view, bench.run_view.runs.current
    if run_view.replay is None or record is None or record.is_running:
        # while it is solved the scene follows it, which is no playing
        return False
    return run_view.player.time > 0.0 and not run_view.player.is_playing


def _is_worn(path: str) -> bool:
    return path.split("/", 1)[0] in _WORN


def is_answered(bench: Workbench) -> bool:
    """Whether the model as it is now has been solved."""
    run_view = bench.run_view
    record = run_view.runs.current
    return record is not None and record.has_ended and not run_view.is_outdated(record)


STEPS: tuple[Step, ...] = (
    Step("open", _first_card, lambda b, _: b.has_project()),
    Step(
        "look",
        lambda b: place_of(b, b.viewport),
        lambda b, seen: seen is not None and _eye(b) != seen,
        note=_eye,
    ),
    Step(
        "run",
        part("run_control", "run"),
        lambda b, _: bool(b.run_view.runs.records),
    ),
    Step(
        "watch",
        lambda b: place_of(b, b.panels.find("timeline").widget),
        lambda b, _: was_played(b),
    ),
    Step(
        "injury",
        _injury_tab,
        lambda b, _: b.panels.is_front("injury") and b.panels.is_open(),
    ),
    Step(
        "figure",
        _first_figure,
        lambda b, _: _figures(b).currentItem() is not None,
    ),
    Step("live", part("run_control", "live"), lambda b, _: b.live.is_on),
    Step("model", part("run_control", "model"), lambda b, _: b.panels.mood == "build"),
    Step("belt", _belt_spot, lambda b, _: _is_worn(b.document.selection)),
    Step(
        "drag",
        _anchor_spot,
        lambda b, before: b.document.project is not before,
        note=lambda b: b.document.project,
    ),
    Step("result", _injury_tab, lambda b, _: is_answered(b), explains=True),
    Step("export", lambda b: menu(b, "run"), lambda b, _: False),
)
"""In the order in which one is shown around."""

WORDS: dict[str, tuple[str, str]] = {
    "open": (
        msgid("Open a sample"),
        msgid(
            "Click the first tile: a driver in a frontal crash, with belt and airbag. Whatever you do "
            "with it, the sample itself stays as it is."
        ),
    ),
    "look": (
        msgid("Look around"),
        msgid(
            "Drag in the scene to turn it, turn the wheel to come nearer. The keys 0 to 3 look from the "
            "sides, Home shows everything."
        ),
    ),
    "run": (
        msgid("Run the crash"),
        msgid(
            "Press F5. The solver works beside the window; on a new machine it prepares itself first, "
            "once, for about half a minute."
        ),
    ),
    "watch": (
        msgid("Watch"),
        msgid(
            "The run plays as soon as it is there. Space holds it, the arrow keys go frame by frame, and "
            "a drag on the timeline goes anywhere."
        ),
    ),
    "injury": (
        msgid("Read the injury figures"),
        msgid(
            "Under Understand, click the tab Injury. Every figure has its value, its limit and its risk."
        ),
    ),
    "figure": (
        msgid("Ask a figure where it comes from"),
        msgid(
            "Click the head injury criterion: the scene goes to the instant that it is about, and its "
            "curve is drawn under Plots."
        ),
    ),
    "live": (
        msgid("Let it follow you"),
        msgid("Press Live, or Ctrl+L. From now on the crash is solved again after every change."),
    ),
    "model": (
        msgid("Back to the model"),
        msgid("Press F7, or click Build: here things can be changed."),
    ),
    "belt": (
        msgid("Take the belt"),
        msgid("Click the belt in the scene, or its name in the outline. Its anchors show as dots."),
    ),
    "drag": (
        msgid("Move an anchor"),
        msgid(
            "Drag a dot by a few centimetres, or type another number in the inspector. Ctrl+Z would take "
            "it back."
        ),
    ),
    "result": (
        msgid("See what became of it"),
        msgid(
            "The run is solved again. Click Understand: Injury sets the figures of before beside those of now; "
            "the curves of before are dashed."
        ),
    ),
    "export": (
        msgid("Hand it on"),
        msgid(
            "The Run menu writes a report (Ctrl+R), a movie (Ctrl+M), and more. Ctrl+K finds any command, "
            "F1 tells more of whatever you are at."
        ),
    ),
}
"""Title and words of each step, by its id."""
