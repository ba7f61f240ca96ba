"""OpenSim, and in it Simbody: joints of segments, its own manager and integrators."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from benchmarks.bodies import Body
from benchmarks.engines import END, INSTALL, Attempts, NotHere, Trial, warm
from benchmarks.engines.angles import with_z_along, xyz
from solver.engine.dynamics.tree import BALL, FREE, TURN, Array
from solver.engine.maths.rotation import matrix


class Engine:
    """Measure OpenSim."""

    name = "OpenSim"
    timed = "new state and `realizeAcceleration`, called from Python"

    def __init__(self, body: Body) -> None:
        try:
            import opensim
        except ImportError as error:
            raise NotHere(f"not installed ({INSTALL})") from error
        self.body, self.osim = body, opensim
        opensim.Logger.setLevelString("Off")
        opensim.Logger.removeFileSink()
        self.model = opensim.Model()
        self.model.setGravity(self._vector(body.g))
        self.parts: list[object] = []
        self.joints: list[object] = []
        for i in range(len(body.tree.parent)):
            self._add(i)
        self.model.finalizeConnections()
        self.model.initSystem()

    def evaluation(self) -> float:
        """Time single calls; their own cost is small against the work."""
        state, loop = self._start(), 2000
        numbers = state.getY()

        def measure() -> float:
            start = time.perf_counter()
            for _ in range(loop):
                state.setY(numbers)
                self.model.realizeAcceleration(state)
            return (time.perf_counter() - start) / loop

        return warm(measure)

    def motions(self) -> Attempts:
        """Run its usual error-controlled method."""
        yield (partial(self._run, 10.0 ** (-0.5 * k)) for k in range(6, 21))

    def _run(self, accuracy: float) -> Trial:
        def measure() -> float:
            nonlocal state
            state = self._start()
            manager = self.osim.Manager(self.model)
            manager.setIntegratorMethod(self.osim.Manager.IntegratorMethod_RungeKuttaMerson)
            manager.setIntegratorAccuracy(accuracy)
            manager.setWriteToStorage(False)
            manager.initialize(state)
            start = time.perf_counter()
            state = manager.integrate(END)
            # the manager owns the state it ends with
            self.manager = manager
            return time.perf_counter() - start

        state = None
        seconds = warm(measure)
        self.model.realizePosition(state)
        ends = [
            part.findStationLocationInGround(state, self._vector(centre)).to_numpy()
            for part, centre in zip(self.parts, self.body.tree.centre, strict=True)
        ]
        # its number of evaluations is not to be had from Python
        setting = f"accuracy {accuracy:.0e}"
        return Trial("Runge-Kutta-Merson", setting, seconds, None, np.array(ends))

    def _vector(self, x: Array) -> object:
        return self.osim.Vec3(*(float(value) for value in x))

    def _add(self, i: int) -> None:
        osim, tree = self.osim, self.body.tree
        inertia = osim.Inertia(*(float(value) for value in tree.inertia[i]))
        part = osim.Body(f"b{i}", float(tree.mass[i]), self._vector(tree.centre[i]), inertia)
        parent, kind = tree.parent[i], tree.kind[i]
        onto = self.parts[parent] if parent >= 0 else self.model.getGround()
        # an axis of a pin is z in both frames
        A = with_z_along(tree.axis[i]) if kind == TURN else np.eye(3)
        R0, at = tree.R0[i].reshape(3, 3), tree.joint_in_parent[i]
        if kind == FREE:
            R0, at = np.eye(3), np.zeros(3)
        make = {TURN: osim.PinJoint, BALL: osim.BallJoint, FREE: osim.FreeJoint}[int(kind)]
        joint = make(
            f"j{i}", onto, self._vector(at), self._vector(xyz(R0 @ A)),
            part, self._vector(np.zeros(3)), self._vector(xyz(A)),
        )  # fmt: skip
        self.model.addBody(part)
        self.model.addJoint(joint)
        self.parts.append(part)
        self.joints.append(joint)

    def _start(self) -> object:
        """The state at the start of the motion."""
        tree, q, v = self.body.tree, self.body.q, self.body.v
        state = self.model.initializeState()
        for i, joint in enumerate(self.joints):
            kind, a, b = tree.kind[i], tree.at_q[i], tree.at_v[i]
            if kind == TURN:
                values, speeds = [q[a]], [v[b]]
            elif kind == BALL:
                R = matrix(q[a : a + 4])
                # speeds of a ball are the angular velocity in the parent's axes
                values, speeds = list(xyz(R)), list(R @ v[b : b + 3])
            else:
                R = tree.R0[i].reshape(3, 3) @ matrix(q[a + 3 : a + 7])
                values = [*xyz(R), *q[a : a + 3]]
                speeds = [*(R @ v[b + 3 : b + 6]), *v[b : b + 3]]
            for k, (value, speed) in enumerate(zip(values, speeds, strict=True)):
                coordinate = joint.get_coordinates(k)
                coordinate.setValue(state, float(value), False)
                coordinate.setSpeedValue(state, float(speed))
        return state
