"""Files of trees: which is which, read and written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solver.base.whole import read_most, write_whole
from solver.base.words import Sentence
from solver.exchange.trees import mjcf, mjcf_back, osim, urdf
from solver.exchange.trees.body import Model
from solver.exchange.trees.giving import bodies_from, ground_planes, without_links
from solver.exchange.trees.taking import project_of
from solver.exchange.trees.told import Told
from solver.exchange.trees.xml import LARGEST, TreeError, parsed
from solver.project.document import Project

URDF, MJCF = ".urdf", ".xml"


@dataclass(frozen=True)
class ReadTree:
    """Hold the project made of a file, and what was changed or left out."""

    project: Project
    notes: tuple[Sentence, ...]


def read_tree(path: Path | str) -> ReadTree:
    """Read a model of MuJoCo (.xml), of OpenSim (.osim) or a robot (.urdf); raises TreeError or ProjectError. Opens no other file."""
    file = Path(path)
    try:
        data = read_most(file, LARGEST)
    except (OSError, ValueError) as failure:
        why = getattr(failure, "strerror", None) or "no reason given"
        raise TreeError("'{name}' cannot be read: {reason}.", name=str(file), reason=why) from None
    return tree_of(data, file.name)


def tree_of(data: bytes, source: str = "") -> ReadTree:
    """Make a project of a file's bytes."""
    told, top = Told(), parsed(data)
    if top.tag.startswith("MADYMO"):
        raise TreeError(
            "This is a model of MADYMO: its format is closed, and no free description of it says what its parts mean."
        )
    read = {"robot": urdf.read_urdf, "OpenSimDocument": osim.read_osim}.get(top.tag, mjcf.read_mjcf)
    model = read(top, told)
    return ReadTree(project_of(model, source, told), told.close())


def write_tree(project: Project, path: Path | str) -> tuple[Sentence, ...]:
    """Write the trees of a project, MJCF or for .urdf URDF; gives what was left out. Raises TreeError."""
    file = Path(path)
    lines, told = tree_lines(project, file.suffix.lower() == URDF)
    write_whole(file, "\n".join(lines) + "\n")
    return told


def tree_lines(project: Project, as_urdf: bool) -> tuple[list[str], tuple[Sentence, ...]]:
    """Write the trees of a project."""
    told = Told()
    bodies = bodies_from(project, told)
    model = Model(bodies, np.array(project.gravity_m_per_s2), project.title)
    if not as_urdf:
        model.bodies, model.planes = without_links(bodies), ground_planes(project, told)
        return mjcf_back.write_mjcf(model), tuple(told.lines)
    model.bodies = urdf.at_joints(bodies)
    return urdf.write_urdf(model, told), tuple(told.lines)
