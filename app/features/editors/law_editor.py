"""Show a law as a run would follow it: loading, unloading and reloading, and what it absorbs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app import texts
from app.editing.examples import of_library
from app.editing.naming import free_prefix
from app.editing.shape import fields_of, word_label
from app.elements import find, name_of
from app.features.editors.bar import LibraryButton, button
from app.features.editors.course_editor import CourseEditor, bold, clear, parts_of, with_legend
from app.forms.form_commands import FormCommands
from app.forms.lines import NumberLine
from app.forms.units import Units
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.bodies.library import LibraryError, fragment, insert
from solver.project import Project
from solver.project.contact import HuntCrossleyLaw, LankaraniLaw, Law, StrapLaw
from solver.project.fields import Part

if TYPE_CHECKING:
    from solver.model.law_paths import LawPath

_BACK = 0.6
"""Where reloading begins at first, in parts of the deepest place."""
_SPEED_M_PER_S, _SPEED_PER_S = 4.0, 2.0
"""Rates of depth and of strain at which a law that depends on the rate is shown at first."""


class LawEditor(CourseEditor["Cycle"]):
    """Draw a law; two points are dragged: how deep it goes, and from where it goes in again."""

    def __init__(self, commands: FormCommands, parent: QWidget | None = None) -> None:
        self.library = LibraryButton(
            tr(texts.words.LIBRARY),
            lambda _: of_library("contact_laws", "webbing"),
            lambda offer: self._insert(offer.key),
        )
        self.library.setToolTip(tr("Add a law with its source from the library"))
        self.library.looked_at.connect(self.refresh)
        self.ask: Callable[[str], object] = str
        """Runs a command."""
        self.hertz = button(
            tr("From radii…"),
            tr("Find the stiffness after Hertz from radii, moduli and Poisson's ratios"),
            lambda: self.ask("edit.hertz"),
        )
        super().__init__(commands, parent, self.hertz, self.library)
        self.deepest: float | None = None
        self.back, self.speed = _BACK, 0.0
        self.canvas.dragged.connect(self._on_dragged)
        self.depth_line: NumberLine
        self.speed_line: NumberLine
        self.links = QVBoxLayout()
        self.links.setSpacing(0)
        self.side.addSpacing(4)
        self.side.addLayout(self.links)
        self.side.addStretch(1)

    # showing

    def start(self) -> None:
        """Lead the law to the end of its base."""
        self.deepest, self.back, self.speed = None, _BACK, 0.0
        if self._is_rated():
            self.speed = _SPEED_PER_S if self.is_webbing() else _SPEED_M_PER_S

    def refresh(self) -> None:
        """Lead the law again, and list its functions."""
        law = self.element()
        self.hertz.setVisible(isinstance(law, HuntCrossleyLaw | LankaraniLaw))
        if law is not None:
            self._list_functions(law)
        super().refresh()

    def work(self) -> Callable[[], Cycle]:
        """What leads the law in, out and in again."""
        project, law = self.commands.project, self.path.split("/", 1)[1]
        deepest, back, speed = self.deepest, self.back, self.speed
        other = self._seen()

        def led() -> Cycle:
            found = cycle(project, law, deepest, back, speed)
            if other is None:
                return found
            return replace(found, beside=cycle(other, other.contact_laws[0].id, found.deepest, back, speed).once)  # fmt: skip

        return led

    def draw(self, found: Cycle) -> None:
        """Draw the course and the two points that are dragged, and say what it absorbs."""
        units, si = self.commands.units, self._si()
        path = found.whole
        x = units.shown_all(path.depth, si[0])
        y = units.shown_all(path.force, si[1])
        t = path.turn
        last = slice(t[3] + 1, t[4] + 1)
        lines = [*parts_of(COURSE, t, x, y), (x[last], y[last], 0, "faint")]
        if found.beside is not None:
            beside = found.beside
            lines.append((units.shown_all(beside.depth, si[0]), units.shown_all(beside.force, si[1]), 3, "beside"))  # fmt: skip
        self.canvas.name_axes(
            "strain" if self.is_webbing() else "deflection",
            "tension" if self.is_webbing() else "force",
            units.name(si[0]),
            units.name(si[1]),
        )
        self.canvas.show_lines(lines, [(x[t[1]], y[t[1]]), (x[t[2]], y[t[2]])])
        self.facts.setText(law_facts(found, units, is_webbing=self.is_webbing()))
        self.depth_line.show_value(found.deepest)

    def _seen(self) -> Project | None:
        """The law of the library that is looked at, where it is of the same kind as this one."""
        found = fragment(self.library.seen.key) if self.library.seen else None
        laws = () if found is None else found.contact_laws
        fits = bool(laws) and isinstance(laws[0], StrapLaw) == self.is_webbing()
        return found if fits else None

    def is_webbing(self) -> bool:
        """Whether the law's deflection is a strain."""
        return isinstance(self.element(), StrapLaw)

    def _is_rated(self) -> bool:
        law = self.element()
        return isinstance(law, Law) and bool(law.kernel.rated)

    def _si(self) -> tuple[str, str]:
        return ("1" if self.is_webbing() else "m", "N")

    # what is asked for

    def build_controls(self) -> None:
        """Ask how deep the law is led, and how fast where that matters."""
        units, webbing = self.commands.units, self.is_webbing()
        self.depth_line = NumberLine(self._set_depth, units, self._si()[0])
        self.speed_line = NumberLine(self._set_speed, units, "1/s" if webbing else "m/s")
        self.add_line(
            tr("Up to"),
            self.depth_line,
            tr("How deep the law is led; drag the point on the curve as well"),
        )
        self.add_line(
            tr("at"),
            self.speed_line,
            tr("Rate at which it begins, as of a mass on a spring: still where it is deepest"),
            self._is_rated(),
        )
        self.speed_line.show_value(self.speed)
        if self.deepest is not None:
            self.depth_line.show_value(self.deepest)

    def _set_depth(self, value: float, _: bool) -> bool:
        if not value > 0.0:
            self.bar.say(tr("A number above zero is needed."))
            return False
        self.deepest = value
        return self.led()

    def _set_speed(self, value: float, _: bool) -> bool:
        if value < 0.0:
            self.bar.say(tr("A number of zero or more is needed."))
            return False
        self.speed = value
        self.speed_line.show_value(value)
        self.refresh()
        return True

    def _on_dragged(self, number: int, x: float, _: float) -> None:
        """Follow the point that is dragged along the curve."""
        at = self.commands.units.from_shown(x, self._si()[0])
        if self.found is None:
            return
        far = self.found.deepest
        if number == 0 and at > 0.0:
            self.deepest = at
        elif number == 1:
            self.back = float(np.clip(at / far, 0.0, 0.99))
        self.refresh()

    def _list_functions(self, law: Any) -> None:
        """List the functions that the law is made of, as ways to their points."""
        clear(self.links)
        model: type[Part] = type(law)
        for shape in fields_of(model):
            value = getattr(law, shape.name)
            if shape.target != "functions" or not isinstance(value, str):
                continue
            path = f"functions/{value}"
            named = find(self.commands.project, path)
            text = f"{shape.label}: {name_of(named) if named is not None else value}"
            link = with_properties(QPushButton(text), objectName="link", toolTip=shape.help)
            link.clicked.connect(lambda _=False, path=path: self.commands.document.select(path))
            self.links.addWidget(link)

    def _insert(self, id_: str) -> None:
        """Put a law of the library into the project, and show it."""
        project = self.commands.project
        before = {law.id for law in project.contact_laws}
        try:
            after = insert(project, id_, free_prefix(project, fragment(id_)))
        except LibraryError as refusal:
            self.bar.say(str(refusal))
            return
        new = [f"contact_laws/{law.id}" for law in after.contact_laws if law.id not in before]
        text = tr(texts.words.INSERTED, name=word_label(id_))
        self.commands.document.replace(after, text, select=new[-1:] or None)


