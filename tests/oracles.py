"""The same trees in two other programs, MuJoCo and Pinocchio, and the maps between their variables.

| | here | MuJoCo | Pinocchio |
|---|---|---|---|
| quaternion | w, x, y, z from the zero attitude `R0` | w, x, y, z; of a free body from the ground | x, y, z, w; of a free body from the ground |
| velocity of a free body | ground axes | ground axes | body axes |
| its rate | of the ground components | the same | of the body components: less w cross v |
| force on a free body | ground axes | ground axes | body axes |
| axis of a slide | in the parent | in the body | in the body |
| joint without mass | a body of its own | one more joint of the next body | a body of its own |
"""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin

from solver.engine.dynamics.tree import BALL, COORDINATES, FREE, SLIDE, SPEEDS, TURN, Array, Tree
from solver.engine.maths.rotation import matrix, quaternion


def inertia_matrix(tree: Tree, i: int) -> Array:
    """Give the inertia of a body about its mass centre, body axes."""
    J = tree.inertia[i]
    return np.array([[J[0], J[3], J[4]], [J[3], J[1], J[5]], [J[4], J[5], J[2]]])


def product(a: Array, b: Array) -> Array:
    """Multiply two quaternions (w, x, y, z)."""
    w = a[0] * b[0] - a[1:] @ b[1:]
    return np.array([w, *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def from_ground(tree: Tree, i: int, q: Array) -> Array:
    """Give the attitude of a free body from the ground, from that relative to its zero attitude."""
    return product(quaternion(tree.R0[i].reshape(3, 3)), q)


def to_ground(tree: Tree, i: int, q: Array) -> Array:
    """Give the attitude of a free body relative to its zero attitude."""
    return product(quaternion(tree.R0[i].reshape(3, 3)) * [1, -1, -1, -1], q)


class InPinocchio:
    """Hold a tree as a Pinocchio model; joint i + 1 there is body i here, in the same order."""

    def __init__(self, tree: Tree, g: Array) -> None:
        self.tree, self.model = tree, pin.Model()
        self.model.gravity.linear = g
        for i, (kind, parent) in enumerate(zip(tree.kind, tree.parent, strict=True)):
            R0 = tree.R0[i].reshape(3, 3)
            place, joint = pin.SE3(R0, tree.joint_in_parent[i]), pin.JointModelSpherical()
            if kind == TURN:
                joint = pin.JointModelRevoluteUnaligned(tree.axis[i])
            elif kind == SLIDE:
                joint = pin.JointModelPrismaticUnaligned(R0.T @ tree.axis[i])
            elif kind == FREE:
                place, joint = pin.SE3.Identity(), pin.JointModelFreeFlyer()
            number = self.model.addJoint(int(parent) + 1, joint, place, f"b{i}")
            # without it `buildReducedModel` reads beyond the frames there are
            self.model.addJointFrame(number)
            body = pin.Inertia(tree.mass[i], tree.centre[i], inertia_matrix(tree, i))
            self.model.appendBodyToJoint(number, body, pin.SE3.Identity())
            if kind != FREE:
                at = self.model.idx_vs[number]
                self.model.armature[at : at + (3 if kind == BALL else 1)] = tree.drive[i]
        self.data = self.model.createData()

    def coordinates(self, q: Array) -> Array:
        """Give Pinocchio's coordinates."""
        out = q.copy()
        for i, kind, at in self._turning():
            turn = q[at : at + 4]
            turn = from_ground(self.tree, i, turn) if kind == FREE else turn
            out[at : at + 4] = turn[[1, 2, 3, 0]]
        return out

    def coordinates_back(self, q: Array) -> Array:
        """Give ours from Pinocchio's coordinates."""
        out = q.copy()
        for i, kind, at in self._turning():
            turn = q[at : at + 4][[3, 0, 1, 2]]
            out[at : at + 4] = to_ground(self.tree, i, turn) if kind == FREE else turn
        return out

    def speeds(self, q: Array, v: Array) -> Array:
        """Give Pinocchio's speeds; also its forces on freedoms, whose axes are the same."""
        out = v.copy()
        for b, R in self._free(q):
            out[b : b + 3] = R.T @ v[b : b + 3]
        return out

    def speeds_back(self, q: Array, v: Array) -> Array:
        """Give ours from Pinocchio's speeds."""
        out = v.copy()
        for b, R in self._free(q):
            out[b : b + 3] = R @ v[b : b + 3]
        return out

    def rates(self, q: Array, v: Array, rates: Array) -> Array:
        """Give the rates of Pinocchio's speeds."""
        out = rates.copy()
        for b, R in self._free(q):
            out[b : b + 3] = R.T @ rates[b : b + 3] - np.cross(v[b + 3 : b + 6], R.T @ v[b : b + 3])
        return out

    def rates_back(self, q: Array, v: Array, rates: Array) -> Array:
        """Give ours from the rates of Pinocchio's speeds; q and v are ours."""
        out = rates.copy()
        for b, R in self._free(q):
            out[b : b + 3] = R @ (rates[b : b + 3] + np.cross(v[b + 3 : b + 6], R.T @ v[b : b + 3]))
        return out

    def accelerations(self, q: Array, v: Array, tau: Array, torque: Array, force: Array) -> Array:
        """Give the rates of our speeds."""
        theirs, speeds = self.coordinates(q), self.speeds(q, v)
        pin.forwardKinematics(self.model, self.data, theirs)
        loads = pin.StdVec_Force()
        loads.append(pin.Force.Zero())
        for i in range(len(self.tree.parent)):
            R = self.data.oMi[i + 1].rotation
            loads.append(pin.Force(R.T @ force[i], R.T @ torque[i]))
        rates = pin.aba(self.model, self.data, theirs, speeds, self.speeds(q, tau), loads)
        return self.rates_back(q, v, rates)

    def _turning(self) -> list[tuple[int, int, int]]:
        """List bodies with an attitude: number, kind and where the quaternion stands."""
        kinds = enumerate(zip(self.tree.kind, self.tree.at_q, strict=True))
        return [(i, k, int(at) + (3 if k == FREE else 0)) for i, (k, at) in kinds if k >= BALL]

    def _free(self, q: Array) -> list[tuple[int, Array]]:
        """List free bodies: where their speeds stand, and their present turn."""
        return [
            (int(self.tree.at_v[i]), self.tree.R0[i].reshape(3, 3) @ matrix(q[at : at + 4]))
            for i, kind, at in self._turning()
            if kind == FREE
        ]


class InMuJoCo:
    """Hold a tree as a MuJoCo model; bodies without mass become joints of the next body.

    MuJoCo numbers its bodies branch by branch, so `at_q` and `at_v` say where ours stand there.
    """

    def __init__(self, tree: Tree, g: Array) -> None:
        self.tree = tree
        groups = self._groups()
        spec, made = mujoco.MjSpec(), {}
        for group in groups:
            last, parent = group[-1], int(tree.parent[group[0]])
            onto = made[parent] if parent >= 0 else spec.worldbody
            made[last] = self._add(onto, group)
        spec.option.gravity = g
        bits = mujoco.mjtDisableBit
        spec.option.disableflags = bits.mjDSBL_CONSTRAINT | bits.mjDSBL_CONTACT
        self.model = model = spec.compile()
        # Only now, because the compiler refuses inertias that no solid has.
        for group in groups:
            moments, axes = principal(tree, group[-1])
            model.body(f"b{group[-1]}").inertia = moments
            model.body(f"b{group[-1]}").iquat = quaternion(axes)
        self.data = mujoco.MjData(model)
        mujoco.mj_setConst(model, self.data)
        joints = [model.joint(f"j{i}") for i in range(len(tree.parent))]
        self.at_q = np.array([j.qposadr[0] for j in joints])
        self.at_v = np.array([j.dofadr[0] for j in joints])
        self.body = np.array([j.bodyid[0] for j in joints])
        at_q = [np.arange(COORDINATES[k]) + a for k, a in zip(tree.kind, self.at_q, strict=True)]
        at_v = [np.arange(SPEEDS[k]) + a for k, a in zip(tree.kind, self.at_v, strict=True)]
        self._q, self._v = np.concatenate(at_q), np.concatenate(at_v)

    def coordinates(self, q: Array) -> Array:
        """Give MuJoCo's coordinates."""
        ours, theirs = q.copy(), np.empty_like(q)
        for i in np.flatnonzero(self.tree.kind == FREE):
            at = self.tree.at_q[i] + 3
            ours[at : at + 4] = from_ground(self.tree, i, q[at : at + 4])
        theirs[self._q] = ours
        return theirs

    def coordinates_back(self, q: Array) -> Array:
        """Give ours from MuJoCo's coordinates."""
        ours = q[self._q]
        for i in np.flatnonzero(self.tree.kind == FREE):
            at = self.tree.at_q[i] + 3
            ours[at : at + 4] = to_ground(self.tree, i, ours[at : at + 4])
        return ours

    def speeds(self, v: Array) -> Array:
        """Give MuJoCo's speeds; also its rates and forces on freedoms, whose axes are the same."""
        theirs = np.empty_like(v)
        theirs[self._v] = v
        return theirs

    def speeds_back(self, v: Array) -> Array:
        """Give ours from MuJoCo's speeds, rates or forces."""
        return v[self._v]

    def accelerations(self, q: Array, v: Array, tau: Array, torque: Array, force: Array) -> Array:
        """Give the rates of our speeds; bodies without mass must have no loads of their own."""
        data = self.data
        data.qpos, data.qvel = self.coordinates(q), self.speeds(v)
        data.qfrc_applied, data.xfrc_applied = self.speeds(tau), 0.0
        mujoco.mj_kinematics(self.model, data)
        for i in np.flatnonzero(self.tree.mass > 0.0):
            b = self.body[i]
            # MuJoCo's loads act on mass centres
            arm = data.xmat[b].reshape(3, 3) @ self.tree.centre[i]
            data.xfrc_applied[b] = [*force[i], *(torque[i] - np.cross(arm, force[i]))]
        mujoco.mj_forward(self.model, data)
        return self.speeds_back(data.qacc)

    def _groups(self) -> list[list[int]]:
        """List our bodies for each body there: any number without mass, then one with mass."""
        groups: dict[int, list[int]] = {}
        for i, parent in enumerate(self.tree.parent):
            before = groups.pop(int(parent)) if parent >= 0 and not self.tree.mass[parent] else []
            groups[i] = [*before, i]
        if any(not self.tree.mass[group[-1]] for group in groups.values()):
            raise ValueError("A body without mass must carry one other body.")
        return list(groups.values())

    def _add(self, onto: mujoco.MjsBody, group: list[int]) -> mujoco.MjsBody:
        """Add a body with its joints, all given in its axes at coordinates zero."""
        tree, kinds = self.tree, mujoco.mjtJoint
        R, p = np.eye(3), np.zeros(3)
        joints = []
        for i in group:
            slide = R @ tree.axis[i]
            p = p + R @ tree.joint_in_parent[i]
            R = R @ tree.R0[i].reshape(3, 3)
            joints.append((i, p, slide if tree.kind[i] == SLIDE else R @ tree.axis[i]))
        last = group[-1]
        moments, axes = principal(tree, last)
        body = onto.add_body(
            name=f"b{last}", pos=p, quat=quaternion(R), explicitinertial=True, mass=tree.mass[last],
            ipos=tree.centre[last], iquat=quaternion(axes), inertia=np.full(3, moments.max()),
        )  # fmt: skip
        there = (kinds.mjJNT_HINGE, kinds.mjJNT_SLIDE, kinds.mjJNT_BALL, kinds.mjJNT_FREE)
        for i, place, axis in joints:
            kind, pos = there[tree.kind[i]], R.T @ (place - p)
            drive = 0.0 if tree.kind[i] == FREE else tree.drive[i]
            body.add_joint(name=f"j{i}", type=kind, pos=pos, axis=R.T @ axis, armature=drive)
        return body


def principal(tree: Tree, i: int) -> tuple[Array, Array]:
    """Give a body's principal moments of inertia and the turn of their axes."""
    moments, axes = np.linalg.eigh(inertia_matrix(tree, i))
    axes[:, 0] *= np.linalg.det(axes)
    return moments, axes
