"""Beams as one part, and frames of plastic hinges, against what papers print and closed forms."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tests.engine import test_crash_frames as tubes
from tests.engine.test_beams import crank, robot, spun
from tests.engine.test_beams_loaded import arch, buckling
from tests.engine.test_crash_frames import FLOWS, RAIL, TUBE, portal, pushed
from validation.case import Case


def cases() -> Iterator[Case]:
    """All cases."""
    for case, title, source, most, left in (
        (1, "Beam of 10 m spun up to 6 rad/s, 16 pieces", "Anderson; Meijaard, 5.1", -0.5739, 0.0037),
        (0, "Beam of 8 m spun up to 4 rad/s, 16 pieces", "Meijaard, 5.1", -0.5360, None),
    ):  # fmt: skip
        deflection, rest = spun(16, case)
        yield Case(title, source, "largest deflection of its tip", most, deflection, 0.01 * abs(most), "m")  # fmt: skip
        if left is not None:
            yield Case(title, source, "what is left of it", left, rest, 0.0006, "m")
    for case, printed in enumerate((0.00976, 0.01394)):
        yield Case(
            ("Connecting rod at 124.8 rad/s, 16 pieces", "Connecting rod at 150 rad/s with a slider, 16 pieces")[case],
            "Meijaard, 4", "first largest deflection by length", printed, crank(case, 16), 0.01 * printed,
        )  # fmt: skip
    for (x, y), (time, found) in zip(((1.019, 0.599), (1.043, 0.123)), robot(12).items(), strict=True):  # fmt: skip
        title = f"Robot of two flexible arms, {time:.3f} s, 12 pieces"
        yield Case(title, "Melzer, Table 5", "x of its tip", x, found[0], 0.004, "m")
        yield Case(title, "Melzer, Table 5", "y of its tip", y, found[1], 0.001, "m")
    for kind, words, wanted in (
        ("side", "load across at its tip", "4.0126 sqrt(EI S)/l^2"), ("twist", "semitangential moment at its tip", "pi EI/l"),
    ):  # fmt: skip
        factor = buckling(kind, 16)
        yield Case("Cantilever of 16 pieces, one beam", f"closed form (Meijaard): {wanted}", f"{words} that buckles it, by that", 1.0, factor, 0.01)  # fmt: skip
    for along, way, wanted_x, wanted_z in (
        ("along z", (0.0, 0.0, 1.0), -0.5, 0.75 * math.pi - 2.0), ("along x", (1.0, 0.0, 0.0), 0.25 * math.pi, -0.5),
    ):  # fmt: skip
        found, _ = arch(16, way)
        for axis, reference, way_of_tip in (("x", wanted_x, found[0]), ("z", wanted_z, found[2])):
            yield Case(f"Quarter arch of 16 pieces, pulled {along}", "closed form", f"way of its tip along {axis}, by P R^3/EI", reference, float(way_of_tip), 0.004 * abs(reference))  # fmt: skip
    for where, node, component, way, load in (
        ("pushed sideways", "b", "x", 0.05, 4 * FLOWS), ("pushed down in its middle", "m", "z", -0.04, 4 * FLOWS),
    ):  # fmt: skip
        run = pushed(portal(), node, component, way)
        middle = (run.time > 0.22) & (run.time < 0.26)
        force = abs(float(run.table("frame_drivers")["force"][middle, 0].mean()))
        yield Case(f"Portal of four boxes, {where}", "plastic limit analysis", "load at which it collapses", load, force, 0.015 * load, "N")  # fmt: skip
    yield from _tubes()


def _tubes() -> Iterator[Case]:
    for name, section in (("Box", RAIL), ("Round tube", TUBE)):
        wanted, found = tubes.quickly(section)
        yield Case(f"{name} of mild steel crushed at 14 m/s", "m v dv = -F (1 + (e'/D)^(1/p)) dx, summed up", "crush", wanted, found, 2e-3 * wanted, "m")  # fmt: skip
    title, source = "Box that is folded up and squashed", "closed form by work"
    wanted, found = tubes.squashed()
    yield Case(title, source, "largest force", wanted, found, 2e-3 * wanted, "N")
    for by in (1.0, 10.0):
        title = f"Box that is folded up, squashed and packed, {by:g} times E A / L"
        names = (("largest force", "N"), ("energy given back", "J"), ("energy lost", "J"))
        for (name, unit), wanted, found in zip(names, *tubes.packed(by), strict=True):
            yield Case(title, source, name, float(wanted), float(found), 2e-3 * float(wanted), unit)
