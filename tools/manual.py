"""Pages about commands, decks and cards, made of what the program itself knows of them."""

from __future__ import annotations

import argparse

from solver.exchange.decks.cards import CARDS
from solver.exchange.variseg.cards import SPECS, TYPES

# Describe the command line from its own parser: `docs/commands.md`.

_COMMANDS_HEAD = """# Commands

`python main.py COMMAND` in a checkout, or `manikin COMMAND` once installed. Without a command, or
with a project file alone, the window opens. Exit codes: 0 done; 1 the project or the run has an
error (one sentence for each problem on standard error); 2 wrong usage; 3 a fault of
the program or the machine (a sentence, and a report that can be sent); 130 cancelled; 143 and 129 ended from outside
(TERM, HUP), with the file of a run or a study completed; so ends the window, which then asks nothing: unsaved work and
the run that went on are kept, and the next start says so and offers them. With any but 0
nothing half-written stands under the name of an output. An output is an ordinary file or a new one,
never a pipe or a device, and never an input of the same command; links are followed to their file.

This page is produced from the program (`make docs`); do not edit it.
"""


def commands_markdown() -> str:
    """The text of `docs/commands.md`."""
    from solver.cli import parser

    top = parser()
    out = [_COMMANDS_HEAD]
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                out += _sections(name, command)
    return "\n".join(out)


def _sections(name: str, command: argparse.ArgumentParser) -> list[str]:
    """Describe a command, and below it each of the actions that it may have."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            inner = [_section(f"{name} {word}", one, 3) for word, one in action.choices.items()]
            return ["\n".join([f"## {name}", "", command.description or "", ""]), *inner]
    return [_section(name, command)]


def _section(name: str, command: argparse.ArgumentParser, level: int = 2) -> str:
    rows = [
        f"{'#' * level} {name}",
        "",
        command.description or "",
        "",
        "| argument | meaning |",
        "|---|---|",
    ]
    for action in command._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        words = ", ".join(f"`{o}`" for o in action.option_strings)
        value = _value(action)
        label = f"{words} `{value}`" if words and value else words or f"`{value or action.dest}`"
        rows.append(f"| {label} | {action.help or ''} |")
    if len(rows) == 6:
        rows = rows[:4]
    return "\n".join([*rows, ""])


def _value(action: argparse.Action) -> str:
    """What stands behind an option: one word, or several."""
    metavar = action.metavar or ""
    return metavar if isinstance(metavar, str) else " ".join(metavar)


# The page about decks: rules in words, the cards from their table.

_DECKS_HEAD = """\
# Decks of CVS-IV and ATB

The 1981 program and its heir, the Articulated Total Body program, take their models from decks of cards. `manikin
import FILE.ain` makes a project of one, `mk.read_ain` the same in Python. The file is never changed, nothing in it is run, no
other file is opened. `--report` says of every card what became of it:

| word | meaning |
|---|---|
| taken | all that stands on it is in the project |
| taken with a rule | so is this, by a rule that is named |
| kept as a note | nothing here needs it; the project's note, or the report, keeps it |
| not possible | it, or a part of it, has no like here; why is named |

A deck may be whole (cards A to H) or a body alone (cards B, as a body generator writes them). A problem names line, columns,
card, field and what was expected; where there is one, no project is written.

This page is produced from the table of cards (`make docs`); do not edit it.

## How a deck is read

- `.ain`: fixed columns, as in the table below. Numbers may touch. A blank field is zero, a short line goes on in blanks; blanks
  within a number count for nothing. An exponent is led in by E, D or Q, or by its sign alone (`1.5+3`). A number without a point is
  whole. A comma ends a field before its last column.
- `.lin`: free form, as ATB's version V reads it: values between blanks or commas, texts in quotes, `3*0` for three zeros, nothing between
  two commas for zero, a slash for zeros to the end. What follows the last value of a card on its line is not read.
- Lines that begin with `#`, between cards, are comments; they go into the project's note.
- Line ends of any kind, UTF-8, UTF-16 or Windows-1252, tabs (to every eighth column), a final control-Z.
- Which card follows which is told by the counts on the cards. Columns 73 to 80 may hold a card's name; where it is another group than it
  should be, the report says so.
- Old cards F.5, whose columns no source here tells, and forces of water F.9, which have no like here, are stepped over: the reader
  goes on at the next card whose name stands in columns 73 to 80.
- Cards H may be missing at the end. Behind H.1, H.2 or H.3 of one point or none the old program reads one more card; decks without it are
  read too.
