"""Check own frames and own systems of units, and outputs that are told in frames."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.base.units import SYSTEMS, UnitError, given_by, spelled
from solver.base.words import Sentence
from solver.project.belts import ChannelTrigger
from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.checks.topology import chain_text, rings
from solver.project.frames import FLAT, oblique
from solver.project.injury import InjuryOutput
from solver.project.outputs import JointOutput, PointOutput, RotationOutput
from solver.project.problems import Problem
from solver.project.segments import GROUND


@finds(
    TOPOLOGY,
    error={
        "frame-cycle": "Frames stand within each other in a ring.",
        "frame-carrier": "A frame within another one names a segment.",
        "frame-flat": "The axes of a frame lie nearly in a plane.",
        "frame-name": "A frame has the name of a segment, so that '@name' could be either.",
    },
)
def own_frames(index: Index) -> Iterator[Problem]:
    """Find frames that stand nowhere, or have no space between their axes."""
    frames = list(index.elements("frames"))
    for ring in rings({one.id: one.relative_to for one, _ in frames if one.relative_to}):
        yield problem(
            "frame-cycle",
            f"frames/{ring[0]}/relative_to",
            Sentence("Frames stand within each other in a ring: {chain}.", chain=chain_text(ring)),
            "Put one of them into a segment.",
        )
    for one, path in frames:
        if one.relative_to is not None and one.segment != GROUND:
            yield problem(
                "frame-carrier",
                f"{path}/segment",
                Sentence("'{frame}' stands within '{outer}', which says what carries it.", frame=one.id, outer=one.relative_to),
                "Leave the segment at ground, or leave the outer frame out.",
            )  # fmt: skip
        within = all(0.0 < angle < np.pi for angle in one.between_rad)
        if not within or abs(float(np.linalg.det(oblique(one.between_rad)))) < FLAT:
            yield problem(
                "frame-flat",
                f"{path}/between_rad",
                Sentence("The axes of '{frame}' lie nearly in a plane: no place could be told by them.", frame=one.id),
                "Take angles above 0 and below 180 degrees, that leave a space between the axes.",
            )  # fmt: skip
        if one.id == GROUND or one.id in index.segments:
            sentence = Sentence("'{frame}' is the name of a segment too.", frame=one.id)
            yield problem("frame-name", f"{path}/id", sentence, "Choose another id for the frame.")


@finds(
    TOPOLOGY,
    error={
        "unit-unknown": "A unit of an own system cannot be read, or two are of one kind.",
        "unit-system-name": "An own system of units has the name of one that is there.",
    },
)
def unit_systems(index: Index) -> Iterator[Problem]:
    """Find own systems of units that are none."""
    for one, path in index.elements("unit_systems"):
        if one.id in SYSTEMS:
            sentence = Sentence("'{system}' is a system that is always there.", system=one.id)
            yield problem("unit-system-name", f"{path}/id", sentence, "Choose another id.")
        try:
            for unit in one.units:
                if not unit.strip() or "," in unit:
                    raise UnitError("'{unit}' is no unit.", unit=unit)
            given_by(spelled(one.units))
        except UnitError as failure:
            hint = "Write one unit of each kind, as mm, t, s, deg or 25.4*mm."
            yield problem("unit-unknown", f"{path}/units", failure.said, hint)


@finds(
    TOPOLOGY,
    error={
        "output-frame": "An output is told in a frame and by something else.",
        "injury-frame": "A figure is made of an output that is told in a frame.",
        "trigger-frame": "A trigger watches an output that is told in a frame.",
    },
)
def told_in_frames(index: Index) -> Iterator[Problem]:
    """Find outputs that say twice in which axes they are told."""
    told = {one.id: one for one, _ in index.elements("outputs") if getattr(one, "frame", None)}
    for one, path in index.elements("outputs"):
        if one.id not in told:
            continue
        if isinstance(one, PointOutput | RotationOutput) and one.relative_to != GROUND:
            yield problem(
                "output-frame",
                f"{path}/relative_to",
                Sentence("'{output}' is seen from what carries its frame '{frame}'.", output=one.id, frame=one.frame),
                "Leave 'relative to' at ground, or leave the frame out.",
            )  # fmt: skip
        if isinstance(one, JointOutput) and one.quantity == "angle":
            yield problem(
                "output-frame",
                f"{path}/frame",
                Sentence("Angles of a joint are counted in its own axes, not in '{frame}'.", frame=one.frame),
                "Leave the frame out.",
            )  # fmt: skip
    for figure, path in index.of(InjuryOutput):
        for field in ("output", "second"):
            if getattr(figure, field, None) in told:
                yield problem(
                    "injury-frame",
                    f"{path}/{field}",
                    Sentence("'{output}' is told in a frame; figures are made along the segment's own axes.", output=getattr(figure, field)),
                    "Name an output without a frame.",
                )  # fmt: skip
    for trigger, path in index.of(ChannelTrigger):
        if trigger.output in told:
            yield problem(
                "trigger-frame",
                f"{path}/output",
                Sentence("A trigger watches '{output}', which is told in a frame.", output=trigger.output),
                "Watch an output without a frame.",
            )  # fmt: skip
