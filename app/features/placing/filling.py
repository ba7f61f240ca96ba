"""Mass and moments of inertia of a segment from its shape and a density."""

from __future__ import annotations

from PySide6.QtWidgets import QInputDialog

from app.command import Command
from app.elements import find, spoken
from app.features.feature import Feature
from app.workbench import Workbench
from solver.project.filling import largest_surface, volume, with_filled
from solver.project.segments import Segment
from solver.words import tr

_LEAST, _MOST, _TISSUE = 0.001, 1e5, 1000.0
"""Densities (kg/m3) that may be typed, and the one that is offered where there is no mass."""


class Filling(Feature):
    """Fill the selected segment's shape evenly."""

    name = "filling"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "place.fill",
                tr("Mass and inertia of the sha&pe…"),
                tr("Give the selected segment the mass and moments of its largest surface, evenly filled."),
                self.ask_for_density,
                enabled=lambda: self._chosen() is not None,
            )
        )  # fmt: skip

    def _chosen(self) -> Segment | None:
        document = self.bench.document
        item = find(document.project, document.selection)
        return item if isinstance(item, Segment) and item.surfaces else None

    def ask_for_density(self) -> None:
        """Ask for a density; the one offered leaves the mass as it is."""
        segment = self._chosen()
        surface = None if segment is None else largest_surface(segment)
        if segment is None or surface is None:
            return
        offered = segment.mass_kg / volume(surface) or _TISSUE
        words = tr("Density in kg/m³; the one offered keeps the mass:")
        if segment.mass_kg == 0.0:
            words = tr("Density in kg/m³:")
        density, taken = QInputDialog.getDouble(
            self.bench.window, tr("Mass and inertia of the shape"), words, offered, _LEAST, _MOST, 1
        )
        if taken:
            # what was offered is rounded in the box: then the mass stays to the last digit
            self.fill(
                segment, None if segment.mass_kg and abs(density - offered) <= 0.05 else density
            )

    def fill(self, segment: Segment, density: float | None) -> None:
        """Fill a segment, and say what it has now."""
        document, surface = self.bench.document, largest_surface(segment)
        if surface is None:
            return
        path = f"segments/{segment.id}"
        project, name = (
            with_filled(document.project, segment.id, density),
            spoken(document.project, path),
        )
        document.replace(project, tr("Mass and inertia of {name}", name=name))
        made = find(project, path)
        away = 1e3 * sum(number**2 for number in surface.centre_m) ** 0.5
        said = tr(
            "{name}: {mass:.3g} kg, moments of '{surface}' filled evenly.",
            name=name, mass=made.mass_kg, surface=surface.name or surface.id,
        )  # fmt: skip
        if away > 1.0:
            said += " " + tr("Its middle is {away:.0f} mm from the mass centre, which stays.", away=away)  # fmt: skip
        self.bench.say(said)
