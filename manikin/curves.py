"""A curve: one quantity over time, which counts as an array and knows its unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from manikin.arithmetic import Arithmetic
from manikin.measures import Measured
from manikin.notebook import drawn, heading
from solver.base.extras import needed
from solver.base.units import UnitError, convert, display_unit, pretty, product, raised, unit
from solver.engine.signals import SignalError
from solver.results import Channel, ResultsError
from solver.results.selection import SAME_TIME, in_units
from solver.results.trajectory import Array

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from manikin.schema.numbers import Array as AnyArray

Operand = Any
"""A curve, a number, or an array of as many numbers."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Curve(Arithmetic, Measured):
    """One quantity over time: `time` (s), `value`, `unit`, `name`.

    It counts as an array of its values: NumPy's functions, arithmetic, comparisons, slices, `len`.

    >>> run = mk.run(mk.sample("double_pendulum"), until=0.2)
    >>> curve = run["segments/lower/velocity/resultant"]
    >>> curve.unit, len(curve) == len(curve.time)
    ('m/s', True)

    Units are kept: those of products, quotients and powers follow; a number added is in the curve's unit. What does not fit is refused.

    >>> momentum = 1.5 * curve
    >>> (momentum**2).unit, (curve / momentum.peak[1]).unit, (curve[1:] / curve[1:]).unit
    ('m2/s2', 'm/s', '1')
    >>> curve + run["segments/lower/position/x"]
    Traceback (most recent call last):
    manikin.UnitError: 'segments/lower/velocity/resultant' is in m/s and 'segments/lower/position/x' in m: they cannot be taken together by 'add'.
    """

    @property
    def peak(self) -> tuple[float, float]:
        """Give time (s) and value where it is largest, whatever its sign."""
        at = int(np.nanargmax(np.abs(self.value)))
        return float(self.time[at]), float(self.value[at])

    @overload
    def at(self, time_s: float) -> float: ...
    @overload
    def at(self, time_s: AnyArray) -> Array: ...
    def at(self, time_s: float | AnyArray) -> float | Array:
        """Give its value at a time or at several, straight between two samples; not a number outside."""
        found = np.interp(time_s, self.time, self.value, left=np.nan, right=np.nan)
        return found if isinstance(time_s, np.ndarray) else float(found)

    def on(self, time_s: AnyArray | Curve) -> Curve:
        """Give it at other times (s), or at those of another curve, straight between its samples."""
        time = time_s.time if isinstance(time_s, Curve) else np.asarray(time_s, float)
        return replace(self, time=time, value=self.at(time), components=())

    def in_units(self, system: str) -> Curve:
        """Give it in the units of a display system: si, metric, inch_pound, or a list of units as `mm,t,s`."""
        return curve_of(in_units(self, system))

    def filtered(self, cfc: int | None = None) -> Curve:
        """Give it filtered to a class of SAE J211: 60, 180, 600, 1000; without one, to its own.

        Of a resultant the components are filtered, as the standard asks, and their resultant is given.
        Raises SignalError where there are too few samples.
        """
        try:
            return Channel.filtered(self, cfc)
        except SignalError as failure:
            if "/" not in self.name:
                raise
            raise SignalError(
                "{failure} A quantity at the frames has more of them if you run it with dense=True.",
                failure=failure,
            ) from None

    def plot(self, *others: Curve, title: str = "", units: str = "metric") -> Figure:
        """Draw it, and others with it; those of one unit share a panel."""
        return figure_of([self, *others], title, units)

    def to_series(self) -> pd.Series[float]:
        """Give it as a pandas Series over time (s), with its name; `attrs` holds the unit.

        >>> series = mk.run(mk.sample("double_pendulum"), until=0.1)["segments/lower/velocity/x"].to_series()
        >>> series.index.name, series.attrs["units"]
        ('time', 'm/s')
        """
        with needed("frames", ResultsError):
            import pandas as pd

        index = pd.Index(self.time, name="time")
        series = pd.Series(self.value, index=index, name=self.name)
        series.attrs["units"] = self.unit
        return series

    def to_xarray(self) -> xr.DataArray:
        """Give it as an xarray DataArray over `time` (s); `attrs` holds the unit, as xarray's and pint's readers look for it."""
        with needed("xarray", ResultsError):
            import xarray as xr
        about = {"units": self.unit, "long_name": self.name}
        time = xr.Variable("time", self.time, {"units": "s"})
        return xr.DataArray(
            self.value, {"time": time}, ("time",), name=self.name or None, attrs=about
        )

    # An array of its values.

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.value, dtype=dtype, copy=copy)

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[float]:
        return iter(self.value.tolist())

    @overload
    def __getitem__(self, which: int) -> float: ...
    @overload
    def __getitem__(self, which: slice | AnyArray | NDArray[np.bool_] | list[int]) -> Curve: ...
    def __getitem__(self, which: Any) -> float | Curve:
        """One value by its number, or a curve of those of a slice, of numbers or of a mask."""
        if isinstance(which, int | np.integer):
            return float(self.value[which])
        if not isinstance(which, slice) and np.ndim(which) != 1:
            raise TypeError("A curve is cut by a slice, a mask or a list of numbers.")
        parts = tuple(part[which] for part in self.components)
        return replace(self, time=self.time[which], value=self.value[which], components=parts)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *given: Operand, **how: Any) -> Any:
        if how.get("out") is not None:
            raise TypeError("A curve never changes: leave out `out`, and take what comes back.")
        values = [one.value if isinstance(one, Curve) else one for one in given]
        if method != "__call__":
            # sums and largest values are numbers
            return getattr(ufunc, method)(*values, **how)
        curves = [one for one in given if isinstance(one, Curve)]
        for other in curves[1:]:
            curves[0]._refuse_other_times(other)
        unit_found = _unit_after(ufunc, given)
        found = ufunc(*values, **how)
        if unit_found is None or np.shape(found) != np.shape(self.value):
            return found
        first, factor = curves[0], _factor(ufunc, given)
        same = factor is not None
        return Curve(
            name=_name_after(ufunc, given),
            time=first.time,
            value=found,
            unit=unit_found,
            quantity=first.quantity if same else "",
            segment=first.segment if same else "",
            axis=first.axis if same else "",
            cfc=_one_of(one.cfc for one in curves),
            # a resultant that is turned round is none
            components=tuple(factor * part for part in first.components)
            if factor and factor > 0.0
            else (),
            filtered_to=_one_of(one.filtered_to for one in curves),
        )

    def _refuse_other_times(self, other: Curve) -> None:
        alike = len(self.time) == len(other.time) and bool(
            (abs(self.time - other.time) <= SAME_TIME).all()
        )
        if not alike:
            raise ResultsError(
                "'{name}' and '{other}' have different times: take one of them with `.on(…)` at the times of the other.",
                name=self.name,
                other=other.name,
            )

    def __repr__(self) -> str:
        if not len(self):
            return f"<Curve '{self.name}' in {self.unit}: no samples>"
        begin, end = 1e3 * float(self.time[0]), 1e3 * float(self.time[-1])
        span = f"{len(self)} samples from {begin:.6g} to {end:.6g} ms"
        if not np.isfinite(self.value).any():
            return f"<Curve '{self.name}' in {self.unit}: {span}>"
        time, value = self.peak
        return (
            f"<Curve '{self.name}' in {self.unit}: {span}, peak {value:.4g} at {1e3 * time:.4g} ms>"
        )

    def _repr_html_(self) -> str:
        said = repr(self).rpartition(f"' in {self.unit}: ")[2][:-1]
        return heading(self.name, said) + drawn(self.time, self.value, self.unit)


