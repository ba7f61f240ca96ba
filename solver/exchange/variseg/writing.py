"""From a project to cards: models that stay in the plane of x and z."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.atomic import write_atomic
from solver.base.words import Refusal, Sentence, sentence_of
from solver.exchange.decks.numbers import undone
from solver.exchange.variseg.cards import DEGREE, GROUND
from solver.project.document import Project
from solver.project.functions import Constant, Table
from solver.project.geometry import Orientation
from solver.project.pose import plane_corners, start_pose, turn

OURS = {"title", "note", "source", "format", "schema_version", "segments", "joints", "functions", "loads", "planes",
        "contacts", "contact_laws", "initial", "runs", "gravity_m_per_s2"}  # fmt: skip
FLAT = 1e-12


class VarisegError(Refusal):
    """Say in one sentence why a project has no cards."""


@dataclass(frozen=True)
class Written:
    """The text of cards, and what they cannot say."""

    text: str
    losses: tuple[tuple[str, Sentence], ...]

    def lines(self) -> list[str]:
        """Write what the cards cannot say, one thing a line."""
        return list(map(str, self.sentences()))

    def sentences(self) -> list[Sentence]:
        """Say what the cards cannot say."""
        return [Sentence("{path}: {why}", path=path, why=why) for path, why in self.losses]


def write_variseg(project: Project, path: Path | str) -> Written:
    """Write cards, whole or not at all; raises VarisegError where a project does not stay in its plane."""
    made = given(project)
    write_atomic(Path(path), made.text.encode())
    return made


def given(project: Project) -> Written:
    """Make cards of a project whose checks have no errors."""
    giving = _Giving(project)
    giving.give()
    return Written("\n".join(giving.cards) + "\n", tuple(giving.losses))


class _Giving:
    """Make cards of elements."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.cards = list[str]()
        self.losses = list[tuple[str, Sentence]]()
        self.pose = start_pose(project)
        ids = [surface.id for one in project.segments for surface in one.surfaces]
        self.twice = {one for one in ids if ids.count(one) > 1}

    def lose(self, path: str, sentence: str) -> None:
        """Note what cards cannot say."""
        self.losses.append((path, sentence_of(sentence)))

    def card(self, kind: str, name: str, **fields: Any) -> None:
        """Write a card; what is zero or none is left to its default."""
        entries = [
            f"{field} {_number(value)}"
            for field, value in fields.items()
            if value not in (0.0, None)
        ]
        self.cards.append(", ".join([f"{kind} {_name(name)}", *entries]) + ".")

    def give(self) -> None:
        """Make all cards."""
        project = self.project
        gravity = project.gravity_m_per_s2
        self._flat("gravity_m_per_s2", gravity[:2])
        run = project.runs[0] if project.runs else None
        if run is not None:
            self.card("RUN", project.title or "MODEL", TEND=run.duration_s, DT=run.frame_interval_s)
            self.cards[-1] = self.cards[-1][:-1] + f", GRAV {gravity[2]!r}."
        for kind in type(project).model_fields:
            if kind not in OURS and isinstance(getattr(project, kind), tuple):
                for one in getattr(project, kind):
                    self.lose(f"{kind}/{one.id}", "There is no card for it; it is left out.")
        self._segments()
        self._joints()
        self._loads()
        self._contacts()

    def _flat(self, path: str, values: Any) -> None:
        if np.abs(np.asarray(values, float)).max(initial=0.0) > FLAT:
            raise VarisegError(
                "'{path}' leaves the plane of x and z; VARISEG is of the plane.", path=path
            )

    def _angle(self, path: str, of: Orientation | np.ndarray[Any, Any]) -> float:
        """The counterclockwise angle of a turn about y, in degrees."""
        if (
            isinstance(of, Orientation)
            and of.order == "zyx"
            and not of.angles_rad[0]
            and not of.angles_rad[2]
        ):
            return undone(of.angles_rad[1], DEGREE) if of.angles_rad[1] else 0.0
        R = turn(of) if isinstance(of, Orientation) else of
        self._flat(path, [R[0, 1], R[1, 0], R[1, 2], R[2, 1]])
        return float(np.degrees(np.arctan2(R[0, 2], R[0, 0])))

    def _segments(self) -> None:
        carried = {one.child for one in self.project.joints}
        start = self.project.initial
        roots, turns = (
            {one.segment: one for one in start.roots},
            {one.segment: one for one in start.attitudes},
        )
        for one in self.project.segments:
            path = f"segments/{one.id}"
            self._flat(path, [one.products_kgm2[0], one.products_kgm2[2]])
            self._angle(path, one.principal_axes)
            self.card("SEG", one.id, MASS=one.mass_kg, IMM=one.inertia_kgm2[1])
            at, root, turned = self.pose[one.id], roots.get(one.id), turns.get(one.id)
            self._flat(path, [at.p_W[1]])
            angle = self._angle(
                path, turned.orientation if turned and turned.relative_to == "ground" else at.R_WS
            )
            rate = turned.angular_velocity_rad_per_s if turned else (0.0, 0.0, 0.0)
            speed = root.velocity_m_per_s if root else (0.0, 0.0, 0.0)
            self._flat(path, [rate[0], rate[2], speed[1]])
            place = (None, None) if one.id in carried else (float(at.p_W[0]), float(-at.p_W[2]))
            if root and (
                root.moves_with != "ground" or (root.relative_to != "ground" and any(speed))
            ):
                self.lose(path, "The velocity that it shares with another segment is not written.")
            self.card("RSEG", one.id, X=place[0], Z=place[1], TH=angle, XDOT=speed[0], ZDOT=-speed[2] or 0.0,
                      THDOT=undone(rate[1], DEGREE) if rate[1] else 0.0)  # fmt: skip
            for surface in one.surfaces:
                self._ellipse(one.id, surface)

    def _named(self, segment: str, surface: str) -> str:
        """An ellipse's name: its own, unless several segments have one of it."""
        return f"{segment}_{surface}" if surface in self.twice else surface

    def _ellipse(self, segment: str, one: Any) -> None:
        path = f"segments/{segment}/surfaces/{one.id}"
        if one.kind != "ellipsoid" or abs(one.centre_m[1]) > FLAT:
            self.lose(path, "Only ellipses in the plane have a card; it is left out.")
            return
        a, wide, b = one.semi_axes_m
        self.card("ELL", self._named(segment, one.id), SEG=segment, X=one.centre_m[0], Z=one.centre_m[2], A=a, B=b,
                  ANG=self._angle(path, one.orientation), WIDE=wide)  # fmt: skip

    def _joints(self) -> None:
        for one in self.project.joints:
            path = f"joints/{one.id}"
            if one.kind not in ("pin", "locked"):
                raise VarisegError(
                    "Joint '{joint}' is of a kind ({kind}) that has no card.",
                    joint=one.id,
                    kind=one.kind,
                )
            a, b = one.parent_frame, one.child_frame
            self._flat(path, [a.position_m[1] - b.position_m[1]])
            rest = self._angle(path, a.orientation) - self._angle(path, b.orientation)
            parent = GROUND if one.parent == "ground" else one.parent
            # the inertial system's z points up, a segment's own down
            up = -1.0 if parent == GROUND else 1.0
            self.card("CONN", one.id, FROM=parent, TO=one.child, TYPE="PIN" if one.kind == "pin" else "RIGID", XF=a.position_m[0],
                      ZF=up * a.position_m[2] or 0.0, XT=b.position_m[0], ZT=b.position_m[2])  # fmt: skip
            if one.breakage is not None:
                self.lose(path, "A connector of these cards does not break.")
            if one.kind != "pin":
                continue
            spring, friction = one.spring, one.friction
            if (
                spring.torque is not None
                or spring.restitution is not None
                or spring.returned_ratio != 1.0
                or one.lock.locked
            ):
                self.lose(path, "Functions, losses, impulses and locks of a pin are not written.")
            if friction.relaxation_s is not None:
                self.lose(path, "Viscous torque of these cards comes up at once.")
            self.card("JFOR", one.id, STIF=spring.linear_nm_per_rad * DEGREE, REST=rest, STOP=undone(spring.stop_rad, DEGREE) if spring.stop_rad else 0.0,
                      QUAD=spring.quadratic_nm_per_rad2 * DEGREE**2, CUBI=spring.cubic_nm_per_rad3 * DEGREE**3,
                      VISC=friction.viscous_nms_per_rad * DEGREE, FRIC=friction.coulomb_nm, RATE=undone(friction.full_rate_rad_per_s, DEGREE))  # fmt: skip

    def _loads(self) -> None:
        functions = {one.id: one for one in self.project.functions}
        for one in self.project.loads:
            path = f"loads/{one.id}"
            form = functions[one.history].form
            points = (
                [(0.0, form.value)] if isinstance(form, Constant)
                else list(zip(form.x, form.y, strict=True)) if isinstance(form, Table) and form.between == "lines" else None
            )  # fmt: skip
            if one.kind != "force" or points is None or abs(one.point_m[1]) > FLAT:
                self.lose(
                    path,
                    "Only forces in the plane that are constant or a table of lines have a card.",
                )
                continue
            self._flat(path, [one.direction[1]])
            name = f"{one.id}_table"
            self.cards.append(
                ", ".join(
                    [f"TABL {_name(name)}", *(repr(float(v)) for pair in points for v in pair)]
                )
                + "."
            )
            self.card("APPL", one.id, SEG=one.segment, X=one.point_m[0], Z=one.point_m[2], TAB=name,
                      ANG=float(np.degrees(np.arctan2(-one.direction[2], one.direction[0]))), AXES="OWN" if one.axes == "segment" else GROUND)  # fmt: skip

    def _contacts(self) -> None:
        laws = {one.id: one for one in self.project.contact_laws}
        for one in self.project.planes:
            corner, edge, other = plane_corners(one)
            across, along = (edge, other) if abs(edge[1]) > abs(other[1]) else (other, edge)
            path = f"planes/{one.id}"
            if np.abs(across[[0, 2]]).max() > 1e-9 or abs(along[1]) > 1e-9:
                self.lose(path, "It stands askew to the plane of x and z; it is left out.")
                continue
            front = np.cross(edge, other)
            first, last = corner, corner + along
            if np.dot(np.cross(along, (0.0, -1.0, 0.0)), front) < 0.0:
                first, last = last, first
            up = -1.0 if one.segment == "ground" else 1.0
            self.card("LINE", one.id, SEG=GROUND if one.segment == "ground" else one.segment, X1=float(first[0]), Z1=float(up * first[2]) or 0.0,
                      X2=float(last[0]), Z2=float(up * last[2]) or 0.0, WIDE=float(abs(across[1])))  # fmt: skip
        for contact in self.project.contacts:
            law = laws[contact.law]
            if contact.kind != "plane" or law.kind != "kelvin_voigt":
                self.lose(
                    f"contacts/{contact.id}",
                    "Only ellipses on lines by spring and dashpot have a card; it is left out.",
                )
                continue
            ref = contact.surface
            self.card("CONT", contact.id, ELL=self._named(ref.segment, ref.surface), LINE=contact.plane, STIF=law.stiffness_n_per_m,
                      DAMP=law.damping_ns_per_m, FRIC=law.friction if isinstance(law.friction, float) else None)  # fmt: skip


def _number(value: Any) -> str:
    return _name(value) if isinstance(value, str) else repr(float(value))


def _name(text: str) -> str:
    return (
        text.replace(",", " ").replace(".", " ").replace("(", " ").replace(")", " ").strip() or "-"
    )
