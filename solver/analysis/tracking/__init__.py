"""Marker data: tracks in files, rigid frames, the pose and the motion of a model by least squares."""

from solver.analysis.tracking.chain import Chain, Coordinate
from solver.analysis.tracking.digitising import (
    PointerTip,
    Sinus,
    frame_of_three,
    joint_sinus,
    pointer_tip,
    with_sinus,
)
from solver.analysis.tracking.fitting import (
    Direction,
    Ends,
    PoseFit,
    RigidFit,
    Wanted,
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
    "Ends",
    "Followed",
    "PointerTip",
    "PoseFit",
    "RigidFit",
    "Sinus",
    "TrackError",
    "Tracks",
    "Wanted",
    "Weigh",
    "driven",
    "fit_pose",
    "follow",
    "frame_of_three",
    "joint_sinus",
    "pointer_tip",
    "read_tracks",
    "rigid_fit",
    "with_sinus",
    "write_tracks",
]
