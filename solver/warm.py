"""Compile the kernels for this machine, once: the parts in two processes, then what joins them.

`python -m solver.warm` compiles all of them, `python -m solver.warm NUMBER` one half of the parts.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Any

import numba
import numpy as np

from solver.maths.kernels import mark_compiled

HALVES = 2

LOOK_S = 0.02
"""Time between looks whether the parts are done, or not wanted any more."""

SMALLEST: dict[str, Any] = {
    "format": "manikin-project",
    "schema_version": 3,
    "segments": [{"id": "body", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}],
    "runs": [{"id": "run", "duration_s": 0.01}],
}
"""A project whose arrays have the types of every other's."""


def compile_parts(cancel: Callable[[], bool] | None = None) -> tuple[str, ...]:
    """Compile all kernels into the cache: the halves at once, then what joins them; say what failed.

    What is not compiled here, also because of `cancel`, is compiled when it is called.
    """
    try:
        return _compiled(cancel)
    except OSError as failure:
        return (_failed(str(failure)),)


def _compiled(cancel: Callable[[], bool] | None) -> tuple[str, ...]:
    for stage in (range(HALVES), (HALVES,)):
        with ExitStack() as stack:
            children = [stack.enter_context(_child(part)) for part in stage]
            while any(child.poll() is None for child, _ in children):
                if cancel is not None and cancel():
                    return ()
                time.sleep(LOOK_S)
            failures = tuple(_failure(child.returncode, said) for child, said in children)
        if any(failures):
            return tuple(dict.fromkeys(f for f in failures if f))
    mark_compiled()
    return ()


