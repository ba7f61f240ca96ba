"""A deck's own printed tables beside our run of it: each column rated, and where it is furthest off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.words import Refusal, Sentence
from solver.engine.maths.rotation import Array, matrix, yaw_pitch_roll
from solver.engine.signals import SignalError
from solver.engine.signals.rating import Rating, rating
from solver.exchange.decks.control import AS_THE_DECK
from solver.exchange.decks.importing import Imported, read_ain, settled
from solver.exchange.decks.numbers import LENGTHS, YAW_FIRST, taken_turn, unit_named
from solver.exchange.decks.numbers import matrix as matrix_of
from solver.exchange.decks.order import is_euler
from solver.exchange.endings import PRINTED
from solver.exchange.printed import PrintedTable, read_printed
from solver.results import Trajectory
from solver.results.quantities import quantities
from solver.results.trajectory import Channel
from solver.running.simulation import simulate

RATED_S = 1.0
"""Longest time (s) that ISO/TS 18571 rates at 10 kHz here; of longer tables the first part is rated."""
DIGITS = 0.006
"""How far a printed point may be from the deck's (units of the deck): two digits are printed."""
NOTHING = 1e-9
"""Size (SI) up to which both columns are nothing but rounding."""
STRAIGHT = np.radians(0.5)
"""Flexure below which an azimuth says nothing."""
BENT = ("flexure or precession", "azimuth or nutation", "torsion or spin")
"""The printed angles of a joint."""
BY_AXES = {
    "acceleration": "H.1", "velocity": "H.2", "position": "H.3", "angular_acceleration": "H.4",
    "angular_velocity": "H.5", "angle": "H.6",
}  # fmt: skip
"""Card of each table whose items stand along axes."""
Columns = dict[str, Array]


class CompareError(Refusal):
    """Say in one sentence why nothing can be compared."""

    __module__ = "manikin"


@dataclass(frozen=True)
class Compared:
    """A printed column and the run's, at the printed instants."""

    table: str
    printed: Channel
    value: Array
    largest: float
    """Largest difference, in the unit of the column."""
    at_s: float
    peak: float
    """Largest printed size of all columns of the item that have this unit."""
    rating: Rating | None
    """None where nothing can be rated: what is printed is zero throughout, or too short."""

    @property
    def part(self) -> float:
        """The largest difference in parts of the peak; 0 where both are nothing."""
        if max(self.peak, self.largest) <= NOTHING:
            return 0.0
        return self.largest / self.peak if self.peak > 0.0 else float("inf")


@dataclass(frozen=True)
class Comparison:
    """All columns of a deck's printed tables beside a run, and what was not compared."""

    title: str
    run: str
    until_s: float
    columns: tuple[Compared, ...]
    notes: tuple[Sentence, ...]

    @cached_property
    def tables(self) -> dict[str, tuple[Compared, ...]]:
        """The columns by table."""
        found: dict[str, list[Compared]] = {}
        for one in self.columns:
            found.setdefault(one.table, []).append(one)
        return {name: tuple(columns) for name, columns in found.items()}


def beside(deck: Path) -> list[Path]:
    """The printed tables that bear a deck's name and lie beside it."""
    files = [one for one in deck.parent.iterdir() if one.stem.lower() == deck.stem.lower() and one.suffix.lower() in PRINTED]  # fmt: skip
    if not files:
        raise CompareError(
            "Beside '{deck}' lies no printed table of its name (.aou, .t21 to .t99): name the files.",
            deck=deck.name,
        )
    return sorted(files)


def compare_printed(
    deck: Path | str,
    files: Sequence[Path | str] = (),
    run: str | None = None,
    until_s: float | None = None,
    settle: bool = True,
    progress: Callable[[float], object] | None = None,
) -> Comparison:
    """Run a deck and put its printed tables beside it; without files those of its name that lie beside it.

    Without the name of a run it is solved as the old program does, where the deck says how.
    """
    made = settled(read_ain(deck)) if settle else read_ain(deck)
    tables, notes = list[PrintedTable](), list[Sentence]()
    for file in files or beside(Path(deck)):
        found = read_printed(file)
        tables += found.tables
        notes += found.notes
    ends = [float(c.time[-1]) for one in tables for c in one.curves.values() if len(c.time)]
    end = min(max(ends), until_s or np.inf)
    known = [one.id for one in made.project.runs]
    if run is not None and run not in known:
        raise CompareError("'{run}' is none of the deck's runs: {known}.", run=run, known=", ".join(known))  # fmt: skip
    name = run or (AS_THE_DECK if AS_THE_DECK in known else known[0])
    runs = tuple(
        one.model_copy(update={"duration_s": min(one.duration_s, end)}) for one in made.project.runs
    )
    made = replace(made, project=made.project.model_copy(update={"runs": runs}))
    columns, left = side_by_side(made, tables, simulate(made.project, name, progress))
    if not columns:
        raise CompareError("None of the printed tables is of this deck: {why}", why=" ".join(map(str, left)))  # fmt: skip
    return Comparison(made.project.title or Path(deck).stem, name, end, columns, (*notes, *left))


