"""How robots of ROS move here and in Pinocchio, at a random moving state: for `tools/corpus.py` and the tests."""

from __future__ import annotations

from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

import manikin as mk
from solver.engine.maths.rotation import Array
from solver.exchange.trees.xml import Element, parsed
from solver.project import Project
from solver.project.pose import turn
from solver.project.reading import validated

SIZES = (0.4, 1.0)
"""Of random coordinates and rates: 0.4 rad or m, 1 rad/s or m/s."""


Pair = tuple[int, int, float, float]


def apart(project: Project, file: Path, seed: int = 3) -> float:
    """How far accelerations of links are off Pinocchio's, by the largest, or their places (m), whichever is more.

    Stops and dry friction are left out. Joints that are locked here are taken out of its model, too; those that follow others
    (`mimic`) are held there by the multipliers of its own matrices.
    """
    rng, top = np.random.default_rng(seed), parsed(file.read_bytes())
    names, centre = {one.id: one.name for one in project.segments}, centres(top)
    free = {names[one.segment]: n for n, one in enumerate(project.initial.roots)}
    carried = {one.first("child").given["link"] for one in top.all("joint")}  # type: ignore[union-attr]
    root = next(one for one in centre if one not in carried)
    model = pin.buildModelFromUrdf(
        str(file), *([pin.JointModelFreeFlyer()] if root in free else [])
    )
    model.gravity.linear = np.array(project.gravity_m_per_s2)
    joints = {one.name: one for one in project.joints if one.kind in ("pin", "slip")}
    held = {name for name, one in joints.items() if _is_locked(one)}
    if held:
        ids = [model.getJointId(name) for name in held]
        model = pin.buildReducedModel(model, ids, pin.neutral(model))
    dq, v = rng.uniform(-SIZES[0], SIZES[0], model.nv), rng.uniform(-SIZES[1], SIZES[1], model.nv)
    pairs = _followed(top, model, held)
    initial = project.initial.model_dump() | {"joints": []}
    at_root = {}
    for name in free:
        first = model.joints[model.frames[model.getBodyId(name)].parentJoint].idx_v
        at_root[name], dq[first : first + 6] = first, 0.0
    of = {
        one.name: _number(model, one.name)
        for one in project.joints
        if one.name in joints and one.name not in held
    }
    for name in of:
        if (
            model.existJointName(name)
            and model.joints[model.getJointId(name)].shortname() == "JointModelPlanar"
        ):
            # its rates are those along its turned axes
            dq[of[name]] = 0.0
    for leads, follows, factor, offset in pairs:
        dq[follows], v[follows] = offset + factor * dq[leads], factor * v[leads]
    q = pin.integrate(model, pin.neutral(model), dq)
    for name, joint in joints.items():
        if name not in held:
            at = of[name]
            start = {"joint": joint.id, "values": (dq[at],), "rates": (v[at],)}
            initial["joints"].append(start)
    for name, n in free.items():
        speed, spin = (v[at_root[name] + k : at_root[name] + k + 3] for k in (0, 3))
        R = turn(project.initial.attitudes[n].orientation)
        speed = R @ (speed + np.cross(spin, centre[name]))
        initial["roots"][n]["velocity_m_per_s"] = tuple(map(float, speed))
        initial["attitudes"][n]["angular_velocity_rad_per_s"] = tuple(map(float, spin))
    moving = {
        **project.model_dump(), "contacts": [], "studies": [], "coordinate_forces": [],
        "joints": [_without_friction(one) for one in project.joints], "initial": initial,
    }  # fmt: skip
    with redirect_stderr(StringIO()):
        run = mk.run(mk.Model(validated(moving)), until=1e-3)
    theirs = accelerations(model, q, v, centre, pairs)
    off, largest, moved = 0.0, 1.0, 0.0
    for one in project.segments:
        if one.name in theirs:
            place, ours = (
                np.array([run[f"segments/{one.id}/{what}/{x}"].value[0] for x in "xyz"])
                for what in ("position", "acceleration")
            )
            there, wanted = theirs[one.name]
            moved = max(moved, float(np.abs(place - there).max()))
            off = max(off, float(np.abs(ours - wanted).max()))
            largest = max(largest, float(np.abs(wanted).max()))
    return max(off / largest, moved)


