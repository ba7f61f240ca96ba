"""Mass and moments of inertia of a segment from its shape and a density."""

from __future__ import annotations

from app.command import Command
from app.elements import find, spoken
from app.features.feature import Feature
from app.widgets.asking import ask_for_number
from app.workbench import Workbench
from solver.base.words import tr
from solver.project import ProjectError
from solver.project.filling import largest_surface, volume, with_filled
from solver.project.segments import Segment

_LEAST, _MOST, _TISSUE, _ROUND = 0.1, 1e5, 1000.0, 0.05
"""Densities (kg/m3) that may be typed, the one offered where there is no mass, and how it is rounded."""


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

        def take(density: float) -> None:
            # what was offered is rounded in the box: then the mass stays to the last digit
            keeps = segment.mass_kg > 0.0 and abs(density - offered) <= _ROUND
            self.fill(segment.id, None if keeps else density)

        title = tr("Mass and inertia of the shape")
        ask_for_number(self.bench.window, title, words, offered, (_LEAST, _MOST), 1, take)

    def fill(self, id_: str, density: float | None) -> None:
        """Fill a segment, and say what it has now."""
        document, path = self.bench.document, f"segments/{id_}"
        try:
            project = with_filled(document.project, id_, density)
        except ProjectError as failure:
            # it was taken away while the question stood there
            self.bench.say(failure.problems[0].sentence)
            return
        name = spoken(document.project, path)
        document.replace(project, tr("Mass and inertia of {name}", name=name))
        made = find(project, path)
        surface = largest_surface(made) if isinstance(made, Segment) else None
        if not isinstance(made, Segment) or surface is None:
            return
        away = 1e3 * sum(number**2 for number in surface.centre_m) ** 0.5
        said = tr(
            "{name}: {mass:.3g} kg, moments of '{surface}' filled evenly.",
            name=name, mass=made.mass_kg, surface=surface.name or surface.id,
        )  # fmt: skip
        if away > 1.0:
            said += " " + tr("Its middle is {away:.0f} mm from the mass centre, which stays.", away=away)  # fmt: skip
        self.bench.say(said)
