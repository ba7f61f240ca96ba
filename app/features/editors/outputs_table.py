"""List what a run writes, and add more by choosing what of and which quantity."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.editing.shape import word_label
from app.elements import called, find, name_of
from app.features.editors.bar import Bar, button
from app.fonts import wide
from app.forms.choices import Choice
from app.forms.form_commands import FormCommands
from app.forms.references import Finder
from app.guard import guard
from app.look import Theme
from app.widgets.items import rows_of
from app.widgets.own_keys import PassedOn
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.editing.bench import Bench
from solver.project import Project
from solver.project.outputs import LOADED
from solver.project.runs import Run
from solver.project.segments import GROUND

_OUTPUTS = msgid("What a run writes")
_OUTPUT_SEEN_FROM = msgid("Segment from which the motion is seen")
_OUTPUT_HEADS = [msgid("Output"), msgid("Of"), msgid("Quantity"), msgid("Filter")]
_OUTPUT_QUANTITIES: dict[str, str] = {
    "felt": msgid("Acceleration, as a sensor feels it"),
    "acceleration": msgid("Acceleration"),
    "velocity": msgid("Velocity"),
    "position": msgid("Position"),
    "angles": msgid("Angles"),
    "angular_velocity": msgid("Angular velocity"),
    "angular_acceleration": msgid("Angular acceleration"),
    "torque": msgid("Torque"),
    "force": msgid("Reaction force"),
    "loads": msgid("Loads and states"),
    "body": msgid("Mass centre, momenta, energy"),
}

_PATH = Qt.ItemDataRole.UserRole
_CLASSES = (None, 60, 180, 600, 1000)


class _Tree(PassedOn, QTreeWidget):
    """Let Del reach the editor around it."""


class OutputsTable(QWidget):
    """Show the outputs as rows; selecting one selects it everywhere."""

    def __init__(self, commands: FormCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.commands, self.path, self._source = commands, "", ""
        self.of = Finder(lambda: list(sources(commands.project)), self.choose)
        self.of.setAccessibleName(tr("What to write about"))
        self.of.setMinimumContentsLength(22)
        self.quantity = Choice()
        self.quantity.setAccessibleName(tr("Quantity"))
        self.quantity.setMinimumContentsLength(24)
        self.cfc = Choice()
        self.cfc.setAccessibleName(tr("Filter class of SAE J211"))
        self.cfc.setMinimumContentsLength(9)
        for one in _CLASSES:
            self.cfc.addItem(tr("unfiltered") if one is None else tr(texts.words.CFC, cfc=one), one)
        self.relative = Choice()
        self.relative.setAccessibleName(tr(_OUTPUT_SEEN_FROM))
        self.relative.setToolTip(tr(_OUTPUT_SEEN_FROM))
        self.relative.setMinimumContentsLength(14)
        self.add = button(tr("Add"), tr("Write this in every run from now on"), self.add_output)
        self.bar = Bar(self.of, self.quantity, self.cfc, self.relative, self.add)
        self.bar.heading.setText(tr(_OUTPUTS))
        self.tree = with_properties(_Tree(), rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setHeaderLabels([tr(words) for words in _OUTPUT_HEADS])
        self.tree.setAccessibleName(tr(_OUTPUTS))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setSortingEnabled(False)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.tree.itemSelectionChanged.connect(self._on_selected)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.tree, 1)
        self._shown: list[tuple[str, tuple[str, str, str, str]]] = []

    def show_element(self, path: str) -> None:
        """Show the outputs, with those that are selected marked."""
        self.path = path
        self.bar.say("")
        self.refresh()

    def refresh(self) -> None:
        """Show the present version."""
        project = self.commands.project
        rows = [(f"outputs/{one.id}", row(project, one)) for one in project.outputs]
        before = self.tree.blockSignals(True)
        if rows != self._shown:
            self._shown = rows
            self.tree.clear()
            for path, texts in rows:
                item = QTreeWidgetItem(self.tree, list(texts))
                item.setData(0, _PATH, path)
            for column, width in enumerate(map(wide, (260, 240, 300, 90))):
                if self.tree.columnWidth(column) < width:
                    self.tree.setColumnWidth(column, width)
        chosen = set(self.commands.document.chosen)
        for item in rows_of(self.tree):
            item.setSelected(item.data(0, _PATH) in chosen)
            if item.data(0, _PATH) == self.path:
                self.tree.scrollToItem(item)
        self.tree.blockSignals(before)
        self._fill_bar()
        run = find(project, self.path)
        if isinstance(run, Run):
            self.bar.say(self._plan(run))

    def _plan(self, run: Run) -> str:
        """Say how much a run writes."""
        duration = self.commands.units.with_unit(
            self.commands.units.short(run.duration_s, "s"), "s"
        )
        return tr(
            "{name}: {duration}, {frames} frames, {samples} samples of each output.",
            name=name_of(run),
            duration=duration,
            frames=math.floor(run.duration_s / run.frame_interval_s + 1e-9) + 1,
            samples=math.floor(run.duration_s * run.channel_rate_hz + 1e-9) + 1,
        )

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark; the window's style does it all."""

    def choose(self, path: str) -> None:
        """Choose what to write about, and offer its quantities."""
        self._source = path
        text = next((words for words, one in sources(self.commands.project) if one == path), "")
        self.of.show_entry((text, path))
        offered = list(quantities_of(path))
        if offered != [self.quantity.itemData(i) for i in range(self.quantity.count())]:
            self.quantity.clear()
            for name in offered:
                self.quantity.addItem(tr(_OUTPUT_QUANTITIES[name]), name)
        self.relative.setVisible(path.startswith(("segments/", "body")))

    def add_output(self) -> None:
        """Add the output that is chosen, as one step; one that is there is shown."""
        if not self._source:
            self.bar.say(tr("There is nothing to write about yet: add a segment first."))
            return
        document = self.commands.document
        project, path, is_new = with_output(
            document.project,
            self._source,
            self.quantity.currentData(),
            self.cfc.currentData(),
            self.relative.currentData() or GROUND,
        )
        name = name_of(find(project, path))
        if is_new:
            document.replace(project, tr("Add the output {name}", name=name), select=[path])
            self.bar.say("")
        else:
            document.select(path)
            self.bar.say(tr("'{name}' writes this already.", name=name))

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete the selected outputs."""
        if event.key() == Qt.Key.Key_Delete:
            self.commands.document.delete(self._selected())
        else:
            super().keyPressEvent(event)

    def _fill_bar(self) -> None:
        project = self.commands.project
        known = dict((path, text) for text, path in sources(project))  # noqa: C402
        if self._source not in known:
            first: Any = next((p for p in known if p.startswith("segments/")), "")
            self._source = first or next(iter(known), "")
        if self._source:
            self.choose(self._source)
        seen = [(tr("seen from ground"), GROUND)]
        seen += [(tr("seen from {name}", name=name_of(s)), s.id) for s in project.segments]
        have = [(self.relative.itemText(i), self.relative.itemData(i))
                for i in range(self.relative.count())]  # fmt: skip
        if seen != have:
            chosen = self.relative.currentData()
            self.relative.clear()
            for text, id_ in seen:
                self.relative.addItem(text, id_)
            self.relative.setCurrentIndex(max(0, self.relative.findData(chosen)))

    def _selected(self) -> list[str]:
        return [item.data(0, _PATH) for item in self.tree.selectedItems()]

    def _on_selected(self) -> None:
        chosen = self._selected()
        if chosen:
            self.commands.document.select_all(chosen)


_JOINT_QUANTITIES: dict[str, str] = {
    "angle": msgid("joint angles"),
    "torque": msgid("joint torque"),
    "force": msgid("reaction force"),
}
_TURN_QUANTITIES: dict[str, str] = {
    "angle": msgid("angles"),
    "velocity": msgid("angular velocity"),
    "acceleration": msgid("angular acceleration"),
}
_POINT_QUANTITIES: dict[str, str] = {
    "position": msgid("position"),
    "velocity": msgid("velocity"),
    "acceleration": msgid("acceleration"),
}

Made = tuple[str, dict[str, Any]]
"""A model of the schema, and its fields."""

OF_SEGMENT: dict[str, Made] = {
    "felt": ("PointOutput", {"quantity": "acceleration", "with_gravity": True}),
    "acceleration": ("PointOutput", {"quantity": "acceleration"}),
    "velocity": ("PointOutput", {"quantity": "velocity"}),
    "position": ("PointOutput", {"quantity": "position"}),
    "angles": ("RotationOutput", {"quantity": "angle"}),
    "angular_velocity": ("RotationOutput", {"quantity": "velocity"}),
    "angular_acceleration": ("RotationOutput", {"quantity": "acceleration"}),
}  # fmt: skip
OF_JOINT: dict[str, Made] = {
    "angles": ("JointOutput", {"quantity": "angle"}),
    "torque": ("JointOutput", {"quantity": "torque"}),
    "force": ("JointOutput", {"quantity": "force"}),
}
OF_ELEMENT: dict[str, Made] = {"loads": ("ElementOutput", {})}
OF_BODY: dict[str, Made] = {"body": ("BodyOutput", {})}
BODY = "body"
"""Stands for all segments together."""


def sources(project: Project) -> Iterator[tuple[str, str]]:
    """All that can be written about: the words and the path."""
    if project.segments:
        yield tr("All segments together"), BODY
    for list_name in ("segments", "joints", *LOADED):
        for item in getattr(project, list_name):
            yield (
                f"{called(project, item)}  ·  {tr(texts.elements.ONE[list_name])}",
                f"{list_name}/{item.id}",
            )


def quantities_of(path: str) -> dict[str, Made]:
    """What can be written about an element."""
    if path == BODY:
        return OF_BODY
    list_name = path.split("/", 1)[0]
    return {"segments": OF_SEGMENT, "joints": OF_JOINT}.get(list_name, OF_ELEMENT)


def with_output(
    project: Project, path: str, quantity: str, cfc: int | None, relative_to: str = GROUND
) -> tuple[Project, str, bool]:
    """Add an output; gives the project, the output's path, and whether it is new."""
    model, fields = quantities_of(path)[quantity]
    fields = dict(fields)
    list_name, _, id_ = path.partition("/")
    if path == BODY:
        fields["segments"], id_ = tuple(s.id for s in project.segments), "whole_body"
    elif list_name == "segments":
        fields["segment"] = id_
    elif list_name == "joints":
        fields["joint"] = id_
    else:
        fields |= {"of": list_name, "element": id_}
    if list_name in ("segments", BODY) and relative_to != id_:
        fields["relative_to"] = relative_to
    if cfc is not None:
        fields["cfc"] = cfc
    bench = Bench(project)
    made = bench.part(model, id="new", **fields)
    for one in project.outputs:
        if type(one) is type(made) and _same(one, made):
            return project, f"outputs/{one.id}", False
    last = fields.get("quantity", "loads" if list_name in LOADED else "")
    new = bench.add("outputs", model, f"{id_}_{last}".rstrip("_"), **fields)
    return bench.project, f"outputs/{new}", True


