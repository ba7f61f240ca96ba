"""Where bodies of an OpenSim model are, read from its XML by numpy alone: nothing of the importer is used."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping

import numpy as np

Array = np.ndarray
Place = tuple[Array, Array]
PLAIN: dict[str, list[tuple[str, str]]] = {
    "PinJoint": [("turn", "z")],
    "SliderJoint": [("shift", "x")],
    "WeldJoint": [],
    "UniversalJoint": [("turn", "x"), ("turn", "y")],
    "BallJoint": [("turn", "x"), ("turn", "y"), ("turn", "z")],
    "GimbalJoint": [("turn", "x"), ("turn", "y"), ("turn", "z")],
    "PlanarJoint": [("turn", "z"), ("shift", "x"), ("shift", "y")],
    "FreeJoint": [("turn", "x"), ("turn", "y"), ("turn", "z"), ("shift", "x"), ("shift", "y"), ("shift", "z")],
}  # fmt: skip


def numbers(one: ET.Element | None, tag: str, usual: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Array:
    text = one.findtext(tag) if one is not None else None
    return np.array([float(w) for w in text.split()] if text and text.strip() else usual)


def about(axis: Array, angle: float) -> Array:
    x, y, z = axis / np.linalg.norm(axis)
    c, s = math.cos(angle), math.sin(angle)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return c * np.eye(3) + s * K + (1 - c) * np.outer((x, y, z), (x, y, z))


def body_xyz(angles: Array) -> Array:
    X, Y, Z = np.eye(3)
    return about(X, angles[0]) @ about(Y, angles[1]) @ about(Z, angles[2])


def simm(x: Array, y: Array, at: float) -> float:
    """A cubic spline whose ends bend as the cubic through their four points; straight on beyond them."""
    n, h = len(x), np.diff(x)
    if n == 2:
        return float(y[0] + (y[1] - y[0]) / h[0] * (at - x[0]))
    # unknown second derivatives m: continuity of slopes, and third derivatives at the ends
    A, b = np.zeros((n, n)), np.zeros(n)
    for k in range(1, n - 1):
        A[k, k - 1], A[k, k], A[k, k + 1] = h[k - 1] / 6, (h[k - 1] + h[k]) / 3, h[k] / 6
        b[k] = (y[k + 1] - y[k]) / h[k] - (y[k] - y[k - 1]) / h[k - 1]
    for row, (i, j), four in ((0, (0, 1), range(4)), (n - 1, (n - 2, n - 1), range(n - 4, n))):
        A[row, i], A[row, j] = -1.0, 1.0
        if n > 3:
            # third divided difference is a sixth of the third derivative
            third = sum(y[p] / math.prod(x[p] - x[q] for q in four if q != p) for p in four)
            b[row] = 6.0 * third * (x[j] - x[i])
    m = np.linalg.solve(A, b)
    near = min(max(at, x[0]), x[-1])
    k = min(int(np.searchsorted(x, near, side="right")) - 1, n - 2)
    t, s = near - x[k], x[k + 1] - near
    value = (m[k] * s**3 + m[k + 1] * t**3) / (6 * h[k]) + (y[k] / h[k] - m[k] * h[k] / 6) * s + (y[k + 1] / h[k] - m[k + 1] * h[k] / 6) * t  # fmt: skip
    slope = (m[k + 1] * t**2 - m[k] * s**2) / (2 * h[k]) + (y[k + 1] - y[k]) / h[k] - (m[k + 1] - m[k]) * h[k] / 6  # fmt: skip
    return float(value + slope * (at - near))


FUNCTIONS = ("SimmSpline", "NaturalCubicSpline", "natCubicSpline", "LinearFunction", "Constant", "MultiplierFunction", "PiecewiseLinearFunction", "PolynomialFunction")  # fmt: skip


def value(one: ET.Element, at: float) -> float:
    if one.tag == "MultiplierFunction":
        held = one.find("function")
        return float(numbers(one, "scale", (1.0,))[0]) * value(inner(held if held is not None else one), at)  # fmt: skip
    if one.tag == "Constant":
        return float(numbers(one, "value", (0.0,))[0])
    if one.tag == "LinearFunction":
        slope, start = numbers(one, "coefficients", (1.0, 0.0))
        return float(slope * at + start)
    if one.tag == "PolynomialFunction":
        return float(np.polyval(numbers(one, "coefficients"), at))
    x, y = numbers(one, "x"), numbers(one, "y")
    if one.tag == "PiecewiseLinearFunction":
        return float(np.interp(at, x, y))
    assert one.tag in FUNCTIONS, one.tag
    return simm(x, y, at)


def inner(held: ET.Element) -> ET.Element:
    return next(one for one in held.iter() if one.tag in FUNCTIONS)


def last(path: str | None) -> str:
    return (path or "").strip().rsplit("/", 1)[-1]


def places(file: str, given: Mapping[str, float]) -> dict[str, Place]:
    """Axes and origin of each body by coordinates; those that are not given stand at their usual values, couplers hold."""
    model = ET.parse(file).getroot().find("Model")
    assert model is not None
    q = {c.get("name", ""): float(c.findtext("default_value") or 0.0) for c in model.iter("Coordinate")} | dict(given)  # fmt: skip
    for one in model.iter("CoordinateCouplerConstraint"):
        if "true" in (one.findtext("isDisabled") or "") or "false" in (one.findtext("isEnforced") or ""):  # fmt: skip
            continue
        held = one.find("coupled_coordinates_function")
        assert held is not None
        (leads,) = (one.findtext("independent_coordinate_names") or "").split()
        scale = float(one.findtext("scale_factor") or 1.0)
        q[(one.findtext("dependent_coordinate_name") or "").strip()] = scale * value(inner(held), q[leads])  # fmt: skip
    joints = [(j, b) for b in model.iter("Body") for held in b.findall("Joint") for j in held]
    joints += [(j, None) for s in model.findall("JointSet") for o in s.findall("objects") for j in o]  # fmt: skip
    links = dict[str, tuple[str, Array, Array, Array, Array]]()
    for joint, body in joints:
        R, shift = move(joint, q)
        if body is not None:
            a, b = (joint.findtext("parent_body") or "").strip(), body.get("name", "")
            Ra, pa = body_xyz(numbers(joint, "orientation_in_parent")), numbers(joint, "location_in_parent")  # fmt: skip
            Rb, pb = body_xyz(numbers(joint, "orientation")), numbers(joint, "location")
        else:
            ends = [end(joint, tag) for tag in ("socket_parent_frame", "socket_child_frame")]
            (a, Ra, pa), (b, Rb, pb) = ends
        Rab = Ra @ R @ Rb.T
        links[b] = (a, Rab, pa + Ra @ shift - Rab @ pb, pa, pb)
    found: dict[str, Place] = {"ground": (np.eye(3), np.zeros(3))}
    while len(found) <= len(links):
        for name, (parent, R, p, _, _) in links.items():
            if name not in found and parent in found:
                Rp, pp = found[parent]
                found[name] = (Rp @ R, pp + Rp @ p)
    return found


def end(joint: ET.Element, tag: str) -> tuple[str, Array, Array]:
    name = last(joint.findtext(tag))
    for f in joint.iter("PhysicalOffsetFrame"):
        if f.get("name") == name:
            return last(f.findtext("socket_parent")), body_xyz(numbers(f, "orientation")), numbers(f, "translation")  # fmt: skip
    return name, np.eye(3), np.zeros(3)


def move(joint: ET.Element, q: Mapping[str, float]) -> Place:
    own = [c.get("name", "") for c in joint.iter("Coordinate")]
    R, shift = np.eye(3), np.zeros(3)
    if joint.tag != "CustomJoint":
        for name, (what, axis) in zip(own, PLAIN[joint.tag], strict=False):
            e = np.eye(3)["xyz".index(axis)]
            if what == "turn":
                R = R @ about(e, q[name])
            else:
                shift = shift + q[name] * e
        return R, shift
    for n, axis_ in enumerate(joint.iter("TransformAxis")):
        named = (axis_.findtext("coordinates") or "").split()
        held = axis_.find("function")
        held = axis_ if held is None else held
        amount = value(inner(held), q[named[0]] if named else 0.0)
        e = numbers(axis_, "axis")
        if n < 3:
            R = R @ about(e, amount)
        else:
            shift = shift + amount * e / np.linalg.norm(e)
    return R, shift
