"""Units: what is shown and typed in them, and SI behind it.

from solver.base.units import convert, display_unit, parse, show
"""

from solver.base.units.expressions import evaluate, parse, unit
from solver.base.units.own import given_by, is_own, spelled
from solver.base.units.shown import SYSTEMS, convert, display_unit, plain, pretty, show
from solver.base.units.table import Quantity, Unit, UnitError

__all__ = [
    "SYSTEMS",
    "Quantity",
    "Unit",
    "UnitError",
    "convert",
    "display_unit",
    "evaluate",
    "given_by",
    "is_own",
    "parse",
    "plain",
    "pretty",
    "show",
    "spelled",
    "unit",
]
