"""Loops of a model: closed by the least movement of its start, or in every way that is found; and facts of it as a mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from manikin.changing import Changing

if TYPE_CHECKING:
    from solver.analysis.equilibrium.assembly import Closure, Moved
    from solver.analysis.mechanism import Facts

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Assembled(Generic[M]):
    """A `model` whose loops are closed, and what that took: who `moved` how far, the furthest first.

    `movement_m` is the root of the mean square of all movement, by mass; `speeds_off` is by how much start speeds missed what
    constraints ask for, before they were changed to fit; `beyond` names joints led further into a stop.
    """

    model: M
    moved: tuple[Moved, ...]
    movement_m: float
    speeds_off: float
    beyond: tuple[str, ...]
    sentences: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Assembled: {1e3 * self.movement_m:.4g} mm of movement; {self.model!r}>"


class Looped(Changing):
    """Close the loops of a model."""

    def assembled(self, hold: Sequence[str] = ()) -> Self:
        """Give the model with all loops closed by the least movement of its start (docs/mechanisms.md).

        No dimension changes. `hold` names joints that keep their coordinates and rates, and segments that stay. Raises
        AssemblyError where the loops cannot be closed, ProjectError where the model has other errors.

        >>> long = mk.sample("four_bar").with_value("constraints/closure/a/position_m", (0.24, 0.0, 0.0))
        >>> [one.code for one in long.problems], long.assembled(hold=["crank_pin"]).problems
        (['points-apart'], ())
        """
        from solver.analysis.equilibrium import closed

        return self._with(closed(self._project, hold).project)

    def closures(self, hold: Sequence[str] = ()) -> tuple[Assembled[Self], ...]:
        """List the ways to close the loops that are found from several starts, the least movement first.

        >>> found = mk.sample("four_bar").closures(hold=["crank_pin"])
        >>> len(found), found[0].movement_m < 1e-6
        (2, True)
        """
        from solver.analysis.equilibrium import closures

        return tuple(map(self._assembled, closures(self._project, hold)))

    def facts(self) -> Facts:
        """Say what the model is as a mechanism: freedoms, tree, loops, mobility, rows that say nothing new, operations (docs/mechanisms.md).

        >>> found = mk.sample("four_bar").facts()
        >>> found.mobility, found.gruebler, found.redundant, found.parents
        (1, 0, ('closure/y',), (0, 1, 0))
        """
        from solver.analysis.mechanism import facts

        return facts(self._project)

    def _assembled(self, one: Closure) -> Assembled[Self]:
        return Assembled(
            self._with(one.project), one.moved, one.movement_m, one.off, one.beyond,
            tuple(map(str, one.sentences())),
        )  # fmt: skip
