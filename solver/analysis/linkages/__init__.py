"""Chains and loops by their geometry alone: how far a point reaches, every pose, and dimensions for a path.

Nothing here knows masses or forces; all of it is arrays of many poses at once, without kernels.
"""

from solver.analysis.linkages.envelope import Envelope, reach_envelope, tip_of, with_envelope
from solver.analysis.linkages.poses import Goal, InversePose, InversePoses, inverse_poses
from solver.analysis.linkages.serial import Bound, LinkageError, limb_of

__all__ = [
    "Bound",
    "Envelope",
    "Goal",
    "InversePose",
    "InversePoses",
    "LinkageError",
    "inverse_poses",
    "limb_of",
    "reach_envelope",
    "tip_of",
    "with_envelope",
]
