"""Edit a motion or a driver: acceleration, speed and distance beside each other, dragged by handles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import texts
from app.curves.canvas import Canvas
from app.curves.csv_dialog import ask_for_table, beside, open_csv
from app.curves.points import NotATable, Points, moved
from app.editing.examples import of_library
from app.editing.naming import free_id, free_prefix, id_from, taken
from app.editing.shape import word_label
from app.elements import find, name_of
from app.features.editors.bar import Bar, LibraryButton, button, pulse_of_library
from app.forms.choices import Choice
from app.forms.form_commands import FormCommands
from app.forms.lines import NumberLine
from app.forms.units import Units
from app.look import LIGHT, Theme
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.bodies.library import LibraryError, fragment, insert
from solver.bodies.library.pulses import facts, with_speed_change
from solver.project import Project, ProjectError
from solver.project.changes import with_value
from solver.project.functions import CsvCurve, Function, Table
from solver.project.motions import (
    ConstantHistory,
    DriverBase,
    HalfSine,
    Haversine,
    History,
    Motion,
    MotionComponent,
    Prescribed,
    Pulse,
    Trapezoid,
    Triangle,
)

if TYPE_CHECKING:
    from solver.model.functions import PulsePath
_SPEED_CHANGE = msgid("Speed change")
_PULSE_UNSOUND = msgid(
    "The pulse names a function that is missing or has no points, or joints or starts form a ring; see Problems."
)
_SHAPED = msgid("Shape the pulse of {name}")
_QUANTITIES_WORDS = {
    "acceleration": ("acceleration", msgid("angular acceleration")),
    "velocity": ("speed", msgid("angular velocity")),
    "position": ("distance", "angle"),
}

_QUANTITIES = ("acceleration", "velocity", "position")
_AFTER = 1.15
"""How long beyond its end a pulse is drawn, in parts of it."""


def _parts(element: Motion | DriverBase) -> tuple[Prescribed, ...]:
    """What of an element moves as prescribed."""
    return element.components if isinstance(element, Motion) else (element,)


class PulseEditor(QWidget):
    """Show a component of a motion, or a driver; what is given is dragged, the rest follows."""

    def __init__(self, commands: FormCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.commands, self._theme, self.path, self.number = commands, LIGHT, "", 0
        self.motion_path: PulsePath | None = None
        self._held_end: float | None = None
        self.component = Choice()
        self.component.setAccessibleName(tr("Component"))
        self.component.activated.connect(self._on_component)
        self.kind = Choice()
        self.kind.setAccessibleName(tr("Shape of the pulse"))
        self.kind.setToolTip(tr("Another shape keeps start, length and speed change"))
        self.kind.activated.connect(lambda _: self._on_kind())
        self.change_label = with_properties(QLabel(tr(_SPEED_CHANGE)), objectName="muted")
        self.change = NumberLine(self._set_change, commands.units, "m/s")
        self.change.setFixedWidth(100)
        self.change.setAccessibleName(tr(_SPEED_CHANGE))
        self.change.setToolTip(tr("Typing another one scales the pulse; its length stays"))
        self.library = LibraryButton(
            tr(texts.words.LIBRARY),
            lambda _: of_library("pulses"),
            lambda offer: self._insert(offer.key),
        )
        self.library.setToolTip(
            tr("Put a pulse of the library, with its source, in place of this motion")
        )
        self.library.looked_at.connect(self.refresh)
        self.link = with_properties(
            QPushButton(""), objectName="link", toolTip=tr(texts.words.GO_TO)
        )
        self.link.clicked.connect(self._go_to_function)
        self.file = button(
            tr("From a file…"),
            tr("Read the pulse from a table of numbers, such as time and acceleration, with a choice of columns and units"),
            self.ask_for_file,
        )  # fmt: skip
        self.bar = Bar(self.component, self.kind, self.change_label, self.change, self.library,
                       self.file, self.link)  # fmt: skip
        self.change.refused.connect(self.bar.say)
        self.canvases = {name: Canvas() for name in _QUANTITIES}
        row = QHBoxLayout()
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(0)
        for name in _QUANTITIES:
            canvas = self.canvases[name]
            canvas.dragged.connect(self._on_dragged)
            canvas.released.connect(self._on_released)
            row.addWidget(canvas, 1)
        self.facts = with_properties(QLabel(""), objectName="muted")
        self.facts.setContentsMargins(12, 0, 8, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addLayout(row, 1)
        column.addWidget(self.facts)

    # showing

    def show_element(self, path: str) -> None:
        """Show a motion; its first component unless another was shown."""
        if path != self.path:
            self.path, self.number = path, 0
            self._held_end = None
            self.bar.say("")
        self.change.units = self.commands.units
        for canvas in self.canvases.values():
            canvas.fit()
        self.refresh()

    def refresh(self) -> None:
        """Show the present version."""
        element = find(self.commands.project, self.path)
        if not isinstance(element, Motion | DriverBase):
            return
        parts = _parts(element)
        self.number = min(self.number, len(parts) - 1)
        component = parts[self.number]
        self.bar.heading.setText(name_of(element))
        self.library.setVisible(isinstance(element, Motion))
        self._show_choices(element, component)
        from solver.model.functions import end_of, pulse_path

        project = self.commands.project
        end = self._held_end
        try:
            if end is None:
                end = _AFTER * end_of(project, component)
            found = pulse_path(project, component, end)
        except (KeyError, IndexError, ValueError, StopIteration):
            # its function is missing or has no points, or nothing has a start pose; the problems say which
            self.motion_path = None
            self.bar.say(tr(_PULSE_UNSOUND))
            for canvas in self.canvases.values():
                canvas.show_lines([])
            self.facts.setText("")
            return
        self.motion_path = found
        if self.bar.hint.text() == tr(_PULSE_UNSOUND):
            self.bar.say("")
        self._draw(component, found, end)
        self.facts.setText(pulse_facts(component, found, self.commands.units))

    @property
    def canvas(self) -> Canvas:
        """The canvas with the handles."""
        component = self._component()
        return self.canvases[component.quantity if component is not None else "acceleration"]

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        for canvas in self.canvases.values():
            canvas.set_theme(theme)

    def _component(self) -> Prescribed | None:
        element = find(self.commands.project, self.path)
        return _parts(element)[self.number] if isinstance(element, Motion | DriverBase) else None

    def _where(self) -> str:
        is_driver = isinstance(find(self.commands.project, self.path), DriverBase)
        return f"{self.path}/pulse" if is_driver else f"{self.path}/components/{self.number}/pulse"

    def _show_choices(self, element: Motion | DriverBase, component: Prescribed) -> None:
        named = [
            f"{one.component if isinstance(one, MotionComponent) else element.id}, {one.quantity}"
            for one in _parts(element)
        ]
        if named != [self.component.itemText(i) for i in range(self.component.count())]:
            self.component.clear()
            self.component.addItems(named)
        self.component.setCurrentIndex(self.number)
        self.component.setVisible(len(named) > 1)
        pulse = component.pulse
        kinds = [*SHAPES, *([] if pulse.kind in SHAPES else [pulse.kind])]
        if kinds != [self.kind.itemData(i) for i in range(self.kind.count())]:
            self.kind.clear()
            for one in kinds:
                self.kind.addItem(word_label(one), one)
        self.kind.show_data(pulse.kind)
        typed = pulse.kind in SHAPES and component.quantity == "acceleration"
        self.change_label.setVisible(typed)
        self.change.setVisible(typed)
        if typed:
            self.change.si_unit = "rad/s" if is_turn(component) else "m/s"
            self.change.show_value(facts(pulse).speed_change)
        self.link.setVisible(isinstance(pulse, History))
        if isinstance(pulse, History):
            function = find(self.commands.project, f"functions/{pulse.function}")
            name = name_of(function) if function is not None else pulse.function
            self.link.setText(tr("Points of {name}", name=name))

    def _draw(self, component: Prescribed, found: PulsePath, end: float) -> None:
        units, turns = self.commands.units, is_turn(component)
        time = units.shown_all(found.time, "s")
        points = handles(self.commands.project, component.pulse, end)
        other = pulse_of_library(self.library.seen, end)
        for colour, name in enumerate(_QUANTITIES):
            si = SI[name][turns]
            values = units.shown_all(found.given(name), si)
            label = tr(_QUANTITIES_WORDS[name][turns])
            canvas = self.canvases[name]
            canvas.units = (units.name("s"), units.name(si))
            canvas.name_axes("time", label, *canvas.units)
            shown = [(units.shown(t, "s"), units.shown(v, si)) for t, v in points]
            lines = [(time, values, colour, "solid")]
            if other is not None and not turns:
                lines.append((units.shown_all(other.time, "s"), units.shown_all(other.given(name), si), colour, "beside"))  # fmt: skip
            canvas.show_lines(lines, shown if name == component.quantity else ())

    # changing

    def _put(self, pulse: Any, text: str, merge_key: str | None = None) -> bool:
        motion = find(self.commands.project, self.path)
        if motion is None:
            return False
        text = tr(text, name=name_of(motion))
        refusal = self.commands.document.edit(self._where(), pulse, text, merge_key)
        self.bar.say(refusal[0].sentence if refusal else "")
        return not refusal

    def _on_dragged(self, number: int, x: float, y: float) -> None:
        component = self._component()
        if component is None or self.motion_path is None:
            return
        if self._held_end is None:
            # the axis of time stands still while an end is dragged
            self._held_end = float(self.motion_path.time[-1])
        units, project = self.commands.units, self.commands.project
        t = units.from_shown(x, "s")
        value = units.from_shown(y, SI[component.quantity][is_turn(component)])
        key = f"pulse/{self.path}"
        function = table_of(project, component.pulse)
        if function is not None:
            assert isinstance(component.pulse, History)
            form = dragged_table(function, component.pulse.scale, number, t, value)
            text = tr(texts.words.MOVED, name=name_of(function))
            refusal = self.commands.document.edit(f"functions/{function.id}/form", form, text, key)
            self.bar.say(refusal[0].sentence if refusal else "")
            return
        self._put(dragged(component.pulse, number, t, value), tr(_SHAPED), key)

    def _on_released(self) -> None:
        self.commands.document.end_gesture()
        self._held_end = None
        self.refresh()
        for canvas in self.canvases.values():
            canvas.fit()

    def _on_component(self, number: int) -> None:
        self.number = number
        self.show_element(self.path)

    def _on_kind(self) -> None:
        component, kind = self._component(), self.kind.currentData()
        if component is None or kind not in SHAPES or kind == component.pulse.kind:
            return
        if component.quantity == "acceleration":
            self._put(as_shape(self.commands.project, component.pulse, kind), tr(_SHAPED))
        else:
            from app.editing.shape import field_of

            model = type(component) if isinstance(component, DriverBase) else MotionComponent
            models = field_of(model, "pulse").models
            self.bar.say(self.commands.change_kind(self._where(), models, kind))

    def _set_change(self, value: float, step: bool) -> bool:
        component = self._component()
        if component is None or component.pulse.kind not in SHAPES:
            return False
        pulse: Any = component.pulse
        if facts(pulse).speed_change == 0.0:
            pulse = pulse.model_copy(update={"amplitude": 1.0})
        key = f"speed-change/{self.path}" if step else None
        return self._put(with_speed_change(pulse, value), tr(_SHAPED), key)

    def ask_for_file(self) -> None:
        """Ask which file holds the pulse."""
        name = ask_for_table(self)
        if name is not None:
            self.read_file(name)

    def read_file(self, file: Path) -> None:
        """Offer the columns of a file, with what their headings say, as the course of what is shown."""
        component = self._component()
        if component is None:
            return
        function = Function(
            id=free_id(id_from(file.stem) or "pulse", taken(self.commands.project, "functions")),
            name=file.stem,
            source=tr("Read from {file}", file=file.name),
            x_unit="s",
            y_unit=SI[component.quantity][is_turn(component)],
            form=Table(x=(0.0, 1.0), y=(0.0, 0.0)),
        )
        document = self.commands.document
        try:
            dialog = open_csv(file, function, self.commands.units, self, beside(document, file))
        except NotATable as refusal:
            self.bar.say(str(refusal))
            return
        dialog.taken.connect(lambda points, link: self._take_file(function, points, link))
        dialog.set_theme(self._theme)
        dialog.open()

    def _take_file(self, function: Function, points: Points, link: CsvCurve | None) -> None:
        """Add the points as a function that the pulse follows, as one step."""
        table = Table(x=points[0], y=points[1], csv=link)
        made = function.model_copy(update={"form": table})
        project = self.commands.project
        project = project.model_copy(update={"functions": (*project.functions, made)})
        element = find(project, self.path)
        try:
            after = with_value(project, self._where(), History(function=made.id))
        except ProjectError as failure:
            self.bar.say(failure.problems[0].sentence)
            return
        text = tr("Read the pulse of {name} from a file", name=name_of(element))
        self.commands.document.replace(after, text)
        for canvas in self.canvases.values():
            canvas.fit()

    def _go_to_function(self) -> None:
        component = self._component()
        if component is not None and isinstance(component.pulse, History):
            self.commands.document.select(f"functions/{component.pulse.function}")

    def _insert(self, id_: str) -> None:
        """Put a pulse of the library in place of the motion, from the same speed."""
        motion, project = find(self.commands.project, self.path), self.commands.project
        if not isinstance(motion, Motion):
            return
        component = self._component()
        speed = component.start_rate if component is not None else 0.0
        try:
            after = exchanged(project, motion, id_, speed)
        except LibraryError as refusal:
            self.bar.say(str(refusal))
            return
        old = {m.id for m in project.motions if m.segment != motion.segment}
        new = [f"motions/{m.id}" for m in after.motions if m.id not in old]
        text = tr(texts.words.INSERTED, name=word_label(id_))
        self.commands.document.replace(after, text, select=new[:1] or None)


SHAPES: dict[str, type[Any]] = {
    "half_sine": HalfSine, "haversine": Haversine, "triangle": Triangle, "trapezoid": Trapezoid,
}  # fmt: skip
_SHORTEST = 1e-4
"""Least duration (s) to which a pulse is dragged."""


def table_of(project: Project, pulse: Pulse) -> Function | None:
    """The function of a pulse, where its points can be dragged."""
    if not isinstance(pulse, History) or pulse.scale == 0.0:
        return None
    found = next((f for f in project.functions if f.id == pulse.function), None)
    is_table = found is not None and isinstance(found.form, Table) and found.form.csv is None
    return found if is_table else None


def handles(project: Project, pulse: Pulse, end: float) -> list[tuple[float, float]]:
    """The points (s, SI) by which a pulse is dragged."""
    if isinstance(pulse, History):
        function = table_of(project, pulse)
        form: Any = function.form if function is not None else None
        return [] if form is None else [
            (x, pulse.scale * y) for x, y in zip(form.x, form.y, strict=False)
        ]  # fmt: skip
    if isinstance(pulse, ConstantHistory):
        return [(0.5 * end, pulse.value)]
    t0, T, a = pulse.start_s, pulse.duration_s, pulse.amplitude
    tops = [0.5]
    if isinstance(pulse, Triangle):
        tops = [pulse.peak_ratio]
    elif isinstance(pulse, Trapezoid):
        tops = [pulse.rise_ratio, 1.0 - pulse.fall_ratio]
    return [(t0, 0.0), *((t0 + part * T, a) for part in tops), (t0 + T, 0.0)]


def dragged(pulse: Pulse, number: int, t: float, value: float) -> Pulse:
    """Give the pulse with one of its handles elsewhere."""
    if isinstance(pulse, ConstantHistory):
        return pulse.model_copy(update={"value": value})
    assert not isinstance(pulse, History)
    last = 3 if isinstance(pulse, Trapezoid) else 2
    t0, T = pulse.start_s, pulse.duration_s
    if number == 0:
        start = min(max(t, 0.0), t0 + T - _SHORTEST)
        return pulse.model_copy(update={"start_s": start, "duration_s": t0 + T - start})
    if number == last:
        return pulse.model_copy(update={"duration_s": max(t - t0, _SHORTEST)})
    part = min(max((t - t0) / T, 0.0), 1.0)
    update: dict[str, float] = {"amplitude": value}
    if isinstance(pulse, Triangle):
        update["peak_ratio"] = part
    elif isinstance(pulse, Trapezoid) and number == 1:
        update["rise_ratio"] = min(part, 1.0 - pulse.fall_ratio)
    elif isinstance(pulse, Trapezoid):
        update["fall_ratio"] = min(1.0 - part, 1.0 - pulse.rise_ratio)
    return pulse.model_copy(update=update)


def dragged_table(function: Function, scale: float, number: int, t: float, value: float) -> Table:
    """Give the table of a pulse with one of its points elsewhere."""
    form: Any = function.form
    x, y = moved(form.x, form.y, number, t, value / scale)
    return Table(x=x, y=y, between=form.between)


def as_shape(project: Project, pulse: Pulse, kind: str) -> Pulse:
    """Give a pulse of another shape, with the same start, length and speed change."""
    model = SHAPES[kind]
    try:
        was = facts(pulse, project.functions)
    except LibraryError:
        level = pulse.value if isinstance(pulse, ConstantHistory) else 100.0
        return model(amplitude=level or 100.0, duration_s=0.1)  # type: ignore[no-any-return]
    made = model(
        amplitude=was.peak or 1.0, start_s=max(was.start_s, 0.0), duration_s=was.duration_s
    )
    return with_speed_change(made, was.speed_change) if was.speed_change else made


def exchanged(project: Project, motion: Motion, id_: str, speed: float) -> Project:
    """The project with a pulse of the library for the segment of a motion."""
    piece = fragment(id_)
    others = tuple(m for m in project.motions if m.segment != motion.segment)
    prefix = free_prefix(project.model_copy(update={"motions": others}), piece)
    given = piece.motions[0].components[0]
    starts = speed if speed and given.quantity == "acceleration" else None
    return insert(project, id_, prefix, attach_to=motion.segment, from_speed=starts, replace=True)


SI = {
    "acceleration": ("m/s2", "rad/s2"), "velocity": ("m/s", "rad/s"), "position": ("m", "rad"),
}  # fmt: skip
"""SI units of translations and of turns."""
TURNS = ("yaw", "pitch", "roll")
"""Components of a motion that are angles."""


def is_turn(component: Prescribed) -> bool:
    """Whether a coordinate is an angle."""
    if isinstance(component, DriverBase):
        return component.turns
    return isinstance(component, MotionComponent) and component.component in TURNS


def pulse_facts(component: Prescribed, found: PulsePath, units: Units) -> str:
    """Say peak, speed change and way in words."""
    turns = is_turn(component)

    def said(value: float, quantity: str) -> str:
        si = SI[quantity][turns]
        return units.with_unit(units.short(value, si), si)

    peak = int(np.argmax(np.abs(found.acceleration)))
    change = float(found.speed[-1] - found.speed[0])
    also = "" if turns or units.system == "inch_pound" else f" ({3.6 * change:.4g} km/h)"
    return tr(
        "Peak {peak} at {at}. Speed change {change}: from {first} to {last}. Gone by {end}: {way}.",
        peak=said(float(found.acceleration[peak]), "acceleration"),
        at=units.with_unit(units.short(float(found.time[peak]), "s"), "s"),
        change=said(change, "velocity") + also,
        first=said(float(found.speed[0]), "velocity"),
        last=said(float(found.speed[-1]), "velocity"),
        way=said(float(found.place[-1] - found.place[0]), "position"),
        end=units.with_unit(units.short(float(found.time[-1]), "s"), "s"),
    )
