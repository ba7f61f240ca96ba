"""What a unit is, and the units that have names.

Factors are exact by definition (international yard and pound agreement of 1959, BIPM SI brochure,
9th edition, table 8; standard gravity 9.80665 m/s2 of the 3rd CGPM, 1901).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from solver.base.words import Refusal, Sentence, msgid

Dimension = tuple[float, float, float, float, float]
"""Exponents of m, kg, s, K and rad. The radian counts, so that N*m/rad is not taken for N*m."""

PLAIN: Dimension = (0.0, 0.0, 0.0, 0.0, 0.0)
ANGLE: Dimension = (0.0, 0.0, 0.0, 0.0, 1.0)

STANDARD_GRAVITY = 9.80665


class UnitError(Refusal, ValueError):
    """Say in one sentence what is wrong with a unit or with an expression."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: SI value = factor times value, plus offset."""

    factor: float
    dimension: Dimension = PLAIN
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in SI with its dimension."""

    value: float
    dimension: Dimension = PLAIN

    def times(self, other: Quantity) -> Quantity:
        """Multiply."""
        return Quantity(self.value * other.value, _sum(self.dimension, other.dimension, 1.0))

    def over(self, other: Quantity) -> Quantity:
        """Divide."""
        if other.value == 0.0:
            raise UnitError("The expression divides by zero.")
        return Quantity(self.value / other.value, _sum(self.dimension, other.dimension, -1.0))

    def plus(self, other: Quantity, sign: float = 1.0) -> Quantity:
        """Add, or subtract with sign -1."""
        if self.dimension != other.dimension:
            raise UnitError(
                "The expression adds {dimension_name} and {dimension_name_2}.",
                dimension_name=dimension_name(self.dimension),
                dimension_name_2=dimension_name(other.dimension),
            )
        return Quantity(self.value + sign * other.value, self.dimension)

    def to_the(self, exponent: float) -> Quantity:
        """Raise to a power."""
        if abs(exponent) > 20.0:
            raise UnitError("The power {exponent:g} is beyond 20.", exponent=exponent)
        m, kg, s, K, rad = (exponent * n for n in self.dimension)
        try:
            value = self.value**exponent
        except (ZeroDivisionError, OverflowError):
            raise UnitError(
                "{value:g} cannot be raised to {exponent:g}.", value=self.value, exponent=exponent
            ) from None
        if isinstance(value, complex):
            raise UnitError(
                "{value:g} cannot be raised to {exponent:g}.", value=self.value, exponent=exponent
            )
        return Quantity(value, (m, kg, s, K, rad))


def _sum(a: Dimension, b: Dimension, sign: float) -> Dimension:
    m, kg, s, K, rad = (x + sign * y for x, y in zip(a, b, strict=True))
    return (m, kg, s, K, rad)


_LENGTH, _MASS, _TIME = (1.0, 0.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0, 0.0), (0, 0, 1.0, 0, 0)
_TEMPERATURE, _RATE = (0.0, 0.0, 0.0, 1.0, 0.0), (0.0, 0.0, -1.0, 0.0, 0.0)
_FORCE, _PRESSURE, _ENERGY = (1.0, 1.0, -2.0, 0, 0), (-1.0, 1.0, -2.0, 0, 0), (2.0, 1.0, -2.0, 0, 0)
_POWER, _VOLUME, _SPEED = (2.0, 1.0, -3.0, 0, 0), (3.0, 0, 0, 0, 0), (1.0, 0, -1.0, 0, 0)
_ACCELERATION, _TURNING = (1.0, 0, -2.0, 0, 0), (0, 0, -1.0, 0, 1.0)

_INCH, _POUND = 0.0254, 0.45359237
_POUND_FORCE = _POUND * STANDARD_GRAVITY

_NAMED: dict[Dimension, dict[str, float]] = {
    PLAIN: {"%": 0.01},
    _LENGTH: {
        "m": 1.0, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "km": 1e3, "um": 1e-6, "in": _INCH,
        "mil": 1e-3 * _INCH, "ft": 12.0 * _INCH, "yd": 36.0 * _INCH, "mi": 63360.0 * _INCH,
    },
    _MASS: {
        "kg": 1.0, "gram": 1e-3, "t": 1e3, "lb": _POUND, "lbm": _POUND, "oz": _POUND / 16.0,
        "slug": _POUND_FORCE / (12.0 * _INCH),
    },
    _TIME: {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0, "h": 3600.0},
    _RATE: {"Hz": 1.0, "kHz": 1e3},
    _TEMPERATURE: {"K": 1.0},
    ANGLE: {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180.0, "rev": 2.0 * math.pi},
    _TURNING: {"rpm": 2.0 * math.pi / 60.0},
    _FORCE: {
        "N": 1.0, "mN": 1e-3, "daN": 10.0, "kN": 1e3, "MN": 1e6, "lbf": _POUND_FORCE,
        "kip": 1e3 * _POUND_FORCE, "kgf": STANDARD_GRAVITY,
    },
    _PRESSURE: {
        "Pa": 1.0, "hPa": 1e2, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "mbar": 1e2, "bar": 1e5,
        "atm": 101325.0, "psi": _POUND_FORCE / _INCH**2,
    },
    _ENERGY: {"J": 1.0, "mJ": 1e-3, "kJ": 1e3, "MJ": 1e6, "Nm": 1.0, "kNm": 1e3},
    _POWER: {"W": 1.0, "kW": 1e3, "MW": 1e6, "hp": 550.0 * 12.0 * _INCH * _POUND_FORCE},
    _VOLUME: {"l": 1e-3, "L": 1e-3, "ml": 1e-6},
    _SPEED: {"mph": 63360.0 * _INCH / 3600.0, "kph": 1.0 / 3.6, "fps": 12.0 * _INCH},
    _ACCELERATION: {"g": STANDARD_GRAVITY, "G": STANDARD_GRAVITY},
}  # fmt: skip

_ALSO = {"µm": "um", "μm": "um", "µs": "us", "μs": "us", "°": "deg", "'": "ft", '"': "in"}
_ALSO |= {"°C": "degC", "°F": "degF", "′": "ft", "″": "in"}


def _units() -> dict[str, Unit]:
    out = {
        name: Unit(factor, dimension)
        for dimension, names in _NAMED.items()
        for name, factor in names.items()
    }
    out["degC"] = Unit(1.0, _TEMPERATURE, 273.15)
    out["degF"] = Unit(5.0 / 9.0, _TEMPERATURE, 459.67 * 5.0 / 9.0)
    return out | {name: out[other] for name, other in _ALSO.items()}


UNITS: Mapping[str, Unit] = MappingProxyType(_units())
"""Units by name. `g` is standard gravity, `gram` the mass; `lb` is a mass, `lbf` a force."""

_KNOWN: dict[Dimension, str] = {
    PLAIN: msgid("a plain number"), _LENGTH: msgid("a length"), _MASS: msgid("a mass"), _TIME: msgid("a time"),
    _RATE: msgid("a frequency"), _TEMPERATURE: msgid("a temperature"), ANGLE: msgid("an angle"),
    _TURNING: msgid("an angular velocity"), (0, 0, -2.0, 0, 1.0): msgid("an angular acceleration"),
    _FORCE: msgid("a force"), _PRESSURE: msgid("a pressure"), _ENERGY: msgid("a moment or energy"),
    _POWER: msgid("a power"), (2.0, 0, 0, 0, 0): msgid("an area"), _VOLUME: msgid("a volume"), _SPEED: msgid("a speed"),
    _ACCELERATION: msgid("an acceleration"), (0, 1.0, -2.0, 0, 0): msgid("a stiffness"),
    (2.0, 1.0, 0, 0, 0): msgid("an inertia"),
}  # fmt: skip


def dimension_name(dimension: Dimension) -> Sentence | str:
    """Name a dimension in words."""
    if dimension in _KNOWN:
        return Sentence(_KNOWN[dimension])
    parts = zip(("m", "kg", "s", "K", "rad"), dimension, strict=True)
    return " ".join(f"{name}^{power:g}" for name, power in parts if power)


# Read what a user types into a field: `3*25.4 mm`, `56 km/h`, `5 ft 10 in`, `sqrt(2)/2 m`.
#
# A small grammar read by hand; nothing is ever executed. A unit written behind numbers belongs to all of them (`1/2 in`
# is half an inch); behind a number that follows another unit it belongs to that number alone (`10 kN / 2 mm` is 5
# kN/mm).

LONGEST, DEEPEST = 200, 20

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>°[CF]?|[A-Za-zµμ]+|%|['\"′″])"
    r"|(?P<sign>\*\*|[-+*/^()·×−]))"
)
_SAME = {"**": "^", "·": "*", "×": "*", "−": "-"}
_POWERS = ("2", "3", "4")
_SUPERSCRIPTS = str.maketrans({"²": "^2", "³": "^3"})

_OF_ANGLES: dict[str, Callable[[float], float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan,
}  # fmt: skip
_TO_ANGLES: dict[str, Callable[[float], float]] = {
    "asin": math.asin, "acos": math.acos, "atan": math.atan,
}  # fmt: skip
_FUNCTIONS = {"sqrt", "abs", *_OF_ANGLES, *_TO_ANGLES}


def parse(text: str, si_unit: str, shown_unit: str = "") -> float:
    """The SI value of an expression for a field in `si_unit`.

    Numbers without any unit are in `shown_unit`, or in SI where that is empty.
    """
    wanted, shown = unit(si_unit), unit(shown_unit or si_unit)
    if wanted.dimension != shown.dimension:
        raise UnitError(
            "'{shown_unit}' is no unit for a field in {si_unit}.",
            shown_unit=shown_unit,
            si_unit=si_unit,
        )
    found = _temperature(text) or evaluate(text)
    if found.dimension == PLAIN and wanted.dimension != PLAIN:
        return found.value * shown.factor + shown.offset
    if found.dimension != wanted.dimension:
        hint = " A pound-force is written lbf." if re.search(r"\blb\b", text) else ""
        raise UnitError(
            "'{text}' is {dimension_name}; {dimension_name_2} is needed.{hint}",
            text=text.strip(),
            dimension_name=dimension_name(found.dimension),
            dimension_name_2=dimension_name(wanted.dimension),
            hint=hint,
        )
    if wanted.dimension == PLAIN and shown_unit and re.fullmatch(r"[\d.\seE+*/()^-]*", text):
        return found.value * shown.factor
    return found.value


def evaluate(text: str) -> Quantity:
    """The value of an expression in SI, with its dimension."""
    reader = _Reader(text)
    value = reader.sum()
    reader.end()
    if not math.isfinite(value.value):
        raise UnitError("'{text}' is no finite number.", text=text.strip())
    return value


@lru_cache(maxsize=512)
def unit(text: str) -> Unit:
    """Give a unit that is written as a product of names and powers, as N*m/rad or m/s2."""
    if text in ("", "1"):
        return Unit(1.0)
    if text in UNITS:
        return UNITS[text]
    if not re.fullmatch(r"[A-Za-zµμ°%*/()·^²³\d.+-]+", text):
        raise UnitError("'{text}' is no unit.", text=text[:40])
    found = evaluate(text)
    return Unit(found.value, found.dimension)


def _temperature(text: str) -> Quantity | None:
    """Read a number of degrees Celsius or Fahrenheit; these cannot stand in sums."""
    number, mark, _ = text.replace("°", "deg").partition("deg")
    name = text.replace("°", "deg").strip()[-4:]
    if not mark or name not in ("degC", "degF"):
        return None
    plain, scale = evaluate(number), UNITS[name]
    if plain.dimension != PLAIN:
        raise UnitError("'{text}' has a unit before {name}.", text=text.strip(), name=name)
    return Quantity(plain.value * scale.factor + scale.offset, scale.dimension)


class _Reader:
    """Read an expression from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        if len(text) > LONGEST:
            raise UnitError("The expression is longer than {longest} characters.", longest=LONGEST)
        self._tokens = list(self._cut(text.translate(_SUPERSCRIPTS)))
        self._at, self._depth = 0, 0

    def _cut(self, text: str) -> list[tuple[str, str, bool]]:
        """Give kind and text of each token, and whether it stands close to the one before."""
        out, at, text = [], 0, text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise UnitError(
                    "'{text}' cannot stand in an expression such as '3*25.4 mm'.",
                    text=text[at:].strip()[:1],
                )
            kind = str(match.lastgroup)
            word, close = match[kind], match.start(kind) == at
            out.append((kind, _SAME.get(word, word), close))
            at = match.end()
        return out

    def _next(self) -> tuple[str, str]:
        return self._tokens[self._at][:2] if self._at < len(self._tokens) else ("end", "")

    def _take(self, *signs: str) -> str:
        kind, word = self._next()
        if kind == "sign" and word in signs:
            self._at += 1
            return word
        return ""

    def end(self) -> None:
        """See that nothing is left."""
        kind, word = self._next()
        if kind != "end":
            raise UnitError(
                "'{text}' cannot be read at '{word}'.", text=self._text.strip(), word=word
            )

    def sum(self) -> Quantity:
        """Read terms with plus and minus between them."""
        value = self._term()
        while sign := self._take("+", "-"):
            value = value.plus(self._term(), 1.0 if sign == "+" else -1.0)
        return value

    def _term(self) -> Quantity:
        sign = 1.0
        while mark := self._take("+", "-"):
            sign = -sign if mark == "-" else sign
        value = self._product()
        return Quantity(sign * value.value, value.dimension)

    def _product(self) -> Quantity:
        value = self._power()
        while True:
            kind, word = self._next()
            if mark := self._take("*", "/"):
                right = self._power()
                if value.dimension != PLAIN:
                    right = self._with_units(right)
                value = value.times(right) if mark == "*" else value.over(right)
            elif kind == "name" and word not in _FUNCTIONS:
                value = value.times(self._power())
            elif kind == "number" and value.dimension != PLAIN:
                # feet and inches
                value = value.plus(self._with_units(self._power()))
            else:
                return value

    def _with_units(self, value: Quantity) -> Quantity:
        while self._next()[0] == "name":
            value = value.times(self._power())
        return value

    def _power(self) -> Quantity:
        value = self._atom()
        if self._take("^"):
            sign = -1.0 if self._take("-") else 1.0
            exponent = self._atom()
            if exponent.dimension != PLAIN:
                raise UnitError("An exponent has no unit.")
            value = value.to_the(sign * exponent.value)
        return value

    def _atom(self) -> Quantity:
        kind, word = self._next()
        self._at += 1
        if kind == "number":
            if not math.isfinite(float(word)):
                raise UnitError("'{word}' is too large a number.", word=word)
            return Quantity(float(word))
        if kind == "name":
            return self._named(word)
        if word == "(":
            return self._inside()
        if kind == "end":
            raise UnitError("'{text}' ends too soon.", text=self._text.strip())
        raise UnitError("'{text}' cannot be read at '{word}'.", text=self._text.strip(), word=word)

    def _inside(self) -> Quantity:
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnitError(
                "The expression has more than {deepest} brackets in each other.", deepest=DEEPEST
            )
        value = self.sum()
        if not self._take(")"):
            raise UnitError("A bracket of '{text}' is not closed.", text=self._text.strip())
        self._depth -= 1
        return value

    def _named(self, word: str) -> Quantity:
        if word == "pi":
            return Quantity(math.pi)
        if word in _FUNCTIONS:
            return self._function(word)
        if word not in UNITS:
            raise UnitError("'{word}' is no unit that is known here.", word=word)
        found = UNITS[word]
        if found.offset:
            raise UnitError(
                "'{word}' can only stand behind one number; use K or a plain number.", word=word
            )
        value = Quantity(found.factor, found.dimension)
        kind, power = self._next()
        if kind == "number" and self._tokens[self._at][2] and power in _POWERS and word.isalpha():
            # m2 is a square metre; with a blank between, the number is a new one
            self._at += 1
            value = value.to_the(float(power))
        return value

    def _function(self, word: str) -> Quantity:
        if not self._take("("):
            raise UnitError("'{word}' needs brackets: {word}(…).", word=word)
        inner = self._inside()
        if word == "sqrt":
            return inner.to_the(0.5)
        if word == "abs":
            return Quantity(abs(inner.value), inner.dimension)
        if inner.dimension != PLAIN and not (word in _OF_ANGLES and inner.dimension == ANGLE):
            raise UnitError(
                "'{word}' cannot take {dimension_name}.",
                word=word,
                dimension_name=dimension_name(inner.dimension),
            )
        if not math.isfinite(inner.value):
            raise UnitError("'{word}' takes a finite number.", word=word)
        if word in _OF_ANGLES:
            return Quantity(_OF_ANGLES[word](inner.value))
        if abs(inner.value) > 1.0 and word != "atan":
            raise UnitError("'{word}' takes numbers from -1 to 1.", word=word)
        return Quantity(_TO_ANGLES[word](inner.value), ANGLE)
