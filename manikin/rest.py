"""The start of a model: whether it is at rest, and how it comes to rest on seat, floor and belts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, Self, TypeVar

from manikin.changing import Changing, Point, point_of

if TYPE_CHECKING:
    from solver.analysis.equilibrium import Health

OPENS_AT, FURTHEST_M = 2.0, 0.5
"""As settling has them, which takes long to load."""

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Settled(Generic[M]):
    """A settled `model`, and how it came to rest; `reason` says why it did not where it is not `balanced`.

    `health` is its start as a run feels it; what was `free` moved by `moved_m` at most, the segment `moved` that far.
    """

    model: M
    health: Health
    balanced: bool
    reason: str
    stable: bool
    free: tuple[str, ...]
    moved_m: float
    moved: str
    rounds: int
    evaluations: int
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        state = "at rest" if self.balanced else f"not at rest: {self.reason}"
        return f"<Settled: {state}; {self.health.worst_g:.3g} g at most; {self.model!r}>"


class Resting(Changing):
    """Bring a model to rest."""

    def health(self) -> Health:
        """Look at the start as it is: accelerations, depths of contacts, belts, joints beyond their stops; nothing is moved.

        >>> mk.sample("frontal").health().verdict
        'balanced'
        """
        from solver.analysis.equilibrium import health

        return health(self._project)

    def settle(
        self,
        free: Sequence[str] | None = None,
        *,
        hold: Sequence[str] = (),
        reach: Sequence[tuple[Point | str, Point | str]] = (),
        webbing: Literal["slack", "length"] = "slack",
        tension_n: float | None = None,
        lock: bool | Sequence[str] = False,
        opens_at: float | None = OPENS_AT,
        with_vehicle: bool = False,
        nearest: bool = False,
        furthest_m: float = FURTHEST_M,
        cancel: Callable[[], bool] | None = None,
    ) -> Settled[Self]:
        """Find the start at which people rest on seat, floor and belts (docs/settle.md), and say how it was found.

        What may move is `free` but not held by `hold`: bodies (by a segment), single directions of them
        (`SEGMENT.x`, `.y`, `.z`, `.roll`, `.pitch`, `.yaw`), joints; or `bodies`, `joints`, `all`; whole bodies, if nothing is said.
        `reach` are pairs of points, (segment, place) each: the first is kept at the second, the limb follows. Belts keep
        their slack, laid again over the body, or the length of their `webbing`, or get a tension. `lock` locks
        joints, all or those that are named, with what they must hold; they open at `opens_at` times that (None: never). `with_vehicle` starts what
        rests on a moving segment with its motion; with `nearest` the pose is taken that accelerates least
        where none is at rest. What nothing ties to the ground may go by `furthest_m`.

        Raises ProjectError where the model has errors, and SettleError where something prevents equilibrium.

        >>> found = mk.sample("pendulum").start_joint("pivot", [0.2]).settle(["pivot"])
        >>> found.balanced, abs(found.model.project.initial.joints[0].values[0]) < 1e-6
        (True, True)
        """
        from solver.analysis.equilibrium import Reach, settle

        found = settle(
            self._project,
            free,
            hold,
            [Reach(point_of(point), point_of(target)) for point, target in reach],
            webbing=webbing,
            tension_n=tension_n,
            lock=("all",) if lock is True else () if lock is False else tuple(lock),
            opens_at=opens_at,
            with_vehicle=with_vehicle,
            nearest=nearest,
            furthest_m=furthest_m,
            cancel=cancel,
        )
        return Settled(
            model=self._with(found.project),
            health=found.health,
            balanced=found.balanced,
            reason=found.reason,
            stable=found.stable,
            free=found.free,
            moved_m=found.moved_m,
            moved=found.moved,
            rounds=found.rounds,
            evaluations=found.evaluations,
            notes=found.notes,
        )

    def settled(
        self,
        free: Sequence[str] | None = None,
        *,
        hold: Sequence[str] = (),
        reach: Sequence[tuple[Point | str, Point | str]] = (),
        webbing: Literal["slack", "length"] = "slack",
        tension_n: float | None = None,
        lock: bool | Sequence[str] = False,
        opens_at: float | None = OPENS_AT,
        with_vehicle: bool = False,
        furthest_m: float = FURTHEST_M,
    ) -> Self:
        """Give the model at rest: `settle(...).model`, whose choices these are; raises SettleError where it does not come to rest.

        >>> model = mk.sample("frontal")
        >>> model.settled().health().verdict
        'balanced'
        """
        found = self.settle(
            free, hold=hold, reach=reach, webbing=webbing, tension_n=tension_n, lock=lock,
            opens_at=opens_at, with_vehicle=with_vehicle, furthest_m=furthest_m,
        )  # fmt: skip
        if not found.balanced:
            from solver.analysis.equilibrium import SettleError

            raise SettleError(found.reason)
        return found.model
