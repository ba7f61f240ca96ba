"""Check allowed contacts: who touches whom (second pass), and how they start (third pass)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.project.belts import JunctionPoint, SurfacePoint
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.checks.shapes import (
    Flat,
    Solid,
    flat,
    gaps,
    is_within,
    shapes_of,
    solid,
    support,
)
from solver.project.contact import Contact, PlaneContact, SurfaceLaw
from solver.project.forms import value_at
from solver.project.functions import Table
from solver.project.geometry import Hyperellipsoid
from solver.project.problems import Problem
from solver.project.segments import GROUND

TOUCHING_M, DEEP_M = 1e-3, 0.05


@finds(
    TOPOLOGY,
    error={
        "contact-itself": "A surface is to touch itself.",
        "contact-inside-shape": "Contact inside is asked of a hyperellipsoid.",
    },
    warning={
        "contact-same-segment": "Two surfaces of one segment are to touch.",
        "contact-own-plane": "A surface is to touch a plane of its own segment.",
        "contact-twice": "The same pair is allowed twice.",
        "contact-edge-idle": "A rule for edges is given for a plane without edges.",
        "contact-depth-idle": "A measure of depth is chosen for contact inside, which has but one.",
        "contact-rigid": "Two segments may touch that cannot move against each other.",
        "contact-driven": "Two segments may touch that both move as prescribed.",
    },
)
def pairs(index: Index) -> Iterator[Problem]:
    """Find pairs that cannot act, or act twice."""
    seen: dict[Any, str] = {}
    for contact, path in index.elements("contacts"):
        if isinstance(contact, PlaneContact):
            field, a = "surface", contact.surface
            plane = index.by_id["planes"].get(contact.plane)
            other = plane.segment if plane is not None else None
            key: Any = ("plane", contact.plane, a.segment, a.surface)
            if plane is not None and contact.edge == "sharp" and not plane.bounded:
                sentence = Sentence(
                    "'{plane}' has no edges: 'edge' makes no difference.", plane=plane.id
                )
                yield problem("contact-edge-idle", f"{path}/edge", sentence, "Leave it out.")
        else:
            field, a, b = "second", contact.first, contact.second
            other = b.segment
            one, two = (a.segment, a.surface), (b.segment, b.surface)
            key = (contact.inside, one, two) if contact.inside else frozenset((one, two))
            if one == two:
                sentence = Sentence(
                    "'{surface}' of '{segment}' is to touch itself.",
                    surface=a.surface,
                    segment=a.segment,
                )
                yield problem("contact-itself", f"{path}/second", sentence, "Name another surface.")
                continue
            if contact.inside:
                yield from _not_hollow(index, path, {"first": one, "second": two})
                if contact.depth != "normal":
                    sentence = Sentence(
                        "Depth inside has one measure: 'depth' makes no difference."
                    )
                    yield problem("contact-depth-idle", f"{path}/depth", sentence, "Leave it out.")
        if key in seen:
            sentence = Sentence(
                "'{seen}' allows the same pair already; the force would act twice.", seen=seen[key]
            )
            yield problem("contact-twice", path, sentence, "Remove one of them.")
        seen.setdefault(key, contact.id)
        if other is not None:
            yield from _cannot_act(index, contact, path, field, a.segment, other)


@finds(
    TOPOLOGY,
    note={"law-idle": "A contact law has a setting that nothing which uses it heeds."},
)
def idle_laws(index: Index) -> Iterator[Problem]:
    """Find settings of surface laws that only other uses of a law know."""
    pressed = {c.law for c in index.project.contacts if not isinstance(c, PlaneContact)}
    on_planes = {c.law for c in index.project.contacts if isinstance(c, PlaneContact)}
    under_straps = {point.flesh for point, _ in index.of(SurfacePoint)}
    under_straps |= {point.flesh for point, _ in index.of(JunctionPoint)}
    for law, path in index.elements("contact_laws"):
        if not isinstance(law, SurfaceLaw) or law.id in on_planes:
            continue
        if law.id in pressed and law.application_ratio != 0.0:
            sentence = "Only on planes does a force act elsewhere than where surfaces touch."
            yield problem("law-idle", f"{path}/application_ratio", sentence, "Leave it out.")
        elif law.id in under_straps and law.id not in pressed:
            for field in ("friction", "restitution", "application_ratio"):
                if getattr(law, field) not in (0.0, None):
                    sentence = "The flesh under a strap knows nothing of it."
                    hint = "Friction of a strap stands with its points."
                    yield problem("law-idle", f"{path}/{field}", sentence, hint)


def _not_hollow(index: Index, path: str, pair: dict[str, tuple[str, str]]) -> Iterator[Problem]:
    for field, key in pair.items():
        if index.surfaces.get(key) is not None and isinstance(index.surfaces[key], Hyperellipsoid):
            sentence = Sentence(
                "'{key}' is a hyperellipsoid; contact inside knows ellipsoids alone.", key=key[1]
            )
            hint = "Use an ellipsoid, or planes for the walls."
            yield problem("contact-inside-shape", f"{path}/{field}", sentence, hint)


def _cannot_act(
    index: Index, contact: Contact, path: str, field: str, a: str, b: str
) -> Iterator[Problem]:
    where, remove = f"{path}/{field}", Sentence("Remove the contact.")
    if a == b and isinstance(contact, PlaneContact):
        sentence = Sentence(
            "The plane is carried by '{a}' too; they never move against each other.", a=a
        )
        yield problem("contact-own-plane", where, sentence, remove)
    elif a == b:
        sentence = Sentence(
            "Both surfaces are carried by '{a}'; they never move against each other.", a=a
        )
        yield problem("contact-same-segment", where, sentence, remove)
    elif index.rigid_group.get(a, a) == index.rigid_group.get(b, b):
        sentence = Sentence(
            "'{a}' and '{b}' are locked together; they never move against each other.", a=a, b=b
        )
        yield problem("contact-rigid", where, sentence, remove)
    elif index.is_driven(a) and index.is_driven(b):
        who = (
            Sentence("'{a}' and '{b}' both move", a=a, b=b)
            if GROUND not in (a, b)
            else Sentence("'{one}' moves", one=a if b == GROUND else b)
        )
        sentence = Sentence("{who} as prescribed; the contact changes nothing.", who=who)
        yield problem("contact-driven", where, sentence, remove)


@finds(
    PHYSICS,
    warning={
        "start-deep": "A contact starts more than 50 mm deep.",
        "start-behind": "A surface starts wholly behind the plane that it may touch.",
    },
    note={"start-pressed": "A contact starts with a penetration."},
)
def start_penetrations(index: Index) -> Iterator[Problem]:
    """Find surfaces that start pressed into planes or each other, and say how deep."""
    placed: dict[tuple[str, str], Solid] = {}
    planes: dict[str, Flat | None] = {}

    def at(ref: Any) -> Solid:
        key = (ref.segment, ref.surface)
        if key not in placed:
            placed[key] = solid(index, *key)
        return placed[key]

    near: list[tuple[Any, str, Solid, Solid]] = []
    for contact, path in index.elements("contacts"):
        if isinstance(contact, PlaneContact):
            plane = index.by_id["planes"][contact.plane]
            if plane.id not in planes:
                planes[plane.id] = flat(index, plane)
            place = planes[plane.id]
            if place is not None and plane.segment != contact.surface.segment:
                yield from _on_plane(
                    index, contact, path, at(contact.surface), place, plane.bounded
                )
        elif contact.first.segment != contact.second.segment:
            a, b = at(contact.first), at(contact.second)
            distance = float(np.linalg.norm(a.centre - b.centre))
            if contact.inside or distance < a.reach + b.reach:
                near.append((contact, path, a, b))
    depths = -gaps([n[2] for n in near], [n[3] for n in near], [n[0].inside for n in near])
    for (contact, path, _, _), depth in zip(near, depths, strict=True):
        yield from _pressed(index, contact, path, float(depth))


def _on_plane(
    index: Index, contact: PlaneContact, path: str, body: Solid, plane: Flat, bounded: bool
) -> Iterator[Problem]:
    height = float((body.centre - plane.corner) @ plane.normal)
    if abs(height) > body.reach and height > 0.0:
        return
    if bounded and contact.edge != "none" and not is_within(plane, body.centre):
        return
    reach = _reach(body, plane)
    if height < -reach:
        sentence = Sentence(
            "'{surface}' of '{segment}' starts {reach:.0f} mm behind '{plane}', where nothing pushes.",
            surface=contact.surface.surface,
            segment=contact.surface.segment,
            reach=-(height + reach) * 1e3,
            plane=contact.plane,
        )
        hint = "Turn the plane round by swapping two of its corners, or move the segment."
        if not contact.holds_when_behind:
            yield problem("start-behind", path, sentence, hint)
        return
    yield from _pressed(index, contact, path, reach - height)


def _reach(body: Solid, plane: Flat) -> float:
    return float(support(plane.normal[None, None, :], shapes_of([body]))[0, 0])


@finds(
    PHYSICS,
    warning={"plane-faces-away": "Most of what may touch a plane starts behind it."},
)
def faces(index: Index) -> Iterator[Problem]:
    """Find planes that turn their back to what may touch them, also beyond their edges.

    Some of a body may well start behind a plane and come around its edge, as legs hang before a seat; most of it does not.
    """
    sides: dict[str, list[float]] = {}
    reported: set[str] = set()
    for contact, _ in index.elements("contacts"):
        if not isinstance(contact, PlaneContact) or contact.holds_when_behind:
            continue
        plane, ref = index.by_id["planes"][contact.plane], contact.surface
        place = flat(index, plane)
        if place is None or plane.segment == ref.segment:
            continue
        body = solid(index, ref.segment, ref.surface)
        height = float((body.centre - place.corner) @ place.normal)
        side = float(np.sign(height)) if abs(height) > _reach(body, place) else 0.0
        sides.setdefault(plane.id, []).append(side)
        if side < 0.0 and (
            not plane.bounded or contact.edge == "none" or is_within(place, body.centre)
        ):
            # `start-behind` says so
            reported.add(plane.id)
    for plane, found in sides.items():
        behind = found.count(-1.0)
        if plane not in reported and 2 * behind > len(found):
            sentence = Sentence(
                "{found} of {count} surfaces that may touch '{plane}' start behind it, where nothing pushes.",
                found=behind,
                count=len(found),
                plane=plane,
            )
            hint = "Turn the plane round by swapping two of its corners."
            yield problem("plane-faces-away", f"planes/{plane}/placement", sentence, hint)


def _pressed(index: Index, contact: Contact, path: str, depth: float) -> Iterator[Problem]:
    if not depth > TOUCHING_M or _gives_nothing(index, contact, depth):
        return
    if isinstance(contact, PlaneContact):
        a, b = f"'{contact.surface.segment}'", f"'{contact.plane}'"
    else:
        a, b = f"'{contact.first.segment}'", f"'{contact.second.segment}'"
    if depth > DEEP_M:
        sentence = Sentence("{a} starts {depth:.0f} mm deep in {b}.", a=a, depth=depth * 1e3, b=b)
        hint = "It will be thrown out: move it, or settle the start position."
        yield problem("start-deep", path, sentence, hint)
    else:
        sentence = Sentence("{a} starts {depth:.1f} mm deep in {b}.", a=a, depth=depth * 1e3, b=b)
        yield problem("start-pressed", path, sentence, _gives_back(index, contact))


def _gives_nothing(index: Index, contact: Contact, depth: float) -> bool:
    """Whether a law by a table begins deeper than this: what lies in each other as it is made may say so."""
    base = getattr(index.by_id["contact_laws"][contact.law], "base", None)
    form = index.by_id["functions"][base].form if base else None
    return isinstance(form, Table) and depth <= form.x[-1] and value_at(form, depth) == 0.0


def _gives_back(index: Index, contact: Contact) -> Sentence:
    """Say what a law makes of a start in which it is pressed."""
    at_start = getattr(index.by_id["contact_laws"][contact.law], "at_start", None)
    if at_start == "turning":
        return Sentence(
            "Usual after settling; else move it. At rest its law stands at a turning point: what comes "
            "out gives back along the unloading curve (at_start)."
        )
    if at_start == "elastic":
        return Sentence(
            "Usual after settling; else move it. What comes out gives back along the loading curve (at_start)."
        )
    return Sentence("Usual after settling; else move it.")
