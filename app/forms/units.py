"""Show numbers in the units that people have chosen, and read what they type; the project stays in SI."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.editing.shape import Shape
from app.elements import called, elements, kind_word
from solver.base.units import UnitError, convert, display_unit, parse, pretty, unit
from solver.base.words import tr
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.changes import words_of
from solver.project.checks.ids import QUANTITY_UNITS
from solver.project.coordinate_forces import (
    CoordinateForce,
)
from solver.project.coordinates import (
    PointMove,
    PointRange,
    Reflex,
    Sensor,
    unit_of,
)
from solver.project.fields import Part
from solver.project.functions import Function
from solver.project.motions import DriverBase, MotionComponent
from solver.project.references import Key, key_of, keys_in

SYSTEMS = ("metric", "si", "inch_pound")
"""Systems of units."""


def known(si_unit: str) -> bool:
    """Whether a unit can be turned into others: 'm|rad' and 'N/m^n' cannot."""
    if si_unit in ("", "1"):
        return False
    try:
        unit(si_unit)
    except UnitError:
        return False
    return True


class Units:
    """Turn values of the project into text and back, in one system."""

    def __init__(self, system: str = "metric") -> None:
        self.system = system

    def name(self, si_unit: str) -> str:
        """Write the unit in which a quantity is shown; nothing for a pure number."""
        if not known(si_unit):
            return unit_words(si_unit)
        return pretty(display_unit(si_unit, self.system))

    def short(self, value: float, si_unit: str, count: int = 4) -> str:
        """Write a value with some significant digits, without its unit."""
        return digits(self.shown(value, si_unit), count)

    def shortest(self, value: float, si_unit: str) -> str:
        """Write a value in the least room, as 4e-8, without its unit."""
        return re.sub(r"e([-+])0*", r"e\1", f"{self.shown(value, si_unit):.0e}").replace("e+", "e")

    def full(self, value: float, si_unit: str) -> str:
        """Write a value with all digits that matter, without its unit."""
        return f"{self.shown(value, si_unit):.15g}"

    def with_unit(self, text: str, si_unit: str) -> str:
        """Put the unit behind a number; degrees stand close to it."""
        name = self.name(si_unit)
        return f"{text}{'' if name == '°' else ' '}{name}".rstrip()

    def read(self, text: str, si_unit: str) -> float:
        """Read an expression such as `3*25.4 mm`; raises UnitError with a sentence."""
        own = unit_words(si_unit)
        if not known(si_unit) and own:
            text = text.strip().removesuffix(own)
        name = self.name(si_unit)
        if known(si_unit) and "(" in name:
            # an own unit such as (25.4·mm) is no word that could stand behind a number
            text = text.strip().removesuffix(name)
        text = text.replace("·", "*").replace("−", "-").strip()
        if not known(si_unit):
            return parse(text, "1")
        if name.startswith("1/") and text.endswith(name):
            text = text.removesuffix(name)
        return parse(text, si_unit, display_unit(si_unit, self.system))

    def shown(self, value: float, si_unit: str) -> float:
        """Turn a value of the project into the unit in which it is shown."""
        if not known(si_unit):
            return float(value)
        return float(convert(float(value), si_unit, display_unit(si_unit, self.system)))

    def shown_all(self, values: Any, si_unit: str) -> Array:
        """Turn many values at once into the unit in which they are shown."""
        found = np.asarray(values, float)
        if not known(si_unit):
            return found
        return np.asarray(convert(found, si_unit, display_unit(si_unit, self.system)))

    def from_shown(self, value: float, si_unit: str) -> float:
        """Turn a number in the unit in which it is shown into SI."""
        if not known(si_unit):
            return float(value)
        return float(convert(float(value), display_unit(si_unit, self.system), si_unit))


def unit_at(project: Project, path: str, unit_: str) -> str:
    """The unit of a field: its own, or what it lends from a function, a pulse or a coordinate."""
    if unit_ and "|" not in unit_:
        return unit_
    words = words_of(path)
    here: Any = project
    function = component = force = None
    for word in words[:-1]:
        here = _below(here, word)
        function = here if isinstance(here, Function) else function
        component = here if isinstance(here, MotionComponent | DriverBase) else component
        force = (
            here
            if isinstance(here, CoordinateForce | Sensor | Reflex | PointMove | PointRange)
            else force
        )
    if unit_:
        return unit_ if force is None else unit_of(unit_, force.coordinate.turns)
    name = next((w for w in reversed(words) if not w.isdecimal()), "")
    if function is not None:
        is_argument = name in ("x", "x_min", "x_max", "split")
        return (
            function.x_unit
            if is_argument
            else function.y_unit
            if name in ("y", "value", "amplitude", "mean")
            else ""
        )
    if component is not None:
        turns = (
            component.turns
            if isinstance(component, DriverBase)
            else component.component in ("yaw", "pitch", "roll")
        )
        quantity = component.quantity
        if name == "start_value":
            quantity = "position"
        elif name == "start_rate":
            quantity = "velocity"
        return QUANTITY_UNITS[quantity, turns] if name != "quantity" else ""
    return ""


def units_of_curve(project: Project, path: str, shape: Shape) -> tuple[str, str]:
    """The units of argument and value of the function that a field asks for; '' for any."""
    one, other = (
        unit_at(project, path, u) if "|" in u else u for u in (shape.x_unit, shape.y_unit)
    )
    return one, other


def _below(here: Any, word: str) -> Any:
    if isinstance(here, tuple):
        found = next((one for one in here if getattr(one, "id", None) == word), None)
        if found is None and word.isdecimal() and int(word) < len(here):
            found = here[int(word)]
        return found
    return getattr(here, word, None)


@dataclass(frozen=True, slots=True)
class Fact:
    """Say of an element its kind and name, and as what it is named; `link` is its path."""

    label: str
    value: str
    help: str
    link: str


def digits(value: float, count: int = 4) -> str:
    """Show a number with some significant digits; whole numbers up to a million stay whole."""
    if value == 0.0:
        return "0"
    if float(value).is_integer() and abs(value) < 1e6:
        return f"{value:.0f}"
    text = f"{value:.{count}g}"
    if "e" in text:
        head, power = text.split("e")
        return f"{head}·10{_raised(int(power))}"
    return text


def brief(value: float) -> str:
    """Show a number with three significant digits, or whole from a thousand on: without a power up to a million."""
    return digits(float(round(value)) if abs(value) >= 1000.0 else value, 3)


_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _raised(power: int) -> str:
    return str(power).translate(_SUPERSCRIPT)


def unit_words(unit: str) -> str:
    """Write a unit as people do: kg·m², N·m/rad; nothing for a pure number."""
    if unit in ("", "1"):
        return ""
    out: list[str] = []
    words = unit.replace("*", "·").replace("|", f" {tr('or')} ")
    for i, char in enumerate(words):
        follows_letter = i > 0 and words[i - 1].isalpha()
        out.append(char.translate(_SUPERSCRIPT) if char.isdigit() and follows_letter else char)
    return "".join(out)


class Uses:
    """Remember what every element refers to; elements that are the same object are not read again."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[Any, frozenset[Key]]] = {}

    def of(self, project: Project, path: str) -> list[tuple[str, Any]]:
        """List the elements that refer to an element."""
        key = key_of(path)
        found, kept = [], {}
        for other, item in elements(project):
            known = self._keys.get(id(item))
            if known is None or known[0] is not item:
                known = (item, frozenset(keys_in(item)))
            kept[id(item)] = known
            if key in known[1] and other != path:
                found.append((other, item))
        self._keys = kept
        return found


def used_by(project: Project, path: str, uses: Uses | None = None) -> list[Fact]:
    """List the elements that refer to an element, and as what."""
    target, _, wanted = path.partition("/")
    if not wanted:
        return []
    out = []
    for other, item in (uses or Uses()).of(project, path):
        roles = list(dict.fromkeys(_roles(item, target, wanted)))
        help_ = tr("Named there as: {roles}.", roles=", ".join(roles)) if roles else ""
        out.append(Fact(kind_word(other).capitalize(), called(project, item), help_, other))
    return out


def _roles(part: Part, target: str, wanted: str) -> Iterator[str]:
    """Say in which fields of a part, at any depth, an element is named."""
    for name, info in type(part).model_fields.items():
        value = getattr(part, name)
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        if extra.get("refers_to") == target:
            if wanted == value or (isinstance(value, tuple) and wanted in value):
                yield tr(info.title or name)
            continue
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Part):
                for _ in _roles(one, target, wanted):
                    yield tr(info.title or name)
