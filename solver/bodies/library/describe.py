"""Describe the library from its own data: `docs/library.md` and what the command line prints."""

from __future__ import annotations

import math
from collections.abc import Iterator

from solver.bodies.dummies import DUMMIES, LIBRARY, called, library_body
from solver.bodies.library.entries import BASES, CATEGORIES, Entry, entries
from solver.bodies.library.pulses import Facts, facts
from solver.project.document import LISTS

STANDARD_GRAVITY = 9.80665

NO_SOURCE = (
    "No measured part behind it; places and sizes within the range usual for such a part",
    "No test behind it; chosen within the range usual for such a part",
)
"""What sources say of entries that have none: the page says it once."""
USUAL_ORIGIN = "the middle between the hip joints of the occupant"

_HEAD = """# Library

Every entry is a small piece of a project: functions and laws, planes, a belt, a bag, a pulse. The window
(*Insert → Part of the library*, `Ctrl+I`), `manikin library insert` and `model.insert` of `import manikin` put it into
a project under a prefix, carried by a segment.
Its source goes along into the project.

This page is produced from `resources/library` (`make docs`); do not edit it.

How far to trust it:
"""


def library_markdown() -> str:
    """The text of `docs/library.md`."""
    out = [_HEAD]
    out += [f"- **{basis}**: {meaning}." for basis, meaning in BASES.items()]
    out += [
        "",
        "An entry that is assumed is a place to start from, never a figure to sign for; where no source is named, no test and no measured",
        "part stand behind it, and it was chosen within the range usual for such a part.",
        "",
        f"Places are in metres from the entry's own origin; x forward, y right, z down. Where no other is named, it is {USUAL_ORIGIN}.",
        "",
    ]
    out += ["## Bodies", "", *_bodies(), ""]
    for category, heading in CATEGORIES.items():
        found = entries(category)
        if not found:
            continue
        out += [f"## {heading}", ""]
        out += _pulse_table(found) if category == "pulses" else _table(found)
        out.append("")
    return "\n".join(out)


def _bodies() -> Iterator[str]:
    """The dummies and the bodies as printed, which are inserted as people are."""
    yield "| id | who | mass | segments | source |"
    yield "|---|---|---|---|---|"
    for name in (*DUMMIES, *LIBRARY):
        body = library_body(name)
        yield f"| `{name}` | {called(name)} | {body.mass_kg:.1f} kg | {len(body.segments)} | {body.source} |"


def _table(found: tuple[Entry, ...]) -> Iterator[str]:
    yield "| id | what | holds | basis and source | note |"
    yield "|---|---|---|---|---|"
    for e in found:
        origin = f"Origin: {e.origin}." if e.origin not in ("", USUAL_ORIGIN) else ""
        note = " ".join(part for part in (e.note, origin) if part)
        yield f"| `{e.id}` | {e.name} | {holds(e)} | {_source(e)} | {note} |"


def _source(e: Entry) -> str:
    return e.basis if e.source in NO_SOURCE else f"{e.basis}: {e.source}"


def _pulse_table(found: tuple[Entry, ...]) -> Iterator[str]:
    yield "| id | what | peak | duration | speed change | basis and source | note |"
    yield "|---|---|---|---|---|---|---|"
    for e in found:
        known = pulse_facts(e)
        if known is None:
            figures = "– | – | –"
        else:
            figures = (
                f"{known.peak / STANDARD_GRAVITY:.1f} g | {known.duration_s * 1e3:.1f} ms | "
                f"{known.speed_change:.2f} m/s"
            )
        yield f"| `{e.id}` | {e.name} | {figures} | {_source(e)} | {e.note} |"


def pulse_facts(one: Entry) -> Facts | None:
    """The facts of an entry's pulse; None where it is no acceleration."""
    for motion in one.fragment.motions:
        first = motion.components[0]
        if first.quantity == "acceleration":
            return facts(first.pulse, one.fragment.functions)
    return None


def holds(one: Entry) -> str:
    """Say in a few words what a piece holds."""
    words = []
    for name in LISTS:
        number = len(getattr(one.fragment, name))
        if number:
            word = name.replace("_", " ")
            words.append(f"{number} {word[:-1] if number == 1 and word != 'loads' else word}")
    if one.straps:
        words.append(f"{len(one.straps)} strap{'s' if len(one.straps) > 1 else ''}")
    return ", ".join(words)


def details(one: Entry) -> str:
    """Describe one entry for the command line."""
    rows = [f"{one.id}: {one.name}", f"  basis   {one.basis}: {BASES[one.basis]}"]
    rows.append(f"  source  {one.source}")
    if one.note:
        rows.append(f"  note    {one.note}")
    rows.append(f"  holds   {holds(one)}")
    if one.origin:
        rows.append(f"  origin  {one.origin}")
    if one.roles():
        rows.append(f"  needs   {', '.join(sorted(one.roles()))}")
    known = pulse_facts(one)
    if known is not None:
        rows.append(
            f"  pulse   peak {known.peak / STANDARD_GRAVITY:.2f} g at {known.peak_s * 1e3:.1f} ms, "
            f"{known.duration_s * 1e3:.1f} ms long, speed change {known.speed_change:.3f} m/s "
            f"({known.speed_change * 3.6:.1f} km/h), way {known.way:.3f} m from rest"
        )
        axes = one.fragment.motions[0].axes.angles_rad
        if any(axes):
            turned = ", ".join(f"{math.degrees(a):.4g}" for a in axes)
            rows.append(
                f"  axes    turned by {turned} degrees ({one.fragment.motions[0].axes.order})"
            )
    return "\n".join(rows)
