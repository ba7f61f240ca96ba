"""Results of a run: one way to read them, live or from a file; writing and salvage."""

from solver.results.layout import ChannelSpec, InjuryValue, ResultsError
from solver.results.memory import MemoryTrajectory
from solver.results.quantities import Quantities, QuantityInfo
from solver.results.reader import FileTrajectory, open_results
from solver.results.saving import salvage, save_run
from solver.results.trajectory import (
    Channel,
    PointMotion,
    SegmentMotion,
    Table,
    Trajectory,
    point_motion,
)
from solver.results.writer import ResultsWriter, parts_of

__all__ = [
    "Channel",
    "ChannelSpec",
    "FileTrajectory",
    "InjuryValue",
    "MemoryTrajectory",
    "PointMotion",
    "Quantities",
    "QuantityInfo",
    "ResultsError",
    "ResultsWriter",
    "SegmentMotion",
    "Table",
    "Trajectory",
    "open_results",
    "parts_of",
    "point_motion",
    "salvage",
    "save_run",
]
