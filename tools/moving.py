"""How far accelerations of a model of MuJoCo are off, read here, at a random moving state: a part of `tools.corpus`."""

from __future__ import annotations

from contextlib import redirect_stderr
from io import StringIO
from typing import Any

import mujoco
import numpy as np

import manikin as mk
from solver.engine.maths.rotation import from_angles, matrix
from solver.exchange.trees.ties_out import followed_of, sums_of
from solver.project import Project
from solver.project.angles import angles_from
from solver.project.reading import validated

MOVES = ("linear", "viscous", "muscle", "actuator", "blocks")
"""Laws of coordinates that are compared; stops are those of limits, and muscles (`hill`) are apart."""


def apart(project: Project, model: Any, seed: int = 3) -> float | None:
    """How far accelerations are off MuJoCo's at a random moving state, by the largest; none where bodies are fixed."""
    rng, data = np.random.default_rng(seed), mujoco.MjData(model)
    bit = mujoco.mjtDisableBit
    model.opt.disableflags |= int(bit.mjDSBL_CONSTRAINT) | int(bit.mjDSBL_CONTACT)
    # muscles go by other curves here, and are apart
    muscles = model.actuator_gaintype == int(mujoco.mjtGain.mjGAIN_MUSCLE)
    model.actuator_gaintype[muscles], model.actuator_biastype[muscles] = 0, 0
    model.actuator_gainprm[muscles] = 0.0
    initial, held = _moving(project, model, data, rng)
    forces = [f for one in project.coordinate_forces if (f := _plain(one.model_dump()))["laws"]]
    _controlled(forces, model, data, rng)
    # what holds a sum of axes has no mass, and cannot go without its constraint
    links = {name for one in sums_of(project).values() for name in one.links}
    still = validated({
        **project.model_dump(), "constraints": [one.model_dump() for one in _followed(project)], "contacts": [], "studies": [], "coordinate_forces": forces, "initial": initial,
        "segments": [one.model_dump() for one in project.segments if one.id not in links],
        "joints": [_without_friction(one) for one in project.joints if one.child not in links],
    })  # fmt: skip
    mujoco.mj_forward(model, data)
    rates = _rates(model, data, held)
    with redirect_stderr(StringIO()):
        run = mk.run(mk.Model(still), until=1e-3)
    worst, largest = np.zeros(2), np.ones(2)
    jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    dp, dr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    ids = {one.name: one.id for one in project.segments if one.name}
    bodies = [one.id for one in project.segments if one.name or one.mass_kg > 0.0]
    for b in range(1, model.nbody):
        if not model.body_dofnum[model.body_rootid[b]] and not model.nv:
            continue
        name = ids.get(mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, b) or "", bodies[b - 1] if b <= len(bodies) else "")  # fmt: skip
        mujoco.mj_jacBodyCom(model, data, jacp, jacr, b)
        mujoco.mj_jacDot(model, data, dp, dr, data.xipos[b], b)
        # turning along the body's own axes, as it is given here
        own = data.xmat[b].reshape(3, 3).T
        theirs = jacp @ rates + dp @ data.qvel, own @ (jacr @ rates + dr @ data.qvel)
        for k, what in enumerate(("acceleration", "angular_acceleration")):
            ours = np.array([run[f"segments/{name}/{what}/{axis}"].value[0] for axis in "xyz"])
            worst[k] = max(worst[k], float(np.abs(ours - theirs[k]).max()))
            largest[k] = max(largest[k], float(np.abs(theirs[k]).max()))
    return float((worst / largest).max())


