"""Cards of VARISEG: a designator, a name, and fields in an expected order that designators of their own may change."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from solver.base.words import Sentence
from solver.project.problems import Problem, error

# Systems of units and axes of users.

DEGREE = math.pi / 180.0
Pair = tuple[float, float]


@dataclass(frozen=True)
class System:
    """A system of units: what its length, mass, time, force and angle are in SI."""

    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    force: float = 1.0
    angle: float = DEGREE

    @property
    def torque(self) -> float:
        """The unit of torques."""
        return self.force * self.length


UNITS = {"SI": System(), "ANSI": System(0.0254, 0.45359237, 1.0, 4.4482216152605)}
"""Systems that the report predefines; what they measure in is assumed, angles in degrees."""


@dataclass(frozen=True)
class Axes:
    """A segment's system: where and how it starts, and how its user measures in it."""

    place: Pair = (0.0, 0.0)
    angle: float = 0.0
    velocity: Pair = (0.0, 0.0)
    rate: float = 0.0
    omega: float = 0.5 * math.pi
    sense: float = 1.0

    def inside(self, x: float, z: float) -> Pair:
        """A point of the user's axes in right-angled ones, z upwards (equation 5)."""
        c, s = math.cos(self.omega), math.sin(self.omega)
        return x + z * (c if abs(c) > 1e-15 else 0.0), z * s

    def turned(self, point: Pair) -> Pair:
        """A vector of these axes along the inertial ones."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return c * point[0] - s * point[1], s * point[0] + c * point[1]


Value = float | str | None


@dataclass(frozen=True)
class Spec:
    """Describe a card: what it is about, its fields in their order, each with its default and meaning."""

    says: str
    fields: tuple[tuple[str, Value, str], ...]
    printed: bool = False
    """Whether the report prints it; others are ours."""
    pairs: bool = False
    """Whether pairs of numbers follow its name."""


SPECS: dict[str, Spec] = {
    "REF": Spec("a system of units", (
        ("LENG", 1.0, "metres in its unit of length"), ("MASS", 1.0, "kilograms in its unit of mass"),
        ("TIME", 1.0, "seconds in its unit of time"), ("FORC", 1.0, "newtons in its unit of force"),
        ("ANGL", 0.017453292519943295, "radians in its unit of angle"))),
    "SEG": Spec("a segment and its system", (
        ("MASS", 0.0, "mass"), ("IMM", 0.0, "moment of inertia"),
        ("ELAM", 1.0, "+1 where angles are positive counterclockwise, -1 clockwise"),
        ("OMEG", 270.0, "angle from x to z, counterclockwise, in degrees"), ("UNIT", "SI", "system of units")), printed=True),
    "RSEG": Spec("where a segment starts", (
        ("X", 0.0, "x of its mass centre"), ("Z", 0.0, "z of its mass centre"), ("TH", 0.0, "angle of its x axis"),
        ("XDOT", 0.0, "velocity along x"), ("ZDOT", 0.0, "velocity along z"), ("THDOT", 0.0, "angular velocity"),
        ("COORD", "INERTL", "system that all these count in: INERTL, or a segment"),
        ("UNIT", None, "system of units; that of its SEG if left out")), printed=True),
    "CONN": Spec("a connector", (
        ("FROM", "INERTL", "segment that carries, or INERTL"), ("TO", None, "segment that is carried"),
        ("TYPE", "PIN", "one of the fifteen below, by number or name"), ("XF", 0.0, "x of the point in FROM"), ("ZF", 0.0, "z of it"),
        ("XT", 0.0, "x of the point in TO"), ("ZT", 0.0, "z of it"), ("UNIT", "SI", "system of units"),
        ("END", "TO", "of one rotation: FROM or TO, the end at which it turns"), ("LENG", 0.0, "length of its line at the start"),
        ("DIR", 0.0, "angle from FROM's x to its line at the start, counterclockwise"),
        ("SHAP", None, "of ROLL: ellipse of TO, or line of TO on a line"), ("ON", None, "of ROLL: line or ellipse of FROM"),
        ("HOLD", 0.0, "of ROLL: tangential force up to which it does not slide; left out, it never slides"),
        ("SLID", 0.0, "of ROLL: tangential force while it slides"), ("RS", 0.0, "of SHOULDER: radius within which TO's point is free"),
        ("STIF", 0.0, "of SHOULDER: force by way beyond RS"), ("DAMP", 0.0, "of SHOULDER: force by rate there"))),
    "JFOR": Spec("resistance of a connector: its name, and behind a blank FROM, TO or LENG where it has several freedoms", (
        ("STIF", 0.0, "torque by angle, of LENG force by length"),
        ("REST", 0.0, "where it is at rest: angle from FROM's x to TO's x, or to the line (FROM), or from the line to TO's x (TO), "
         "counterclockwise; length (LENG). Of connectors with a line it is that at the start if left out"),
        ("STOP", 0.0, "angle of the stop, to both sides"), ("QUAD", 0.0, "torque by the square of the angle beyond the stop"),
        ("CUBI", 0.0, "torque by the cube of it; of LENG force by the cube of its change"), ("VISC", 0.0, "torque or force by rate"),
        ("FRIC", 0.0, "dry friction"), ("RATE", 30.0, "rate of full friction; of LENG 0.05 m/s if left out"),
        ("UNIT", "SI", "system of units"), ("TAB", None, "table of torque by angle, or force by length, instead of STIF"))),
    "LOCK": Spec("loads at which a connector that can be locked opens; its name is that of the connector", (
        ("PIN", 0.0, "torque of a pin; 0: it is not locked"), ("FROM", 0.0, "torque at FROM"), ("LENG", 0.0, "force along its line"),
        ("TO", 0.0, "torque at TO"), ("UNIT", "SI", "system of units"))),
    "BRK": Spec("loads at which a connector that can break does; its name is that of the connector", (
        ("FORC", 0.0, "size of the force; of ROLL the pull along the normal, of lines the force across; 0: none"),
        ("FX", 0.0, "component along FROM's x; of a connector with a line across it"),
        ("FZ", 0.0, "component along FROM's z; of a connector with a line along it"), ("TORQ", 0.0, "torque"),
        ("RAMP", 0.0, "separation over which what it bears falls to nothing"),
        ("HEAL", 0.0, "separation within which it closes again, with limits as low as it bore last"), ("UNIT", "SI", "system of units"))),
    "MUSC": Spec("a muscle on a freedom of a connector: F' + (k/c) F = -k d', k = A1 + A2 M, c = A3 M", (
        ("CONN", None, "connector"), ("AT", "PIN", "PIN, FROM, TO or LENG"), ("A1", 0.0, "torque by angle, or force by length, at rest"),
        ("A2", 0.0, "the same by activation"), ("A3", None, "torque or force by rate and activation"),
        ("ACT", 1.0, "activation M"), ("TAB", None, "table of the activation instead"), ("UNIT", "SI", "system of units"))),
    "MOVE": Spec("a forced variable: one component of a point of a segment", (
        ("SEG", None, "segment"), ("X", 0.0, "x of the point"), ("Z", 0.0, "z of it"), ("COMP", "X", "X, Z, or TH for the segment's angle"),
        ("KIND", "POS", "POS: position, VEL: velocity, ACC: acceleration"), ("TAB", None, "table over time"),
        ("VAL", 0.0, "constant value instead"), ("S0", 0.0, "of VEL and ACC: position at the start; as it stands if left out"),
        ("V0", 0.0, "of ACC: velocity at the start"), ("COORD", "INERTL", "system that it counts in: INERTL, or a segment"),
        ("UNIT", "SI", "system of units"))),
    "TABL": Spec("a table: arguments and values in turn, of what the card that names it needs", (
        ("UNIT", "SI", "system of units"),), pairs=True),
    "APPL": Spec("a force at a point", (
        ("SEG", None, "segment"), ("X", 0.0, "x of the point"), ("Z", 0.0, "z of it"),
        ("ANG", 0.0, "direction from x, counterclockwise"), ("AXES", "INERTL", "INERTL, OWN: it turns with the segment, or a segment with which it turns"),
        ("FORC", 0.0, "constant force"), ("TAB", None, "table of the force instead"), ("UNIT", "SI", "system of units"))),
    "ELL": Spec("an ellipse", (
        ("SEG", None, "segment"), ("X", 0.0, "x of its centre"), ("Z", 0.0, "z of it"), ("A", None, "semi-axis along its x"),
        ("B", None, "semi-axis along its z"), ("ANG", 0.0, "angle of its x axis"), ("WIDE", None, "semi-axis across; the mean of both if left out"),
        ("UNIT", "SI", "system of units"))),
    "LINE": Spec("a line that pushes to the left of the way from its first to its second end", (
        ("SEG", "INERTL", "segment, or INERTL"), ("X1", 0.0, "x of the first end"), ("Z1", 0.0, "z of it"),
        ("X2", 0.0, "x of the second end"), ("Z2", 0.0, "z of it"), ("WIDE", 1.0, "width across"), ("UNIT", "SI", "system of units"))),
    "CONT": Spec("an ellipse on a line", (
        ("ELL", None, "ellipse"), ("LINE", None, "line"), ("STIF", None, "force by depth"), ("DAMP", 0.0, "force by rate"),
        ("FRIC", 0.0, "coefficient of friction"), ("UNIT", "SI", "system of units"))),
    "RUN": Spec("the run; its name is the title", (
        ("TEND", 0.1, "end"), ("DT", 0.001, "time between outputs"), ("GRAV", 9.80665, "gravity, downwards, m/s2"), ("UNIT", "SI", "system of units of the times"))),
}  # fmt: skip
ALIASES = {
    "FLAM": "ELAM", "0MEG": "OMEG", "OMGE": "OMEG", "0GME": "OMEG", "ZD0T": "ZDOT", "NNIT": "UNIT", "INTERL": "INERTL",
}  # fmt: skip
"""How the report's print spells them too."""
TYPES = {
    "PIN": "pin", "EXT0": "line of changing length, no rotation", "EXT2": "the same with two rotations", "EXT1": "the same with one rotation",
    "RIGID": "rigid, no rotation", "RIGID1": "rigid line, one rotation", "RIGID2": "rigid line, two rotations",
    "LOCKPIN": "pin that can be locked", "BREAKPIN": "pin that can be locked and break",
    "BREAKEXT2": "line of changing length, two rotations, can be locked and break", "BREAKEXT1": "the same with one rotation",
    "BREAKEXT0": "the same without rotation", "ROLL": "rolling or sliding on a perimeter, or line on line; can break",
    "NECK": "neck: EXT2 with resistances of its own", "SHOULDER": "shoulder: free inside a circle",
}  # fmt: skip
"""The fifteen connectors of the report's Table 2, in its order; their names are ours."""
GROUND = "INERTL"
LARGEST = 10**6
_END = re.compile(r"\.(?=\s+(?!\s*,)|$)")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[EDed][+-]?\d+)?")


