"""The steps of the tour, as data: where each points, and when it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtWidgets import QWidget

from app.editing.grips import grips
from app.scene.placing import pose_at_start

if TYPE_CHECKING:
    from app.window import MainWindow

_SPOT_PX = 44
_WORN = ("harnesses", "belts")


def _nothing(_: MainWindow) -> Any:
    return None


@dataclass(frozen=True, slots=True)
class Step:
    """Hold one step: its words stand in `texts.tour` under its id.

    `target` gives the place that it points at, in the window, or none where that is not seen; `note`
    is taken down when the step is reached, and `is_done` compares with it. What is done already when
    one comes along is left out. A step that `explains` stays until one has read it.
    """

    id: str
    target: Callable[[MainWindow], QRect | None]
    is_done: Callable[[MainWindow, Any], bool]
    note: Callable[[MainWindow], Any] = _nothing
    explains: bool = False


def place_of(window: MainWindow, widget: QWidget) -> QRect | None:
    """Give the place of a widget in its window; None where it is not seen."""
    if not widget.isVisible() or widget.width() < 4 or widget.visibleRegion().isEmpty():
        return None
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def _spot(window: MainWindow, at: QPointF | None) -> QRect | None:
    """Give a small place around a point of the scene."""
    view = window.viewport
    whole = place_of(window, view)
    if at is None or whole is None or not view.rect().contains(at.toPoint()):
        return whole
    spot = QRect(0, 0, _SPOT_PX, _SPOT_PX)
    spot.moveCenter(view.mapTo(window, at.toPoint()))
    return spot


def _first_card(window: MainWindow) -> QRect | None:
    cards = window.welcome.cards
    return place_of(window, cards[0]) if cards else None


def _tab(window: MainWindow, name: str) -> QRect | None:
    bar = window.drawer.tabBar()
    whole = place_of(window, bar)
    if whole is None:
        return None
    panel = getattr(window, name)
    return bar.tabRect(window.drawer.indexOf(panel)).translated(whole.topLeft())


def _first_figure(window: MainWindow) -> QRect | None:
    tree = window.injury.tree
    item = tree.topLevelItem(0)
    if item is None or not tree.isVisible():
        return _tab(window, "injury")
    row = tree.visualItemRect(item)
    return QRect(tree.viewport().mapTo(window, row.topLeft()), row.size())


def _belt(window: MainWindow) -> str:
    """Name the first belt of the model; empty for none."""
    project = window.document.project
    return next((f"{n}/{item.id}" for n in _WORN for item in getattr(project, n)), "")


def _belt_spot(window: MainWindow) -> QRect | None:
    belt, stage, lens = _belt(window), window.viewport.stage, window.viewport.lens
    if not belt or stage is None or lens is None:
        return place_of(window, window.viewport)
    return _spot(window, QPointF(*lens.pixel(stage.middle(belt))))


def _anchor_spot(window: MainWindow) -> QRect | None:
    document, lens = window.document, window.viewport.lens
    if lens is None:
        return None
    points = grips(document.project, pose_at_start(document.project), document.selection)
    seen = [QPointF(*lens.pixel(one.p_W)) for one in points if lens.is_ahead(one.p_W)]
    inside = [at for at in seen if window.viewport.rect().contains(at.toPoint())]
    # the uppermost: what lies above it is of no use to the hand
    return _spot(window, min(inside, key=lambda at: at.y(), default=None))


def _menu(window: MainWindow, name: str) -> QRect | None:
    bar = window.menuBar()
    whole = place_of(window, bar)
    if whole is None:
        return None
    entry = window.menus.menu(name).menuAction()
    return bar.actionGeometry(entry).translated(whole.topLeft())


def _eye(window: MainWindow) -> Any:
    """Note from where the scene is seen."""
    camera = window.viewport.camera()
    if camera is None:
        return None
    return camera.azimuth, camera.elevation, camera.distance, tuple(camera.target)


def _was_played(window: MainWindow) -> bool:
    """Tell whether a run has been shown and is held, or has come to its end."""
    study, record = window.study, window.study.runs.current
    if study.replay is None or record is None or record.is_running:
        # while it is solved the scene follows it, which is no playing
        return False
    return study.player.time > 0.0 and not study.player.is_playing


def _is_worn(path: str) -> bool:
    return path.split("/", 1)[0] in _WORN


def _is_answered(window: MainWindow) -> bool:
    """Tell whether the model as it is now has been solved."""
    study = window.study
    record = study.runs.current
    return record is not None and record.has_ended and not study.is_outdated(record)


STEPS: tuple[Step, ...] = (
    Step("open", _first_card, lambda w, _: w.shows_project()),
    Step(
        "look",
        lambda w: place_of(w, w.viewport),
        lambda w, seen: seen is not None and _eye(w) != seen,
        note=_eye,
    ),
    Step(
        "run",
        lambda w: place_of(w, w.run_control.run),
        lambda w, _: bool(w.study.runs.records),
    ),
    Step("watch", lambda w: place_of(w, w.timeline), lambda w, _: _was_played(w)),
    Step(
        "injury",
        lambda w: _tab(w, "injury"),
        lambda w, _: w.drawer.currentWidget() is w.injury,
    ),
    Step(
        "figure",
        _first_figure,
        lambda w, _: w.injury.tree.currentItem() is not None,
    ),
    Step("live", lambda w: place_of(w, w.run_control.live), lambda w, _: w.live.is_on),
    Step("model", lambda w: place_of(w, w.run_control.model), lambda w, _: not w.study.is_on),
    Step("belt", _belt_spot, lambda w, _: _is_worn(w.document.selection)),
    Step(
        "drag",
        _anchor_spot,
        lambda w, before: w.document.project is not before,
        note=lambda w: w.document.project,
    ),
    Step("result", lambda w: _tab(w, "injury"), lambda w, _: _is_answered(w), explains=True),
    Step("export", lambda w: _menu(w, "run"), lambda w, _: False),
)
"""In the order in which one is shown around."""