- Versions differ in little: joint functions stand on F.5 before V and on E.7 since; V.3 counts deformable bodies on B.1, which are
  refused; it lists joints alone on H.7 where older decks have pairs, in columns that read the same; `.lin` came with it, and 3I writes it.
- The order of a start's turns is the same in all versions we know. CVS-IV has no fields for it and turns about roll, pitch, yaw in this
  sequence (section 3.4.1 of its manual; the free body there, turned otherwise, has its momentum not along z); V.3 does so where the fields
  are 0. Axes of joints are the usual yaw, pitch, roll in both (section 6). Of V.1 and V.2 no source lies here; their decks are read alike.
  Before, this program took `0 0 0` on G.3 as yaw first: read such decks again where more than one angle of a card is not zero (the report
  names these cards).

## Rules

| card | rule |
|---|---|
| A.3 | length in IN, FT, M, CM or MM, force in LB, N, KN or KGF, time in SEC or MSEC; blank: inch, pound, second. Masses are weights by the size of gravity |
| A.4, B.6 | two runs: as it is solved here, and as the deck's program does (its integrator with its tests, laws as printed: `as_program`) |
| A.5 | flags of printing are not needed |
| B.2 | no semi-axes: no surface. No weight: joints and constraints must make its motion determined. A moment of inertia above the two others together runs as it is, as in the old program, with a warning that says by how much |
| B.3 | type 0, 2, 3: ball (3 with a globographic stop); 1: pin; 4 and -4 to -10: Euler; 5, 6, 7: slip. Below zero: held at the start. Inner segment 0: the next segment is a root |
| B.3 | of a slip joint the lower limit opens the slide below it, the higher one above |
| B.4 | s1 below zero: the function of cards E.7 with that number. No stop angle: only s1, of which s4 is given back. Coefficients below zero as they stand |
| B.7 | angle i of an inner segment is half of a'H a, with a' = (yaw, pitch, roll of the chain's end, 1); three symmetric matrices H side by side |
| B.3 | centre angles (third triple) count for Euler joints only; their start angles (B.4) are not used: cards G.3 say where they stand |
| B.3, G.3 | the angle of axis k stands in field 4 - k: yaw, pitch, roll; the order only says which axis is turned about first, second, third, the axes moving along. A third turn about the first axis again has a minus, and the field that is left: of 3 1 -3 precession, spin, nutation. Orders that turn about one axis twice in a row, or about it again without the minus, are refused |
| B.3, G.3 | no order (0 0 0): cards G.3 turn about 1, 2, 3, so roll comes first; joint axes of B.3 about 3, 2, 1, so yaw comes first, as do all angles of other cards |
| B.5 | factor f of an impulse: restitution 2f - 1. No rate of full friction: 30 deg/s. With a torque to lock at, the rate to lock at does nothing |
| C.2 | the vehicle slows along the x axis turned by yaw and pitch. No points: half a sine takes away the whole speed within the duration (*assumed*). After the last point its value stays |
| C.4, C.5 | points below zero: six components. Linear ones along the ground's axes, angular ones about the vehicle's own. Places and speeds are joined by cubics without a jump of curvature (not by curves of the degree that C.2.b says), decelerations by lines; after the last point the acceleration stays |
| C.4, C.5 | about one axis the turn is exact; about several yaw, pitch and roll are followed in steps of an eighth of the time between points |
| D.2 | a plane is on the segment that a contact names with it; without a contact on the vehicle |
| D.3, F.2 | a length instead of slack is not taken; a friction function other than 0 holds the belt on the body |
| D.5 | an ellipsoid is put on each segment that uses it; a number of a segment replaces that segment's own. Powers left out are the first one; 2 and less is an ellipsoid |
| D.6 | types 1 and 2: zero and fixed distance. Type 5: a heavy string on two cards, its masses as force by acceleration. Others have no like: rolling and sliding come from contacts without a base function |
| D.8 | stiffness not above zero: it only pulls. Rest length below zero: its numbers are functions |
| D.9 | along the first of the axes that its angles turn |
| E | a function is made once for each use, with units. A table that ends before D1 keeps its last value. One that nobody uses is kept with plain numbers |
| E.7 | angles and start angles in degrees, coefficients by radian (*assumed*). Torsion and pins know azimuth 0 and 180 degrees |
| F.1 | edge option above 0: edge effect (`below`, as the program measures it); 0: contact point inside the edges; -1: no edges; -2: no edges, force stays behind the plane; -3 and less: inside, and stays |
| F.1, F.3 | base function 0: rolling or sliding from the first touch on, D4 of the friction function as rolling friction. D4 of the base function: point of application. D3 of the friction function: impulse |
| F.1, F.3 | one of the functions 2, 3, 4 below zero: force by rate, never below zero in all |
| F.3 | depth along the line of centres, as the deck's program measures it |
| F.4 | a contour of two polynomials becomes a point each degree |
| F.7 | wind by pressure, times its coefficient (from cards E.6 or E.1 to E.4) and behind its shields; wind from the speed through a gas is not taken |
| F.8 | on an ellipsoid a point counts from its centre; friction: D2 across, D4 along; below zero: it never leaves. Between the ends a point without an ellipsoid is a ring |
| F.10 | an actuator drives the angle of a pin; each has a sum of its own, all terms with their right signs |
| G.1 | 15 asks for an equilibrium: `manikin import`, `mk.read_ain` and the window settle the model with what cards G.5 let move, unless told `--as-it-stands` (undo in the window); forces of single contacts are not held to their targets. 0: bodies move with the vehicle; 1: as cards G say; 2: so do those without a segment of reference |
| G.3 | first axis below zero: two axes of the segment by their projections (G.3.b): by two angles, tan A1 = z1/z3 and tan A2 = z2/z1 along the plane's axis and the two that follow it, or by components (plane below zero). The second axis is made square to the first |
| G.3 | reference below zero: turned about the axes of its joint, from those in the inner segment to those in the outer; of an Euler joint with 3 1 -3 from its centre angles |
| H.1 | segment below zero: as an accelerometer shows it. Else along the axes of the reference; of a reference that moves, the program prints the acceleration over the ground, an output that seen from it |
| printed tables | `manikin compare-printed` puts them beside a run of the deck ([exchange.md](exchange.md#printed-results-of-atb)) |
| H.12 | HIC of 36 or 15 ms, HSI, CSI, filtered here by their classes |

## What a zero means

Fields that the program's editors leave at 0, by the text of the program's version V.3 (3I writes decks for it):

| field at 0 | the program | here |
|---|---|---|
| B.3.b orders | joint axes by yaw, pitch, roll (3 2 1) | the same |
| B.3.a slip limits, both | a locked slide never opens | the same |
| B.4 stop angle | no stop: the linear part alone, of which s4 is given back | the same |
| B.5 torque to open (4) | a locked joint never opens by torque | the same |
| B.5 torque to lock (5), rate to lock (6) | without a torque the rate decides; without both an open joint never locks | the same |
| B.5 impulse (7) | none | the same |
| C.2 segment | the last vehicle, which is the primary one; the ground has the number after it | the same |
| D.5 powers 2 and 3 | the first one's; all 0: an ellipsoid | the same |
| E.2 D1 | the constant D2 | the same |
| E.2 D2 | one part; beyond D1 the value at D1 stays, of a contact's base too; before D0 that at D0 | the same |
| F.1, F.3 base function | rolling or sliding | the same |
| F.1, F.3 inertial spike (function 2) | none | the same |
| F.1, F.3 part returned (function 3) | 1: unloads along its base | the same |
| F.1, F.3 offset (function 4) | 0 | the same |
| F.1 edge option | the contact point must lie inside all edges | the same |
| F.8.a limit, tolerance | 10 iterations, 0.01 | not needed: a balance is iterated until it holds |
| G.1 last number | bodies move with the vehicle | the same |
| G.3 orders | roll, pitch, yaw (1 2 3) | the same |
| G.3 reference | the ground | the same |
| H.1, H.4 reference | over the ground, along the segment's own axes | the same |
| H.2, H.3, H.5, H.6, H.9 reference | the last vehicle | the same; of H.9 along the ground's axes where the joint does not join the vehicle |
| H.8 reference | the ground | the same |
| H.12 longest window | 36 ms | the same |

Joints and contacts keep laws that give back no more than they took (`torque_law`, `unloading_law`); set them to `printed` to have those of the old program. The deck's second run has them all
(`as_program`), for comparison with what was printed ([exchange.md](exchange.md#printed-results-of-atb)).

Where the columns come from: two public decks of the program (`resources/data/decks`), and the public source of its version V.3.

## How a deck is written

`manikin export PROJECT.json --ain FILE.ain` and `mk.write_ain` write a deck in inches, pounds and seconds. What a deck cannot say is
named first, with its place in the project, and how many numbers have more digits than their columns; `FILE.lin` is free form and keeps
them all. What was read from a deck and is written again solves to the same bits.

- Written: segments, ellipsoids, joints (pin, ball, held, Euler, slip; a universal one as an Euler joint whose spin is held), planes, functions, contacts of laws that F.1 and F.3 know (with
  memory, by rate, dashpot), harnesses and simple belts without devices, springs, points that are held together, heavy strings, flexible
  elements, forces that turn with their segment, motions of vehicles along any lines and about one axis, start, outputs, injury
  figures, the first run.
- Left out, and named: airbags, winds, muscles and other forces on coordinates, drivers, symmetry, breakage, globographic stops, torques by functions of the angle, belts' devices, constraints that roll.
- Refused: joints to the ground and joints of other kinds, without which it would be another model.
- A smooth curve or pulse is written as points joined by lines.

## Cards

Columns are counted from 1. `I` is a whole number, `F` a number, `A` a text; a number before it says how many.

| card | what | columns |
|---|---|---|
"""


def decks_markdown() -> str:
    """The text of `docs/decks.md`."""
    lines = list[str]()
    for card in CARDS.values():
        columns = ", ".join(
            f"{one.start + 1}-{one.end} {one.name.replace('_', ' ')} ({one.form})"
            for one in card.fields
        )
        lines.append(f"| {card.name} | {card.says} | {columns} |")
    return _DECKS_HEAD + "\n".join(lines) + "\n"


# The page about cards of VARISEG: rules in words, the cards from their table.

_VARISEG_HEAD = """\
# Cards of VARISEG

VARISEG (R. O. Bennett, 1980) models occupants in a plane, from segments, connectors and systems that the user chooses. Its report
previews an input of free-format cards and prints two of them, SEG and RSEG, with their designators and defaults; *the others are our
own*, in the same manner. `manikin import FILE.vsg` makes a project of them, `manikin export PROJECT.json --variseg FILE.vsg`
writes one; `mk.read_variseg` and `mk.write_variseg` do the same in Python. `--report` says of every card what became of it.

This page is produced from the table of cards (`make docs`); do not edit it.

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
- What a connector carries is placed by it; its RSEG gives the angle. X and Z there must agree with it, or are left out. ROLL and SHOULDER carry nothing:
  there RSEG places.
- A connector with a line goes from the point in FROM by LENG along DIR to the point in TO, as equation (30) has it; its angles count from where they start.
- What is locked opens at its load, keeps that load while it moves, and is held again once its motion turns round. What breaks falls to nothing over RAMP,
  and HEALs before it is through, with limits as low as it bore last (section 3.3).
- Tables of MOVE are joined as the report has it: a position by cubics through four points (50), an acceleration by lines (55); a velocity by a spline. A
  component that no card moves is free. What has no mass stays in the plane; cards MOVE, or a connector, must say how it moves there.
- **The fixed-column cards of the MVMA model** (the report's older input, volume 2 of its reference 1) are in none of our sources, which say only that an identification stands in columns 73 to 80: their columns are not known here,
  and such cards are neither read nor written.

Written are models that stay in the plane: segments, the fifteen connectors with resistances, locks and breaks, muscles on them, forced variables, ellipses,
planes across the plane, contacts by spring and dashpot, forces, start, the first run. All else is named first; a model that leaves the plane is refused.

```
RUN TWO RODS, TEND 0.4, DT 0.01.
SEG ROD, 2, 0.05.                    RSEG ROD, TH -70.
SEG BOB, 1, 0.01.                    RSEG BOB, TH -80.
CONN PIVOT, INERTL, ROD, PIN, 0, 1, -0.4, 0.
CONN ELBOW, ROD, BOB, XF 0.4, XT -0.2.
JFOR ELBOW, STIF 0.1, REST -5, VISC 0.002.
```

## Connectors

The fifteen of the report's Table 2, by number or by a name of ours:

{types}
## Cards
"""


OPTIONAL = ("UNIT", "WIDE", "TAB", "SHAP", "ON")
"""Fields of cards that have no default and may be left out."""


def variseg_markdown() -> str:
    """The text of `docs/variseg.md`."""
    lines = list[str]()
    types = "| number | TYPE | what |\n|---|---|---|\n"
    types += "".join(
        f"| {n} | {name} | {says} |\n" for n, (name, says) in enumerate(TYPES.items(), 1)
    )
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
                if default is None and name not in OPTIONAL
                else ""
                if default is None
                else f"{default:g}"
                if isinstance(default, float)
                else default
            )
            lines.append(f"| {name} | {told} | {says} |")
    return _VARISEG_HEAD.replace("{types}", types) + "\n".join(lines) + "\n"