def _moving(
    project: Project, model: Any, data: Any, rng: np.random.Generator
) -> tuple[dict[str, Any], list[int]]:
    """Give both a random state, ours as it returns; and name the speeds of joints that are held here."""
    starts, held = list[dict[str, Any]](), list[int]()
    roots = {one.segment: one.model_dump() for one in project.initial.roots}
    attitudes = {one.segment: one.model_dump() for one in project.initial.attitudes}
    links = {name for one in (*sums_of(project).values(), *followed_of(project).values()) for name in one.links}  # fmt: skip
    joints = iter([one for one in project.joints if one.kind in ("pin", "slip", "ball") and one.child not in links])  # fmt: skip
    free = iter(one.segment for one in project.initial.roots)
    for j in range(model.njnt):
        at, dof, kind = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j]), int(model.jnt_type[j])
        if kind == 0:
            segment = next(free)
            data.qvel[dof : dof + 6] = rng.uniform(-1.0, 1.0, 6)
            # off the place that springs hold
            data.qpos[at : at + 3] += rng.uniform(-0.1, 0.1, 3)
            mujoco.mju_quatIntegrate(data.qpos[at + 3 : at + 7], rng.uniform(-0.3, 0.3, 3), 1.0)
            spin, R = data.qvel[dof + 3 : dof + 6], matrix(data.qpos[at + 3 : at + 7])
            centre = R @ model.body_ipos[model.jnt_bodyid[j]]
            velocity = data.qvel[dof : dof + 3] + np.cross(R @ spin, centre)
            place = data.qpos[at : at + 3] + centre
            roots[segment] |= {"position_m": _row(place), "velocity_m_per_s": _row(velocity)}
            turn = {"order": "zyx", "angles_rad": _row(angles_from(R, "zyx"))}
            attitudes[segment] |= {"orientation": turn, "angular_velocity_rad_per_s": _row(spin)}
            continue
        joint: Any = next(joints)
        lock = joint.slide if kind == 2 else joint.lock
        q, v = (float(one) for one in rng.uniform(-0.4, 0.4, 2))
        if lock.locked:
            held += range(dof, dof + (3 if kind == 1 else 1))
        elif kind == 1:
            angles, rates = rng.uniform(-0.4, 0.4, 3), rng.uniform(-0.4, 0.4, 3)
            mujoco.mju_mat2Quat(data.qpos[at : at + 4], from_angles(_row(angles), "zyx").ravel())
            data.qvel[dof : dof + 3] = _spin(angles, rates)
            starts.append({"joint": joint.id, "values": _row(angles), "rates": _row(rates)})
        else:
            data.qpos[at] += q
            data.qvel[dof] = v
            starts.append({"joint": joint.id, "values": (q,), "rates": (v,)})
    at_start = {one["joint"]: one for one in starts}
    for one in _followed(project):
        lead, f = at_start[one.first.joint], np.polynomial.Polynomial(one.coefficients)
        q, v = lead["values"][0], lead["rates"][0]
        starts.append({"joint": one.second.joint, "values": (float(f(q)),), "rates": (float(f.deriv()(q)) * v,)})  # fmt: skip
    initial = {"roots": list(roots.values()), "attitudes": list(attitudes.values()), "joints": starts}  # fmt: skip
    return initial, held


def _followed(project: Project) -> list[Any]:
    """The couplings by which links follow sums of axes, on which tendons pull."""
    names = {name for one in followed_of(project).values() for name in one.couplings}
    return [one for one in project.constraints if one.id in names]


def _spin(angles: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """The angular velocity along the turned axes by rates of yaw, pitch and roll."""
    (_, p, r), (yaw, pitch, roll) = angles, rates
    return np.array([
        roll - yaw * np.sin(p),
        pitch * np.cos(r) + yaw * np.cos(p) * np.sin(r),
        yaw * np.cos(p) * np.cos(r) - pitch * np.sin(r),
    ])  # fmt: skip


def _controlled(
    forces: list[dict[str, Any]], model: Any, data: Any, rng: np.random.Generator
) -> None:
    """Give motors of joints a random control; all others have the one that is nearest to nought."""
    for n in range(model.nu):
        if model.actuator_ctrllimited[n]:
            data.ctrl[n] = min(max(0.0, model.actuator_ctrlrange[n][0]), model.actuator_ctrlrange[n][1])  # fmt: skip
    known = {one["name"]: one for one in forces if one["laws"][0]["kind"] == "blocks"}
    blocks = {block["name"]: block for one in known.values() for block in one["laws"][0]["blocks"] if block["name"].startswith("control_")}  # fmt: skip
    for n in range(model.nactuator):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, n) or f"actuator_{n}"
        block = (
            known[name]["laws"][0]["blocks"][0] if name in known else blocks.get(f"control_{name}")
        )
        if block is not None:
            control = float(rng.uniform(-1.5, 1.5))
            data.ctrl[int(model.actuator_ctrladr[n])] = control
            block["value"] = control


def _rates(model: Any, data: Any, held: list[int]) -> np.ndarray:
    """Give MuJoCo's accelerations of freedoms, where some are held."""
    if not held:
        return np.array(data.qacc)
    mass, free = np.zeros((model.nv, model.nv)), np.setdiff1d(np.arange(model.nv), held)
    mujoco.mj_fullM(model, data, mass)
    rates = np.zeros(model.nv)
    rates[free] = np.linalg.solve(mass[np.ix_(free, free)], data.qfrc_smooth[free])
    return rates


def _row(values: Any) -> tuple[float, ...]:
    return tuple(map(float, values))


def _plain(force: dict[str, Any]) -> dict[str, Any]:
    # a tendon that is slack between two lengths has stops that give all back; those of a range give back nothing
    laws = [
        one for one in force["laws"]
        if one["kind"] in MOVES or (force["coordinate"]["kind"] != "joint" and one["kind"] == "stop" and one["energy_ratio"])
    ]  # fmt: skip
    return {**force, "laws": laws}


def _without_friction(joint: Any) -> dict[str, Any]:
    data: dict[str, Any] = joint.model_dump()
    if data.get("friction"):
        data["friction"]["coulomb_nm"] = 0.0
    if data.get("slide"):
        data["slide"]["coulomb_n"] = 0.0
    return data
