"""Connectors as cards: joints, what resists in them, locks, breaks, muscles, forced variables, rolling, lines on lines, shoulders."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solver.exchange.decks.numbers import undone
from solver.exchange.variseg.cards import DEGREE, GROUND
from solver.exchange.variseg.connectors import BETWEEN, LINES, QUANTITIES, TURNING
from solver.exchange.variseg.telling import FLAT, Telling, VarisegError, name_of
from solver.project.coordinate_forces import Muscle
from solver.project.coordinates import JointCoordinate
from solver.project.functions import Constant, Polynomial, Table
from solver.project.geometry import Frame
from solver.project.joints import Friction, Lock, Slide, Spring
from solver.project.motions import ConstantHistory, History

ENDS = {"at_parent": "FROM", "at_child": "TO", "length": "LENG", "angle": "PIN"}
KINDS = {quantity: kind for kind, (quantity, _) in QUANTITIES.items()}


def _deg(value: float) -> float:
    return undone(value, DEGREE) if value else 0.0


class Connected(Telling):
    """Make cards of connectors and what belongs to them."""

    def _joints(self) -> None:
        for one in self.project.joints:
            path = f"joints/{one.id}"
            if one.kind not in ("pin", "locked", "extensional"):
                raise VarisegError(
                    "Joint '{joint}' is of a kind ({kind}) that has no card.",
                    joint=one.id,
                    kind=one.kind,
                )
            a, b = one.parent_frame, one.child_frame
            self._flat(path, [a.position_m[1] - b.position_m[1]])
            if one.kind == "extensional":
                self._line(path, one)
                continue
            kind = "RIGID" if one.kind == "locked" else "PIN"
            if one.kind == "pin" and one.breakage is not None:
                kind = "BREAKPIN"
            elif one.kind == "pin" and self._lock_of(path, one.lock):
                kind = "LOCKPIN"
            elif one.breakage is not None:
                self.lose(path, "A rigid connector of these cards does not break.")
            self._connector(one.id, kind, one.parent, one.child, a, b)
            if one.kind != "pin":
                continue
            rest = self._angle(path, a.orientation) - self._angle(path, b.orientation)
            self._resists(path, one.id, one.spring, one.friction, rest, {"RATE"})
            opens = self._lock_of(path, one.lock)
            if opens:
                self.card("LOCK", one.id, PIN=opens)
            if one.breakage is not None:
                self._break(path, one.id, one.breakage, self._angle(path, a.orientation) == 0.0)

    def _connector(
        self, id_: str, kind: str, parent: str, child: str, a: Frame, b: Frame, **more: Any
    ) -> None:
        # the inertial system's z points up, a segment's own down
        up = -1.0 if parent == "ground" else 1.0
        self.card("CONN", id_, FROM=GROUND if parent == "ground" else parent, TO=child, TYPE=kind, XF=a.position_m[0],
                  ZF=up * a.position_m[2] or 0.0, XT=b.position_m[0], ZT=b.position_m[2], **more)  # fmt: skip

    def _line(self, path: str, one: Any) -> None:
        """A connector with a line, as it stands at the start."""
        a, b = one.parent_frame, one.child_frame
        turns, rotation = TURNING[one.rotation], one.rotation
        told = {"both": "both", "none": "none"}.get(rotation, "one")
        locks = {end: self._lock_of(f"{path}/{end}", getattr(one, end).lock) for end in ("at_parent", "at_child")}  # fmt: skip
        held = self._hold_of(path, one.length)
        breaks = one.breakage is not None or held or any(locks.values())
        start = "BREAKEXT" if breaks else "RIGID" if one.rigid else "EXT"
        kind = next((k for k, at in LINES.items() if at == told and k.startswith(start)), "RIGID")
        begin, end = self._at(one.parent, a), self._at(one.child, b)
        way = end - begin
        length = float(np.linalg.norm(way))
        if length < 1e-9:
            raise VarisegError("Joint '{joint}' starts without length; its line has no direction.", joint=one.id)  # fmt: skip
        along = math.degrees(math.atan2(-way[2], way[0]))
        before = 0.0 if one.parent == "ground" else self._angle(path, self.pose[one.parent].R_WS)
        after = self._angle(path, self.pose[one.child].R_WS)
        self._connector(
            one.id, kind, one.parent, one.child, a, b, LENG=length, DIR=_within(along - before),
            END="FROM" if told == "one" and rotation == "parent" else None,
        )  # fmt: skip
        # where springs are at rest: the frames' z goes along the line
        rests = {
            "FROM": self._angle(path, a.orientation) - 90.0 + _deg(one.at_parent.centre_rad),
            "TO": 90.0 - self._angle(path, b.orientation) + _deg(one.at_child.centre_rad),
        }
        for name in turns:
            axis = one.at_parent if name == "FROM" else one.at_child
            if (axis.spring, axis.friction) != (Spring(), Friction()):
                rest = along - before if name == "FROM" else after - along
                near = rest + _within(rests[name] - rest)
                self._resists(path, f"{one.id} {name}", axis.spring, axis.friction, near, {"REST", "RATE"})  # fmt: skip
        if not one.rigid:
            self._along(path, one, length)
        opens = {"FROM": locks["at_parent"], "LENG": held, "TO": locks["at_child"]}
        if any(opens.values()):
            self.card("LOCK", one.id, **opens)
        if one.breakage is not None:
            self._break(path, one.id, one.breakage, True)
        rates = next((s.rates for s in self.project.initial.joints if s.joint == one.id), ())
        at = len(turns) and turns[0] == "FROM"
        if not one.rigid and len(rates) > at and rates[at]:
            self.lose(path, "The rate at which its line starts to grow is not written.")

    def _at(self, segment: str, frame: Frame) -> np.ndarray[Any, Any]:
        point = np.array(frame.position_m)
        if segment == "ground":
            return point
        placed = self.pose[segment]
        out: np.ndarray[Any, Any] = placed.p_W + placed.R_WS @ point
        return out

    def _resists(
        self, path: str, name: str, spring: Spring, friction: Friction, rest: float, zeros: set[str]
    ) -> None:
        if spring.restitution is not None or spring.returned_ratio != 1.0:
            self.lose(path, "Losses and impulses of a freedom are not written.")
        if friction.relaxation_s is not None or friction.coefficient:
            self.lose(
                path, "Torque by rate comes up at once, and friction does not go by the load."
            )
        fields: dict[str, Any] = {}
        if spring.torque is not None:
            fields["TAB"] = self._table(path, spring.torque, f"{name_of(name)}_torque", (DEGREE, 1.0))  # fmt: skip
        else:
            fields |= {
                "STIF": spring.linear_nm_per_rad * DEGREE, "STOP": _deg(spring.stop_rad),
                "QUAD": spring.quadratic_nm_per_rad2 * DEGREE**2, "CUBI": spring.cubic_nm_per_rad3 * DEGREE**3,
            }  # fmt: skip
        self.card("JFOR", name, zeros, REST=rest, VISC=friction.viscous_nms_per_rad * DEGREE, FRIC=friction.coulomb_nm,
                  RATE=_deg(friction.full_rate_rad_per_s), **fields)  # fmt: skip

    def _along(self, path: str, one: Any, length: float) -> None:
        slide: Slide = one.length
        fields: dict[str, Any] = {"VISC": slide.viscous_ns_per_m, "FRIC": slide.coulomb_n}
        if slide.coefficient:
            self.lose(path, "Friction by the load across a line is not written.")
        if slide.force is not None:
            form = next(f.form for f in self.project.functions if f.id == slide.force)
            c = (*form.coefficients, 0.0, 0.0, 0.0, 0.0) if isinstance(form, Polynomial) else ()
            if c and not any((c[0], c[2], *c[4:])) and form.x_min <= -10.0 and form.x_max >= 10.0:  # type: ignore[union-attr]
                fields |= {"STIF": c[1], "CUBI": c[3]}
            else:
                fields["TAB"] = self._table(path, slide.force, f"{one.id}_length", (1.0, 1.0))
        if any(fields.values()):
            rest = one.rest_length_m
            self.card("JFOR", f"{one.id} LENG", {"REST"} if rest is not None else set(), REST=rest,
                      RATE=slide.full_rate_m_per_s, **fields)  # fmt: skip

    def _lock_of(self, path: str, lock: Lock) -> float:
        """The torque at which a lock opens that these cards know; 0 for none."""
        if not lock.locked:
            return 0.0
        if lock.unlock_torque_nm is None or not lock.keeps_torque:
            self.lose(path, "A lock of these cards opens at a torque, and keeps it while it turns.")
        return lock.unlock_torque_nm or 0.0

    def _hold_of(self, path: str, slide: Slide) -> float:
        if not slide.locked:
            return 0.0
        load = slide.release_above_n or 0.0
        if not slide.keeps_force or slide.release_below_n != -load:
            self.lose(path, "A line of these cards opens at a force, either way, and keeps it while it moves.")  # fmt: skip
        return load

    def _break(self, path: str, name: str, one: Any, own_axes: bool) -> None:
        others = (one.force_y_n, one.torque_x_nm, one.torque_y_nm, one.torque_z_nm, one.ramp_rad, one.heals_below_rad)  # fmt: skip
        if any(v is not None for v in others):
            self.lose(
                path, "Of limits there are the force, its parts in the plane, and the torque."
            )
        if not own_axes and (one.force_x_n or one.force_z_n):
            self.lose(path, "Limits along axes that are turned in their segment are not written.")
        self.card("BRK", name, FORC=one.force_n, FX=one.force_x_n, FZ=one.force_z_n, TORQ=one.torque_nm, RAMP=one.ramp_m,
                  HEAL=one.heals_below_m)  # fmt: skip

    def _table(self, path: str, id_: str, name: str, sizes: tuple[float, float], between: str = "lines") -> str:  # fmt: skip
        """Write a function as a table, each value divided by the user's unit; gives the table's name."""
        form = next(f.form for f in self.project.functions if f.id == id_)
        points: list[tuple[float, float]] = []
        if isinstance(form, Table):
            points = list(zip(form.x, form.y, strict=True))
            if form.between != between:
                self.lose(path, "These cards join points in one way for each use; this table is joined otherwise.")  # fmt: skip
        elif isinstance(form, Constant):
            points = [(0.0, form.value)]
        else:
            from solver.project.forms import samples

            points = list(zip(*(v.tolist() for v in samples(form)), strict=True))
            self.lose(path, "A curve of a formula is written as points.")
        at, of = sizes
        told = (v for x, y in points for v in (undone(x, at) if x else 0.0, undone(y, of) if y else 0.0))  # fmt: skip
        self.cards.append(
            ", ".join([f"TABL {name_of(name)}", *(repr(float(v)) for v in told)]) + "."
        )
        return name_of(name)

    def _rolling(self) -> None:
        """Rolling, lines on lines, shoulders."""
        planes = {one.id: one for one in self.project.planes}
        for one in self.project.constraints:
            path = f"constraints/{one.id}"
            fields: dict[str, Any] = {}
            broken = getattr(one, "breakage", None)
            if (
                one.kind == "roll_slide"
                and not one.inside
                and one.starts == "at_once"
                and one.holds == "always"
                and not one.viscous_ns_per_m
                and (one.mode == "roll" or (one.mode == "auto" and one.friction_law == "force"))
            ):
                here = planes[one.plane].segment if one.plane else one.other.segment  # type: ignore[union-attr]
                on = one.plane or self._named(one.other.segment, one.other.surface)  # type: ignore[union-attr]
                fields = {"TO": one.surface.segment, "SHAP": self._named(one.surface.segment, one.surface.surface), "ON": on}  # fmt: skip
            elif one.kind == "edge_on_edge" and (one.edge, one.on_edge) == ("first", "first") and one.mode != "slide" and not one.viscous_ns_per_m:  # fmt: skip
                here = planes[one.on].segment
                fields = {"TO": planes[one.plane].segment, "SHAP": one.plane, "ON": one.on}
            else:
                self.lose(path, "Only rolling by a given force, and lines on lines, have a card; it is left out.")  # fmt: skip
                continue
            if one.mode == "auto":
                fields |= {"HOLD": one.static_force_n, "SLID": one.sliding_force_n}
            self.card("CONN", one.id, {"HOLD"} if one.mode == "auto" else set(), FROM=GROUND if here == "ground" else here, TYPE="ROLL", **fields)  # fmt: skip
            if broken is not None:
                self.card("BRK", one.id, FORC=getattr(broken, "pull_n", None) or getattr(broken, "across_n", None), RAMP=broken.ramp_m)  # fmt: skip
        for spring in self.project.springs:
            path = f"springs/{spring.id}"
            if (
                spring.kind != "linear" or not spring.tension_only or spring.stiffness_n_per_m2 or spring.damping_ns2_per_m2
                or not spring.rest_length_m or abs(spring.a.position_m[1] - spring.b.position_m[1]) > FLAT
            ):  # fmt: skip
                self.lose(path, "There is no card for it; it is left out.")
                continue
            a, b = (Frame(position_m=end.position_m) for end in (spring.a, spring.b))
            self._connector(
                spring.id, "SHOULDER", spring.a.segment, spring.b.segment, a, b, RS=spring.rest_length_m,
                STIF=spring.stiffness_n_per_m, DAMP=spring.damping_ns_per_m,
            )  # fmt: skip

    def _muscles(self) -> None:
        joints = {one.id: one for one in self.project.joints}
        for one in self.project.coordinate_forces:
            at, law = one.coordinate, one.laws[0]
            if (
                len(one.laws) > 1 or not isinstance(law, Muscle) or not isinstance(at, JointCoordinate) or at.axis not in ENDS
                or joints[at.joint].kind not in ("pin", "extensional") or one.side != "both" or one.zero is not None
                or law.delay_s or law.trigger is not None
            ):  # fmt: skip
                self.lose(f"coordinate_forces/{one.id}", "Only muscles on freedoms of connectors have a card; it is left out.")  # fmt: skip
                continue
            size = 1.0 if at.axis == "length" else DEGREE
            active: dict[str, Any] = {"ACT": law.activation}
            if isinstance(law.activation, str):
                active = {"TAB": self._table(f"coordinate_forces/{one.id}", law.activation, f"{one.id}_table", (1.0, 1.0))}  # fmt: skip
            self.card("MUSC", one.id, {"ACT"} if "ACT" in active else set(), CONN=at.joint, AT=ENDS[at.axis], A1=law.stiffness * size,
                      A2=law.stiffness_active * size, A3=law.damping * size, **active)  # fmt: skip

    def _moved(self) -> None:
        for one in self.project.frame_drivers:
            path, moved, seen = f"frame_drivers/{one.id}", one.moved, one.seen_from
            still = one.trigger is None and one.begins_at_once and one.until_s is None
            plain = seen.frame == Frame() and self._is_plain(moved.frame)
            if one.component not in ("x", "z", "pitch") or not still or not plain or not isinstance(one.pulse, History | ConstantHistory):  # fmt: skip
                self.lose(path, "Only components in the plane of a point, constant or by a table from the start on, have a card; it is left out.")  # fmt: skip
                continue
            angle, ground = one.component == "pitch", seen.segment == "ground"
            sign = -1.0 if one.component == "z" and ground else 1.0
            size = sign * (DEGREE if angle else 1.0)
            kind = KINDS[one.quantity]
            fields: dict[str, Any] = {}
            if isinstance(one.pulse, History):
                of = size / one.pulse.scale if one.pulse.scale else size
                fields["TAB"] = self._table(path, one.pulse.function, f"{one.id}_table", (1.0, of), BETWEEN[kind])  # fmt: skip
            else:
                fields["VAL"] = one.pulse.value / size
            zeros = {"S0"} if one.start_value is not None and kind != "POS" else set()
            if zeros:
                fields["S0"] = one.start_value / size  # type: ignore[operator]
            self.card(
                "MOVE", one.id, zeros, SEG=moved.segment, X=moved.frame.position_m[0], Z=moved.frame.position_m[2],
                COMP={"x": "X", "z": "Z", "pitch": "TH"}[one.component], KIND=kind, COORD=GROUND if ground else seen.segment,
                V0=one.start_rate / size if kind == "ACC" else None, **fields,
            )  # fmt: skip

    @staticmethod
    def _is_plain(frame: Frame) -> bool:
        return frame.orientation == Frame().orientation and abs(frame.position_m[1]) <= FLAT


def _within(angle: float) -> float:
    """An angle in degrees within half a turn."""
    return (angle + 180.0) % 360.0 - 180.0
