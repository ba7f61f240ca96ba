"""Cushions are closed, quilted, and lie below those who sit on them as deep as the engine says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from app.scene.drawn import Drawn
from app.scene.fabric import CushionBuilder
from solver.base.places import samples
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.contact import PlaneContact
from solver.project.reading import load_project
from solver.scene.cushions import Bodies, cushion, dented
from solver.scene.furnishing import furnished
from solver.scene.placing import pose_at_start
from solver.scene.shapes import shapes
from solver.scene.webbing import Body, body_of

SIZE = (0.26, 0.25, 0.045)


def ball(x: float, y: float, deep: float, radius: float, power: float = 2.0) -> Body:
    """Place a ball that reaches so deep behind the plane."""
    place = np.array([x, y, radius - deep])
    return Body(np.eye(3), place, np.full(3, radius), np.full(3, power))


def test_a_cushion_is_closed_and_holds_its_foam() -> None:
    for long, across, half in (SIZE, (0.14, 0.13, 0.045), (0.05, 0.3, 0.035)):
        made = cushion(long, across, half)
        edges = Counter(
            (int(a), int(b))
            for face in made.faces
            for a, b in zip(face, np.roll(face, -1), strict=True)
        )
        assert all(edges[b, a] == times for (a, b), times in edges.items())
        a, b, c = made.points[made.faces].transpose(1, 0, 2)
        volume = float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)
        box = 8.0 * long * across * half
        assert 0.75 * box < volume < box
        assert made.points[:, 2].max() == 0.0
        assert np.abs(made.points).max(axis=0) == pytest.approx([long, across, 2.0 * half])


def test_seams_are_for_what_is_large_enough() -> None:
    assert cushion(*SIZE).dark.min() < 1.0
    assert cushion(0.14, 0.13, 0.045).dark.min() == 1.0
    assert cushion(*SIZE, is_sewn=False).dark.min() == 1.0
    assert cushion(*SIZE).rough.dark.min() < 1.0 == cushion(*SIZE, is_sewn=False).rough.dark.min()


def test_a_pad_is_plain_and_a_seat_is_upholstered() -> None:
    (plane,) = load_project(samples() / "bouncing_ball.json").planes
    seams = {}
    for name in ("pad", "seat_pan"):
        made = furnished(plane.model_copy(update={"id": name, "name": ""}))
        assert made is not None
        assert made.cushion is not None
        seams[name] = made.cushion.dark.min() < 1.0
    assert seams == {"pad": False, "seat_pan": True}


@pytest.mark.parametrize("power", [2.0, 2.0 + 1e-12])
def test_a_dent_is_as_deep_as_the_body_and_runs_out_beside_it(power: float) -> None:
    made = cushion(*SIZE)
    deep, gap = dented(made, Bodies.of([ball(0.03, -0.02, 0.03, 0.12, power)]))
    x, y, _ = made.points[: deep.size].T
    off = np.hypot(x - 0.03, y + 0.02).reshape(deep.shape)
    # the ball's underside, in closed form
    below = 0.03 - 0.12 + np.sqrt(np.maximum(0.12**2 - off**2, 0.0))
    under = (below > 0.0) & (off < 0.12) & made.free
    assert under.sum() > 30
    assert np.all(deep[under] >= below[under] - 1e-4)
    assert deep.max() == pytest.approx(0.03, abs=2e-3)
    assert np.all(deep >= 0.0)
    assert np.all(deep[~made.free] == 0.0)
    beside = (off > 0.085) & (off < 0.1) & made.free
    assert deep[beside].min() > 0.0, "a cover does not break at the edge of what lies on it"
    assert deep[off > 0.22].max() < 0.006
    assert gap.reshape(deep.shape)[off < 0.02].max() < 0.01 < gap.max()


def test_what_is_above_presses_nothing_and_what_is_behind_neither() -> None:
    made = cushion(*SIZE)
    for away in (-0.01, -0.3, 0.9):
        deep, _ = dented(made, Bodies.of([ball(0.0, 0.0, away, 0.1)]))
        assert not deep.any(), away
    deepest, _ = dented(made, Bodies.of([ball(0.0, 0.0, 0.2, 0.2)]))
    assert deepest.max() < 2.0 * made.half, "cloth does not come out at the back"


@pytest.fixture(scope="module")
def car() -> Project:
    return load_project(samples() / "frontal.json")


def _deepest(project: Project, plane: str, normal: Array, place: Array) -> float:
    """Give the greatest depth behind a plane, by the support of each ellipsoid that may touch it."""
    pose, found = pose_at_start(project), 0.0
    surfaces = {(s.id, one.id): one for s in project.segments for one in s.surfaces}
    for contact in project.contacts:
        if isinstance(contact, PlaneContact) and contact.plane == plane:
            ref = contact.surface
            body = body_of(surfaces[ref.segment, ref.surface], ref.segment, pose)
            if np.all(body.powers == 2.0):
                reach = np.linalg.norm((normal @ body.R_WE) * body.axes)
                found = max(found, float(reach - (body.p_W - place) @ normal))
    return found


def test_a_driver_sits_as_deep_in_the_seat_as_the_engine_has_him(car: Project) -> None:
    pose, upholstery = pose_at_start(car), CushionBuilder()
    upholstery.update(car)
    items = {
        s.element: Drawn(s, pose[s.segment]) for s in shapes(car, pose) if s.furniture is not None
    }
    upholstery.lay(items.values(), pose, True)
    seat = items["planes/seat_seat_pan"]
    own = seat.shape.furniture
    assert own is not None
    assert own.at is not None
    assert seat.dented is not None
    normal = seat.at.R_WS @ own.at.R_WS[:, 2]
    place = seat.at.R_WS @ own.at.p_W + seat.at.p_W
    depth = _deepest(car, "seat_seat_pan", normal, place)
    assert depth > 0.01
    top = seat.dented.points @ seat.at.R_WS.T + seat.at.p_W
    count = own.cushion.free.size if own.cushion is not None else 0
    pressed = -((top[:count] - place) @ normal).reshape(own.cushion.grid)[own.cushion.free]  # type: ignore[union-attr]
    assert pressed.max() == pytest.approx(depth, abs=0.006 + 1e-3)
    assert items["planes/seat_seat_back"].dented is not None
    assert items["planes/car_floor"].dented is None
    # it is not made again where nothing has moved, and not at all where shapes are asked for
    before = seat.dented
    upholstery.lay(items.values(), pose, True)
    assert seat.dented is before
    upholstery.lay(items.values(), pose, False)
    assert seat.dented is None


def test_who_has_no_contact_with_a_seat_does_not_dent_it(car: Project) -> None:
    pose, upholstery = pose_at_start(car), CushionBuilder()
    upholstery.update(car.model_copy(update={"contacts": ()}))
    seat = next(s for s in shapes(car, pose) if s.element == "planes/seat_seat_pan")
    item = Drawn(seat, pose[seat.segment])
    upholstery.lay([item], pose, True)
    assert seat.furniture is not None
    assert item.dented is seat.furniture.mesh
