"""Pinocchio: its articulated-body algorithm in a C++ loop, compiled for this processor."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sysconfig
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.bodies import Body, places
from benchmarks.engines import END, INSTALL, Attempts, NotHere, Trial, finer
from solver.engine.dynamics.tree import SLIDE

SOURCE = Path(__file__).with_name("pinocchio_loop.cpp")
BUILD = Path(__file__).resolve().parents[2] / "build" / "benchmarks"
OPTIONS = (
    "-std=c++17", "-O3", "-march=native", "-DNDEBUG",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
)  # fmt: skip


class Engine:
    """Measure Pinocchio."""

    name = "Pinocchio"
    timed = "`aba` in a C++ loop, compiled with -O3 -march=native"

    def __init__(self, body: Body) -> None:
        try:
            from tests.oracles import InPinocchio
        except ImportError as error:
            raise NotHere(f"not installed ({INSTALL})") from error
        self.body, self.twin = body, InPinocchio(body.tree, body.g)
        self.program = _program()

    def evaluation(self) -> float:
        """Time a loop of evaluations."""
        loop = max(20_000 * 15 // len(self.body.tree.parent), 100)
        return self._do(f"time {loop}")[0] / loop

    def motions(self) -> Attempts:
        """Run both methods at fixed steps."""
        yield (partial(self._run, "dopri5", "Dormand-Prince 5", n) for n in finer(10, 2**0.25, 40))
        yield (partial(self._run, "rk4", "Runge-Kutta 4", n) for n in finer(25, 2**0.25, 40))

    def _run(self, word: str, method: str, steps: int) -> Trial:
        seconds, count, *q = self._do(f"{word} {steps} {END}")
        end = places(self.body, self.twin.coordinates_back(np.array(q)))
        return Trial(method, f"{steps} steps", seconds, int(count), end)

    def _do(self, line: str) -> list[float]:
        # once unmeasured, so that the caches are warm
        done = subprocess.run(
            [self.program], input=f"{self._text()}\n{line}\n{line}\n", capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        return [float(word) for word in done.stdout.splitlines()[-1].split()]

    def _text(self) -> str:
        """The tree, coordinates and speeds as the C++ program reads them."""
        tree, model, body = self.body.tree, self.twin.model, self.body
        lines = [[len(tree.parent), *body.g]]
        for i, kind in enumerate(tree.kind):
            place, inertia = model.jointPlacements[i + 1], model.inertias[i + 1]
            axis = place.rotation.T @ tree.axis[i] if kind == SLIDE else tree.axis[i]
            lines.append([
                tree.parent[i], kind, *place.rotation.ravel(), *place.translation, *axis,
                inertia.mass, *inertia.lever, *inertia.inertia.ravel(),
            ])  # fmt: skip
        lines += [list(self.twin.coordinates(body.q)), list(self.twin.speeds(body.q, body.v))]
        return "\n".join(
            " ".join(repr(float(x)).removesuffix(".0") for x in line) for line in lines
        )


def _program() -> Path:
    """Compile the loop, once for one source and one Pinocchio; that takes about a minute."""
    import pinocchio as pin

    headers = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "include"
    compiler = shutil.which("c++")
    if compiler is None:
        raise NotHere("no C++ compiler (`c++`) for its loop")
    if not (headers / "eigen3").is_dir():
        raise NotHere(f"no Eigen headers for its loop ({INSTALL})")
    key = hashlib.sha256(SOURCE.read_bytes() + " ".join([pin.__version__, *OPTIONS]).encode())
    program = BUILD / f"pinocchio-{key.hexdigest()[:12]}"
    if not program.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        words = [compiler, *OPTIONS, f"-I{headers / 'eigen3'}", f"-I{headers}", str(SOURCE)]
        done = subprocess.run([*words, "-o", str(program)], capture_output=True, text=True)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error" in line]
            raise NotHere(f"its loop does not compile: {errors[:1]}")
    return program
