"""Runs that are taken on in pieces: pauses, states, forces from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from manikin.control import Control, Port, input_port, output_port, ports
from manikin.exchanges import Between, Exchange, Exchanges
from manikin.model import Model, the_model
from manikin.results import Run
from manikin.running import RunFailed
from solver.model.own import OwnLaw
from solver.model.set_forces import Force, refuse_unknown, three
from solver.project.checks import Checked
from solver.project.problems import SimulationError
from solver.results.trajectory import Array
from solver.running.changed import Change, take_over
from solver.running.readouts import Readouts
from solver.running.simulation import Simulation as Whole
from solver.running.state import State, lasting
from solver.running.stepper import Stepper

if TYPE_CHECKING:
    from manikin.schema.numbers import Numbers


class Simulation:
    """Take a run on in pieces: look, push, keep a state, go back to it.

    A pause does not touch the steps: a run in pieces takes the same steps to the last bit as one in a
    whole. It pauses at the first sample at or behind the wanted time (`time`); the integrator then stands
    at the end of the step that holds it (`state.time`).

    >>> sim = mk.Simulation(mk.sample("double_pendulum"))
    >>> sim.step_to(0.1)
    >>> state = sim.state
    >>> sim.step_to(0.2)
    >>> first = sim.position("lower")
    >>> sim.set_state(state)
    >>> sim.step_to(0.2)
    >>> bool((sim.position("lower") == first).all())
    True

    A force from outside acts until it is taken away; its work stands in the energy account.

    >>> sim.force("lower", (5.0, 0.0, 0.0))
    >>> sim.step_to(0.3)
    >>> sim.force("lower", None)
    >>> bool(abs(sim.run.energy["work_of_loads"][-1]) > 0.01)
    True
    """

    def __init__(self, model: Model, run: str | None = None, laws: Sequence[OwnLaw] = ()) -> None:
        self._model = the_model(model)
        self._laws = laws
        self._whole = Whole(model.checked(), run, laws=laws)
        self._memory = self._whole.memory()
        self._course = self._whole.begin()
        self._known_readouts: Readouts | None = None
        self._exchanges = Exchanges(self._course.near)

    @property
    def model(self) -> Model:
        """The model."""
        return self._model

    @property
    def duration(self) -> float:
        """The time at which the run ends (s)."""
        return self._whole.run.duration_s

    @property
    def time(self) -> float:
        """The last instant that has been sampled (s); 0 at the start."""
        return max(self._course.sampled, 0.0)

    @property
    def is_over(self) -> bool:
        """Whether the run has come to its end."""
        return self._course.is_over

    def step_to(self, time_s: float, exactly: bool = False) -> None:
        """Go on to a time (s).

        With `exactly` a step ends at that very time, and a frame is there; a sample of that instant, which
        differs by rounding alone, is told at this time. That changes the steps, as a break of a history does. It suits forces that are set again at given times.
        Raises RunFailed where the run cannot go on, and SimulationError for a time it does not have.
        """
        self._refuse_outside(time_s)
        self._exchange_until(time_s)
        self._course.go_on([self._memory], time_s, exactly=exactly)
        self._refuse_failed()

    def _hop(self, time_s: float, record: bool) -> None:
        """Go on to exactly a time (s), here and now."""
        self._refuse_outside(time_s)
        self._exchange_until(time_s, record)
        self._course.hop([self._memory], time_s, record)
        self._refuse_failed()

    def _exchange_until(self, time_s: float, record: bool = True) -> None:
        """Go from one exchange to the next before a time, and ask functions for what acts from there on."""
        course, exchanges = self._course, self._exchanges
        exchanges.take(course.time, course.outside)
        while (due := exchanges.before(time_s)) is not None:
            course.hop([self._memory], due, record)
            self._refuse_failed()
            exchanges.take(course.time, course.outside)
        if exchanges.next is not None:
            # no step goes beyond the next one
            course.end_step_at(exchanges.next)

    def _refuse_outside(self, time_s: float) -> None:
        if not 0.0 <= time_s <= self.duration * (1.0 + 1e-12):
            raise SimulationError(
                "The run goes from 0 to {duration:g} s; {time_s:g} s is outside.",
                duration=self.duration,
                time_s=time_s,
            )

    def _refuse_failed(self) -> None:
        out = self._course.outcome
        if out.status != "completed":
            raise RunFailed(out.message, self.run)

    @property
    def at(self) -> float:
        """Where the run stands: the end of the last step (s)."""
        return self._course.time

    @property
    def inputs(self) -> Mapping[str, Port]:
        """All numbers that can be set while the run goes on, by name: `unit`, `help`, `value` at the start.

        >>> sim = mk.Simulation(mk.sample("double_pendulum"))
        >>> sim.inputs["segments/lower/force/x"].unit
        'N'
        """
        return ports([input_port(one) for one in self._course.outside.inputs().values()])

    @property
    def outputs(self) -> Mapping[str, Port]:
        """All quantities that can be read while the run goes on, by name: those that results know (docs/outputs.md)."""
        return ports([output_port(one) for one in self._readouts.infos.values()])

    @property
    def _readouts(self) -> Readouts:
        if self._known_readouts is None:
            # energies count from what is found first
            self._course.look([self._memory])
            self._course.hand_over()
            self._known_readouts = self._whole.readouts(self._course)
        return self._known_readouts

    def set(self, name: str, value: float) -> None:
        """Let an input hold a value from the end of the last step on, until it is set again.

        It is in the state, and its work in the energy account.

        >>> sim = mk.Simulation(mk.sample("double_pendulum"))
        >>> sim.set("segments/lower/force/x", 5.0)
        >>> sim.set("segments/lwer/force/x", 5.0)
        Traceback (most recent call last):
        manikin.SimulationError: There is no input 'segments/lwer/force/x'. Did you mean 'segments/lower/force/x'?
        """
        self._course.outside.ask(name, value)

    def get(self, name: str) -> float:
        """An output as it is now, by the name that results have for it; or what an input holds.

        >>> mk.Simulation(mk.sample("double_pendulum")).get("segments/lower/velocity/x")
        0.0
        """
        outside = self._course.outside
        if outside.held.has(name):
            return outside.value(name)
        full = self._readouts.find(name)
        return self._readouts.values([full], *self._course.look([self._memory]))[0]

    def control(
        self, inputs: Sequence[str] = (), outputs: Sequence[str] = (), record: bool = True
    ) -> Control:
        """Name the inputs that are set and the outputs that are read at each step of a loop.

        Without `record` nothing is kept of the way: `run` then begins again where it is next asked for.
        """
        return Control(self, inputs, outputs, record)

    def step_to_end(self) -> Run:
        """Go on to the end, and give the run."""
        self.step_to(self.duration)
        return self.run

    @property
    def state(self) -> State:
        """All that the run knows: coordinates `q`, speeds `v` at `time` (s), and every memory.

        Contacts, webbing, gas, switches, triggers, the energy account and the control of steps are in it.
        It can be pickled, and set in another simulation of the same model. Functions that give forces are
        not in it; the values they gave last are.
        """
        return self._course.state()

    def set_state(self, state: State, changed: bool = False) -> Change | None:
        """Go on from a state; what `run` holds begins again behind it.

        With `changed` it may be of a model whose numbers differ, as in `change`.
        Raises SimulationError where it is of another model, or of one with other coordinates.
        """
        if changed and not self._course.is_of(state):
            found = self._take_over(self._whole, self._of(state))
            self._exchanges.clear()
            return found
        self._course.set_state(state)
        self._exchanges.clear()
        self._memory = self._whole.memory()
        return None

    def _of(self, state: State) -> Stepper:
        """A run that stands in a state of another model."""
        for run in state.project.runs:
            other = Whole(Checked(state.project), run.id).begin()
            with suppress(SimulationError):
                other.set_state(state)
                return other
        raise SimulationError(
            "The state is of a model with laws of its own, or of another version of the program."
        )

    def change(self, model: Model) -> Change:
        """Go on with a changed model: masses, laws, places, histories; what `run` holds begins again here.

        Coordinates and speeds stay, and so does all that elements remember, where both models have the same ones. A model
        with other coordinates is refused. Gives what has come of it: energies before and behind, and notes, which stand in
        the log, too. The energy account goes on; the jump is counted as neither work nor loss.

        >>> sim = mk.Simulation(mk.sample("double_pendulum"))
        >>> sim.step_to(0.2, exactly=True)
        >>> heavier = sim.model.with_value("segments/lower/mass_kg", 2.0)
        >>> round(sim.change(heavier).energy_jump, 3)
        0.257
        >>> sim.step_to(0.3, exactly=True)
        """
        whole = Whole(model.checked(), self._whole.run.id, laws=self._laws)
        before = self._course
        if whole.project == before.project:
            return Change(before.time)
        if whole.run.duration_s < before.time:
            raise SimulationError(
                "The changed run ends at {end:g} s, and this one stands at {now:g} s already.",
                end=whole.run.duration_s,
                now=before.time,
            )
        found = self._solved_otherwise(whole) or self._take_over(whole, before)
        self._model = the_model(model)
        # functions that are asked before each step go on
        self._course.outside.pushers.update(before.outside.pushers)
        return found

    def _solved_otherwise(self, whole: Whole) -> Change | None:
        """Go on with the same model, recorded otherwise or for another time; none where it is another, or its method is."""
        before = self._course
        if lasting(whole.project) != lasting(before.project):
            return None
        course = whole.begin()
        try:
            course.set_state(before.state())
        except SimulationError:
            return None
        self._go_on_as(whole, course)
        return Change(before.time)

    def _take_over(self, whole: Whole, before: Stepper) -> Change:
        """Go on from where another run stands; nothing is another one where that is refused."""
        course = whole.begin()
        found = take_over(before, course, before.project, whole.project)
        self._go_on_as(whole, course)
        return found

    def _go_on_as(self, whole: Whole, course: Stepper) -> None:
        self._whole, self._course, self._memory = whole, course, whole.memory()
        self._known_readouts = None

    @property
    def run(self) -> Run:
        """What has been found since the start, or since the state that was set."""
        out = self._course.finished()
        found = self._memory.snapshot()
        status = out.status if self.is_over else "running"
        found.finish(status, out.message, (), out.notes)
        return Run(found, self._model)

    def position(self, segment: str) -> Array:
        """The place of a segment's mass centre at the end of the last step (m), ground axes."""
        return self._course.motion_of(segment)[1]

    def velocity(self, segment: str) -> Array:
        """The velocity of a segment's mass centre at the end of the last step (m/s), ground axes."""
        return self._course.motion_of(segment)[2]

    def turn(self, segment: str) -> Array:
        """The matrix that turns components along a segment's axes into ground ones."""
        return self._course.motion_of(segment)[0]

    def angular_velocity(self, segment: str) -> Array:
        """A segment's angular velocity (rad/s), ground axes."""
        return self._course.motion_of(segment)[3]

    def force(
        self,
        segment: str,
        force: Numbers | Callable[[Simulation], Numbers] | None,
        point: Numbers = (0.0, 0.0, 0.0),
        axes: str = "ground",
        name: str | None = None,
        every: float | None = None,
        between: Between = "held",
    ) -> None:
        """Let a force (N) act on a segment from the end of the last step on.

        It acts at a point from the mass centre (m, segment axes) and is given along `axes`: the ground's, the `segment`'s
        own, or those of any other segment, by its name. It stays until
        another one of the same `name` (the segment's, if none is given) takes its place; None takes it away.
        A function is asked for it, and gets this simulation: before each step, or with `every` at fixed times (s)
        from now on, at which steps end to the bit, as with a program that runs beside this one. The value is held until it is
        asked again; with `between="linear"` it goes on as it went from the last time to this one.
        Held, the motion errs in proportion to `every`; linear, to its square.

        >>> sim = mk.Simulation(mk.sample("double_pendulum"))
        >>> sim.force("lower", lambda now: -2.0 * now.velocity("lower"), every=0.001)
        >>> sim.step_to(0.2, exactly=True)
        >>> bool(sim.run.energy["work_of_loads"][-1] < 0.0)
        True
        """
        name = name or f"force {segment}"
        self._push(segment, force, point, axes, "force", name, every, between)

    def torque(
        self,
        segment: str,
        torque: Numbers | Callable[[Simulation], Numbers] | None,
        axes: str = "ground",
        name: str | None = None,
        every: float | None = None,
        between: Between = "held",
    ) -> None:
        """Let a torque (N*m) act on a segment, as a force does."""
        name = name or f"torque {segment}"
        self._push(segment, torque, (0.0,) * 3, axes, "torque", name, every, between)

    def _push(
        self,
        segment: str,
        value: Numbers | Callable[[Simulation], Numbers] | None,
        point: Numbers,
        axes: str,
        kind: Literal["force", "torque"],
        name: str,
        every: float | None,
        between: Between,
    ) -> None:
        at = three(point, f"The point on '{segment}'")
        if axes not in ("ground", "segment"):
            refuse_unknown(self._whole.model, axes)
        if every is not None and not (callable(value) and every > self._course.near):
            raise SimulationError(
                "Only a function is asked every so many seconds, and the time between is above zero."
            )
        if between not in ("held", "linear"):
            raise SimulationError(
                "Between two times a force is 'held' or 'linear', not '{between}'.", between=between
            )
        if between == "linear" and every is None:
            raise SimulationError(
                "A force is linear between times at which a function is asked: say `every` how many seconds."
            )
        outside = self._course.outside
        self._exchanges.drop(name, outside)
        made = Force(segment, (0.0, 0.0, 0.0), at, axes, kind)
        if value is None:
            outside.push(name, None)
        elif not callable(value):
            outside.push(name, made.of(value))
        elif every is None:
            ask = value
            outside.push(name, made, lambda: ask(self))
        else:
            ask = value
            refuse_unknown(self._whole.model, segment)
            start = self._course.time
            self._exchanges.add(Exchange(name, made, lambda: ask(self), every, start, between))
