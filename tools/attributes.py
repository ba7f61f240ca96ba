"""Take attributes of real models of MuJoCo away, one by one: a part of `tools.corpus`.

Where MuJoCo then moves in another way, what is read here must be another project, or say another thing; what lies in contacts, limits,
dry friction and equality constraints alone is said by the sentences about their laws.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from solver.base.words import Refusal
from solver.exchange.trees import read_tree
from tools.moving import apart

MODELS = (
    "Farama-Foundation+Gymnasium/gymnasium/envs/mujoco/assets/ant.xml",
    "Farama-Foundation+Gymnasium/gymnasium/envs/mujoco/assets/humanoid.xml",
    "Farama-Foundation+Gymnasium/gymnasium/envs/mujoco/assets/pusher_v5.xml",
    "Farama-Foundation+Gymnasium/gymnasium/envs/mujoco/assets/swimmer.xml",
    "bulletphysics+bullet3/data/mjcf/ant.xml",
    "bulletphysics+bullet3/data/mjcf/striker.xml",
    "google-deepmind+mujoco/model/balloons/balloons.xml",
    "google-deepmind+mujoco/model/car/car.xml",
    "google-deepmind+mujoco/model/humanoid/humanoid.xml",
    "google-deepmind+mujoco/model/slider_crank/slider_crank.xml",
    "google-deepmind+mujoco/mjx/mujoco/mjx/test_data/pendula.xml",
    "google-deepmind+mujoco/test/benchmark/testdata/inertia.xml",
    "google-deepmind+mujoco/test/engine/testdata/actuation/activation.xml",
    "google-deepmind+mujoco/test/engine/testdata/actuation/refsite.xml",
    "google-deepmind+mujoco/test/engine/testdata/equality_site.xml",
    "google-deepmind+mujoco/test/engine/testdata/sleep/smooth.xml",
)  # fmt: skip
"""Real files of all kinds, in which attributes are taken away."""
EACH = 2
"""Of an attribute of one kind of element in a file so many are taken away, spread over it."""
TAKEN = re.compile(r'\s([\w:]+)\s*=\s*("[^"]*"|\'[^\']*\')')
CHANGED = 1e-9
LAWS = (
    "Limits are stops",
    "press on planes",
    "touch each other",
    "Dry friction is full",
    "hold exactly",
)
"""Sentences by which contacts, limits, dry friction and constraints follow other laws than MuJoCo's."""


@dataclass
class Removal:
    """One attribute without which MuJoCo moves in another way."""

    file: str
    what: str
    """Element and attribute."""
    fate: str
    """followed: here, too; law: within laws that are said; named: left out, and named; refused: nothing determines how it moves; silent, wrong: faults."""
    off: float = 0.0


def removals(root: Path, like: str = "") -> Iterator[Removal]:
    """Try all files of the list that are there."""
    for name in MODELS:
        if (root / name).is_file() and like in name:
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder) / "model"
                shutil.copytree((root / name).parent, copy)
                yield from _of_file(copy / Path(name).name, name)


def _of_file(file: Path, name: str) -> Iterator[Removal]:
    text = file.read_text()
    whole = _loaded(file)
    if whole is None:
        return
    before = _read(file)
    comments = [(one.start(), one.end()) for one in re.finditer(r"<!--.*?-->", text, re.S)]
    kinds = dict[tuple[str, str], list[re.Match[str]]]()
    for one in TAKEN.finditer(text):
        if any(a <= one.start() < b for a, b in comments):
            continue
        if element := re.match(r"<([\w]+)", text[text.rindex("<", 0, one.start()) :]):
            kinds.setdefault((element[1], one[1]), []).append(one)
    for (tag, attribute), places in kinds.items():
        for k in np.unique(np.linspace(0, len(places) - 1, EACH).astype(int)):
            one = places[k]
            variant = file.with_name("variant.xml")
            variant.write_text(text[: one.start()] + text[one.end() :])
            found = _fate(variant, whole, before, tag)
            if found is not None:
                yield Removal(name, f"<{tag}> {attribute}={one[2]}", *found)


def _loaded(file: Path) -> Any:
    try:
        return mujoco.MjModel.from_xml_path(str(file))
    except (ValueError, mujoco.FatalError):
        return None


def _read(file: Path) -> tuple[dict[str, Any], tuple[str, ...]] | str:
    try:
        made = read_tree(file)
    except Refusal as refused:
        return str(refused)
    data = made.project.model_dump()
    return {**data, "source": ""}, tuple(str(one) for one in made.notes)