def side_by_side(
    made: Imported, tables: Sequence[PrintedTable], run: Trajectory
) -> tuple[tuple[Compared, ...], tuple[Sentence, ...]]:
    """Put printed tables beside a run of the deck, and say what has nothing beside it."""
    ours, columns, left = _Ours(made, run), list[Compared](), dict[Sentence, None]()
    for one in tables:
        words = " ".join((one.kind.replace("_", " "), *filter(None, one.names)))
        beside_it = ours.of(one)
        if not beside_it:
            left[Sentence("Table '{table}': nothing of the run stands beside it.", table=words)] = (
                None
            )
            continue
        for word in one.curves:
            if word in beside_it:
                found = _compared(words, one, word, ours.time, beside_it[word])
                if found is not None:
                    columns.append(found)
        without = [word for word in one.curves if word not in beside_it]
        if without:
            left[
                Sentence(
                    "Tables of kind '{kind}': {columns} are not compared.",
                    kind=one.kind.replace("_", " "), columns=", ".join(without),
                )
            ] = None  # fmt: skip
    return tuple(columns), tuple(left)


def _compared(
    words: str, table: PrintedTable, word: str, time: Array, value: Array
) -> Compared | None:
    curve = table.curves[word]
    last = float(time[-1])
    seen = curve.time <= last + 1e-9
    if word == "depth":
        # while they are apart the program prints how far; here it is 0
        curve = replace(curve, value=np.maximum(curve.value, 0.0))
    if (table.kind, word) == ("spring", "force"):
        curve = replace(curve, value=np.abs(curve.value))
    t, printed = curve.time[seen], curve.value[seen]
    if len(t) < 2:
        return None
    ours = np.interp(t, time, value)
    there = np.isfinite(ours)
    if " place " in f" {word} ":
        # a place means something while something presses, in both
        pressing = np.interp(t, table.curves["resultant"].time, table.curves["resultant"].value)
        there &= pressing > 0.0
    if not there.any():
        return None
    apart = np.abs(ours - printed)
    if curve.unit == "rad":
        apart = np.abs((ours - printed + np.pi) % (2.0 * np.pi) - np.pi)
    apart = np.where(there, apart, 0.0)
    n = int(apart.argmax())
    alike = [c.value[c.time <= last + 1e-9] for c in table.curves.values() if c.unit == curve.unit and ("place" in c.axis) == ("place" in word)]  # fmt: skip
    peak = max(float(np.abs(one).max(initial=0.0)) for one in alike)
    rated = None
    part = t <= t[0] + RATED_S
    if there.all():
        try:
            rated = rating(t[part], ours[part], t[part], printed[part])
        except SignalError:
            rated = None
    shown = replace(curve, time=t, value=printed)
    return Compared(words, shown, np.where(there, ours, np.nan), float(apart[n]), float(t[n]), peak, rated)  # fmt: skip


