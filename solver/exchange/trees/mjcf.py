"""Read MJCF, the model files of MuJoCo: MuJoCo's own compiler says what a file means."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.extras import needed
from solver.base.words import Sentence, msgid
from solver.engine.maths.rotation import matrix
from solver.exchange.trees.bodies import (
    Asked,
    Axis,
    Body,
    Limit,
    Link,
    Model,
    Motion,
    Push,
    ReadNotes,
    Shape,
    Touch,
)
from solver.exchange.trees.mjcf_contacts import Contacts, time_of
from solver.exchange.trees.mjcf_drives import drives
from solver.exchange.trees.mjcf_files import look_through
from solver.exchange.trees.mjcf_fluid import fluid
from solver.exchange.trees.tendons import Tendons
from solver.exchange.trees.ties import Equality
from solver.exchange.trees.xml import (
    BOUND,
    Element,
    TreeError,
)

# What the compiler makes of a model, as bodies.

DRAWN_KINDS: dict[int, Any] = {
    0: "plane", 2: "ellipsoid", 3: "capsule", 4: "ellipsoid", 5: "cylinder", 6: "box",
}  # fmt: skip
"""Kinds of geoms (mjtGeom) that are taken; a sphere is an ellipsoid."""
FREE, BALL = 0, 1
LEAST_TURN = 1e-3
"""Turn (rad) that a ball is free to make at least where it has an end."""
FINITE = (
    "qpos0", "qpos_spring", "body_pos", "body_quat", "body_ipos", "body_iquat", "body_mass", "body_inertia", "jnt_pos", "jnt_axis",
    "jnt_stiffness", "jnt_solref", "dof_damping", "dof_frictionloss", "dof_armature", "geom_size", "geom_pos", "geom_quat", "geom_friction", "geom_solref", "site_pos", "site_quat", "eq_data",
    "tendon_stiffness", "tendon_damping", "tendon_lengthspring", "actuator_gainprm", "actuator_biasprm", "actuator_gear",
)  # fmt: skip
"""Arrays of a compiled model without a number that is endless."""
MOTIONS: dict[int, Motion] = {1: "ball", 2: "slide", 3: "hinge"}
OFF = {
    "gravity": msgid("gravity"), "spring": msgid("springs of joints"), "damper": msgid("dampers of joints"),
    "limit": msgid("limits of joints"), "frictionloss": msgid("dry friction of joints"),
    "equality": msgid("equality constraints"), "actuation": msgid("actuators"), "contact": msgid("contacts"),
    "constraint": msgid("limits and dry friction of joints, and equality constraints"),
}  # fmt: skip
"""Flags that change how a model moves, and what they switch off."""
GONE = ("textures", "materials", "skins", "sensors", "keys")
"""Lists of a model that do nothing to a motion here, or are said to be left out, and need not be compiled."""


def read_mjcf(
    data: bytes, top: Element, read_notes: ReadNotes, at: tuple[Path | None, Path | None], asked: Asked
) -> Model:  # fmt: skip
    """Read a model of MuJoCo of a file, and the files it names where these lie within a folder; it starts as drawn, or as a key frame says."""
    file, within = at
    look_through(top, file, within)
    with needed("mujoco", TreeError):
        import mujoco
    before = mujoco.get_mju_user_warning()
    # else warnings go to a file of their own in the folder where one works
    brief = list[str]()
    mujoco.set_mju_user_warning(brief.append)
    try:
        spec: Any = mujoco.MjSpec.from_file(str(file)) if file and within else mujoco.MjSpec.from_string(data.decode("utf-8", "replace"))  # fmt: skip
        names = _keys_named(spec, asked.keyframe, read_notes)
        told = _lightened(spec, read_notes, asked)
        with warnings.catch_warnings(record=True) as whole:
            warnings.simplefilter("always")
            compiled = spec.compile()
        texts = ["; ".join(str(one.message).splitlines()) for one in whole]
        texts += [one for one in brief if not any(text.startswith(one) for text in texts)]
        for text in texts:
            read_notes.say("MuJoCo warns: {text}.", text=text.rstrip("."))
        model = _Reader(mujoco, compiled, told, read_notes).read(asked)
        model.keyframes = names
        return model
    except (ValueError, RuntimeError, mujoco.FatalError) as failure:
        why = " ".join(str(failure).split())
        raise TreeError("MuJoCo cannot read it: {why}.", why=why.rstrip(".")) from None
    finally:
        mujoco.set_mju_user_warning(before)


def _keys_named(spec: Any, keyframe: str, read_notes: ReadNotes) -> tuple[str, ...]:
    """Give the key frames, refuse one that is none of them, and where none is asked for, say which there are."""
    names = tuple(one.name or str(n) for n, one in enumerate(spec.keys))
    there = ", ".join(names)
    if keyframe and keyframe not in names:
        raise TreeError("There is no key frame '{name}' in the file; it has: {there}.", name=keyframe, there=there or "-")  # fmt: skip
    if names and not keyframe:
        read_notes.say("It starts as the file draws it; key frames, of which you can ask for one by its name (--keyframe): {there}.", there=there)  # fmt: skip
    return names


def _lightened(spec: Any, read_notes: ReadNotes, asked: Asked) -> str:
    """Take out what does nothing to a motion, meshes of bodies whose inertia is given among it; give the title."""
    for name, said in (
        ("sensors", msgid("Sensors are left out.")), ("skins", msgid("Skins are left out.")), ("plugins", msgid("Plugins are left out.")),
    ):  # fmt: skip
        if list(getattr(spec, name)):
            read_notes.say(said)
    for name in GONE:
        for one in list(getattr(spec, name)) if name != "keys" or not asked.keyframe else ():
            spec.delete(one)
    from_geom = int(spec.compiler.inertiafromgeom) == 1
    for one in (*spec.geoms, *spec.sites, *spec.tendons):
        one.material = ""
    for light in spec.lights:
        light.texture = ""
    drawn = {one.name for one in spec.geoms if int(one.type) in DRAWN_KINDS and not one.meshname}
    for pair in list(spec.pairs):
        if not {pair.geomname1, pair.geomname2} <= drawn:
            read_notes.say("Pairs of contact with shapes that are left out are left out, too.")
            spec.delete(pair)
    for geom in list(spec.geoms):
        if int(geom.type) in DRAWN_KINDS and not geom.meshname:
            continue
        if int(geom.type) not in DRAWN_KINDS:
            kind = geom.type.name.removeprefix("mjGEOM_").lower()
            read_notes.say("Geoms of kind {kind} are left out.", kind=kind)
        if not from_geom and (geom.parent.explicitinertial or geom.parent.name == "world"):
            spec.delete(geom)
    return str(spec.modelname)


class _Reader:
    def __init__(self, mujoco: Any, m: Any, title: str, read_notes: ReadNotes) -> None:
        self.mujoco, self.m, self.title, self.read_notes = mujoco, m, title, read_notes
        self.axes, self.shapes = dict[int, Axis](), dict[int, Shape]()
        self.links = list[Link]()
        flags = int(m.opt.disableflags)
        bit = {name: int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name.upper()}")) for name in OFF}
        self.off = {name for name in OFF if flags & bit[name]}
        for name in OFF:
            if name in self.off:
                read_notes.say("The file switches off the {what}.", what=Sentence(OFF[name]))
        self.gravity = np.zeros(3) if "gravity" in self.off else np.array(m.opt.gravity)

    def _has(self, name: str) -> bool:
        return name not in self.off and (name not in ("limit", "frictionloss", "equality") or "constraint" not in self.off)  # fmt: skip

    def _name(self, kind: str, number: int) -> str:
        return self.mujoco.mj_id2name(self.m, getattr(self.mujoco.mjtObj, f"mjOBJ_{kind}"), number) or f"{kind.lower()}_{number}"  # fmt: skip

    def read(self, asked: Asked) -> Model:
        m, keyframe = self.m, asked.keyframe
        keys = range(m.nkey) if keyframe else ()
        key = next((n for n in keys if keyframe in (str(n), self._key(n))), None)
        if m.nbody < 2:
            raise TreeError("The model has no body.")
        for name in FINITE:
            values = np.asarray(getattr(m, name))
            if values.size and not np.abs(values).max() < BOUND:
                raise TreeError("Among its numbers ({name}) are some that are not finite, or beyond 1e15.", name=name)  # fmt: skip
        bodies = [self._body(n) for n in range(1, m.nbody)]
        for n in range(m.njnt):
            self._joint(n, bodies)
        world = self._shapes(0)
        planes = [one for one in world if one.kind == "plane"]
        solids = [one for one in world if one.kind != "plane"]
        in_world = len(bodies)
        if solids:
            self.read_notes.say("Shapes of the world are on a fixed body of 1 kg.")
            bodies.append(Body("world", -1, shapes=solids, mass=1.0, inertia=np.eye(3)))
        if key is not None:
            self._start(key, bodies)
        equality = Equality(self.mujoco, m, self.axes, self._name, self.read_notes)
        ties = equality.ties() if self._has("equality") else []
        tendons = Tendons(self.mujoco, m, self.axes, self._name, self._has, self.read_notes)
        lines, single = tendons.read(equality.used)
        pushes = list[Push]()
        if self._has("actuation"):
            pushes = drives(
                self.mujoco,
                m,
                (self.axes, lines, single),
                self._name,
                self.read_notes,
                None if key is None else (m.key_ctrl[key], m.key_act[key]),
            )
        led = dict[int, np.ndarray]()
        if m.opt.density or m.opt.viscosity:
            count = len(bodies)
            self.links += fluid(m, bodies, self.read_notes)
            led = {n: np.array(m.opt.wind) for n in range(count, len(bodies))}
        self._left_out(asked)
        touches = list[Touch]()
        if not {"contact", "constraint"} & self.off:
            parents = not int(m.opt.disableflags) & int(
                self.mujoco.mjtDisableBit.mjDSBL_FILTERPARENT
            )
            touches = Contacts(m, self.shapes, parents, self.read_notes).touches(
                in_world, asked.contacts == "all"
            )
        return Model(
            bodies,
            self.gravity,
            self.title,
            planes,
            links=self.links,
            ties=ties,
            tensions=list(lines.values()),
            touches=touches,
            pushes=pushes,
            led=led,
        )

    def _body(self, n: int) -> Body:
        m = self.m
        name = self._name("BODY", n)
        turn = matrix(m.body_iquat[n])
        body = Body(
            name, int(m.body_parentid[n]) - 1, np.array(m.body_pos[n]), matrix(m.body_quat[n]), mass=float(m.body_mass[n]),
            centre=np.array(m.body_ipos[n]), inertia=turn @ np.diag(m.body_inertia[n]) @ turn.T, shapes=self._shapes(n),
        )  # fmt: skip
        if m.body_mocapid[n] >= 0:
            self.read_notes.say("Body '{name}' moves as a mocap body; here it is fixed.", name=name)
        body.lift = -float(m.body_gravcomp[n] * m.body_mass[n]) * self.gravity
        return body

    def _joint(self, n: int, bodies: list[Body]) -> None:
        m, kind = self.m, int(self.m.jnt_type[n])
        body, dof, at = bodies[m.jnt_bodyid[n] - 1], int(m.jnt_dofadr[n]), int(m.jnt_qposadr[n])
        rubs = float(m.dof_damping[dof]) if self._has("damper") else 0.0
        dry = float(m.dof_frictionloss[dof]) if self._has("frictionloss") else 0.0
        stiff = float(m.jnt_stiffness[n]) if self._has("spring") else 0.0
        if kind == FREE:
            body.is_free = True
            self._free(n, body, bodies, (stiff, rubs))
            if dry:
                self.read_notes.say("Body '{name}': the dry friction of its free joint is left out.", name=body.name)  # fmt: skip
            return
        name = self._name("JOINT", n) if m.name_jntadr[n] and self.mujoco.mj_id2name(m, self.mujoco.mjtObj.mjOBJ_JOINT, n) else f"{body.name}_joint"  # fmt: skip
        axis = Axis(
            name, MOTIONS[kind], np.array(m.jnt_axis[n]), np.array(m.jnt_pos[n]), rubs, dry, stiff, armature=float(m.dof_armature[dof]),
        )  # fmt: skip
        if kind != BALL:
            axis.rest = float(m.qpos_spring[at] - m.qpos0[at])
        if any(m.jnt_stiffnesspoly[n]) or any(m.dof_dampingpoly[dof]):
            self.read_notes.say("Joint '{name}': only the linear part of stiffness and damping is taken.", name=name)  # fmt: skip
        if m.jnt_springyield[n] and stiff:
            self.read_notes.say("Joint '{name}': its spring yields in the file; here it does not.", name=name)  # fmt: skip
        if m.jnt_limited[n] and self._has("limit"):
            self._limit(n, axis, float(m.qpos0[at]))
        by_drives = self._has("actuation") and m.nu and not m.jnt_actfrclimited[n]
        if m.jnt_actgravcomp[n] and any(m.body_gravcomp) and not by_drives:
            self.read_notes.say("Joint '{name}': weight is carried here whatever its drives can give.", name=name)  # fmt: skip
        body.joints.append(axis)
        self.axes[n] = axis

    def _key(self, n: int) -> str:
        return self.mujoco.mj_id2name(self.m, self.mujoco.mjtObj.mjOBJ_KEY, n) or ""

    def _start(self, key: int, bodies: list[Body]) -> None:
        """Start as a key frame says."""
        m = self.m
        places, rates = np.array(m.key_qpos[key]), np.array(m.key_qvel[key])
        for n in range(m.njnt):
            at, dof, body = int(m.jnt_qposadr[n]), int(m.jnt_dofadr[n]), bodies[m.jnt_bodyid[n] - 1]
            if n not in self.axes:
                body.place, body.R = places[at : at + 3], matrix(places[at + 3 : at + 7])
                body.spin = rates[dof + 3 : dof + 6]
                body.velocity = rates[dof : dof + 3] + body.R @ np.cross(body.spin, body.centre)
                continue
            axis = self.axes[n]
            if axis.motion == "ball":
                axis.turn = matrix(places[at : at + 4])
                axis.spin = axis.turn @ rates[dof : dof + 3]
                continue
            axis.start, axis.speed = float(places[at] - m.qpos0[at]), float(rates[dof])
        for n in range(1, m.nbody):
            k, body = int(m.body_mocapid[n]), bodies[n - 1]
            if k < 0:
                continue
            body.place, body.R = np.array(m.key_mpos[key][3 * k : 3 * k + 3]), matrix(m.key_mquat[key][4 * k : 4 * k + 4])  # fmt: skip

    def _free(self, n: int, body: Body, bodies: list[Body], pulls: tuple[float, float]) -> None:
        """Give a free joint its spring and damper as a bushing on the ground, its armature as a part that does not weigh."""
        m, number = self.m, int(self.m.jnt_bodyid[n]) - 1
        at, heavy = int(m.jnt_qposadr[n]), float(m.dof_armature[m.jnt_dofadr[n]])
        stiff, rubs = pulls
        if stiff or rubs:
            rest = (
                -1,
                np.array(m.qpos_spring[at : at + 3]),
                matrix(m.qpos_spring[at + 3 : at + 7]),
            )
            ends = [rest, (number, np.zeros(3), np.eye(3))]
            self.links.append(
                Link(f"{body.name}_bushing", "bushing", ends, (stiff,) * 6, (rubs,) * 6)
            )
        if heavy:
            # the same inertia along and about all axes, at the body's origin
            lift = -heavy * self.gravity
            bodies.append(
                Body(
                    f"{body.name}_armature",
                    number,
                    mass=heavy,
                    inertia=heavy * np.eye(3),
                    lift=lift,
                )
            )
            self.read_notes.say("Body '{name}': the armature of its free joint is a part of its own, whose weight a force carries.", name=body.name)  # fmt: skip

    def _limit(self, n: int, axis: Axis, zero: float) -> None:
        m = self.m
        if axis.motion == "ball":
            end, time = max(float(max(m.jnt_range[n])), LEAST_TURN), time_of(m.jnt_solref[n])
            stiff = 1.0 / (max(float(m.dof_invweight0[m.jnt_dofadr[n]]), 1e-15) * time**2)
            if end < math.pi:
                axis.limits.append(Limit(end, True, stiff, 2.0 * stiff * time))
                self.read_notes.name("Limits of balls ({count}) are stops on the size of their turn, by what they carry in the drawn pose and the file's time, damped while they are pressed: {names}.", axis.name)  # fmt: skip
            return
        low, high = (float(one) - zero for one in m.jnt_range[n])
        axis.ends = low, high
        axis.end_time = time_of(m.jnt_solref[n])

    def _shapes(self, body: int) -> list[Shape]:
        m, found = self.m, list[Shape]()
        first = int(m.body_geomadr[body])
        for n in range(first, first + int(m.body_geomnum[body])):
            kind = DRAWN_KINDS.get(int(m.geom_type[n]))
            if kind is None:
                continue
            a, b, c = map(float, m.geom_size[n])
            size = {0: (a, b, c), 2: (a, a, a), 3: (a, 0.0, b), 4: (a, b, c), 5: (a, 0.0, b), 6: (a, b, c)}[int(m.geom_type[n])]  # fmt: skip
            made = Shape(self._name("GEOM", n), kind, size, np.array(m.geom_pos[n]), matrix(m.geom_quat[n]))  # fmt: skip
            found.append(made)
            self.shapes[n] = made
        return found

    def _left_out(self, asked: Asked) -> None:
        """Name what else of the compiled model changes how it moves."""
        m = self.m
        if m.nflex:
            names = ", ".join(self._name("FLEX", n) for n in range(m.nflex))
            self.read_notes.say("Deformable parts are left out: {names}.", names=names)
        if m.nplugin:
            self.read_notes.say("Plugins are left out.")
        if m.ngeom > 1 and any(m.geom_contype) and any(m.geom_conaffinity) and "contact" not in self.off and asked.contacts != "all":  # fmt: skip
            self.read_notes.say("In the file shapes of bodies touch each other; here they do once it is allowed, or asked for with the import (--contacts all).")  # fmt: skip