def _fate(variant: Path, whole: Any, before: Any, tag: str) -> tuple[str, float] | None:
    """Say what became of a file without an attribute; none where MuJoCo moves as before, or does not load it."""
    other = _loaded(variant)
    if other is None or not _differ(whole, other, smooth=False):
        return None
    after = _read(variant)
    if isinstance(after, str):
        return ("named", 0.0)
    is_smooth = _differ(whole, other, smooth=True)
    if after == before:
        said = not is_smooth and any(law in note for note in after[1] for law in LAWS)
        return ("law" if said else "named" if _names(after[1], tag) else "silent", 0.0)
    if not is_smooth:
        return ("followed", 0.0)
    try:
        off = apart(read_tree(variant).project, other) or 0.0
    except Exception as failure:  # noqa: BLE001  a run that does not begin says why
        return ("refused" if "Give it some, or lock" in str(failure) else "wrong", 0.0)
    if off <= CHANGED:
        return ("followed", off)
    return (
        "named" if any("left out" in one or "not taken" in one for one in after[1]) else "wrong",
        off,
    )


def _names(notes: tuple[str, ...], tag: str) -> bool:
    """Whether a sentence names what such elements do as left out."""
    kinds = {
        "tendon": ("spatial", "fixed", "site", "joint", "geom", "pulley"), "actuator": ("motor", "general", "position", "velocity", "muscle", "intvelocity", "damper", "cylinder", "adhesion", "site"),
        "option": ("option", "geom"), "deformable": ("flex", "flexcomp", "edge", "elasticity", "contact", "pin"), "mocap": ("body",), "plugin": ("plugin", "config", "instance"),
    }  # fmt: skip
    left = [one.lower() for one in notes if "left out" in one or "is fixed" in one]
    tags = [kind for kind, members in kinds.items() if tag in members or tag == "default"]
    return any(kind in one for one in left for kind in (*tags, f"<{tag}>"))


def _differ(a: Any, b: Any, smooth: bool) -> bool:
    """Whether two models move in another way, at random states near and far from the drawn one."""
    if (a.nq, a.nv, a.nu, a.nbody) != (b.nq, b.nv, b.nu, b.nbody):
        return True
    if not np.allclose(a.qpos0, b.qpos0, rtol=0.0, atol=1e-12) or not np.allclose(a.body_mass, b.body_mass, rtol=1e-12):  # fmt: skip
        return True
    for far in (0.1, 1.5):
        one, two = (_accelerations(m, far, smooth) for m in (a, b))
        if np.abs(one - two).max(initial=0.0) > CHANGED * max(1.0, np.abs(one).max(initial=0.0)):
            return True
    return False


def _accelerations(m: Any, far: float, smooth: bool) -> np.ndarray:
    """Give accelerations of freedoms at a random state, from the drawn pose."""
    flags, data, rng = int(m.opt.disableflags), mujoco.MjData(m), np.random.default_rng(8)
    if smooth:
        bit = mujoco.mjtDisableBit
        m.opt.disableflags |= int(bit.mjDSBL_CONSTRAINT) | int(bit.mjDSBL_CONTACT)
    mujoco.mj_integratePos(m, data.qpos, rng.uniform(-far, far, m.nv), 1.0)
    data.qvel[:] = rng.uniform(-1.0, 1.0, m.nv)
    data.ctrl[:] = rng.uniform(-0.5, 0.5, m.nu)
    data.act[:] = rng.uniform(0.0, 0.5, m.na)
    mujoco.mj_forward(m, data)
    m.opt.disableflags = flags
    return np.array(data.qacc)


def told(removed: Iterator[Removal]) -> Iterator[str]:
    """All faults as they are found, then the figures."""
    found = list[Removal]()
    for one in removed:
        found.append(one)
        if one.fate in ("silent", "wrong"):
            yield f"{one.fate:7s} {one.off:8.1e} {one.file} {one.what}"
    counts = {fate: sum(one.fate == fate for one in found) for fate in ("followed", "law", "named", "refused", "silent", "wrong")}  # fmt: skip
    yield f"{len(found)} attributes of {len({one.file for one in found})} files whose absence changes MuJoCo's motion: " + ", ".join(f"{n} {fate}" for fate, n in counts.items())  # fmt: skip