COURSE = ((msgid("in"), 1), (msgid("out"), 0), (msgid("in again"), 2))
"""Names and numbers of colours of a course's parts."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """A course with reloading, and one that only goes in and out."""

    whole: LawPath
    once: LawPath
    deepest: float
    back: float
    beside: LawPath | None = None
    """A law of the library led as deep."""


def cycle(project: Project, law: str, deepest: float | None, back: float, speed: float) -> Cycle:
    """Lead a law in, out to a part of the deepest place, in again and out; and once in and out."""
    from solver.model.law_paths import deepest_of, law_path

    far = deepest if deepest is not None else deepest_of(project, law)
    return Cycle(
        law_path(project, law, (far, back * far, far, 0.0), speed),
        law_path(project, law, (far, 0.0), speed),
        far,
        back,
    )


def law_facts(found: Cycle, units: Units, *, is_webbing: bool) -> str:
    """Say peak, energies and what stays, of one way in and out."""
    once, top = found.once, found.once.turn[1]
    depth_unit, energy = ("1", "N") if is_webbing else ("m", "J")

    put_in, lost = float(once.work[top]), once.absorbed
    out = np.flatnonzero(once.force[top + 1 :] > 0.0)
    stays = float(once.depth[top + 1 :][out[-1]]) if len(out) else 0.0
    sentence = tr(
        "In to {depth}: peak {peak}, {put_in} put in, {lost} of it absorbed ({part} %) on the way out.",
        depth=bold(units, found.deepest, depth_unit),
        peak=bold(units, float(np.max(once.force)), "N"),
        put_in=bold(units, put_in, energy),
        lost=bold(units, lost, energy),
        part=f"{100.0 * lost / put_in:.0f}" if put_in > 0.0 else "0",
    )
    if stays > 0.02 * found.deepest and stays < 0.98 * found.deepest:
        sentence += " " + tr("At {stays} the force is gone.", stays=bold(units, stays, depth_unit))
    if is_webbing:
        sentence += " " + tr("Energies are for each metre of webbing.")
    return with_legend(COURSE, sentence)
