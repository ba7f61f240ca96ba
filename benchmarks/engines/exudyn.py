"""Exudyn: its kinematic tree, in which a ball joint is three turns without mass between them."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from benchmarks.bodies import Body
from benchmarks.engines import END, INSTALL, Attempts, NotHere, Trial, finer, warm
from benchmarks.engines.angles import with_z_along, xyz, xyz_rates
from solver.engine.dynamics.tree import FREE, SLIDE, TURN, Array
from solver.engine.maths.rotation import matrix


class Engine:
    """Measure Exudyn."""

    name = "Exudyn"
    timed = "one step of its explicit Euler method, in its own loop"

    def __init__(self, body: Body) -> None:
        try:
            import exudyn
        except ImportError as error:
            raise NotHere(f"not installed ({INSTALL})") from error
        self.body, self.exudyn = body, exudyn
        self.links: list[tuple[str, int, Array, Array]] = []
        self.q: list[float] = []
        self.v: list[float] = []
        self.last: list[int] = []
        """The link of each body, and the turn from its axes to the body's."""
        self.turn: list[Array] = []
        for i in range(len(body.tree.parent)):
            self._expand(i)
        self._make()

    def evaluation(self) -> float:
        """Time steps that need one evaluation each; what it takes to begin a run is taken off."""
        step, few, many = 1e-6, 200, 2200
        solver = self.exudyn.DynamicSolverType.ExplicitEuler

        def measure() -> float:
            more, less = (self._solve(solver, n, n * step) for n in (many, few))
            return (more - less) / (many - few)

        return warm(measure)

    def motions(self) -> Attempts:
        """Run its Runge-Kutta methods at fixed steps."""
        kinds = self.exudyn.DynamicSolverType
        yield (
            partial(self._run, kinds.RK44, "Runge-Kutta 4", 4, n) for n in finer(25, 2**0.25, 30)
        )
        yield (partial(self._run, kinds.RK67, "Runge-Kutta 6", 7, n) for n in finer(8, 2**0.25, 30))

    def _run(self, solver: object, name: str, stages: int, steps: int) -> Trial:
        seconds = warm(lambda: self._solve(solver, steps, END))
        ends = [self.system.GetSensorValues(sensor) for sensor in self.sensors]
        return Trial(name, f"{steps} steps", seconds, stages * steps, np.array(ends))

    def _expand(self, i: int) -> None:
        """Add the links of one body: three turns for a ball, three slides more for a free body."""
        tree, q, v = self.body.tree, self.body.q, self.body.v
        kind, a, b, parent = tree.kind[i], tree.at_q[i], tree.at_v[i], tree.parent[i]
        onto, before = (self.last[parent], self.turn[parent]) if parent >= 0 else (-1, np.eye(3))
        R0, at = before @ tree.R0[i].reshape(3, 3), before @ tree.joint_in_parent[i]
        self.turn.append(np.eye(3))
        if kind in (TURN, SLIDE):
            axis = tree.axis[i] if kind == TURN else tree.R0[i].reshape(3, 3).T @ tree.axis[i]
            A = with_z_along(axis)
            self.links.append(("RevoluteZ" if kind == TURN else "PrismaticZ", onto, R0 @ A, at))
            self.turn[i] = A.T
            self.q.append(q[a])
            self.v.append(v[b])
        else:
            if kind == FREE:
                for name in ("PrismaticX", "PrismaticY", "PrismaticZ"):
                    self.links.append((name, onto, np.eye(3), np.zeros(3)))
                    onto = len(self.links) - 1
                self.q += list(q[a : a + 3])
                self.v += list(v[b : b + 3])
                at, a, b = np.zeros(3), a + 3, b + 3
            for name in ("RevoluteX", "RevoluteY", "RevoluteZ"):
                self.links.append((name, onto, R0, at))
                onto, R0, at = len(self.links) - 1, np.eye(3), np.zeros(3)
            angles = xyz(matrix(q[a : a + 4]))
            self.q += list(angles)
            self.v += list(xyz_rates(angles, v[b : b + 3]))
        self.last.append(len(self.links) - 1)

    def _make(self) -> None:
        from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree, SensorKinematicTree

        tree, count = self.body.tree, len(self.links)
        inertia, centre, mass = np.zeros((count, 3, 3)), np.zeros((count, 3)), np.zeros(count)
        for i, (link, A) in enumerate(zip(self.last, self.turn, strict=True)):
            J = tree.inertia[i]
            full = np.array([[J[0], J[3], J[4]], [J[3], J[1], J[5]], [J[4], J[5], J[2]]])
            inertia[link], centre[link], mass[link] = (
                A @ full @ A.T,
                A @ tree.centre[i],
                tree.mass[i],
            )
        # kept, because the system goes with its container
        self.container = self.exudyn.SystemContainer()
        self.system = self.container.AddSystem()
        node = self.system.AddNode(
            NodeGenericODE2(
                referenceCoordinates=[0.0] * count, initialCoordinates=self.q,
                initialCoordinates_t=self.v, numberOfODE2Coordinates=count,
            )
        )  # fmt: skip
        kinds = [getattr(self.exudyn.JointType, name) for name, *_ in self.links]
        whole = self.system.AddObject(
            ObjectKinematicTree(
                nodeNumber=node, jointTypes=kinds, linkParents=[link[1] for link in self.links],
                jointTransformations=self.exudyn.Matrix3DList([link[2] for link in self.links]),
                jointOffsets=self.exudyn.Vector3DList([link[3] for link in self.links]),
                linkInertiasCOM=self.exudyn.Matrix3DList(list(inertia)),
                linkCOMs=self.exudyn.Vector3DList(list(centre)), linkMasses=list(mass),
                baseOffset=[0.0, 0.0, 0.0], gravity=list(self.body.g),
            )
        )  # fmt: skip
        place = self.exudyn.OutputVariableType.Position
        self.sensors = [
            self.system.AddSensor(
                SensorKinematicTree(
                    objectNumber=whole, linkNumber=link, localPosition=list(centre[link]),
                    storeInternal=True, outputVariableType=place,
                )
            )
            for link in self.last
        ]  # fmt: skip
        self.system.Assemble()

    def _solve(self, solver: object, steps: int, end: float) -> float:
        settings = self.exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = end
        settings.timeIntegration.automaticStepSize = False
        settings.timeIntegration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 10 * end
        start = time.perf_counter()
        self.system.SolveDynamic(settings, solverType=solver)
        return time.perf_counter() - start
