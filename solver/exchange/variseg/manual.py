"""The page about cards of VARISEG: rules in words, the cards from their table."""

from __future__ import annotations

from solver.exchange.variseg.cards import SPECS

_HEAD = """\
# Cards of VARISEG

This page is produced from the table of cards (`make docs`); do not edit it.

VARISEG (R. O. Bennett, 1980) models occupants in a plane, from segments, connectors and systems that the user chooses. Its report
previews an input of free-format cards and prints two of them, SEG and RSEG, with their designators and defaults; *the others are our
own*, in the same manner. `manikin import FILE.vsg` makes a project of them, `manikin export PROJECT.json --variseg FILE.vsg`
writes one; `mk.read_variseg` and `mk.write_variseg` do the same in Python. `--report` says of every card what became of it.

## Rules

- A card begins with its designator and a name; fields are parted by commas; a period, behind which a blank or the end of a line follows, ends it. A card may go on
  over several lines.
- Fields are taken in their order. A field may begin with its own designator, with or without brackets: the order goes on from there. A field
  that is left empty, or skipped, has its default.
- Designators are read in any case, and as the report's print spells them (FLAM for ELAM, 0GME for OMEG). Exponents are led in by E or D.
- Lines that begin with `*` or `#` are comments.
- The inertial system INERTL has x forward and z **up**, angles counterclockwise from x to z. A segment's own has x forward and its z at OMEG
  from it, 270 degrees if nothing is said: **down**. Both may be askew and clockwise, and count from one another.
- Systems of units: SI (m, kg, s, N), ANSI (in, lb of mass, s, lb of force), others by REF; angles in degrees (*assumed*; the report names
  both and says no more). A moment of inertia is force times length times time squared.
- The plane is x and z here, with y to the right: z up is minus z of the project, a counterclockwise angle is one of pitch. Across, moments of
  inertia are as those in the plane, which do not matter.
- What a connector carries is placed by it; its RSEG gives the angle. X and Z there must agree with it, or are left out.
- Fixed-column cards of the MVMA model are in none of our sources.

Written are models that stay in the plane: segments, pins and rigid joints, springs and friction of pins, ellipses, planes across the plane, contacts by spring
and dashpot, forces, start, the first run. All else is named first; a model that leaves the plane is refused.

```
RUN TWO RODS, TEND 0.4, DT 0.01.
SEG ROD, 2, 0.05.                    RSEG ROD, TH -70.
SEG BOB, 1, 0.01.                    RSEG BOB, TH -80.
CONN PIVOT, INERTL, ROD, PIN, 0, 1, -0.4, 0.
CONN ELBOW, ROD, BOB, XF 0.4, XT -0.2.
JFOR ELBOW, STIF 0.1, REST -5, VISC 0.002.
```

## Cards
"""


def variseg_markdown() -> str:
    """Give the text of `docs/variseg.md`."""
    lines = list[str]()
    for kind, spec in SPECS.items():
        whose = "printed in the report" if spec.printed else "our own"
        lines += [
            "",
            f"### {kind}: {spec.says} ({whose})",
            "",
            "| field | default | what |",
            "|---|---|---|",
        ]
        for name, default, says in spec.fields:
            told = (
                "needed"
                if default is None and name != "UNIT" and name not in ("WIDE", "TAB")
                else ""
                if default is None
                else f"{default:g}"
                if isinstance(default, float)
                else default
            )
            lines.append(f"| {name} | {told} | {says} |")
    return _HEAD + "\n".join(lines) + "\n"
