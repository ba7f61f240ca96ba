"""The document: everything about a model in one frozen tree."""

from __future__ import annotations

from typing import Literal

from pydantic import PrivateAttr

from solver.project.airbags import Airbag
from solver.project.beams import Beam
from solver.project.belts import Belt, Harness
from solver.project.contact import Contact, ContactLaw, PlaneContact
from solver.project.coordinate_forces import CoordinateForce
from solver.project.crash_frames import CrashFrame
from solver.project.fields import Part, Text, Vec3, choice, number
from solver.project.frames import OwnFrame, UnitSystem
from solver.project.functions import Function
from solver.project.includes import Include
from solver.project.joints import Joint
from solver.project.links import Constraint, FlexibleElement, Spring, Symmetry, TensionElement
from solver.project.modal import ModalBody
from solver.project.motions import Driver, FrameDriver, Initial, Load, Motion, Wind
from solver.project.outputs import Output
from solver.project.runs import Run
from solver.project.segments import Marker, Plane, Segment, SegmentMesh
from solver.project.studies import AssumedNumber, Study
from solver.project.tyres import Tyre

FORMAT = "manikin-project"
SCHEMA_VERSION = 4
STANDARD_GRAVITY = 9.80665


LoadCase = Literal[
    "", "frontal", "rear", "side", "rollover", "aircraft", "ejection", "pedestrian", "fall", "other",
]  # fmt: skip
"""What a project is of; "" where it does not tell."""


class Project(Part):
    """Describe people, vehicle and restraints, how they start, and how they are solved.

    Axes are right-handed; the usual choice is x forward, y right, z down. All numbers are SI.
    """

    format: Literal["manikin-project"] = choice(FORMAT, "Format", "Marks the file as a project.")
    schema_version: Literal[4] = choice(
        SCHEMA_VERSION,
        "Schema version",
        "Version of this format; older files are brought up to it.",
    )
    title: Text = choice("", "Title", "One line that says what is modelled.")
    note: Text = choice("", "Note", "Anything worth knowing about the model.")
    source: Text = choice("", "Source", "Where the model comes from.")
    load_case: LoadCase = choice(
        "",
        "Load case",
        "What it is of: limits and ratings of other tests are not compared with it (docs/injury.md); none: "
        "limits of cars by the direction of the push alone, and no ratings.",
    )
    gravity_m_per_s2: Vec3 = number(
        (0.0, 0.0, STANDARD_GRAVITY),
        "m/s2",
        "Gravity",
        "Acceleration of free fall, ground axes.",
    )
    segments: tuple[Segment, ...] = choice((), "Segments", "Rigid bodies; ground is always there.")
    joints: tuple[Joint, ...] = choice((), "Joints", "Links of the trees.")
    planes: tuple[Plane, ...] = choice((), "Planes", "Flat contact surfaces.")
    functions: tuple[Function, ...] = choice((), "Functions", "Curves shared by id.")
    contact_laws: tuple[ContactLaw, ...] = choice((), "Contact laws", "Laws shared by id.")
    contacts: tuple[Contact, ...] = choice((), "Contacts", "Pairs that may touch.")
    belts: tuple[Belt, ...] = choice((), "Belts", "Simple belts.")
    harnesses: tuple[Harness, ...] = choice((), "Harnesses", "Straps over several segments.")
    airbags: tuple[Airbag, ...] = choice((), "Airbags", "Bags.")
    springs: tuple[Spring, ...] = choice((), "Springs", "Springs, dampers and bushings.")
    coordinate_forces: tuple[CoordinateForce, ...] = choice(
        (), "Coordinate forces", "Laws on axes of joints, distances, components and angles."
    )
    tyres: tuple[Tyre, ...] = choice((), "Tyres", "Wheels that roll on roads.")
    tension_elements: tuple[TensionElement, ...] = choice((), "Tension elements", "Heavy strings.")
    constraints: tuple[Constraint, ...] = choice((), "Constraints", "Relations beyond the trees.")
    beams: tuple[Beam, ...] = choice((), "Beams", "Parts that bend.")
    crash_frames: tuple[CrashFrame, ...] = choice(
        (), "Crash frames", "Frames that fold in plastic hinges."
    )
    flexible_elements: tuple[FlexibleElement, ...] = choice(
        (), "Flexible elements", "Chains slaved to their ends."
    )
    modal_bodies: tuple[ModalBody, ...] = choice(
        (), "Modal bodies", "Segments that bend by shape functions."
    )
    motions: tuple[Motion, ...] = choice((), "Motions", "Prescribed motions.")
    drivers: tuple[Driver, ...] = choice((), "Drivers", "Axes of joints that move as prescribed.")
    frame_drivers: tuple[FrameDriver, ...] = choice(
        (), "Frame drivers", "Components of frames and points that move as prescribed."
    )
    winds: tuple[Wind, ...] = choice((), "Winds", "Winds.")
    loads: tuple[Load, ...] = choice((), "Loads", "Forces and torques by time.")
    symmetry: tuple[Symmetry, ...] = choice((), "Symmetry", "Segments held symmetrical.")
    markers: tuple[Marker, ...] = choice((), "Markers", "Points that were followed in a test.")
    meshes: tuple[SegmentMesh, ...] = choice((), "Meshes", "Meshes that segments show.")
    frames: tuple[OwnFrame, ...] = choice((), "Frames", "Own coordinate systems.")
    unit_systems: tuple[UnitSystem, ...] = choice((), "Unit systems", "Own systems of units.")
    initial: Initial = choice(Initial(), "Start", "Start pose and velocities.")
    outputs: tuple[Output, ...] = choice((), "Outputs", "Channels and figures to write.")
    runs: tuple[Run, ...] = choice((), "Runs", "Ways to solve; the first is the usual one.")
    studies: tuple[Study, ...] = choice((), "Studies", "Many runs that answer one question.")
    assumed: tuple[AssumedNumber, ...] = choice(
        (), "Assumed numbers", "Ranges of numbers that were not measured; no run depends on them."
    )
    includes: tuple[Include, ...] = choice(
        (), "Included projects", "Projects whose elements were put in here; no run depends on where they are from."
    )  # fmt: skip

    _is_expanded: bool = PrivateAttr(default=False)

    @property
    def is_expanded(self) -> bool:
        """Whether the pieces of parts that consist of others stand in its lists (`expanding`)."""
        return self._is_expanded

    def mark_expanded(self, are_there: bool = True) -> None:
        """Note that they do, or no longer."""
        self._is_expanded = are_there

    @classmethod
    def empty(cls) -> Project:
        """A project with nothing in it, for anyone who has none yet.

        There is nothing to check in it, so that the checks are not built, which takes a tenth of a second.
        """
        return cls.model_construct()


LISTS: tuple[str, ...] = tuple(
    name
    for name, field in Project.model_fields.items()
    if name not in {"format", "title", "note", "source", "includes"} and field.default == ()
)
"""Names of the document's lists, in the order of the file."""


# What may touch a segment.


def may_touch(project: Project, segment: str) -> tuple[list[int], list[int]]:
    """The contacts, and the touches of airbags one after the other, that press on a segment."""
    planes = {plane.id: plane.segment for plane in project.planes}
    contacts = []
    for n, contact in enumerate(project.contacts):
        pair = (
            (contact.surface.segment, planes[contact.plane])
            if isinstance(contact, PlaneContact)
            else (contact.first.segment, contact.second.segment)
        )
        if segment in pair:
            contacts.append(n)
    touches = [surface.segment for bag in project.airbags for surface in bag.touches]
    return contacts, [n for n, one in enumerate(touches) if one == segment]