def centres(top: Element) -> dict[str, Array]:
    """The mass centre of each link in its own frame, as the file writes it: their frames do not hold it."""
    found = dict[str, Array]()
    for link in top.all("link"):
        inertial = link.first("inertial")
        origin = inertial.first("origin") if inertial else None
        place = origin.numbers("xyz", 3, (0.0, 0.0, 0.0)) if origin else (0.0, 0.0, 0.0)
        found[link.given["name"]] = np.array(place)
    return found


def accelerations(
    model: Any, q: Array, v: Array, centre: dict[str, Array], pairs: list[Pair]
) -> dict[str, tuple[Array, Array]]:
    """Places and accelerations of the mass centres of links, with viscous friction."""
    data = model.createData()
    # its algorithm takes no damping of joints, which it reads
    tau = -np.array(model.damping) * v
    a = _held(model, data, q, v, tau, pairs) if pairs else pin.aba(model, data, q, v, tau)
    pin.forwardKinematics(model, data, q, v, a)
    found, around = dict[str, tuple[Array, Array]](), pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    for n, one in enumerate(model.frames):
        if one.type == pin.FrameType.BODY:
            pin.updateFramePlacement(model, data, n)
            arm = data.oMf[n].rotation @ centre[one.name]
            here = pin.getFrameClassicalAcceleration(model, data, n, around)
            spin = pin.getFrameVelocity(model, data, n, around).angular
            turned = np.cross(here.angular, arm) + np.cross(spin, np.cross(spin, arm))
            found[one.name] = data.oMf[n].translation + arm, here.linear + turned
    return found


def _held(model: Any, data: Any, q: Array, v: Array, tau: Array, pairs: list[Pair]) -> Array:
    """Solve M a + h = tau + J^T f, J a = 0."""
    M, h, n = pin.crba(model, data, q), pin.nonLinearEffects(model, data, q, v), model.nv
    J = np.zeros((len(pairs), n))
    for row, (leads, follows, factor, _) in zip(J, pairs, strict=True):
        row[leads], row[follows] = -factor, 1.0
    M = np.triu(M) + np.triu(M, 1).T
    whole = np.block([[M, J.T], [J, np.zeros((len(pairs),) * 2)]])
    return np.linalg.solve(whole, np.concatenate([tau - h, np.zeros(len(pairs))]))[:n]


def _followed(top: Element, model: Any, held: set[str]) -> list[Pair]:
    """Numbers of both rates, factor and offset of each joint of the file that follows one, those that lead first."""
    found, left = list[Pair](), dict[str, Element]()
    for joint in top.all("joint"):
        mimic, name = joint.first("mimic"), joint.given["name"]
        if mimic is not None and model.existJointName(name) and name not in held:
            left[name] = mimic
    while left:
        ready = [name for name, one in left.items() if one.given["joint"] not in left]
        for name in ready:
            one = left.pop(name)
            if model.existJointName(one.given["joint"]):
                a, b = (_number(model, of) for of in (one.given["joint"], name))
                (factor,), (offset,) = one.numbers("multiplier", 1, (1.0,)), one.numbers("offset", 1, (0.0,))  # fmt: skip
                found.append((a, b, factor, offset))
        if not ready:
            break
    return found


def _number(model: Any, name: str) -> int:
    """The number of a coordinate's rate; of a joint in a plane those of its slides stand before its turn."""
    if model.existJointName(name):
        joint = model.joints[model.getJointId(name)]
        return int(joint.idx_v + joint.nv - 1)
    return int(model.joints[model.getJointId(name[:-2])].idx_v + "xy".index(name[-1]))


def _is_locked(joint: Any) -> bool:
    return bool(joint.slide.locked if joint.kind == "slip" else joint.lock.locked)


def _without_friction(joint: Any) -> dict[str, Any]:
    data: dict[str, Any] = joint.model_dump()
    if data.get("friction"):
        data["friction"]["coulomb_nm"] = 0.0
    if data.get("slide"):
        data["slide"]["coulomb_n"] = 0.0
    return data
