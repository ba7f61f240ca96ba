"""What digitised points say: a frame of three markers, the tip of a pointer, and the sinus of a joint.

Frames and pointer are those of seed 004, appendix C; the sinus is the contour of 000, section 6.2.6.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.tracking.fitting import FLAT, rigid_fit
from solver.analysis.tracking.tracks import TrackError, Tracks
from solver.engine.maths.rotation import Array
from solver.project.azimuths import GlobographicStop, PolynomialContour, stop_angle
from solver.project.changes import with_value
from solver.project.document import Project
from solver.project.pose import Placed

TERMS = 10
"""Coefficients of a contour where no number is given; the printed ones have up to ten."""


def frame_of_three(
    p1: Sequence[float] | Array, p2: Sequence[float] | Array, p3: Sequence[float] | Array
) -> Placed:
    """The frame of three markers (C.1 to C.9): y from the first to the third, x from the second to that line, across it.

    Its origin is the foot of the second on the line. `R_WS` turns components of the frame into those of the markers.
    """
    a, b, c = (np.asarray(p, float) for p in (p1, p2, p3))
    long = float(np.linalg.norm(c - a))
    if long < FLAT:
        raise TrackError("The first and the third marker are in one place: they give no direction.")
    j = (c - a) / long
    foot = a + float((b - a) @ j) * j
    far = float(np.linalg.norm(foot - b))
    if far < FLAT:
        raise TrackError("The three markers lie in one line; the turn about it is not determined.")
    i = (foot - b) / far
    return Placed(np.stack([i, j, np.cross(i, j)], axis=1), foot)


@dataclass(frozen=True, slots=True)
class PointerTip:
    """Where a pointer's tip is (m): in its own axes, and on what it rests; `rms_m` is how far its instants are off."""

    on_pointer_m: Array
    place_m: Array
    rms_m: float


def pointer_tip(
    on_pointer: Mapping[str, Sequence[float] | Array],
    seen: Tracks,
    tip_m: Sequence[float] | Array | None = None,
) -> PointerTip:
    """Find where the tip of a pointer rests (m, axes of the tracks), from its markers while it is held there.

    `on_pointer` has its markers in its own axes. With `tip_m`, the tip in these axes, the place is the mean of what
    all instants give (appendix C). Without it the tip is found, too: the one point that stays while the pointer is turned about it,
    by least squares; that needs turns about more than one axis.
    """
    frames = [
        rigid_fit(on_pointer, here).placed
        for here in (seen.at(float(t)) for t in seen.time)
        if sum(name in here for name in on_pointer) >= 3
    ]
    if not frames:
        raise TrackError("The pointer's markers were never seen together.")
    R, p = np.array([one.R_WS for one in frames]), np.array([one.p_W for one in frames])
    if tip_m is None:
        A = np.concatenate([R, -np.broadcast_to(np.eye(3), R.shape)], axis=2).reshape(-1, 6)
        size = np.linalg.svd(A, compute_uv=False)
        if size[-1] < 1e-2 * math.sqrt(len(frames)):
            raise TrackError(
                "The pointer was not turned enough about its tip, which is not determined so."
            )
        found = np.linalg.lstsq(A, -p.reshape(-1), rcond=None)[0]
        tip = found[:3]
    else:
        tip = np.asarray(tip_m, float)
    places = p + R @ tip
    place = places.mean(axis=0)
    return PointerTip(tip, place, float(np.sqrt(((places - place) ** 2).sum(axis=1).mean())))


@dataclass(frozen=True, slots=True)
class Sinus:
    """A joint's contour that was fitted to digitised points: its `contour`, the joint's centre and radius (m), and misses.

    `rms_rad` is of the angle between points and contour, `rms_m` of their distance from the sphere.
    """

    contour: PolynomialContour
    centre_m: Array
    radius_m: float
    rms_rad: float
    rms_m: float


def joint_sinus(
    points: Sequence[Sequence[float]] | Array,
    terms: int = TERMS,
    centre_m: Sequence[float] | Array | None = None,
) -> Sinus:
    """Fit a joint's stop contour to points (N, 3) at which a point of the outer segment's axis came to its limits.

    Points are in the axes of the joint's frame in its parent, whose z axis the contour lies about. Without a centre that of the
    sphere nearest to them is taken. The angle from z is a polynomial of cosine and sine of the azimuth, by least squares.
    """
    at = np.asarray(points, float).reshape(-1, 3)
    if not 1 <= terms <= 40 or len(at) < max(terms, 4):
        raise TrackError(
            "{count} points are too few for {terms} coefficients.", count=len(at), terms=terms
        )
    centre = _centre(at) if centre_m is None else np.asarray(centre_m, float)
    arms = at - centre
    far = np.linalg.norm(arms, axis=1)
    theta = np.arctan2(np.hypot(arms[:, 0], arms[:, 1]), arms[:, 2])
    azimuth = np.arctan2(arms[:, 1], arms[:, 0])
    gap = np.diff(np.sort(azimuth), append=azimuth.min() + 2.0 * math.pi).max()
    if gap > 0.5 * math.pi:
        raise TrackError(
            "Between points there is a gap of {degrees:.0f} degrees of azimuth; digitise there, too.", degrees=math.degrees(float(gap))
        )  # fmt: skip
    A = np.stack([stop_angle(np.eye(terms)[k].tolist(), azimuth) for k in range(terms)], axis=1)
    coefficients = np.linalg.lstsq(A, theta, rcond=None)[0]
    left = theta - A @ coefficients
    return Sinus(
        PolynomialContour(kind="polynomial", coefficients=tuple(coefficients.tolist())),
        centre, float(far.mean()), float(np.sqrt((left**2).mean())), float(far.std()),
    )  # fmt: skip


def _centre(points: Array) -> Array:
    """The centre of the sphere nearest to points, by least squares of their squared distances and then of the distances."""
    from scipy.optimize import least_squares

    A = np.column_stack([2.0 * points, np.ones(len(points))])
    size = np.linalg.svd(A - A.mean(axis=0), compute_uv=False)
    if size[2] < 1e-6 * size[0]:
        raise TrackError(
            "The points lie in a plane, so that no sphere is determined: give the joint's centre."
        )
    first = np.linalg.lstsq(A, (points**2).sum(axis=1), rcond=None)[0][:3]

    def off(centre: Array) -> Array:
        far = np.linalg.norm(points - centre, axis=1)
        out: Array = far - far.mean()
        return out

    return np.asarray(least_squares(off, first, xtol=1e-14, ftol=1e-14).x)


def with_sinus(project: Project, joint: str, found: Sinus, torque: str | None = None) -> Project:
    """Give a joint its fitted contour; `torque` names the function beyond it, by default that of its present contour."""
    of = next((one for one in project.joints if one.id == joint), None)
    if of is None or "globographic" not in type(of).model_fields:
        raise TrackError("'{joint}' is no joint that can have a contour.", joint=joint)
    old: GlobographicStop | None = getattr(of, "globographic", None)
    torque = torque or (None if old is None else old.torque)
    if torque is None:
        raise TrackError("The joint has no contour yet: name the function of the torque beyond it.")
    changed = {"contour": found.contour, "torque": torque}
    made = GlobographicStop(**changed) if old is None else old.model_copy(update=changed)
    return with_value(project, f"joints/{joint}/globographic", made.model_dump())
