"""What acts on a run from outside: forces and torques, functions that give them, and inputs.

It changes between steps alone: instants of steps that are made still see what acted on these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from solver.base.words import Sentence
from solver.engine.forces.system import System
from solver.model.compile import Model
from solver.model.set_forces import Force, refuse_unknown, with_forces
from solver.project.problems import SimulationError
from solver.running.inputs import Held, Input, push_name, push_of

Pusher = Callable[[], Iterable[float]]
"""Give a force (N) or a torque (N*m) for the step that begins."""


class Outside:
    """Hold what acts now, and what is to act on the step that begins."""

    def __init__(self, model: Model) -> None:
        self._base = model
        self.held = Held(model)
        self.system: System = model.system
        self.forces: dict[str, Force] = {}
        self.wanted: dict[str, Force] = {}
        self.asked: dict[str, float] = {}
        self.pushers: dict[str, Pusher] = {}
        self._begins_course = False
        self.touched: dict[str, None] = {}
        """Names of all that has been set."""

    @property
    def is_due(self) -> bool:
        """Whether something else is to act on the step that begins."""
        return bool(self.pushers or self.asked or self._begins_course or self.wanted != self.forces)

    def push(self, name: str, force: Force | None, pusher: Pusher | None = None) -> None:
        """Let a force act from the next step on, or no longer; a pusher gives its value for each step."""
        self.pushers.pop(name, None)
        if force is None:
            self.wanted.pop(name, None)
            return
        refuse_unknown(self._base, force.segment)
        self.wanted[name] = force
        self.touched[name] = None
        if pusher is not None:
            self.pushers[name] = pusher

    def refuse(self, name: str, value: float) -> None:
        """Raise SimulationError for a value that an input cannot hold."""
        one = self.held.find(name)
        if not -1e300 < value < 1e300:
            raise SimulationError(
                "'{name}' is set to {value}, which is no finite number.", name=name, value=value
            )
        if one.kind == "vent" and value < 0.0:
            raise SimulationError(
                "'{name}' is set to {value:g}, which is no area.", name=name, value=value
            )

    def ask(self, name: str, value: float) -> None:
        """Let an input hold a value from the next step on."""
        one, value = self.held.find(name), float(value)
        self.refuse(name, value)
        if one.kind == "push":
            where = push_name(one)
            self.wanted[where] = push_of(one, value, self.wanted.get(where))
            self.touched[where] = None
        else:
            self.touched[name] = None
            self.asked[name] = value

    def value(self, name: str) -> float:
        """What an input holds, or is to hold; what the project gives where it has not been set."""
        one = self.held.find(name)
        if one.kind == "push":
            force = self.wanted.get(push_name(one))
            return 0.0 if force is None else force.value[one.at[3]]
        found = self.asked.get(name, self.held.values.get(name))
        if found is None and one.goes_by_time:
            raise SimulationError(
                "'{name}' has not been set: it goes by time as the project has it, and holds no number.",
                name=name,
            )
        return one.value if found is None else found

    def begin_course(self, is_exact: bool) -> None:
        """Have driven coordinates go on from here to what is asked for; the step's end is known where it is exact."""
        moving = [
            one.name for one in map(self.held.find, (*self.held.all, *self.asked)) if one.moves
        ]
        if moving and not is_exact:
            raise SimulationError(
                "'{name}' goes to what it is set to by the end of a step that ends at a given time: step exactly.",
                name=moving[0],
            )
        self._begins_course = bool(moving)

    def act(self, time: float, end: float | None) -> bool:
        """Let what is wanted act on the step that begins at a time; says whether anything has changed.

        Driven coordinates are to be at what is asked for at the end (s).
        """
        for name, pusher in list(self.pushers.items()):
            given = pusher()
            # it may have taken itself away
            if self.pushers.get(name) is pusher:
                self.wanted[name] = self.wanted[name].of(given)
        changed = self._begins_course
        if self.asked:
            changed = True
            if self.held.hold(list(self.asked)):
                self.system = with_forces(self.held.model, self.forces)
            for name, value in self.asked.items():
                self.held.write(name, value, time)
            self.asked = {}
        if self._begins_course and end is not None:
            self.held.go_to(time, end)
        self._begins_course = False
        if self.wanted != self.forces:
            changed = True
            self._set_forces()
        return changed

    def _set_forces(self) -> None:
        """Let forces be those that are wanted: in place where only their sizes and directions are others."""
        old, new = list(self.forces.values()), list(self.wanted.values())
        bare = list(map(_bare, old)) == list(map(_bare, new))
        self.forces = dict(self.wanted)
        if not bare:
            self.system = with_forces(self.held.model, self.forces)
            return
        first = len(self._base.system.loads.body)
        for row, force in zip(self.system.loads.direction[first:], new, strict=True):
            row[:] = force.value

    def recall(
        self, forces: Mapping[str, Force], wanted: Mapping[str, Force],
        inputs: Sequence[tuple[str, float | None, float | None]], asked: Mapping[str, float],
    ) -> None:  # fmt: skip
        """Be as it was in a state; functions are forgotten, what they gave last is not."""
        self.pushers, self.asked, self._begins_course = {}, dict(asked), False
        self.forces, self.wanted = dict(forces), dict(wanted)
        self.touched |= dict.fromkeys((*wanted, *asked, *(name for name, _, _ in inputs)))
        self.held.recall(inputs)
        self.system = with_forces(self.held.model, self.forces)

    def notes(self) -> list[Sentence]:
        """What a run's log says of it: the project alone does not tell all that acted."""
        if not self.touched:
            return []
        return [
            Sentence(
                "note: set from outside while it ran: {names}",
                names=", ".join(self.touched),
            )
        ]

    def inputs(self) -> dict[str, Input]:
        """All inputs by name."""
        return self.held.known


def _bare(force: Force) -> tuple[object, ...]:
    """What of a force is in the arrays beside its size and direction."""
    return force.segment, force.point, force.axes, force.kind, force.grows_from
