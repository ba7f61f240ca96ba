"""From a project to cards: models that stay in the plane of x and z."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.atomic import write_atomic
from solver.base.words import Sentence
from solver.exchange.decks.numbers import undone
from solver.exchange.variseg.cards import DEGREE, GROUND
from solver.exchange.variseg.connected import Connected
from solver.exchange.variseg.connectors import TURNING
from solver.exchange.variseg.telling import FLAT, name_of
from solver.project.document import Project
from solver.project.functions import Constant, Table
from solver.project.pose import plane_corners

OURS = {"title", "note", "source", "format", "schema_version", "segments", "joints", "functions", "loads", "planes",
        "contacts", "contact_laws", "initial", "runs", "gravity_m_per_s2", "constraints", "springs", "coordinate_forces",
        "frame_drivers", "symmetry"}  # fmt: skip


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


class _Giving(Connected):
    """Make cards of elements."""

    def give(self) -> None:
        """Make all cards."""
        project = self.project
        gravity = project.gravity_m_per_s2
        self._flat("gravity_m_per_s2", gravity[:2])
        run = project.runs[0] if project.runs else None
        if run is not None:
            self.card("RUN", project.title or "MODEL", {"GRAV"}, TEND=run.duration_s,
                      DT=run.frame_interval_s, GRAV=gravity[2])  # fmt: skip
        for kind in type(project).model_fields:
            if kind not in OURS and isinstance(getattr(project, kind), tuple):
                for one in getattr(project, kind):
                    self.lose(f"{kind}/{one.id}", "There is no card for it; it is left out.")
        self._segments()
        self._joints()
        self._loads()
        self._contacts()
        for one in project.symmetry:
            massless = [s.id for s in project.segments if s.mass_kg == 0.0]
            if one.kind != "planar" or one.segment not in massless:
                self.lose(f"symmetry/{one.id}", "There is no card for it; it is left out.")
        self._rolling()
        self._muscles()
        self._moved()

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
            rate = turned.angular_velocity_rad_per_s if turned else (0.0, self._spin(one.id), 0.0)
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

    def _spin(self, segment: str) -> float:
        """The angular velocity with which a segment starts by the coordinates of joints."""
        turned = {one.segment: one for one in self.project.initial.attitudes}
        if segment in turned:
            return turned[segment].angular_velocity_rad_per_s[1]
        joint = next((one for one in self.project.joints if one.child == segment), None)
        before = 0.0 if joint is None or joint.parent == "ground" else self._spin(joint.parent)
        rates = next((s.rates for s in self.project.initial.joints if joint is not None and s.joint == joint.id), ())  # fmt: skip
        if joint is not None and joint.kind == "extensional" and rates:
            turns = TURNING[joint.rotation]
            rates = (*(rates[:1] if "FROM" in turns else ()), *(rates[-1:] if "TO" in turns else ()))  # fmt: skip
        return before + sum(rates)

    def _ellipse(self, segment: str, one: Any) -> None:
        path = f"segments/{segment}/surfaces/{one.id}"
        if one.kind != "ellipsoid" or abs(one.centre_m[1]) > FLAT:
            self.lose(path, "Only ellipses in the plane have a card; it is left out.")
            return
        a, wide, b = one.semi_axes_m
        self.card("ELL", self._named(segment, one.id), SEG=segment, X=one.centre_m[0], Z=one.centre_m[2], A=a, B=b,
                  ANG=self._angle(path, one.orientation), WIDE=wide)  # fmt: skip

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
                    [f"TABL {name_of(name)}", *(repr(float(v)) for pair in points for v in pair)]
                )
                + "."
            )
            self.card("APPL", one.id, SEG=one.segment, X=one.point_m[0], Z=one.point_m[2], TAB=name,
                      ANG=float(np.degrees(np.arctan2(-one.direction[2], one.direction[0]))), AXES={"segment": "OWN", "ground": GROUND}.get(one.axes, one.axes))  # fmt: skip

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
