"""Pictures of fields: they tell of fields that are there, lie within their frame, and show what the engine does."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.editing.shape import fields_of
from app.features.guide import pages
from app.features.guide.field_pictures import (
    CORNERS,
    PICTURES,
    SIZE,
    Stroke,
    fields_in,
    outline,
    pulse_course,
    seen,
)
from app.features.guide.picture_painter import drawn
from app.look import DARK, LIGHT
from solver.engine.maths import profile
from solver.project.histories import shape
from solver.project.motions import HalfSine, Haversine, Trapezoid, Triangle


def test_each_tells_of_fields_that_its_model_has_within_its_frame() -> None:
    for name, draw in PICTURES.items():
        parts, model = draw(), pages.by_name()[name]
        assert fields_in(parts) <= set(model.model_fields), name
        assert len(fields_in(parts)) >= 2, name
        for one in parts:
            places = one.points if isinstance(one, Stroke) else (one.at,)
            assert all(0.0 <= x <= SIZE[0] and 0.0 <= y <= SIZE[1] for x, y in places), one


def test_pulses_are_those_that_a_run_uses() -> None:
    for model in (HalfSine, Haversine, Triangle, Trapezoid):
        pulse = model(amplitude=1.0, duration_s=1.0)
        course = shape(pulse, {})
        for t in (0.1, 0.3, 0.5, 0.8, 0.95):
            found = profile.value(course, t)[0]
            assert pulse_course(pulse.kind, t) == pytest.approx(found, abs=1e-12), pulse.kind


def test_the_front_of_the_drawn_plane_is_its_upper_side() -> None:
    one, two, three = (np.array(at) for at in CORNERS.values())
    assert np.cross(two - one, three - one)[2] < 0.0, "z is down"


@pytest.mark.parametrize("power", [2.0, 5.0])
def test_an_outline_is_as_far_as_any_point_of_the_body_is_seen(power: float) -> None:
    axes = np.array((88.0, 60.0, 48.0))
    rng = np.random.default_rng(5)
    rays = rng.normal(size=(40_000, 3))
    on = rays / (np.abs(rays) ** power).sum(axis=1, keepdims=True) ** (1.0 / power) * axes
    places = np.array([seen((x, y, z)) for x, y, z in on])
    edge = np.array(outline((88.0, 60.0, 48.0), power))
    for turn in np.linspace(0.0, 6.0, 13):
        way = np.array((np.cos(turn), np.sin(turn)))
        assert (edge @ way).max() == pytest.approx((places @ way).max(), abs=1.5)


def test_it_is_drawn_in_light_and_dark_and_what_is_asked_for_stands_out(qapp: object) -> None:
    parts = PICTURES["ThreePoints"]()
    labels = {one.name: one.label for one in fields_of(pages.by_name()["ThreePoints"])}

    def image(theme: object, field: str) -> QImage:
        return drawn(parts, labels, field, (theme, 1.0))  # type: ignore[arg-type]

    plain = image(LIGHT, "")
    assert plain.width() == 2 * SIZE[0]
    assert plain != image(DARK, "")
    assert image(LIGHT, "p1_m") != plain
    assert image(LIGHT, "p1_m") != image(LIGHT, "p2_m")
