"""MuJoCo: its forward dynamics and its own fourth-order steps, in compiled loops."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from numba import njit

from benchmarks.bodies import Body, places
from benchmarks.engines import END, INSTALL, Attempts, NotHere, Trial, finer, warm


class Engine:
    """Measure MuJoCo."""

    name = "MuJoCo"
    timed = "`mj_forward` without contacts and constraints, in a compiled loop"

    def __init__(self, body: Body) -> None:
        try:
            import mujoco

            from tests.oracles import InMuJoCo
        except ImportError as error:
            raise NotHere(f"not installed ({INSTALL})") from error
        self.body, self.mujoco, self.twin = body, mujoco, InMuJoCo(body.tree, body.g)
        self.twin.model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        self._start()

    def evaluation(self) -> float:
        """Time a loop of evaluations."""
        function, model, data = self._forward()
        # its time grows faster than the model
        loop = max(10_000 * 15**2 // len(self.body.tree.parent) ** 2, 10)

        def measure() -> float:
            start = time.perf_counter()
            _loop(function, model, data, loop)
            return (time.perf_counter() - start) / loop

        self._start()
        return warm(measure)

    def motions(self) -> Attempts:
        """Run its Runge-Kutta method at fixed steps."""
        yield (partial(self._run, steps) for steps in finer(25, 2**0.25, 40))

    def _run(self, steps: int) -> Trial:
        model, data = self.twin.model, self.twin.data
        model.opt.timestep = END / steps

        def measure() -> float:
            self._start()
            start = time.perf_counter()
            self.mujoco.mj_step(model, data, steps)
            return time.perf_counter() - start

        seconds = warm(measure)
        q = self.twin.coordinates_back(data.qpos)
        return Trial("Runge-Kutta 4", f"{steps} steps", seconds, 4 * steps, places(self.body, q))

    def _start(self) -> None:
        data, body = self.twin.data, self.body
        self.mujoco.mj_resetData(self.twin.model, data)
        data.qpos, data.qvel = self.twin.coordinates(body.q), self.twin.speeds(body.v)

    def _forward(self) -> tuple[Callable[[int, int], None], int, int]:
        """The C function and the addresses it takes: a call from Python would count too."""
        folder = Path(self.mujoco.__file__).parent
        library = ctypes.CDLL(str(next(folder.glob("libmujoco*"))))
        function = library.mj_forward
        function.argtypes, function.restype = (ctypes.c_void_p, ctypes.c_void_p), None
        return function, self.twin.model._address, self.twin.data._address


@njit
def _loop(function: Callable[[int, int], None], model: int, data: int, loop: int) -> None:
    for _ in range(loop):
        function(model, data)
