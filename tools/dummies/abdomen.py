"""Abdomen of a dummy under a belt: foam before the spine, and what is left of it when there is no more room."""

from __future__ import annotations

from solver.bodies.parts import ASSUMED

DEEP, AHEAD = 0.095, 0.118
"""Of the 50th man (m): half depth of the abdomen, and its middle before the line of the back."""
CADAVERS, SPREAD, APART = 26e3, 0.25, 2.0
"""Stiffness of cadavers' bellies under a belt (N/m), its standard deviation, and how many of these the dummy is stiffer.

Seven subjects of 71 kg bore 2.8 to 4.7 kN at 110 to 177 mm (Ramachandra and others 2016); their spread is derived from these ranges, force and
depth taken as independent. A Hybrid III 50th man's insert was ranked 1.99 deviations from them; that a 5th woman's is stiffer, as it leaves no room, is told
of another test. Both from abstracts: no curve of an insert was found.
"""
SOFT = CADAVERS * (1.0 + APART * SPREAD)
BEHIND = 0.025
"""How far below the upper end of the iliac crests the insert's front begins (m): assumed."""
BEYOND = 10.0
"""How many times as stiff when foam is pressed together between belt and spine: assumed."""
SPINE = 0.04
"""Half thickness of the lumbar rubber (m): assumed."""
LATE_S = 0.01
"""Damping by stiffness, as of the skin of the pelvis: assumed."""
SOURCE = (
    "first slope: cadavers' under a belt at the navel (Ramachandra and others 2016) and two standard deviations, by which a 50th man's insert was found "
    f"apart from them; other sizes by equal stress, room before the lumbar rubber, ten times as stiff beyond: {ASSUMED}"
)


def curve(lumbar_x: float, grown: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Give depths (m) and forces (N) of a belt; the spine's place before the back's line, size by the 50th man's."""
    room = (AHEAD + DEEP - SPINE) * grown - lumbar_x
    ends = room + SPINE * grown
    full = SOFT * grown * room
    return (0.0, room, ends), (0.0, full, full + BEYOND * SOFT * grown * (ends - room))