@dataclass
class _Ours:
    """What a run says of each item of the printed tables."""

    made: Imported
    run: Trajectory
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.quantity = quantities(self.run)
        self.names = [one.id for one in self.made.project.segments]
        units = self.made.deck.of("A.3")
        self.length = (unit_named(units[0]["length"], LENGTHS) if units else None) or LENGTHS["IN"]
        self.time = self.quantity(f"segments/{self.names[0]}/position/x").time
        self.elements = {(one.first, one.card): one.elements for one in self.made.notes}

    def of(self, table: PrintedTable) -> Columns:
        """The columns that stand beside a printed table's, by its words."""
        if table.kind in BY_AXES:
            return self._by_axes(table)
        find = getattr(self, f"_{table.kind}", None)
        return find(table) if find else {}

    def _rows(self, *cards: str) -> Iterator[tuple[Any, tuple[str, ...]]]:
        for row in self.made.deck.of(*cards):
            yield row, self.elements.get((row.line, row.name), ())

    def _one(self, name: str, *parts: str) -> Array:
        """A quantity with its components side by side."""
        return np.stack([self._value(f"{name}/{part}") for part in parts], axis=-1)

    def _value(self, name: str) -> Array:
        """A quantity at the run's frames."""
        found = self.quantity(name)
        if len(found.time) == len(self.time):
            return found.value
        return np.interp(self.time, found.time, found.value)

    def _turn(self, number: int) -> tuple[Array, Array]:
        """Place and turn of a segment by its number over time; the ground's beyond the last."""
        count = len(self.time)
        if not 1 <= number <= len(self.names):
            return np.zeros((count, 3)), np.tile(np.eye(3), (count, 1, 1))
        name = f"segments/{self.names[number - 1]}"
        q = self._one(f"{name}/quaternion_wxyz", *"wxyz")
        return self._one(f"{name}/position", *"xyz"), np.array([matrix(one) for one in q])

    def _by_axes(self, table: PrintedTable) -> Columns:
        number, card = int(table.names[0]), BY_AXES[table.kind]
        point = [float(one) for one in table.point.split(",")] if table.point else []
        for row, elements in self._rows(card, f"{card}+"):
            pairs = row.values.get("pairs", ())
            numbers = [row["segment"]] if "segment" in row.values else list(pairs[1::2])
            seen = [row["reference"]] if "segment" in row.values else list(pairs[::2])
            for k, name in enumerate(one for one in elements if one.startswith("outputs/")):
                away = point and np.abs(np.array(row["point"]) - point).max() > DIGITS
                if numbers[k] != number or away or name in self.used:
                    continue
                self.used.add(name)
                at = np.array(row["point"]) * self.length if point else np.zeros(3)
                return self._motion(table.kind, number, seen[k], at)
        return {}

    def _motion(self, kind: str, number: int, reference: int, r: Array) -> Columns:
        """What cards H.1 to H.6 print, by the old program's formulas.

        Accelerations are those over the ground, along the axes of the reference, without one along the segment's own;
        what else has no reference is seen from the last vehicle.
        """
        n = abs(number)
        p, R = self._turn(n)
        own = kind in ("acceleration", "angular_acceleration")
        seen = reference or (n if own else len(self.names))
        p_ref, R_ref = self._turn(n if number < 0 else seen)
        spin, out = self._own(n, "angular_velocity"), Columns()
        if kind == "acceleration":
            turning = np.cross(self._own(n, "angular_acceleration"), r) + np.cross(spin, np.cross(spin, r))  # fmt: skip
            value = self._own(n, "acceleration") + np.einsum("tij,tj->ti", R, turning)
            value = value - (np.array(self.made.project.gravity_m_per_s2) if number < 0 else 0.0)
        elif kind == "velocity":
            value = self._own(n, "velocity") + np.einsum("tij,tj->ti", R, np.cross(spin, r)) - self._own(seen, "velocity")  # fmt: skip
        elif kind == "position":
            value = p + np.einsum("tij,j->ti", R, r) - p_ref
        elif kind == "angular_acceleration":
            value = np.einsum("tij,tj->ti", R, self._own(n, "angular_acceleration"))
        else:
            value = np.einsum("tij,tj->ti", R, spin) - np.einsum("tij,tj->ti", R_ref, self._own(seen, "angular_velocity"))  # fmt: skip
        if kind == "angle":
            turned = np.einsum("tji,tjk->tik", R_ref, R)
            trace = np.trace(turned, axis1=1, axis2=2)
            angles = yaw_pitch_roll(turned)
            out = {word: angles[:, k] for k, word in enumerate(("yaw", "pitch", "roll"))}
            return out | {"resultant": np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0))}
        along = np.einsum("tji,tj->ti", R_ref, value)
        out = {c: along[:, k] for k, c in enumerate("xyz")}
        return out | {"resultant": np.linalg.norm(along, axis=1)}

    def _own(self, number: int, what: str) -> Array:
        """A segment's column by its number; nought for the ground."""
        if not 1 <= number <= len(self.names):
            return np.zeros((len(self.time), 3))
        return self._one(f"segments/{self.names[number - 1]}/{what}", *"xyz")

    def _joint_of(self, number: int) -> str:
        rows = [elements for _, elements in self._rows("B.3.a")]
        made = rows[number - 1] if 1 <= number <= len(rows) else ()
        return next((one for one in made if one.startswith("joints/")), "")

    def _joint(self, table: PrintedTable) -> Columns:
        number = abs(int(table.names[0]))
        name = self._joint_of(number)
        if not name:
            return {}
        found = {"torque": self._value(f"{name}/torque/resultant")}
        row = self.made.deck.of("B.3.a")[number - 1]
        return found if is_euler(row) else found | self._bent(row["inner"], number)

    def _bent(self, inner: int, number: int) -> Columns:
        """Flexure, azimuth and torsion of a ball or pin joint, by the axes that card B.3.b gives both its segments."""
        card = self.made.deck.of("B.3.b")[number - 1]
        turns = [
            matrix_of(taken_turn(card[f"{side}_angles"], card["orders"][which], YAW_FIRST) or {})
            for side, which in (("inner", slice(3)), ("outer", slice(3, 6)))
        ]
        (_, R_in), (_, R_out) = self._turn(abs(inner)), self._turn(number + 1)
        R = np.einsum("ji,tkj,tkl,lm->tim", turns[0], R_in, R_out, turns[1])
        # by both components, which keeps the digits of a joint that is hardly bent
        flexure = np.arctan2(np.hypot(R[:, 0, 2], R[:, 1, 2]), R[:, 2, 2])
        azimuth = np.where(flexure > STRAIGHT, np.arctan2(R[:, 1, 2], R[:, 0, 2]), np.nan)
        torsion = np.arctan2(R[:, 1, 0] - R[:, 0, 1], R[:, 0, 0] + R[:, 1, 1])
        return dict(zip(BENT, (flexure, azimuth, torsion), strict=True))

    def _joint_force(self, table: PrintedTable) -> Columns:
        for row, elements in self._rows("H.9", "H.9+"):
            pairs = row["pairs"]
            outputs = [one for one in elements if one.startswith("outputs/")]
            for k, made in enumerate(outputs):
                name = self._joint_of(pairs[2 * k + 1])
                if made in self.used or name.partition("/")[2] != _plain(table.names[0]):
                    continue
                self.used.add(made)
                _, R = self._turn(pairs[2 * k] or len(self.names))
                found = Columns()
                for what in ("force", "torque"):
                    along = np.einsum("tji,tj->ti", R, self._one(f"{name}/{what}", *"xyz"))
                    found |= {f"{what} {c}": along[:, n] for n, c in enumerate("xyz")}
                return found
        return {}

    def _plane_contact(self, table: PrintedTable) -> Columns:
        plane, segment, ellipsoid = (int(table.names[n]) for n in (0, 2, 4))
        for row, elements in self._rows("F.1.b"):
            key = (row["plane"], row["segment"], abs(row["ellipsoid"]))
            if key != (plane, segment, ellipsoid) or not elements or elements[0] in self.used:
                continue
            self.used.add(elements[0])
            if not elements[0].startswith("contacts/"):
                return {}
            carrier = row["carrier"]
            _, R = self._turn(carrier)
            contact = next(
                c for c in self.made.project.contacts if f"contacts/{c.id}" == elements[0]
            )
            where: Any = next(
                p for p in self.made.project.planes if p.id == getattr(contact, "plane", "")
            )
            p1, p2, p3 = (np.array(getattr(where.placement, f"p{n}_m")) for n in (1, 2, 3))
            normal = np.cross(p2 - p1, p3 - p1)
            normal = R @ (normal / np.linalg.norm(normal))
            force = self._one(f"{elements[0]}/force", *"xyz")
            along = np.einsum("ti,ti->t", force, normal)
            found = self._pressed(elements[0], force)
            found["normal"] = np.abs(along)
            found["friction"] = np.linalg.norm(force - along[:, None] * normal, axis=1)
            seen = carrier if row["ellipsoid"] > 0 else segment
            return found | self._place(elements[0], seen, "place")
        return {}

    def _contact(self, table: PrintedTable) -> Columns:
        first, second = (int(table.names[n]) for n in (0, 2))
        for row, elements in self._rows("F.3.b"):
            if (
                (row["first"], row["second"]) != (first, second)
                or not elements
                or not row["output"]
            ):
                continue
            if elements[0] in self.used or not elements[0].startswith("contacts/"):
                continue
            self.used.add(elements[0])
            found = self._pressed(elements[0], self._one(f"{elements[0]}/force", *"xyz"))
            found |= self._place(elements[0], first, "first place")
            return found | self._place(elements[0], second, "second place")
        return {}

    def _pressed(self, name: str, force: Array) -> Columns:
        depth = self._value(f"{name}/penetration")
        return {"depth": depth, "resultant": np.linalg.norm(force, axis=1)}

    def _place(self, name: str, segment: int, words: str) -> Columns:
        p, R = self._turn(segment)
        at = np.einsum("tji,tj->ti", R, self._one(f"{name}/point", *"xyz") - p)
        at[self._value(f"{name}/state") == 0.0] = np.nan
        return {f"{words} {c}": at[:, n] for n, c in enumerate("xyz")}

    def _ends(self, name: str) -> Columns:
        return {
            f"{word} at {end}": self._value(f"{name}/{column}/{n}")
            for n, end in ((1, "A"), (2, "B"))
            for word, column in (("strain", "strain"), ("force", "tension"))
        }

    def _belt(self, table: PrintedTable) -> Columns:
        rows = [elements for _, elements in self._rows("D.3.a")]
        number = int(table.names[0])
        made = rows[number - 1] if 1 <= number <= len(rows) else ()
        name = next((one for one in made if one.startswith("belts/")), "")
        return self._ends(name) if name else {}

    def _harness(self, table: PrintedTable) -> Columns:
        straps = [f"harnesses/{h.id}.{s.id}" for h in self.made.project.harnesses for s in h.straps]
        number = int(table.names[0])
        return self._ends(straps[number - 1]) if 1 <= number <= len(straps) else {}

    def _spring(self, table: PrintedTable) -> Columns:
        rows = [elements for _, elements in self._rows("D.8")]
        number = int(table.names[0])
        name = next(iter(rows[number - 1]), "") if 1 <= number <= len(rows) else ""
        if not name.startswith("springs/"):
            return {}
        # the program gives its force a sign, the run its size: sizes are compared
        return {
            "length": self._value(f"{name}/length"),
            "force": self._value(f"{name}/force/resultant"),
        }

    def _wind(self, table: PrintedTable) -> Columns:
        """The force of wind on a segment, along the axes of its reference (card H.8)."""
        number = int(table.names[0])
        for row, elements in self._rows("H.8", "H.8+"):
            pairs = row["pairs"]
            where = [k for k in range(1, len(pairs), 2) if pairs[k] == number]
            key = f"wind {number}"
            if not where or not elements or key in self.used:
                continue
            self.used.add(key)
            winds = [w.id for w in self.made.project.winds if w.targets[0].surface.segment == self.names[number - 1]]  # fmt: skip
            _, R = self._turn(pairs[where[0] - 1])
            force = sum(self._one(f"winds/{one}/force", *"xyz") for one in winds)
            along = np.einsum("tji,tj->ti", R, force)
            found = {c: along[:, k] for k, c in enumerate("xyz")}
            return found | {"resultant": np.linalg.norm(along, axis=1)}
        return {}

    def _body(self, table: PrintedTable) -> Columns:
        """The mass centre of a set of segments, from its reference and along its axes (card H.10)."""
        for block in self.made.deck.blocks("H.10.b", "H.10+", "H.10.c"):
            head, last = block[0], block[-1]
            key = f"set {head.line}"
            if head["reference"] != int(table.names[0]) or key in self.used:
                continue
            self.used.add(key)
            if any(last["origin"]) or any(last["angles"]) or last["option"]:
                return {}
            numbers = [n for row in block[:-1] for n in row["segments"]][: head["count"]]
            masses = [self.made.project.segments[n - 1].mass_kg for n in numbers]
            p_ref, R_ref = self._turn(head["reference"])
            centre = sum(m * self._turn(n)[0] for m, n in zip(masses, numbers, strict=True)) / sum(masses)  # fmt: skip
            along = np.einsum("tji,tj->ti", R_ref, centre - p_ref)
            return {f"centre {c}": along[:, k] for k, c in enumerate("xyz")}
        return {}

    def _airbag(self, table: PrintedTable) -> Columns:
        bags, number = self.made.project.airbags, int(table.names[0])
        if not 1 <= number <= len(bags):
            return {}
        name = f"airbags/{bags[number - 1].id}"
        return {"pressure": self._value(f"{name}/pressure")}


def _plain(name: str) -> str:
    return re.sub(r"[^\w+-]+", "_", name.strip())
