"""Marker data: tracks in files, rigid frames, the pose and the motion of a model by least squares."""

from solver.analysis.tracking.chain import Chain, Coordinate
from solver.analysis.tracking.fitting import (
    Direction,
    PoseFit,
    RigidFit,
    Weigh,
    fit_pose,
    rigid_fit,
)
from solver.analysis.tracking.following import Followed, driven, follow
from solver.analysis.tracking.tracks import TrackError, Tracks, read_tracks, write_tracks

__all__ = [
    "Chain",
    "Coordinate",
    "Direction",
    "Followed",
    "PoseFit",
    "RigidFit",
    "TrackError",
    "Tracks",
    "Weigh",
    "driven",
    "fit_pose",
    "follow",
    "read_tracks",
    "rigid_fit",
    "write_tracks",
]