# What a function of NumPy does to units.

_ALIKE = frozenset([
    "add", "subtract", "maximum", "minimum", "fmax", "fmin", "hypot", "remainder", "fmod", "nextafter",
])  # fmt: skip
"""All have one unit, and so has what comes out."""
_COMPARES = frozenset([
    "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
])  # fmt: skip
_KEEPS = frozenset([
    "negative", "positive", "absolute", "fabs", "rint", "floor", "ceil", "trunc", "conjugate",
])  # fmt: skip
_PLAIN = frozenset([
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p",
    "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh",
])  # fmt: skip
"""Of numbers without a unit alone."""
_OF_ANGLE, _TO_ANGLE = frozenset(["sin", "cos", "tan"]), frozenset(["arcsin", "arccos", "arctan"])
_ASKS = frozenset([
    "isfinite", "isnan", "isinf", "sign", "signbit",
    "logical_and", "logical_or", "logical_not", "logical_xor",
])  # fmt: skip
"""What they give is no curve."""
_POWERS = {"square": 2.0, "sqrt": 0.5, "cbrt": 1.0 / 3.0, "reciprocal": -1.0}


def _unit_after(ufunc: np.ufunc, given: tuple[Operand, ...]) -> str | None:
    """Give the unit of what a function makes; none: what it makes is no curve."""
    name = ufunc.__name__
    curves = [one for one in given if isinstance(one, Curve)]
    if name in _ASKS:
        return None
    if name in _ALIKE | _COMPARES | {"arctan2"}:
        _refuse_other_units(name, curves)
        return None if name in _COMPARES else "rad" if name == "arctan2" else curves[0].unit
    if name in _KEEPS:
        return curves[0].unit
    if any(unit(one.unit).offset for one in curves):
        raise UnitError(
            "'{name}' is in {unit}, of which no products are made: take it in K.",
            name=curves[0].name,
            unit=curves[0].unit,
        )
    units = [one.unit if isinstance(one, Curve) else "1" for one in given]
    if name in ("multiply", "divide", "true_divide", "floor_divide"):
        return product(units[0], units[1], 1.0 if name == "multiply" else -1.0)
    if name in _POWERS:
        return raised(units[0], _POWERS[name])
    if name in ("power", "float_power") and len(curves) == 1 and np.ndim(given[1]) == 0:
        return raised(units[0], float(given[1]))
    wanted = _wanted(name)
    if wanted and all(one in wanted for one in units):
        return "rad" if name in _TO_ANGLE else "1"
    raise UnitError(
        "'{name}' in {unit} cannot be taken by '{function}'. np.asarray gives its numbers alone.",
        name=curves[0].name,
        unit=curves[0].unit,
        function=name,
    )


