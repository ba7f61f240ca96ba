"""Check beams: sections, lengths, ends."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from solver.base.words import Sentence
from solver.project.beam_pieces import MEETS_M, Laid, Pieces, has_twice, turns_back
from solver.project.beams import Beam
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.expanding import beyond_numbers, cuts
from solver.project.geometry import Frame
from solver.project.problems import Problem
from solver.project.sections import BoxSection, ISection, TubeSection
from solver.project.segments import GROUND

STOUT = 3.0
"""Heights of its section that a beam is at least as long, or it is hardly one."""


@finds(
    TOPOLOGY,
    error={
        "beam-section": "Walls of a beam's section leave no room, or fill more than there is.",
        "beam-length": "A beam has no length: neither a length, nor a curve, nor two ends that are held.",
        "beam-length-twice": "A beam has a length and a curve.",
        "beam-curve": "The curve of a beam has a point twice, or goes back the way it came.",
        "beam-held-at-end": "A beam is held at its end alone.",
        "beam-massless": "A beam has no mass.",
        "beam-numbers": "Pieces of a beam would have numbers that no part may have.",
        "beam-not-laid": "A beam cannot be laid out: its ends depend on each other, or on something that does.",
    },
    warning={
        "beam-shear-modulus": "The shear modulus of a beam fits no material of its elastic modulus.",
        "beam-start-unused": "A beam that is held has a velocity of its own, which does nothing.",
        "beam-unused": "A beam says something that is not used.",
    },
)
def beams(index: Index) -> Iterator[Problem]:
    """Find beams that cannot be cut into pieces."""
    laid = {one.beam.id for one in cuts(index.project)} if index.project.beams else set[str]()
    for beam, path in index.elements("beams"):
        found = list(_faults(beam, path))
        yield from found
        if beam.id in beyond_numbers(index.project):
            sentence = Sentence("Pieces of '{beam}' would have masses or stiffnesses that no part may have.", beam=beam.id)  # fmt: skip
            yield problem("beam-numbers", path, sentence, "Look at the units of its section and material.")  # fmt: skip
        elif not found and beam.id not in laid and _is_known(index, beam):
            sentence = Sentence("Where '{beam}' lies cannot be told.", beam=beam.id)
            hint = "Its ends must stand apart, and may not depend on it themselves."
            yield problem("beam-not-laid", path, sentence, hint)
        if beam.shear_pa > 0.5 * beam.elastic_pa:
            sentence = Sentence(
                "A modulus of {shear:.3g} Pa beside {elastic:.3g} Pa is that of no isotropic material.",
                shear=beam.shear_pa, elastic=beam.elastic_pa,
            )  # fmt: skip
            yield problem("beam-shear-modulus", f"{path}/shear_pa", sentence, "It is 0.37 to 0.45 of the elastic modulus in metals, less in wood and bone.")  # fmt: skip
        moves = any(beam.velocity_m_per_s) or any(beam.angular_velocity_rad_per_s)
        if moves and any(beam.is_held):
            sentence = Sentence("'{beam}' is held: it moves with what holds it.", beam=beam.id)
            yield problem("beam-start-unused", f"{path}/velocity_m_per_s", sentence, "Leave it out.")  # fmt: skip
        yield from _unused(beam, path)


def _unused(beam: Beam, path: str) -> Iterator[Problem]:
    """Find what is said of a beam in vain."""
    if not beam.is_held[1] and (beam.end.segment, beam.end.frame) != (GROUND, Frame()):
        sentence = Sentence("The end is free: where it is follows from the rest.")
        yield problem("beam-unused", f"{path}/end", sentence, "Let something hold it, or leave its segment and frame out.")  # fmt: skip
    if not beam.is_held[1] and beam.unbent_end is not None:
        sentence = Sentence("Nothing holds the end of '{beam}': it starts unbent.", beam=beam.id)
        yield problem("beam-unused", f"{path}/unbent_end", sentence, "Leave it out.")
    if beam.curve_is == "straight" and not beam.curve_m:
        sentence = Sentence("There are no points to be joined by lines.")
        yield problem("beam-unused", f"{path}/curve_is", sentence, "Give a curve, or leave it out.")


def _is_known(index: Index, beam: Beam) -> bool:
    known = index.by_id["segments"]
    return all(one.segment in known or one.segment == "ground" for one in (beam.start, beam.end))


def _faults(beam: Beam, path: str) -> Iterator[Problem]:
    if not beam.has_sound_section:
        room = Sentence("Walls and flanges together must be thinner than the section.")
        yield problem("beam-section", f"{path}/section", _too_thick(beam), room)
        return
    if beam.line_mass <= 0.0:
        sentence = Sentence("'{beam}' has no mass: nothing would determine how it moves.", beam=beam.id)  # fmt: skip
        yield problem("beam-massless", f"{path}/density_kg_per_m3", sentence, "Give its density.")
    if beam.curve_m and beam.length_m is not None:
        sentence = Sentence("'{beam}' has a curve and a length; the curve says how long it is.", beam=beam.id)  # fmt: skip
        yield problem("beam-length-twice", f"{path}/length_m", sentence, "Leave one of them out.")
    if beam.curve_m and has_twice(beam):
        sentence = Sentence("Points of the curve of '{beam}' that follow each other are one.", beam=beam.id)  # fmt: skip
        yield problem("beam-curve", f"{path}/curve_m", sentence, "Take one of them out.")
    elif beam.curve_m and turns_back(beam):
        sentence = Sentence("The curve of '{beam}' goes back the way it came.", beam=beam.id)
        yield problem("beam-curve", f"{path}/curve_m", sentence, "Lead it around by more points, or cut it into more pieces.")  # fmt: skip
    held = beam.is_held
    if held[1] and not held[0]:
        sentence = Sentence("'{beam}' is held at its end and free at its start.", beam=beam.id)
        yield problem("beam-held-at-end", f"{path}/start/fixing", sentence, "Let it start where it is held, or hold both ends.")  # fmt: skip
    elif not beam.curve_m and beam.length_m is None and not all(held):
        sentence = Sentence("'{beam}' has neither a length nor a curve.", beam=beam.id)
        yield problem("beam-length", f"{path}/length_m", sentence, "Give one of them.")


def _too_thick(beam: Beam) -> Sentence:
    match beam.section:
        case BoxSection() | TubeSection():
            return Sentence("Walls of {wall:.4g} m are too thick.", wall=beam.section.wall_m)
        case ISection():
            return Sentence(
                "Flanges of {flange:.4g} m and a web of {web:.4g} m do not fit into it.",
                flange=beam.section.flange_m, web=beam.section.web_m,
            )  # fmt: skip
        case _:
            return Sentence("Its numbers are none of a section.")


STRAINED = 0.001
"""Part of its length by which the pieces of a beam may miss its end where no start of them is given."""
SHEARS = math.pi**2 / 1.5
"""Shear of a last piece of length h by h^3 / L^2 once they are: twice that of a clamped beam that buckles, under 4 pi^2 E I / L^2."""


def _missed(index: Index, beam: Beam, laid: Laid) -> float:
    """By how much the pieces of a beam may miss its end at the start (m)."""
    own = {one.joint for one in index.project.initial.joints}.isdisjoint(beam.stations[1:])
    return STRAINED * laid.length + (0.0 if own else SHEARS * float(laid.lengths[-1]) ** 3 / laid.length**2)  # fmt: skip


def _gap(index: Index, pieces: Pieces) -> float:
    """How far the last piece is from the one before at the start (m)."""
    last = pieces.springs[-1]
    a, b = (index.pose.get(one.segment) for one in (last.a, last.b))
    if a is None or b is None:
        return 0.0
    apart = a.of(last.a.frame.position_m) - b.of(last.b.frame.position_m)
    return float(np.linalg.norm(apart))


@finds(
    PHYSICS,
    error={"beam-ends-apart": "A beam that is held at both ends does not reach from the one to the other."},
    warning={
        "beam-stout": "A beam is hardly longer than its section is high.",
        "beam-starts-strained": "The pieces of a beam that starts bent do not reach its end.",
    },
)  # fmt: skip
def lengths(index: Index) -> Iterator[Problem]:
    """Find beams that do not fit between their ends, and such as are blocks."""
    for beam, laid, pieces, end in cuts(index.project) if index.project.beams else ():
        path = f"beams/{beam.id}"
        length = laid.length
        if end is not None:
            apart = float(np.linalg.norm(laid.nodes[-1] - end.p))
            if beam.length_m is not None:
                apart = abs(beam.length_m - length)
            if apart > MEETS_M * length:
                sentence = Sentence(
                    "It ends {apart:.4g} m from where it is held; from start to end there are {length:.5g} m.",
                    apart=apart, length=float(np.linalg.norm(end.p)),
                )  # fmt: skip
                hint = "Move what holds it, change its curve, or leave the length of a straight one out."
                yield problem("beam-ends-apart", f"{path}/end", sentence, hint)
            if beam.unbent_end is not None and (gap := _gap(index, pieces)) > _missed(
                index, beam, laid
            ):
                sentence = Sentence("Its pieces start {gap:.3g} m from its end: the last of them pulls as if it were strained by that.", gap=gap)  # fmt: skip
                yield problem("beam-starts-strained", path, sentence, "Settle it: what is too long for its ends bows out.")  # fmt: skip
        numbers = beam.numbers
        high = 2.0 * max(numbers.outer_y, numbers.outer_z)
        if length < STOUT * high:
            sentence = Sentence("'{beam}' is {length:.3g} m long and {high:.3g} m high.", beam=beam.id, length=length, high=high)  # fmt: skip
            yield problem("beam-stout", path, sentence, "Its stresses are those of a beam, not of a block.")  # fmt: skip