@contextmanager
def _child(part: int) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """Compile one part in a process of its own, which does not outlive this."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            [sys.executable, "-m", "solver.warm", str(part)], stdout=subprocess.DEVNULL, stderr=said
        )
        try:
            yield child, said
        finally:
            child.kill()
            child.wait()


def _failure(code: int, said: IO[bytes]) -> str:
    """Say why a process has not compiled its part; nothing where it has."""
    if code == 0:
        return ""
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    how = f"signal {-code} ended it" if code < 0 else (lines[-1] if lines else f"exit code {code}")
    return _failed(how)


def _failed(how: str) -> str:
    why = f"compiling the solver in processes of their own failed ({how})"
    return f"note: {why}; it was done in one"


def parts() -> Iterator[tuple[int, Any, tuple[Any, ...]]]:
    """Give the kernels that `evaluate` and `advance` call, and these: half, kernel and arguments."""
    from solver.dynamics import forward, rows, tree
    from solver.dynamics.drive import drive
    from solver.forces import (
        airbags,
        belts,
        contacts,
        harness,
        harness_memory,
        joints,
        loads,
        rolling,
        springs,
        strikes,
        switches,
        system,
        winds,
    )
    from solver.integrate import advance, control, convergence, flow, samples
    from solver.model import law_paths
    from solver.project import validated
    from solver.simulation import Simulation, method_of

    simulation = Simulation(validated(SMALLEST))
    model, run = simulation.model, simulation.run
    s = model.system
    w = system.make_work(s, model.trees.speeds, model.rows)
    f = flow.make_flow(model.q, model.v, model.z, model.states, model.level())
    block, history = samples.make_samples(s, w, f, 1), control.make_history(1)
    method, plan = method_of(run, model), control.Plan(model.breaks, 1.0, np.zeros(1))
    t, locked, m, room = s.tree, s.locked, w.motion, w.room
    yield 0, system.gather_rows, (s, m, w.rows)
    yield 0, rows.constrain, (t, locked, m, room, w.rows, f.now)
    yield 0, rolling.rolling_loads, (s.rolls, w.rows)
    yield 0, rolling.watch_rolling, (s.rolls, w.g, 0)
    yield 0, control.tell, (t, locked, f, method, plan, history, -1, w.g)
    yield 1, joints.joint_torques, (s.joints, s.curves, t, m, f.q, f.v, w.tau, w.torque, w.sums)
    yield 1, forward.accelerations, (
        t, locked, f.q, f.v, m, w.torque, w.force, w.tau, s.gravity, room, f.now,
    )  # fmt: skip
    yield 1, tree.kinematics, (t, locked, f.q, f.v, m)
    yield 1, drive, (s.drives, t, 0.0, 0.0, f.q, f.v, f.now)
    yield 0, springs.hold_bushings, (s.bushings, m, w.torque, w.force, w.bushing, w.sums)
    yield 1, springs.pull_lines, (s.lines, s.curves, m, w.torque, w.force, w.on_b, w.sums)
    yield 1, loads.load, (s.loads, 0.0, 0.0, m, w.torque, w.force)
    yield 1, switches.watch, (
        s.switches, s.joints, t, locked, m, room, f.q, f.v, w.tau, w.load, w.g,
    )  # fmt: skip
    yield 1, contacts.switch_contact, (s.contacts, s.laws, s.surfaces, s.planes, s.curves, m, 0)
    yield 1, strikes.collide, (
        w.impacts, s.contacts, s.laws, s.surfaces, s.planes, s.curves, s.switches, s.joints, t, locked,
        m, room, w.rows, f.fire, 0, 0, 0, f.q, f.v, w.load,
    )  # fmt: skip
    yield 1, switches.switch, (
        0, s.switches, s.joints, t, locked, m, room, w.rows, f.q, f.v, w.load,
    )  # fmt: skip
    yield 1, belts.pull_belts, (
        s.belts, s.laws, s.surfaces, s.curves, m, w.torque, w.force, w.g, 0, w.sums,
    )  # fmt: skip
    yield 1, winds.blow, (
        s.winds, s.surfaces, s.planes, s.curves, m, 0.0, w.torque, w.force, w.g, 0,
    )  # fmt: skip
    yield 0, airbags.press_bags, (
        s.bags, s.triggers, s.surfaces, s.curves, t, m, s.gravity, 0.0, f.z, f.z, 0, w.torque,
        w.force, w.g, 0, w.sums, w.turn,
    )  # fmt: skip
    yield 0, harness.pull_straps, (
        0.0, s.straps, s.spools, s.laws, s.surfaces, s.curves, m, w.torque, w.force, w.g, 0, w.sums,
    )  # fmt: skip
    yield 1, harness_memory.remember_straps, (s.straps, s.spools, s.laws, s.curves)
    yield 1, contacts.press, (
        s.contacts, s.laws, s.surfaces, s.planes, s.curves, m, w.torque, w.force, w.g, 0, w.sums,
    )  # fmt: skip
    yield 1, advance._correct, (s, w, f, f.q, f.v)
    yield 1, control.ask, (t, locked, f, method, plan, history)
    yield 1, samples.take, (
        t, locked, s.gravity, s.pairs, s.rolls, s.contacts, s.belts, s.winds, s.bags, s.straps, s.spools, w, f,
        block, 0,
    )  # fmt: skip
    course, modes = np.zeros(1), np.zeros(1, np.int64)
    yield 1, law_paths.follow, (
        s.laws, s.curves, 0, course, course, course, course, modes, np.zeros((1, 14)),
    )  # fmt: skip
    yield 1, joints.resisted, (s.joints, s.curves, 0, 0, course, course, np.zeros((2, 1)))
    yield 1, convergence.judge, (t, locked, m, room.alpha, room.acc, f, method.vei)
    yield HALVES, control.ready, (f, 0.0)
    yield HALVES, advance.advance, (s, w, f, method, plan, block, history)


def compile_all() -> None:
    """Compile whatever a run needs, by running the smallest one."""
    from solver.project import validated
    from solver.simulation import simulate

    simulate(validated(SMALLEST))


def main(half: int) -> None:
    """Compile one half of the parts, or what joins them."""
    # what is compiled stays: looking for rubbish in it costs a tenth of the time
    gc.disable()
    typeof: Any = numba.typeof
    for which, kernel, arguments in parts():
        if which == half:
            kernel.compile(tuple(typeof(a) for a in arguments))


if __name__ == "__main__":
    main(int(sys.argv[1])) if len(sys.argv) > 1 else compile_all()
