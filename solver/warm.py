"""Compile the kernels for this machine, once: each on its own, in processes beside this one.

`python -m solver.warm` compiles all that are missing; `python -m solver.warm --kindly` does so at low
priority; with a folder and names behind it, it is one process that compiles those which no other has
claimed in that folder.
"""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import numba
import numpy as np

from solver.maths.compiled import BASE, folder_of, is_compiled, mark_all_compiled, mark_compiled
from solver.model.compile import Model

PROCESSES = 2

LOOK_S = 0.02
"""Time between looks whether the kernels are done, or not wanted any more."""

CLAIMED_S = 300.0
"""Time after which nobody is thought to be at work on what was claimed."""

KINDLY = "--kindly"
NICE = 15
"""How far those who compile ahead step back (on Windows: below normal priority)."""

PLAIN = "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"
"""Without it a coloured terminal is looked for at each try to match a type."""

SMALLEST: dict[str, Any] = {
    "format": "manikin-project",
    "schema_version": 3,
    "segments": [{"id": "body", "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}],
    "runs": [{"id": "run", "duration_s": 0.01}],
}
"""A project whose arrays have the types of every other's."""


class Example:
    """Arguments of the types that every model has."""

    def __init__(self) -> None:
        from solver.forces.system import make_work
        from solver.integrate.flow import make_flow
        from solver.integrate.plan import Plan, make_history
        from solver.integrate.samples import make_samples
        from solver.model.compile import compile_model
        from solver.model.method import method_of
        from solver.project import validated

        project = validated(SMALLEST)
        model = compile_model(project)
        s = self.s = model.system
        w = self.w = make_work(s, model.trees.speeds, model.rows)
        f = self.f = make_flow(model.q, model.v, model.z, model.states, model.level())
        self.block, self.history = make_samples(s, w, f, 1), make_history(1)
        self.method = method_of(project.runs[0], model)
        self.plan = Plan(model.breaks, 1.0, np.zeros(1))
        self.t, self.locked, self.m, self.space = s.tree, s.locked, w.motion, w.space
        self.course, self.modes = np.zeros(1), np.zeros(1, np.int64)


class Part(NamedTuple):
    """One kernel that is compiled on its own, arguments of the types it gets, and who needs it."""

    kernel: Any
    arguments: Callable[[Example], tuple[Any, ...]]
    is_needed: Callable[[Model], bool] = lambda _: True

    @property
    def name(self) -> str:
        """Give its name."""
        return str(self.kernel.py_func.__name__)


def parts() -> Iterator[Part]:
    """Give all of them, those that take longest first."""
    from solver.dynamics import drive, forward, rows, tree
    from solver.forces import belts, loads, springs, strikes, switches, system, triggers, winds
    from solver.forces.airbags import kernels as airbags
    from solver.forces.contacts import kernels as contacts
    from solver.forces.coordinates import kernels as coordinates
    from solver.forces.joints import kernels as joints
    from solver.forces.straps import kernels as harness
    from solver.forces.straps import memory, spools
    from solver.integrate import advance, control, convergence, samples
    from solver.model import law_paths

    def has(path: str) -> Callable[[Model], bool]:
        """Say who needs a kernel: models with entries there."""
        kind, field = path.split(".")
        return lambda model: len(getattr(getattr(model.system, kind), field)) > 0

    def has_rows(model: Model) -> bool:
        return model.rows > 0

    def strikes_something(model: Model) -> bool:
        s = model.system
        return strikes.impact_room(s.contacts, s.laws, s.switches)[0] > 0

    def has_vei(model: Model) -> bool:
        return any(run.integrator.kind == "vei" for run in model.project.runs)

    straps, bags, contact, belt = (
        has("straps.kind"), has("bags.body"), has("contacts.kind"), has("belts.a"),
    )  # fmt: skip
    yield Part(contacts.contact_forces, lambda e: (
        e.s.contacts, e.s.laws, e.s.surfaces, e.s.planes, e.s.curves, e.m, e.w.torque, e.w.force, e.w.g, 0, e.w.sums,
    ), contact)  # fmt: skip
    yield Part(harness.strap_forces, lambda e: (
        0.0, e.s.straps, e.s.spools, e.s.laws, e.s.surfaces, e.s.curves, e.m, e.w.torque, e.w.force, e.w.g, 0, e.w.sums,
    ), straps)  # fmt: skip
    yield Part(airbags.bag_forces, lambda e: (
        e.s.bags, e.s.triggers, e.s.surfaces, e.s.curves, e.t, e.m, e.s.gravity, 0.0, e.f.z, e.f.z, 0, e.w.torque,
        e.w.force, e.w.g, 0, e.w.sums, e.w.turn,
    ), bags)  # fmt: skip
    yield Part(strikes.collide, lambda e: (
        e.w.impacts, e.s.contacts, e.s.laws, e.s.surfaces, e.s.planes, e.s.curves, e.s.switches, e.s.joints, e.t, e.locked,
        e.m, e.space, e.w.rows, e.f.fire, 0, 0, 0, e.f.q, e.f.v, e.w.load,
    ), strikes_something)  # fmt: skip
    yield Part(system.gather_rows, lambda e: (e.s, e.m, e.w.rows), has_rows)
    yield Part(control.tell, lambda e: (e.t, e.locked, e.f, e.method, e.plan, e.history, -1, e.w.g))
    yield Part(forward.accelerations, lambda e: (
        e.t, e.locked, e.f.q, e.f.v, e.m, e.w.torque, e.w.force, e.w.tau, e.s.gravity, e.space, e.f.now,
    ))  # fmt: skip
    yield Part(rows.constrain, lambda e: (e.t, e.locked, e.m, e.space, e.w.rows, e.f.now), has_rows)
    yield Part(
        joints.joint_torques,
        lambda e: (e.s.joints, e.s.curves, e.t, e.m, e.f.q, e.f.v, e.w.tau, e.w.torque, e.w.sums),
    )
    yield Part(control.ask, lambda e: (e.t, e.locked, e.f, e.method, e.plan, e.history))
    yield Part(advance.advance, lambda e: (e.s, e.w, e.f, e.method, e.plan, e.block, e.history))
    yield Part(triggers.watch_triggers, lambda e: (
        e.s.triggers, e.m, e.space, e.s.contacts.seen, e.s.belts.seen, e.s.straps, e.s.bags.seen, 0.0, e.w.g, 0,
    ), has("triggers.what"))  # fmt: skip
    yield Part(samples.take, lambda e: (
        e.t, e.locked, e.s.gravity, e.s.pairs, e.s.rolls, e.s.contacts, e.s.belts, e.s.winds, e.s.bags, e.s.straps, e.s.spools, e.s.coordinates, e.w, e.f,
        e.block, 0,
    ))  # fmt: skip
    yield Part(
        system.evaluate,
        lambda e: (e.s, e.w, 0.0, 0.0, e.f.qs, e.f.vs, e.f.zs, e.f.now, e.f.power_now),
    )
    yield Part(belts.belt_forces, lambda e: (
        e.s.belts, e.s.laws, e.s.surfaces, e.s.curves, e.m, e.w.torque, e.w.force, e.w.g, 0, e.w.sums,
    ), belt)  # fmt: skip
    yield Part(winds.wind_forces, lambda e: (
        e.s.winds, e.s.surfaces, e.s.planes, e.s.curves, e.m, 0.0, e.w.torque, e.w.force, e.w.g, 0,
    ), has("winds.surface"))  # fmt: skip
    yield Part(contacts.switch_contact, lambda e: (
        e.s.contacts, e.s.laws, e.s.surfaces, e.s.planes, e.s.curves, e.m, 0,
    ), has("contacts.kind"))  # fmt: skip
    yield Part(
        memory.remember_straps,
        lambda e: (e.s.straps, e.s.spools, e.s.laws, e.s.curves),
        straps,
    )
    yield Part(memory.turn_straps, lambda e: (e.s.straps, e.s.laws, e.s.curves, 0, 0.0), straps)
    yield Part(memory.end_straps, lambda e: (e.s.straps, e.s.spools, 0.0), straps)
    yield Part(spools.draw_in, lambda e: (e.s.spools, e.s.curves, e.s.triggers.fires, 0.0), straps)
    yield Part(tree.kinematics, lambda e: (e.t, e.locked, e.f.q, e.f.v, e.m))
    yield Part(drive.drive, lambda e: (e.s.drives, e.t, 0.0, 0.0, e.f.q, e.f.v, e.f.now))
    yield Part(advance._correct, lambda e: (e.s, e.w, e.f, e.f.q, e.f.v), has_rows)
    yield Part(rows.find_impulses, lambda e: (e.w.rows,), has_rows)
    yield Part(
        spools.watch_spools,
        lambda e: (e.s.spools, e.m, e.space, 0.0, e.w.g, 0),
        has("spools.point"),
    )
    yield Part(switches.watch, lambda e: (
        e.s.switches, e.s.joints, e.t, e.locked, e.m, e.space, e.f.q, e.f.v, e.w.tau, e.w.load, e.w.g,
    ), has("switches.kind"))  # fmt: skip
    yield Part(switches.switch, lambda e: (
        0, e.s.switches, e.s.joints, e.t, e.locked, e.m, e.space, e.w.rows, e.f.q, e.f.v, e.w.load,
    ), has("switches.kind"))  # fmt: skip
    yield Part(springs.line_forces, lambda e: (
        e.s.lines, e.s.curves, e.m, e.w.torque, e.w.force, e.w.on_b, e.w.sums,
    ), has("lines.a"))  # fmt: skip
    yield Part(
        springs.bushing_forces,
        lambda e: (e.s.bushings, e.m, e.w.torque, e.w.force, e.w.bushing, e.w.sums),
        has("bushings.a"),
    )
    yield Part(
        loads.load_forces,
        lambda e: (e.s.loads, 0.0, 0.0, e.m, e.w.torque, e.w.force),
        has("loads.body"),
    )
    yield Part(coordinates.coordinate_forces, lambda e: (
        e.s.coordinates, e.s.curves, e.t, e.m, e.s.triggers.fires, 0.0, e.f.q, e.f.v, e.f.z, e.f.z, e.w.tau, e.w.torque,
        e.w.force, e.w.g, 0, e.w.sums,
    ), has("coordinates.kind"))  # fmt: skip
    yield Part(
        coordinates.switch_coordinate,
        lambda e: (e.s.coordinates, e.s.curves, 0),
        has("coordinates.row"),
    )
    yield Part(
        belts.switch_belt, lambda e: (e.s.belts, e.s.laws, e.s.surfaces, e.s.curves, e.m, 0), belt
    )
    yield Part(airbags.switch_bag, lambda e: (
        e.s.bags, e.t, e.locked, e.m, 0, e.f.zs, e.f.power_now, e.f.first_state, e.f.q, e.f.v, e.s.gravity, e.w.load,
    ), bags)  # fmt: skip
    yield Part(control.ready, lambda e: (e.f, 0.0))
    yield Part(
        joints.resisted,
        lambda e: (e.s.joints, e.s.curves, 0, 0, e.course, e.course, np.zeros((2, 1))),
    )
    yield Part(
        convergence.judge,
        lambda e: (e.t, e.locked, e.m, e.space.alpha, e.space.acc, e.f, e.method.vei),
        has_vei,
    )
    yield Part(law_paths.follow, lambda e: (
        e.s.laws, e.s.curves, 0, e.course, e.course, e.course, e.course, e.modes, np.zeros((1, 14)),
    ), lambda _: False)  # fmt: skip


def missing(model: Model | None = None) -> list[str]:
    """Name the kernels that are not compiled yet: those a model needs, or all."""
    return [
        part.name
        for part in parts()
        if not is_compiled(part.kernel) and (model is None or part.is_needed(model))
    ]


def compile_parts(
    model: Model | None = None,
    cancel: Callable[[], bool] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[str, ...]:
    """Compile the kernels that a model needs, or all, into the cache; say what failed.

    `progress` is told how many of how many are done. What is not compiled here, also because of
    `cancel`, is compiled when it is called.
    """
    names = missing(model)
    if not names:
        return ()
    try:
        with tempfile.TemporaryDirectory() as claims:
            return _compiled(names, Path(claims), cancel, progress)
    except OSError as failure:
        return (_failed(str(failure)),)


def compile_ahead() -> tuple[str, ...]:
    """Compile whatever is missing and nobody else compiles ahead, at low priority; say what failed."""
    _step_back()
    claims = BASE / "claimed"
    claims.mkdir(parents=True, exist_ok=True)
    names = missing()
    failures = _compiled(names, claims, None, None) if names else ()
    if not missing():
        mark_all_compiled()
    return failures


def _compiled(
    names: list[str],
    claims: Path,
    cancel: Callable[[], bool] | None,
    progress: Callable[[int, int], object] | None,
) -> tuple[str, ...]:
    kernels = [part.kernel for part in parts() if part.name in names]
    with ExitStack() as stack:
        children = [
            stack.enter_context(_child([str(claims), *names], claims)) for _ in range(PROCESSES)
        ]
        done = -1
        while any(child.poll() is None for child, _ in children):
            if cancel is not None and cancel():
                return ()
            before, done = done, sum(is_compiled(kernel) for kernel in kernels)
            if progress is not None and done != before:
                progress(done, len(kernels))
            if done == len(kernels):
                # they only clear up, which takes them a second
                return ()
            time.sleep(LOOK_S)
        failures = (_failure(child.returncode, said) for child, said in children)
        return tuple(dict.fromkeys(f for f in failures if f))


@contextmanager
def _child(words: list[str], claims: Path) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """Compile in a process of its own, which does not outlive this."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            [sys.executable, "-m", "solver.warm", *words],
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, PLAIN: "1"},
        )
        try:
            yield child, said
        finally:
            child.kill()
            child.wait()
            for claim in claims.iterdir():
                with contextlib.suppress(OSError):
                    if claim.read_text() == str(child.pid):
                        claim.unlink()


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


def compile_all() -> tuple[str, ...]:
    """Compile whatever is missing; say what failed."""
    failures = compile_parts()
    if not missing():
        mark_all_compiled()
    return failures


def _claimed(claims: Path, part: Part) -> bool:
    """Take a kernel, unless another process has."""
    source = Path(part.kernel.py_func.__code__.co_filename).resolve()
    claim = claims / f"{part.name}-{folder_of(source).name}"
    with contextlib.suppress(OSError):
        if time.time() - claim.stat().st_mtime > CLAIMED_S:
            claim.unlink()
    try:
        with claim.open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return False
    return True


def _compile(claims: Path, names: Collection[str]) -> None:
    """Compile those of the named kernels that no other process has taken."""
    # what is compiled stays: looking for rubbish in it costs a tenth of the time
    gc.disable()
    typeof: Any = numba.typeof
    example, parent = Example(), os.getppid()
    for part in parts():
        if os.getppid() != parent:
            # whoever wanted them is gone
            return
        if part.name in names and not is_compiled(part.kernel) and _claimed(claims, part):
            part.kernel.compile(tuple(typeof(a) for a in part.arguments(example)))
            mark_compiled(part.kernel)


def _step_back() -> None:
    """Leave the processor to whoever else wants it."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetPriorityClass(-1, 0x4000)
    else:
        os.nice(NICE)


def main(words: list[str]) -> int:
    """Do what the command line says."""
    if words and words != [KINDLY]:
        _compile(Path(words[0]), words[1:])
        return 0
    failures = compile_ahead() if words else compile_all()
    print(*failures, sep="\n", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
