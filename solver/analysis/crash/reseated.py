"""Another body in the place of one, at rest on seat, floor and belts, with its hands where they were."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from solver.analysis.crash.scenes import on_thighs
from solver.analysis.equilibrium.freedoms import Reach
from solver.analysis.equilibrium.settling import Settlement, settle
from solver.analysis.equilibrium.statics import SettleError
from solver.bodies import Body
from solver.bodies.library.replacing import replaced, segments_of
from solver.bodies.library.seating import DRIVES_WITH
from solver.project.document import Project
from solver.project.geometry import PointRef
from solver.project.pose import start_pose
from solver.project.segments import GROUND

_IN_PLANE = ("y", "roll", "yaw")
_TORN_RAD = math.radians(15.0)
"""How far (rad) beyond a stop a joint of one who holds may rest; beyond that the arms are too short, assumed."""
_NEAR_M = 0.3
"""From here on a hand holds nothing: so far (m) from the middle of what it could hold."""


def reseated(
    project: Project, prefix: str, body: Body, *, cancel: Callable[[], bool] | None = None
) -> Settlement:
    """Replace an occupant and let the new one come to rest, in its plane; raises what both of these do.

    Hands that held something hold it again where arms are long enough, and shoulders bear it. Who would tip over, as a child does whose arms
    are stretched at a wheel beyond their reach, lays them on its thighs. Joints are locked if some of the old body were.
    """
    done = replaced(project, prefix, body)
    ahead = f"{prefix}_" if prefix else ""
    own = set(segments_of(project, prefix))
    locked = any(_is_locked(j) for j in project.joints if {j.parent, j.child} <= own)
    how: dict[str, Any] = {
        "hold": [f"{ahead}lower_torso.{way}" for way in _IN_PLANE],
        "lock": ("all",) if locked else (),
        "cancel": cancel,
    }
    held = _held(project, ahead, own, {s.id for s in done.segments})
    if held:
        try:
            holding = settle(done, reach=held, **how)
        except SettleError:
            pass
        else:
            if all(stop.beyond_rad < _TORN_RAD for stop in holding.health.stops):
                return holding
    try:
        return settle(done, **how)
    except SettleError:
        if not held:
            raise
    return settle(replaced(project, prefix, body, arms=on_thighs()), **how)


def _is_locked(joint: Any) -> bool:
    axes = [getattr(joint, name, None) for name in type(joint).model_fields]
    locks = [getattr(one, "lock", None) for one in axes] + [getattr(joint, "lock", None)]
    return any(getattr(lock, "locked", False) for lock in locks)


def _held(project: Project, ahead: str, own: set[str], new: set[str]) -> list[Reach]:
    """Say where hands stay: on what moves with no body, such as a wheel, that is near them."""
    at = start_pose(project)
    driven = {m.segment for m in project.motions} | {GROUND}
    known = [s for s in project.segments if s.id not in own and s.id not in driven and s.surfaces]
    out = []
    for side in ("right", "left"):
        hand = next(
            (h for p in DRIVES_WITH if (h := f"{ahead}{side}_{p}") in at and h in new), None
        )
        if hand is None:
            continue
        near = min(
            known, key=lambda s: float(np.linalg.norm(at[s.id].p_W - at[hand].p_W)), default=None
        )
        if near is None or float(np.linalg.norm(at[near.id].p_W - at[hand].p_W)) > _NEAR_M:
            continue
        place = at[near.id].R_WS.T @ (at[hand].p_W - at[near.id].p_W)
        x, y, z = (float(f"{v:.9g}") for v in place)
        out.append(Reach(PointRef(segment=hand), PointRef(segment=near.id, position_m=(x, y, z))))
    return out
