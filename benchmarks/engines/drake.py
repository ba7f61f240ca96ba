"""Drake: a continuous `MultibodyPlant` under its own simulator."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from benchmarks.bodies import Body
from benchmarks.engines import END, INSTALL, Attempts, NotHere, Trial, warm
from solver.engine.dynamics.tree import BALL, FREE, TURN, Array
from solver.engine.maths.rotation import matrix


class Engine:
    """Measure Drake; its ball joint has three angles, for there is none with a quaternion."""

    name = "Drake"
    timed = "one step of its explicit Euler method, in its own loop"

    def __init__(self, body: Body) -> None:
        try:
            from pydrake.multibody.plant import MultibodyPlant
        except ImportError as error:
            raise NotHere(f"not installed ({INSTALL})") from error
        self.body, self.plant = body, MultibodyPlant(0.0)
        self.parts = [self._add(i) for i in range(len(body.tree.parent))]
        self.plant.mutable_gravity_field().set_gravity_vector(body.g)
        self.plant.Finalize()

    def evaluation(self) -> float:
        """Time steps that need one evaluation each."""
        loop = 2000

        def measure() -> float:
            simulator = self._simulator("explicit_euler", max_step_size=1e-6)
            start = time.perf_counter()
            simulator.AdvanceTo(loop * 1e-6)
            seconds = time.perf_counter() - start
            return seconds / int(simulator.get_integrator().get_num_derivative_evaluations())

        return warm(measure)

    def motions(self) -> Attempts:
        """Run its error-controlled Runge-Kutta methods."""
        for scheme, name in (
            ("runge_kutta5", "Runge-Kutta 5(4)"),
            ("runge_kutta3", "Runge-Kutta 3(2)"),
        ):
            yield (partial(self._run, scheme, name, 10.0 ** (-0.5 * k)) for k in range(6, 21))

    def _run(self, scheme: str, name: str, accuracy: float) -> Trial:
        def measure() -> float:
            nonlocal simulator
            simulator = self._simulator(scheme, max_step_size=0.1, accuracy=accuracy)
            start = time.perf_counter()
            simulator.AdvanceTo(END)
            return time.perf_counter() - start

        simulator = None
        seconds = warm(measure)
        context, count = simulator.get_context(), simulator.get_integrator()
        ends = [self.plant.EvalBodyPoseInWorld(context, part) for part in self.parts]
        centres = zip(ends, self.body.tree.centre, strict=True)
        return Trial(
            name, f"accuracy {accuracy:.0e}", seconds,
            int(count.get_num_derivative_evaluations()),
            np.array([X.translation() + X.rotation().matrix() @ c for X, c in centres]),
        )  # fmt: skip

    def _add(self, i: int) -> object:
        from pydrake.math import RigidTransform, RotationMatrix
        from pydrake.multibody.tree import (
            BallRpyJoint,
            FixedOffsetFrame,
            RevoluteJoint,
            RotationalInertia,
            SpatialInertia,
        )

        tree, plant = self.body.tree, self.plant
        J, mass = tree.inertia[i], tree.mass[i]
        inertia = SpatialInertia.MakeFromCentralInertia(mass, tree.centre[i], RotationalInertia(*J))
        part = plant.AddRigidBody(f"b{i}", inertia)
        if tree.kind[i] == FREE:
            return part
        parent = tree.parent[i]
        onto = plant.GetBodyByName(f"b{parent}") if parent >= 0 else plant.world_body()
        X = RigidTransform(RotationMatrix(tree.R0[i].reshape(3, 3)), tree.joint_in_parent[i])
        frame = plant.AddFrame(FixedOffsetFrame(f"f{i}", onto.body_frame(), X))
        if tree.kind[i] == TURN:
            plant.AddJoint(RevoluteJoint(f"j{i}", frame, part.body_frame(), tree.axis[i]))
        else:
            assert tree.kind[i] == BALL
            plant.AddJoint(BallRpyJoint(f"j{i}", frame, part.body_frame()))
        return part

    def _simulator(self, scheme: str, **settings: float) -> object:
        """A simulator at the start of the motion."""
        from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig

        simulator = Simulator(self.plant)
        ApplySimulatorConfig(SimulatorConfig(integration_scheme=scheme, **settings), simulator)
        context = simulator.get_mutable_context()
        for i in range(len(self.parts)):
            self._place(context, i)
        simulator.Initialize()
        simulator.get_mutable_integrator().ResetStatistics()
        return simulator

    def _place(self, context: object, i: int) -> None:
        from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix
        from pydrake.multibody.math import SpatialVelocity

        tree, q, v = self.body.tree, self.body.q, self.body.v
        kind, a, b = tree.kind[i], tree.at_q[i], tree.at_v[i]
        if kind == TURN:
            joint = self.plant.GetJointByName(f"j{i}")
            joint.set_angle(context, q[a])
            joint.set_angular_rate(context, v[b])
        elif kind == BALL:
            joint, R = self.plant.GetJointByName(f"j{i}"), matrix(_unit(q[a : a + 4]))
            joint.set_angles(context, RollPitchYaw(RotationMatrix(R)).vector())
            joint.set_angular_velocity(context, R @ v[b : b + 3])
        else:
            R = tree.R0[i].reshape(3, 3) @ matrix(_unit(q[a + 3 : a + 7]))
            X = RigidTransform(RotationMatrix(R), q[a : a + 3])
            self.plant.SetFreeBodyPose(context, self.parts[i], X)
            velocity = SpatialVelocity(R @ v[b + 3 : b + 6], v[b : b + 3])
            self.plant.SetFreeBodySpatialVelocity(context, self.parts[i], velocity)


def _unit(q: Array) -> Array:
    """Drake refuses matrices that are not rotations to the last digits."""
    return q / np.linalg.norm(q)
