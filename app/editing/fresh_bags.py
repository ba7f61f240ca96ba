"""New airbags: where they come out, and what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.editing.bench import Bench, CannotMake
from app.editing.naming import free_id
from app.editing.removing import upright
from solver.base.words import tr
from solver.bodies.body import SURFACE
from solver.bodies.library.occupants import Occupant, occupants
from solver.project.geometry import Ellipsoid
from solver.project.pose import plane_extent
from solver.project.segments import GROUND, Segment
from solver.scene.placing import in_ground, up_of

VOLUME_M3 = 0.0015
"""Of the tank of a new bag: it fills 66 litres to 20 to 60 kPa above the air, as bags in cars do."""
VENTS_M2 = 0.0025
"""Of the holes of a new bag: two of 40 mm, as the library's driver bag of 60 litres has. Holes of 10 cm2 left up to 66 kPa
where somebody sits behind a front seat."""
_PANEL_M, _AHEAD_M = (0.03, 0.15, 0.15), 0.55
_NEAR_M, _FAR_M, _AHEAD_COS = 0.3, 1.2, 0.5
"""How far a plane may be from a chest for a bag between both, and the cosine of how far it may lean back (assumed)."""


def ref_to(segment: Segment, surface: Ellipsoid) -> dict[str, str]:
    """Name a surface."""
    return {"segment": segment.id, "surface": surface.id}


def airbag(bench: Bench) -> str:
    """Make a bag that comes out of the vehicle towards who sits there."""
    people = [who for who in occupants(bench.project) if who.of("upper_torso", SURFACE)]
    parts = {ref.segment for who in people for ref in who.surfaces.values()}
    held = _on_plane(bench, people, parts) or _on_surface(bench, people, parts)
    panels = {ref["segment"] for ref in held.get("panels", ())}
    others = [s for s in bench.project.segments if s.id not in panels]
    # people first, as they are whom it is for
    others.sort(key=lambda s: s.id not in parts)
    touches = [ref_to(s, one) for s in others for one in s.surfaces if type(one) is Ellipsoid]
    return bench.add(
        "airbags",
        "Airbag",
        "airbag",
        **held,
        semi_axes_m=(0.2, 0.28, 0.28),
        fabric_mass_kg=0.4,
        inflator={
            "kind": "tank",
            "volume_m3": VOLUME_M3,
            "pressure_pa": 1.0e7,
            "throat_area_m2": 1.0e-4,
        },
        vents=[{"area_m2": VENTS_M2}],
        panel_stiffness_n_per_m=10_000.0,
        touches=touches[:50],
    )


def _on_plane(bench: Bench, people: list[Occupant], parts: set[str]) -> dict[str, Any]:
    """Give where a bag stands on a plane of the vehicle that faces a chest from ahead; nothing where there is none."""
    carrier = bench.carrier()
    if not people or carrier == GROUND:
        return {}
    ahead, up = bench.pose[carrier].R_WS[:, 0], up_of(bench.project)
    chest = bench.pose[next(iter(people[0].of("upper_torso", SURFACE).values())).segment].p_W
    for plane in bench.project.planes:
        if plane.segment in parts or plane.segment == GROUND:
            continue
        corner, one, two = plane_extent(plane)
        at = bench.pose[plane.segment].R_WS
        R = at @ np.stack([one / np.linalg.norm(one), two, np.cross(one, two)], axis=1)
        front = R[:, 2] / np.linalg.norm(R[:, 2])
        way = in_ground(bench.pose, plane.segment, corner + 0.5 * (one + two)) - chest
        far = float(-way @ front)
        foot = at.T @ (-far * front - way)
        share = [abs(float(foot @ edge) / float(edge @ edge)) for edge in (one, two)]
        faces = _NEAR_M < far < _FAR_M and -front @ ahead > _AHEAD_COS
        if not faces or (plane.bounded and max(share) > 0.5):
            continue
        x = -at.T @ front
        z = at.T @ up - (at.T @ up @ x) * x
        z /= np.linalg.norm(z)
        axes = np.stack(
            [one / np.linalg.norm(one), np.cross(at.T @ front, one / np.linalg.norm(one))], axis=1
        )
        place = [*(float(c) for c in np.round(foot @ axes, 4)), 0.0]
        turned = upright(np.stack([x, np.cross(z, x), z], axis=1))
        return {
            "planes": [plane.id],
            "deployment_point_m": place,
            "orientation": turned.model_dump(),
        }
    return {}


def _on_surface(bench: Bench, people: list[Occupant], parts: set[str]) -> dict[str, Any]:
    """Give where a bag stands on a surface of the vehicle."""
    segment, surface = _panel(bench, people, parts)
    at = (-float(surface.semi_axes_m[0]), 0.0, 0.0)
    return {"panels": [ref_to(segment, surface)], "deployment_point_m": at}


def _panel(bench: Bench, people: list[Occupant], parts: set[str]) -> tuple[Segment, Ellipsoid]:
    """Give a surface that a bag comes out of: none of a person's, and where there is no other, a new one ahead of the chest.

    The new one is the vehicle's, half as far again from the chest as the bag is thick.
    """
    for segment in bench.segments():
        for surface in segment.surfaces:
            if segment.id not in parts and type(surface) is Ellipsoid:
                return segment, surface
    carrier = bench.carrier()
    if not people or carrier == GROUND:
        raise CannotMake(
            tr("{what} needs {noun}: add a segment with one first.", what=tr("An airbag"), noun=tr("an ellipsoid of the vehicle"))
        )  # fmt: skip
    chest = next(iter(people[0].of("upper_torso", SURFACE).values())).segment
    x, y, z = bench.seen_from(carrier, bench.pose[chest].p_W)
    number = next(n for n, s in enumerate(bench.project.segments) if s.id == carrier)
    segment = bench.project.segments[number]
    panel = Ellipsoid(
        id=free_id("airbag_panel", {s.id for s in segment.surfaces}),
        name=tr("Airbag panel"),
        semi_axes_m=_PANEL_M,
        centre_m=(x + _AHEAD_M, y, z),
    )
    segment = segment.model_copy(update={"surfaces": (*segment.surfaces, panel)})
    segments = tuple(segment if n == number else s for n, s in enumerate(bench.project.segments))
    bench.project = bench.project.model_copy(update={"segments": segments})
    return segment, panel
