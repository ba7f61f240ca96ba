"""A tour for each load case: a few steps through a real crash, each pointing at what is to be clicked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QPushButton, QWidget

from app.features.tour.steps import (
    Step,
    Way,
    is_answered,
    menu,
    part,
    place_of,
    spot,
    tab_of,
    was_played,
)
from app.workbench import Workbench
from solver.base.words import msgid

DIALOG = "new_crash"
"""Name of the dialog that makes a crash, and the beginning of the names of its fields."""


# what is pointed at


def button(bench: Workbench, within: str, sign: str, *words: str) -> QPushButton | None:
    """Find a button of the page *What happened*: the first whose sign has all words, or else the first that has a sign."""
    signed = _signed(bench, within, sign)
    fit = (one for one in signed if all(word in one.property(sign) for word in words))
    return next(fit, signed[0] if signed else None)


def _signed(bench: Workbench, within: str, sign: str) -> list[QPushButton]:
    found = bench.panels.find("result").parts[within].findChildren(QPushButton)
    return [one for one in found if one.property(sign)]


def _on_page(find: Callable[[Workbench], QWidget | None]) -> Callable[[Workbench], QRect | None]:
    """Point at something of the page *What happened*, or at the way to it."""

    def target(bench: Workbench) -> QRect | None:
        widget = find(bench)
        place = None if widget is None else place_of(bench, widget)
        return place if place is not None else tab_of(bench, "result")

    return target


def _page(id_: str, find: Callable[[Workbench], QWidget | None], is_done: Callable[[Workbench, Any], bool],
          note: Callable[[Workbench], Any] = lambda _: None) -> Step:  # fmt: skip
    """A step on the page *What happened*."""
    return Step(id_, _on_page(find), is_done, note, inside=find)


def _picture(id_: str, *words: str) -> Step:
    """Ask for a click on the picture of an instant that is about something."""

    def find(bench: Workbench) -> QPushButton | None:
        return button(bench, "story", "about", *words)

    def is_done(bench: Workbench, _: Any) -> bool:
        picture = find(bench)
        return picture is not None and bench.document.selection == picture.property("about")

    return _page(id_, find, is_done)


def _plane(bench: Workbench, words: str) -> str:
    """Name the plane of the model whose id has some words; empty for none."""
    planes = bench.document.project.planes
    return next((f"planes/{one.id}" for one in planes if words in one.id), "")


def _on_plane(words: str) -> Callable[[Workbench], QRect | None]:
    return lambda bench: spot(bench, bench.viewport.pixel_of(_plane(bench, words)))


def _project(bench: Workbench) -> Any:
    return bench.document.project


def _is_changed(bench: Workbench, before: Any) -> bool:
    return bench.document.project is not before


def dialog_of(bench: Workbench) -> QDialog | None:
    """The dialog that makes a crash, where it is open."""
    for one in QApplication.topLevelWidgets():
        if isinstance(one, QDialog) and one.objectName() == DIALOG and one.isVisible():
            return one if one.parentWidget() is bench.window else None
    return None


def _in_dialog(name: str, kind: type[QWidget]) -> Callable[[Workbench], QRect | None]:
    def target(bench: Workbench) -> QRect | None:
        dialog = dialog_of(bench)
        widget = None if dialog is None else dialog.findChild(kind, name)
        return None if widget is None else place_of(bench, widget)

    return target


def _chosen(id_: str, field: str, *keys: str) -> Step:
    """Ask for a choice in the dialog."""

    def is_done(bench: Workbench, _: Any) -> bool:
        dialog = dialog_of(bench)
        box = None if dialog is None else dialog.findChild(QComboBox, f"{DIALOG}.{field}")
        return isinstance(box, QComboBox) and box.currentData() in keys

    def inside(bench: Workbench) -> QWidget | None:
        dialog = dialog_of(bench)
        return None if dialog is None else dialog.findChild(QComboBox, f"{DIALOG}.{field}")

    return Step(id_, _in_dialog(f"{DIALOG}.{field}", QComboBox), is_done, inside=inside)


def _play(bench: Workbench) -> QRect | None:
    """The button that plays, or the timeline as long as there is nothing to play."""
    timeline = bench.panels.find("timeline")
    button = timeline.parts["play"]
    return place_of(bench, button if button.isEnabled() else timeline.widget)


def _way_to_new(bench: Workbench) -> QRect | None:
    return place_of(bench, bench.panels.find("welcome").parts["crash"]) or menu(bench, "file")


# steps that several tours share

_PLAY = Step("play", _play, lambda b, _: was_played(b))
_WHY = _page("why", lambda b: button(b, "verdict", "asks", "why"), lambda b, _: b.panels.is_front("acting"))  # fmt: skip
_CURVE = _page("curve", lambda b: button(b, "verdict", "asks", "curve"), lambda b, _: b.panels.is_front("plots"))  # fmt: skip
_OUTCOME = Step(
    "outcome",
    _on_page(lambda b: b.panels.find("result").parts["outcome"]),
    lambda b, _: is_answered(b),
    explains=True,
)
_BUILD = Step("build", part("run_control", "model"), lambda b, _: b.panels.mood == "build")
_AGAIN = Step("again", part("run_control", "run"), lambda b, _: is_answered(b))
_BEFORE = Step("before", lambda b: tab_of(b, "injury"), lambda b, _: b.panels.is_front("injury"), explains=True)  # fmt: skip
_NEW = Step("new", _way_to_new, lambda b, _: dialog_of(b) is not None)
_MAKE = Step(
    "make",
    _in_dialog("primary", QPushButton),
    lambda b, before: dialog_of(b) is None and b.document.project is not before and is_answered(b),
    note=_project,
)
_END = Step("end", lambda b: menu(b, "place"), lambda b, _: False)


def _tries(id_: str, which: int) -> Step:
    """Ask for a trial of what the page suggests first, or last."""

    def find(bench: Workbench) -> QPushButton | None:
        offers = _signed(bench, "next", "asks")
        return offers[which] if offers else None

    return _page(id_, find, _is_changed, _project)


def _selects(id_: str, words: str) -> Step:
    return Step(id_, _on_plane(words), lambda b, _: b.document.selection == _plane(b, words) != "")


def _moves(id_: str, words: str) -> Step:
    return Step(id_, _on_plane(words), _is_changed, note=_project)


CASES: dict[str, Way] = {
    "frontal": Way(
        msgid("&Frontal crash"),
        msgid("What loads the chest of a belted driver, and what a softer belt changes."),
        (_PLAY, _WHY, _tries("limiter", 0), _OUTCOME),
        "frontal",
    ),
    "rear": Way(
        msgid("&Rear impact"),
        msgid("When the head meets its restraint, and what a restraint nearer to it changes."),
        (
            _picture("pushed", "upper_torso"),
            _BUILD,
            _selects("restraint", "head_restraint"),
            _moves("nearer", "head_restraint"),
            _AGAIN,
            _BEFORE,
        ),
        "rear_impact",
    ),
    "side": Way(
        msgid("&Side impact"),
        msgid(
            "A new side impact with a barrier, without its side bag: how far the ribs are pressed in."
        ),
        (_NEW, _chosen("side", "case", "side"), _chosen("bare", "bag", ""), _MAKE, _CURVE, _END),
    ),
    "pedestrian": Way(
        msgid("&Pedestrian"),
        msgid("What the head of a pedestrian meets, and what a slower car changes."),
        (
            _PLAY,
            _picture("strikes", "head"),
            _CURVE,
            _tries("slower", -1),
            _OUTCOME,
        ),
        "pedestrian",
    ),
    "child": Way(
        msgid("&Child"),
        msgid("A new crash with a child on a booster: whose limits hold, and what loads it most."),
        (
            _NEW,
            _chosen("child", "case", "booster"),
            _chosen("age", "who", "child"),
            _MAKE,
            _CURVE,
            _END,
        ),
    ),
    "aircraft": Way(
        msgid("&Aircraft seat"),
        msgid("A head that meets the row in front, and what more room between rows changes."),
        (
            _picture("row_met", "head", "row"),
            _BUILD,
            _selects("row", "row_in_front"),
            _moves("farther", "row_in_front"),
            _AGAIN,
            _BEFORE,
        ),
        "aircraft_16g",
    ),
}
"""The tours by load case, by the word that names each in its command."""

CASE_WORDS: dict[str, tuple[str, str]] = {
    "play": (
        msgid("Watch the crash"),
        msgid(
            "The sample comes with its run. Press ▶ or Space to play it, and once more to hold it."
        ),
    ),
    "why": (
        msgid("Ask why"),
        msgid(
            "What happened lists the worst figures first, with their limits. Click Why?: What acts then says "
            "what makes this figure, and how much of it."
        ),
    ),
    "limiter": (
        msgid("Try what is suggested"),
        msgid(
            "The belt bears most of the chest. Click Try beside its limiter: the change is one step of the "
            "history, and the crash is solved again."
        ),
    ),
    "outcome": (
        msgid("Before and now"),
        msgid(
            "The page says what became of the figure that was meant, and what is worse by it. Take it back "
            "undoes the change; Ctrl+R writes a report of the run."
        ),
    ),
    "pushed": (
        msgid("The seat pushes, the head follows"),
        msgid(
            "Click the picture in which the chest is accelerated most: the scene goes there. How far T1 runs ahead "
            "until the head meets its restraint decides the figures of the neck."
        ),
    ),
    "build": (
        msgid("To the model"),
        msgid("Click Build, or press F7: here things can be changed."),
    ),
    "restraint": (
        msgid("Take the head restraint"),
        msgid("Click the head restraint in the scene, or its name in the outline under Seat."),
    ),
    "nearer": (
        msgid("Move it nearer"),
        msgid(
            "With the mouse over the scene press G, then X, type 30 and press Enter: it stands 30 mm further ahead. "
            "Ctrl+Z would take it back."
        ),
    ),
    "again": (
        msgid("Solve it again"),
        msgid("Press F5. Understand comes back by itself once it has ended."),
    ),
    "before": (
        msgid("What it changed"),
        msgid(
            "Click the tab Injury: each figure of now stands beside that of before. Compare sets whole runs "
            "side by side."
        ),
    ),
    "new": (
        msgid("A new crash"),
        msgid("Click New crash… on the welcome page or in the File menu, or press Ctrl+Shift+E."),
    ),
    "side": (
        msgid("Choose the load case"),
        msgid(
            "Choose Side impact with a barrier: the driver's door comes in. The scene shows each choice; who sits "
            "there and what is offered follow the load case."
        ),
    ),
    "bare": (
        msgid("Leave the side bag out"),
        msgid(
            "Choose None as the airbag: the ribs then meet the door alone. The curtain may stay."
        ),
    ),
    "make": (
        msgid("Create and run"),
        msgid(
            "Click Create and run: the body comes to rest in its seat, then the crash is solved. On a new machine "
            "the solver prepares itself first, once."
        ),
    ),
    "strikes": (
        msgid("What the head meets"),
        msgid(
            "Click the picture that is about the head: the scene goes to that instant, and selects what is meant."
        ),
    ),
    "curve": (
        msgid("See the curve behind a figure"),
        msgid(
            "Click the name of the worst figure: its curve is drawn under Plots, with the window that counts."
        ),
    ),
    "slower": (
        msgid("A slower car"),
        msgid(
            "Click Try beside a car that drives 10 % slower: the change is one step of the history, and the "
            "crash is solved again."
        ),
    ),
    "child": (
        msgid("Choose the load case"),
        msgid(
            "Choose the child on a booster: seat, belt and limits follow. For small children there is a seat with a harness."
        ),
    ),
    "age": (
        msgid("Choose the child"),
        msgid(
            "A dummy of six years is offered first. Choose Child as the person: then age, height and weight can be "
            "typed; who is too heavy for the seat is refused."
        ),
    ),
    "row_met": (
        msgid("The head meets the row in front"),
        msgid(
            "Click the picture in which it does: the scene goes to that instant, and selects the contact."
        ),
    ),
    "row": (
        msgid("Take the row in front"),
        msgid(
            "Click the back of the row in front in the scene, or its name in the outline under Vehicle."
        ),
    ),
    "farther": (
        msgid("More room between rows"),
        msgid(
            "With the mouse over the scene press G, then X, type 150 and press Enter: it stands 150 mm further ahead. "
            "Ctrl+Z would take it back."
        ),
    ),
    "end": (
        msgid("Choose otherwise"),
        msgid(
            "Place → Change the crash… opens the same choices again: the other bag or seat, another person. Both runs "
            "then stand under Injury and Compare."
        ),
    ),
}
"""Title and words of their steps, by id."""
