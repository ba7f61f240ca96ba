"""What a model of MuJoCo says of itself as a whole (compiler, options, flags), and which attributes do nothing here."""

from __future__ import annotations

import math

import numpy as np

from solver.base.words import Sentence, msgid
from solver.engine.maths.rotation import Array
from solver.exchange.trees.body import Body, ReadNotes
from solver.exchange.trees.xml import BOUND, Element, TreeError

NAMES = {"name", "class", "childclass", "user", "group"}
"""Attributes that order a model, or draw it."""
IDLE = {
    "compiler": {
        "alignfree", "assetdir", "conflict", "convexhull", "discardvisual", "exactmeshinertia", "fitaabb", "fusestatic",
        "meshdir", "passthrough", "savecanonical", "savecompiled", "saveinertial", "strippath", "texturedir", "usethread",
    },
    "option": {
        "actuatorgroupdisable", "apirate", "ccd_iterations", "ccd_tolerance", "cone", "impratio", "integrator", "iterations",
        "jacobian", "ls_iterations", "ls_tolerance", "mpr_iterations", "mpr_tolerance", "noslip_iterations",
        "noslip_tolerance", "o_friction", "o_margin", "o_solimp", "o_solref", "sdf_initpoints", "sdf_iterations",
        "sleep_tolerance", "solver", "timestep", "tolerance",
    },
    "flag": {
        "actuation", "autoreset", "clampctrl", "contact", "diagexact", "energy", "equality", "eulerdamp", "filterparent", "fwdinv",
        "invdiscrete", "ipc", "island", "midphase", "multiccd", "nativeccd", "override", "refsafe", "sensor", "sleep",
        "speculative", "warmstart",
    },
    "body": {*NAMES, "fuse", "simple", "sleep"},
    "freejoint": {*NAMES, "align"},
    "joint": NAMES,
    "inertial": NAMES,
    "geom": {*NAMES, "castshadow", "fitscale", "hfield", "material", "mesh", "rgba"},
}  # fmt: skip
"""By tag: attributes that do nothing to a motion here: names, drawing, MuJoCo's own numerics, contacts, drives."""
CONTACT = (
    "contype", "conaffinity", "condim", "priority", "friction", "solmix", "solref", "solimp", "margin", "gap", "adhesion", "surfacevel",
)  # fmt: skip
LEFT_OUT = {
    "actuator": "Actuators are left out.", "tendon": "Tendons are left out.", "equality": "Equality constraints are left out.",
    "sensor": "Sensors are left out.", "contact": "Pairs and exclusions of contact are left out: allow contacts here.",
    "keyframe": "Key frames are left out.", "deformable": "Deformable parts are left out.", "extension": "Plugins are left out.",
}  # fmt: skip
KNOWN = {
    "asset",
    "compiler",
    "custom",
    "default",
    "option",
    "size",
    "statistic",
    "visual",
    "worldbody",
}
DRAWN = {"site", "camera", "light"}
OFF = {
    "gravity": msgid("gravity"), "spring": msgid("springs of joints"), "damper": msgid("dampers of joints"),
    "passive": msgid("springs and dampers of joints"), "limit": msgid("limits of joints"),
    "frictionloss": msgid("dry friction of joints"), "constraint": msgid("limits and dry friction of joints"),
}  # fmt: skip
"""Flags that change how a model moves, and what they switch off."""


class Options:
    """Hold what holds for all of a model."""

    def __init__(self, top: Element, told: ReadNotes) -> None:
        self.told = told
        self._compiler(top)
        self._options(top)
        for one in top.children:
            if one.tag in LEFT_OUT:
                if one.children:
                    told.say(LEFT_OUT[one.tag])
            elif one.tag not in KNOWN:
                told.say("Line {line}: <{tag}> is left out.", line=one.line, tag=one.tag)

    def _compiler(self, top: Element) -> None:
        given = dict[str, str]()
        for one in top.all("compiler"):
            given |= one.given
        first = top.first("compiler")
        one = Element("compiler", given, first.line if first else 0)
        self.degree = math.pi / 180.0 if one.given.get("angle", "degree") == "degree" else 1.0
        self.order = one.given.get("eulerseq", "xyz")
        self.from_geom = one.given.get("inertiafromgeom", "auto")
        self.auto_limits = one.given.get("autolimits", "true") == "true"
        low, high = one.numbers("inertiagrouprange", 2, (-BOUND, BOUND))
        self.groups = low, high
        if one.given.get("coordinate", "local") != "local":
            raise TreeError(
                "Places in global coordinates were given up by MuJoCo; write them local first."
            )
        if one.given.get("balanceinertia", "false") == "true":
            self.told.say("The compiler's {name} is not carried out.", name="balanceinertia")
        for name in ("settotalmass", "boundmass", "boundinertia"):
            if one.numbers(name, 1, (0.0,))[0] > 0.0:
                self.told.say("The compiler's {name} is not carried out.", name=name)
        self.told.rest(one, IDLE["compiler"])

    def _options(self, top: Element) -> None:
        self.gravity: Array = np.array([0.0, 0.0, -9.81])
        flags = dict[str, bool]()
        for one in top.all("option"):
            self.gravity = np.array(one.numbers("gravity", 3, tuple(self.gravity)))
            for name in ("wind", "density", "viscosity", "magnetic"):
                if any(one.numbers(name, 0, (0.0,))):
                    self.told.say("The option {name} is left out.", name=name)
            for flag in one.all("flag"):
                for name in OFF:
                    value = flag.given.get(name)
                    if value not in (None, "enable", "disable"):
                        raise flag.wrong(name, "it is neither enable nor disable")
                    if value is not None:
                        flags[name] = value == "disable"
                self.told.rest(flag, IDLE["flag"])
            self.told.rest(one, IDLE["option"])
        off = {name for name, is_off in flags.items() if is_off}
        for name in OFF:
            if name in off:
                self.told.say("The file switches off the {what}.", what=Sentence(OFF[name]))
        if "gravity" in off:
            self.gravity = np.zeros(3)
        self.springs, self.dampers = (not off & {name, "passive"} for name in ("spring", "damper"))
        self.limits, self.friction = (not off & {name, "constraint"} for name in ("limit", "frictionloss"))  # fmt: skip


