"""Own systems of units."""

from __future__ import annotations

from solver.project.fields import REQUIRED, Element, Text, choice


class UnitSystem(Element):
    """Name the units in which numbers are shown, typed and exported; the file itself stays in SI.

    What they do not say follows from them: of mm, t and s a force is in t·mm/s², of in, lbf and s a mass in
    lbf·s²/in. Only what no unit of them measures stays in SI.
    """

    units: tuple[Text, ...] = choice(
        REQUIRED,
        "Units",
        "One of each kind, as mm, t, s, deg; any factor, as 25.4*mm; any derived one, as psi or g.",
        min_length=1,
        max_length=40,
    )