def _same(one: Any, other: Any) -> bool:
    """Whether two outputs write the same."""
    ignored = {"id", "name", "group", "note", "source"}
    return all(
        getattr(one, name) == getattr(other, name)
        for name in type(one).model_fields
        if name not in ignored
    )


def row(project: Project, output: Any) -> tuple[str, str, str, str]:
    """An output's name, of what it is, what it writes, and its filter."""
    kind = output.kind
    cfc = getattr(output, "cfc", None)
    filtered = (
        tr("by criterion")
        if kind == "injury" and cfc is None
        else tr(texts.words.CFC, cfc=cfc)
        if cfc
        else "–"
    )
    if kind == "injury":
        text = ", ".join(_sources_of(project, output)) or "–"
        return name_of(output), text, word_label(output.criterion), filtered
    if kind == "body":
        count = len(output.segments)
        return (
            name_of(output),
            tr("{count} segments", count=count),
            tr("mass centre, momenta, energy"),
            filtered,
        )
    if kind == "element":
        of = _named(project, f"{output.of}/{output.element}")
        return (
            name_of(output),
            of,
            tr("loads of the {kind}", kind=tr(texts.elements.ONE[output.of])),
            filtered,
        )
    if kind == "joint":
        what = tr(_JOINT_QUANTITIES[output.quantity])
        return name_of(output), _named(project, f"joints/{output.joint}"), what, filtered
    of = _named(project, f"segments/{output.segment}")
    if kind == "rotation":
        what = tr(_TURN_QUANTITIES[output.quantity])
    else:
        what = tr(_POINT_QUANTITIES[output.quantity])
        if output.with_gravity:
            what = tr("{what}, as felt", what=what)
    if output.relative_to != GROUND:
        other = _named(project, f"segments/{output.relative_to}")
        what = tr("{what} seen from {name}", what=what, name=other)
    return name_of(output), of, what, filtered


def _sources_of(project: Project, output: Any) -> list[str]:
    named = (output.output, output.second)
    return [_named(project, f"outputs/{one}") for one in named if one is not None]


def _named(project: Project, path: str) -> str:
    found = find(project, path)
    return (
        called(project, found)
        if found is not None
        else tr("{id} (missing)", id=path.rsplit("/", 1)[-1])
    )