# What each joint feels of the bodies in the drawn pose: springs and dampers that are told as a time and a ratio.


def spring_up(bodies: list[Body]) -> None:
    """Set stiffness and damping where a file tells time T and ratio z: k = I/(T z)^2, c = 2 I/T.

    I is what the joint feels in the drawn pose when all others are free: one by the mean of its
    entries on the diagonal of the inverse mass matrix.
    """
    if not any(axis.springdamper for body in bodies for axis in body.joints):
        return
    at = 0
    felt = np.diag(np.linalg.pinv(mass_matrix(bodies), hermitian=True))
    for body in bodies:
        at += 6 * body.is_free
        for axis in body.joints:
            count = 3 if axis.motion == "ball" else 1
            inertia = count / max(float(felt[at : at + count].sum()), 1e-15)
            at += count
            if axis.springdamper:
                time, ratio = axis.springdamper
                axis.stiffness = inertia / (time * ratio) ** 2
                axis.damping = 2.0 * inertia / time


def mass_matrix(bodies: list[Body]) -> Array:
    """Give the mass matrix in the drawn pose: of each body six freedoms where it is free, then its joints."""
    sizes = [6 * b.is_free + sum(3 if a.motion == "ball" else 1 for a in b.joints) for b in bodies]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    M = np.zeros((starts[-1], starts[-1]))
    R, p = list[Array](), list[Array]()
    moves: list[list[tuple[int, Array, Array]]] = []
    for n, body in enumerate(bodies):
        R_p, p_p = (R[body.parent], p[body.parent]) if body.parent >= 0 else (np.eye(3), np.zeros(3))  # fmt: skip
        R.append(R_p @ body.R)
        p.append(p_p + R_p @ body.place)
        here = list(moves[body.parent]) if body.parent >= 0 else []
        here += _moves(body, R[n], p[n], int(starts[n]), M)
        moves.append(here)
        centre, J = p[n] + R[n] @ body.centre, R[n] @ body.inertia @ R[n].T
        index = [k for k, _, _ in here]
        turning = np.array([w for _, w, _ in here]).reshape(-1, 3)
        along = np.array([v + np.cross(w, centre) for _, w, v in here]).reshape(-1, 3)
        M[np.ix_(index, index)] += turning @ J @ turning.T + body.mass * along @ along.T
    return M


def _moves(body: Body, R: Array, p: Array, at: int, M: Array) -> list[tuple[int, Array, Array]]:
    """Give each freedom's number, rate of turning, and velocity of the point at the origin."""
    found = list[tuple[int, Array, Array]]()
    if body.is_free:
        found += [(at + k, np.zeros(3), e) for k, e in enumerate(np.eye(3))]
        found += [(at + 3 + k, e, -np.cross(e, p)) for k, e in enumerate(R.T)]
        at += 6
    for axis in body.joints:
        point = p + R @ axis.place
        if axis.motion == "slide":
            found.append((at, np.zeros(3), R @ axis.axis / np.linalg.norm(axis.axis)))
        else:
            ways = R.T if axis.motion == "ball" else [R @ axis.axis / np.linalg.norm(axis.axis)]
            found += [(at + k, e, -np.cross(e, point)) for k, e in enumerate(ways)]
        count = 3 if axis.motion == "ball" else 1
        M[range(at, at + count), range(at, at + count)] += axis.armature
        at += count
    return found