@dataclass
class Card:
    """A card: its kind, its name, its values with defaults, and where it stands."""

    kind: str
    name: str
    line: int
    last: int
    values: dict[str, Value] = field(default_factory=dict)
    pairs: list[float] = field(default_factory=list)
    given: set[str] = field(default_factory=set)
    """Fields that are not left to their defaults."""

    def number(self, name: str) -> float:
        """A number."""
        value = self.values[name]
        return float(value) if isinstance(value, float) else 0.0

    def text(self, name: str) -> str:
        """A name."""
        return str(self.values[name] or "")


_PUNCHED = re.compile(r"[-+.\dEeDd ]{72} *\d{1,8} *")
"""A card of numbers whose identification stands in columns 73 to 80, as the report tells of the older input."""


def cards_of(text: str) -> tuple[list[Card], list[Problem], list[tuple[int, str]]]:
    """Cut a text into cards; give problems and comments too."""
    comments = list[tuple[int, str]]()
    lines = list[str]()
    for n, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if line.lstrip().startswith(("#", "*")):
            comments.append((n, line.lstrip()[1:].strip()))
            line = ""
        lines.append(line)
    whole = "\n".join(lines)
    found, problems, at = list[Card](), list[Problem](), 0
    punched = next((n for n, line in enumerate(lines, 1) if _PUNCHED.fullmatch(line)), None)
    if punched is not None:
        sentence = Sentence("numbers alone, and one in columns 73 to 80: it is a fixed-column card of the MVMA model, whose columns are in none of our sources. Write cards such as SEG, RSEG and CONN.")  # fmt: skip
        return [], [_wrong(punched, sentence)], comments
    while whole[at:].strip():
        first = at + len(whole[at:]) - len(whole[at:].lstrip())
        line = whole.count("\n", 0, first) + 1
        end = _END.search(whole, first)
        if end is None:
            problems.append(
                _wrong(
                    line,
                    Sentence(
                        "the card '{text}' does not end with a period.",
                        text=whole[first:].split("\n")[0][:30],
                    ),
                )
            )
            break
        at = end.end()
        card = _card(
            whole[first : end.start()], line, line + whole.count("\n", first, end.start()), problems
        )
        if card is not None:
            found.append(card)
        if len(problems) >= 50:
            break
    return found, problems, comments