def _one_of(classes: Iterable[int]) -> int:
    """Give the filter class that all have, or none."""
    found = set(classes)
    return found.pop() if len(found) == 1 else 0


def _wanted(name: str) -> tuple[str, ...]:
    """Give the units that a function takes."""
    if name in _OF_ANGLE:
        return ("rad", "1", "")
    return ("1", "") if name in _PLAIN | _TO_ANGLE else ()


def _refuse_other_units(name: str, curves: list[Curve]) -> None:
    for other in curves[1:]:
        if other.unit != curves[0].unit:
            raise UnitError(
                "'{name}' is in {unit} and '{other}' in {other_unit}: they cannot be taken together by '{function}'.",
                name=curves[0].name,
                unit=curves[0].unit,
                other=other.name,
                other_unit=other.unit,
                function=name,
            )


def _factor(ufunc: np.ufunc, given: tuple[Operand, ...]) -> float | None:
    """By what number a curve is only multiplied: it stays the same quantity; none: it is another one."""
    name, (first, *rest) = ufunc.__name__, given
    if name in ("positive", "negative"):
        return 1.0 if name == "positive" else -1.0
    if name == "multiply" and not isinstance(first, Curve):
        first, rest = rest[0], [first]
    if name not in ("multiply", "divide") or not isinstance(first, Curve) or np.ndim(rest[0]) != 0:
        return None
    return float(rest[0]) if name == "multiply" else 1.0 / float(rest[0]) if rest[0] else None


_SIGNS: dict[str, Callable[[str, str], str]] = {
    "add": lambda a, b: f"{a} + {b}",
    "subtract": lambda a, b: f"{a} - {b}",
    "multiply": lambda a, b: f"{a} * {b}",
    "divide": lambda a, b: f"{a} / {b}",
    "power": lambda a, b: f"{a}^{b}",
}


def _name_after(ufunc: np.ufunc, given: tuple[Operand, ...]) -> str:
    """Write what was done: it stands in legends and in sentences."""
    words = [one.name if isinstance(one, Curve) else _written(one) for one in given]
    if (sign := _SIGNS.get(ufunc.__name__)) is not None:
        # a sum stays one, and no sign stands beside another
        return sign(*(f"({one})" if " " in one or one.startswith("-") else one for one in words))
    if ufunc.__name__ == "negative":
        return f"-{words[0]}"
    return f"{ufunc.__name__}({', '.join(words)})"


def _written(number: Any) -> str:
    return f"{float(number):.6g}" if np.ndim(number) == 0 else "array"


def curve_of(channel: Channel) -> Curve:
    """A channel as a curve."""
    return Curve(**{field.name: getattr(channel, field.name) for field in fields(Channel)})


def figure_of(curves: list[Curve], title: str, units: str) -> Figure:
    """Draw curves in the units of a display system, a panel for each unit."""
    from solver.report.plots import Curve as Line
    from solver.report.plots import curves_figure

    clock = display_unit("s", units)
    shown = [in_units(curve, units) for curve in curves]
    lines = [
        Line(convert(c.time, "s", clock), c.value, c.unit, c.name, "", c.quantity) for c in shown
    ]
    return curves_figure(lines, f"time [{pretty(clock)}]", title=title)
