"""How much a run stores: counted from the project, before anything is solved."""

from __future__ import annotations

from dataclasses import dataclass

from solver.base.words import tr
from solver.project.blocks import Diagram, signals_of
from solver.project.closures import CLOSURES, PointOnCurve
from solver.project.coordinates import Actuator
from solver.project.couplings import COUPLINGS
from solver.project.document import LISTS, Project
from solver.project.expanding import expanded
from solver.project.joint_table import carrying
from solver.project.links import RollSlide
from solver.project.modal import modes_of
from solver.project.outputs import BodyOutput, ElementOutput, JointOutput
from solver.project.runs import Run

BYTES = 8

PER_FRAME = {
    "segments": 19, "joints": 14, "contacts": 8, "belts": 6, "harnesses": 6, "strap_points": 7,
    "airbags": 23, "airbag_contacts": 6, "springs": 7, "tyres": 14, "tension_elements": 2, "constraints": 4,
    "point_contacts": 11, "couplings": 9, "closures": 7, "curve_points": 4, "loads": 7, "winds": 3, "drivers": 6, "frame_drivers": 6, "coordinate_forces": 6, "actuators": 5, "signals": 1, "energy": 31,
    "flexible_elements": 3, "symmetry": 12,
    "beams": 9, "beam_stations": 10, "modes": 3, "modal_nodes": 6,
}  # fmt: skip
"""Numbers of one element in one frame; a test holds them to the layout of results files."""

OF_ELEMENT = {
    "contacts": 10, "belts": 6, "harnesses": 6, "airbags": 26, "springs": 9, "tyres": 16, "tension_elements": 2,
    "constraints": 33, "loads": 9, "winds": 4, "drivers": 6, "frame_drivers": 6, "coordinate_forces": 11,
    "flexible_elements": 4, "symmetry": 16, "beams": 11,
}  # fmt: skip
"""Channels of an output of an element, or of one strap of it."""

OF_JOINT, OF_BODY, OF_OTHERS = 12, 17, 4
"""Channels of an output of a joint, of a body, of anything else; at most."""

SENSORS = 7
"""Channels that a body has unasked for each of its segments, at most."""

IN_MEMORY = 2.0
"""Room that growing arrays take beyond what is in them, at most."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """Hold what a run stores: instants, numbers in a frame, channels."""

    frames: float
    samples: float
    per_frame: int
    channels: int

    @property
    def instants(self) -> float:
        """How often everything is looked at."""
        return self.frames + self.samples

    @property
    def on_disk(self) -> float:
        """The size of a results file (bytes), about; each channel has its times."""
        return BYTES * (self.frames * (self.per_frame + 1) + 2.0 * self.samples * self.channels)

    @property
    def in_memory(self) -> float:
        """Give the room that the run takes when it is not written to a file (bytes), at most."""
        return IN_MEMORY * self.on_disk

    @property
    def said(self) -> str:
        """Say it in one sentence."""
        return tr(
            "{count} frames of {per_frame} numbers and {count_2} samples of up to {channels} channels, about {size}",
            count=_count(self.frames),
            per_frame=self.per_frame,
            count_2=_count(self.samples),
            channels=self.channels,
            size=size(self.on_disk),
        )


def amounts(project: Project, run: Run) -> Amounts:
    """Count what a run of a project stores."""
    project = expanded(project)
    straps = [len(strap.points) for harness in project.harnesses for strap in harness.straps]
    rows = {name: len(getattr(project, name)) for name in PER_FRAME if name in LISTS} | {
        "joints": len(carrying(project.joints)),
        "harnesses": len(straps),
        "strap_points": sum(straps),
        "point_contacts": sum(isinstance(c, RollSlide) for c in project.constraints),
        "couplings": sum(isinstance(c, COUPLINGS) for c in project.constraints),
        "closures": sum(isinstance(c, CLOSURES) for c in project.constraints),
        "curve_points": sum(isinstance(c, PointOnCurve) for c in project.constraints),
        "airbag_contacts": sum(len(bag.touches) for bag in project.airbags),
        "flexible_elements": sum(len(one.segments) for one in project.flexible_elements),
        "beam_stations": sum(one.pieces + 1 for one in project.beams),
        "modes": sum(modes_of(one) for one in project.modal_bodies),
        "modal_nodes": sum(len(one.nodes) for one in project.modal_bodies),
        "actuators": sum(
            any(isinstance(law, Actuator | Diagram) for law in one.laws)
            for one in project.coordinate_forces
        ),
        "signals": sum(
            len(signals_of(law))
            for one in project.coordinate_forces
            for law in one.laws
            if isinstance(law, Diagram)
        ),
        "energy": 1,
    }
    channels = SENSORS * len(project.segments) if run.body_sensors else 0
    for output in project.outputs:
        if isinstance(output, ElementOutput):
            many = {"harnesses": len(straps), "flexible_elements": rows["flexible_elements"]}.get(
                output.of, 1
            )
            channels += many * OF_ELEMENT[output.of]
        elif isinstance(output, JointOutput):
            channels += OF_JOINT
        else:
            channels += OF_BODY if isinstance(output, BodyOutput) else OF_OTHERS
    return Amounts(
        run.duration_s / run.frame_interval_s + 1.0,
        run.duration_s * run.channel_rate_hz + 1.0,
        sum(PER_FRAME[group] * count for group, count in rows.items()),
        channels,
    )


def size(number: float) -> str:
    """Say a number of bytes: '12 MB'."""
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000.0:
            return f"{number:.3g} {unit}"
        number /= 1000.0
    return f"{number:.3g} TB"


def _count(number: float) -> str:
    return f"{number:.0f}" if number < 1e6 else f"{number:.2g}"
