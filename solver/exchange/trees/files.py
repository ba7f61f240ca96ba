"""Files of trees: which is which, read and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from solver.base.atomic import read_most, write_atomic
from solver.base.words import Sentence
from solver.exchange.trees import mjcf, mjcf_out, osim, urdf, urdf_out
from solver.exchange.trees.bodies import Asked, Model, ReadNotes, Touching
from solver.exchange.trees.giving import bodies_from, ground_planes, without_links
from solver.exchange.trees.ties import project_of
from solver.exchange.trees.ties_out import followed_of, sums_of, ties_from
from solver.exchange.trees.xml import LARGEST, Element, TreeError, parsed
from solver.project.document import Project

URDF, MJCF = ".urdf", ".xml"
MOST_NAMED = 10_000
"""What is left out of a file that is written is named to the last."""


@dataclass(frozen=True)
class ReadTree:
    """The project made of a file, and what was changed or left out."""

    project: Project
    notes: tuple[Sentence, ...]
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """By joint: between which values (rad, m) OpenSim's inverse kinematics keeps it."""
    keyframes: tuple[str, ...] = ()
    """Names of key frames of which each may be the start."""


def read_tree(
    path: Path | str, within: Path | str | None = None, keyframe: str = "", contacts: Touching = "ground",
    markers: Path | str | None = None,
) -> ReadTree:  # fmt: skip
    """Read a model of MuJoCo (.xml), of OpenSim (.osim) or a robot (.urdf); raises TreeError or ProjectError.

    Other files that a model of MuJoCo names are opened in its own folder, or in `within`, and nowhere else. `keyframe` names
    the one of its key frames from which it starts; with `contacts="all"` its shapes touch each other, too, where the file lets them.
    `markers` is a MarkerSet of OpenSim in a file of its own.
    """
    file, own = Path(path), None if markers is None else Path(markers)
    held = None if own is None else (own.name, parsed(_bytes(own)))
    return tree_of(
        _bytes(file), file.name, file, Path(within or file.parent), keyframe, contacts, held
    )


def is_marker_set(path: Path | str) -> bool:
    """Whether a file is a set of markers of OpenSim and no model."""
    try:
        top = parsed(_bytes(Path(path)))
    except TreeError:
        return False
    return (
        top.first("Model") is None
        and (top if top.tag == "MarkerSet" else top.first("MarkerSet")) is not None
    )


def _bytes(file: Path) -> bytes:
    try:
        return read_most(file, LARGEST)
    except (OSError, ValueError) as failure:
        why = getattr(failure, "strerror", None) or "no reason given"
        raise TreeError("'{name}' cannot be read: {reason}.", name=str(file), reason=why) from None


def tree_of(
    data: bytes, source: str = "", file: Path | None = None, within: Path | None = None, keyframe: str = "", contacts: Touching = "ground",
    markers: tuple[str, Element] | None = None,
) -> ReadTree:  # fmt: skip
    """Make a project of a file's bytes."""
    read_notes, top = ReadNotes(), parsed(data)
    if top.tag.startswith("MADYMO"):
        raise TreeError(
            "This is a model of MADYMO: its format is closed, and no free description of it says what its parts mean."
        )
    if top.first("Model") is None and (
        top.tag == "MarkerSet" or top.first("MarkerSet") is not None
    ):
        raise TreeError("This is a set of markers of OpenSim: read its model with --markers FILE.xml, or markers= in Python; in the window open the model first, then the set.")  # fmt: skip
    if top.tag == "sdf":
        raise TreeError("This is a model of Gazebo (SDF), which is not read. Give it as URDF or as a model of MuJoCo.")  # fmt: skip
    if keyframe and top.tag != "mujoco":
        raise TreeError("Key frames are a part of models of MuJoCo; this is none.")
    if contacts == "all" and top.tag != "mujoco":
        raise TreeError("All contacts can be asked for of models of MuJoCo; this is none.")
    if markers and top.tag != "OpenSimDocument":
        raise TreeError("Sets of markers belong to models of OpenSim; this is none.")
    if top.tag == "robot":
        model = urdf.read_urdf(top, read_notes)
    elif top.tag == "OpenSimDocument":
        model = osim.read_osim(top, read_notes, markers)
    elif top.tag == "mujoco":
        model = mjcf.read_mjcf(data, top, read_notes, (file, within), Asked(keyframe, contacts))
    else:
        raise TreeError("Line {line}: <{tag}> begins no model that is read; those begin with <mujoco>, <robot> or <OpenSimDocument>.", line=top.line, tag=top.tag)  # fmt: skip
    project = project_of(model, source, read_notes)
    ranges = {one.id: model.ranges[one.name] for one in project.joints if one.name in model.ranges}
    return ReadTree(project, read_notes.close(), ranges, model.keyframes)


def write_tree(project: Project, path: Path | str) -> tuple[Sentence, ...]:
    """Write the trees of a project, MJCF or for .urdf URDF; gives what was left out. Raises TreeError."""
    file = Path(path)
    lines, read_notes = tree_lines(project, file.suffix.lower() == URDF)
    write_atomic(file, "\n".join(lines) + "\n")
    return read_notes


def tree_lines(project: Project, as_urdf: bool) -> tuple[list[str], tuple[Sentence, ...]]:
    """Write the trees of a project."""
    read_notes = ReadNotes(most=MOST_NAMED)
    sums = sums_of(project)
    followed = followed_of(project)
    bodies = bodies_from(project, sums | followed, read_notes)
    model = Model(bodies, np.array(project.gravity_m_per_s2), project.title)
    if not as_urdf:
        model.bodies, model.planes = without_links(bodies), ground_planes(project, read_notes)
        model.ties = ties_from(project, model.bodies, (sums, followed), read_notes)
        return mjcf_out.write_mjcf(model, read_notes), tuple(read_notes.lines)
    if project.planes:
        read_notes.say("{count} {what} are left out.", count=len(project.planes), what="planes")
    model.bodies = urdf_out.at_joints(bodies)
    model.ties = ties_from(project, model.bodies, (sums, followed), read_notes)
    return urdf_out.write_urdf(model, read_notes), tuple(read_notes.lines)
