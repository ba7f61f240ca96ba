"""A made-up run that is written into results files, here and in processes of their own."""

from __future__ import annotations

import numpy as np

from solver.results import ChannelSpec, ResultsWriter
from solver.results.events import Event
from solver.results.layout import FRAME_GROUPS
from solver.results.trajectory import Frame, rows_of, value_shape

IDS = {
    "segments": ("head", "neck", "Rücken"),
    "joints": ("nod",),
    "contacts": ("head-panel", "neck-panel"),
    "energy": (),
}
CHANNELS = (
    ChannelSpec("head_resultant", "m/s2", "acceleration", "head", "resultant", 1000),
    ChannelSpec("neck_x", "m", "position", "neck", "x"),
)
LONG = "Kopf-auf-Ärmel-" + "ß" * 60
"""An id of letters beyond ASCII, as long as it may be."""

NAMES = (f"contacts/{LONG}", f"harnesses/{LONG}/{LONG}", "segments/head")
EVENTS = (
    Event(3e-3, "contact_touches", NAMES[:1]),
    Event(3e-3, "retractor_locks", NAMES[1:2]),
    Event(5e-3, "airbag_vents", NAMES[2:], (1.0,)),
    Event(6e-3, "speeds_corrected"),
    Event(6e-3, "told", NAMES[:1]),
    Event(6e-3, "goes_too_deep", NAMES[1:3]),
)
PROJECT = '{\n  "format": "manikin-project",\n  "title": "Rücken"\n}\n'.encode()


def frame_at(number: int) -> Frame:
    """Give a frame whose every value is told by its number, group, column and place."""
    frame: dict[str, dict[str, np.ndarray]] = {}
    for group in IDS:
        frame[group] = {}
        for place, (name, column) in enumerate(FRAME_GROUPS[group].columns.items()):
            shape = value_shape(column, rows_of(group, IDS))
            values = np.arange(np.prod(shape, dtype=int)).reshape(shape) + 100 * place
            integer = np.dtype(column.dtype).kind == "i"
            frame[group][name] = values % 100 if integer else values + 0.001 * number
    return frame


def write_run(writer: ResultsWriter, frames: int) -> None:
    """Write frames, steps and samples of a made-up run."""
    for number in range(frames):
        writer.frame(1e-3 * number, frame_at(number))
        writer.step(time=1e-3 * number, step=1e-3, evaluations=6 * number, rejected=0)
    writer.events(EVENTS)
    time = np.arange(10 * frames) * 1e-4
    for start in range(0, len(time), 64):
        part = time[start : start + 64]
        writer.samples("head_resultant", part, 10.0 * np.sin(100.0 * part))
        writer.samples("neck_x", part, part**2)