def _wrong(line: int, sentence: Sentence, kind: str = "") -> Problem:
    return error(
        "variseg-card",
        f"line {line}",
        Sentence("Card {card}: {what}", card=kind or "?", what=sentence),
    )


def _card(text: str, line: int, last: int, problems: list[Problem]) -> Card | None:
    head, *fields = text.split(",")
    kind, _, name = head.strip().partition(" ")
    kind = kind.upper()
    spec = SPECS.get(kind)
    if spec is None:
        problems.append(
            _wrong(line, Sentence("it is none of {known}.", known=", ".join(SPECS)), kind[:20])
        )
        return None
    card = Card(
        kind, name.strip(), line, last, {field: default for field, default, _ in spec.fields}
    )
    if not card.name:
        problems.append(_wrong(line, Sentence("a name must follow the card's designator."), kind))
    order = [one for one, _, _ in spec.fields]
    at = 0
    for one in fields:
        tokens = one.replace("(", " ").replace(")", " ").split()
        first = ALIASES.get(tokens[0].upper(), tokens[0].upper()) if tokens else ""
        if first in order and (len(tokens) > 1 or _NUMBER.fullmatch(tokens[0]) is None):
            at, tokens = order.index(first), tokens[1:]
        elif spec.pairs and tokens:
            value = _value(" ".join(tokens), 0.0, card, "pair", problems)
            card.pairs.append(value if isinstance(value, float) else 0.0)
            continue
        if at >= len(order):
            problems.append(
                _wrong(
                    line,
                    Sentence("'{text}' stands behind its last field.", text=one.strip()[:30]),
                    kind,
                )
            )
            break
        if tokens:
            name = order[at]
            card.values[name] = _value(" ".join(tokens), spec.fields[at][1], card, name, problems)
            card.given.add(name)
        at += 1
    return card


NAMES = {
    "UNIT", "COORD", "FROM", "TO", "TYPE", "SEG", "AXES", "TAB", "ELL", "LINE", "END", "SHAP", "ON", "CONN", "AT", "COMP", "KIND",
}  # fmt: skip
"""Fields that hold a name."""
NUMBERS = {("LOCK", "FROM"), ("LOCK", "TO")}
"""Fields of these names that hold a number all the same."""


def _value(text: str, default: Value, card: Card, name: str, problems: list[Problem]) -> Value:
    if name in NAMES and (card.kind, name) not in NUMBERS:
        return ALIASES.get(text.upper(), text)
    if _NUMBER.fullmatch(text):
        value = float(text.upper().replace("D", "E"))
        if abs(value) <= 1e15:
            return value
    problems.append(
        _wrong(
            card.line,
            Sentence(
                "field {field}: '{text}' stands where a number is expected.",
                field=name,
                text=text[:30],
            ),
            card.kind,
        )
    )
    return default
