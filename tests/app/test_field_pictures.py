"""Pictures of fields: they tell of fields that are there, lie within their frame, and show what the engine does."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from app.editing.shape import fields_of
from app.features.guide import pages
from app.forms.field_curves import (
    DELAY,
    GAIN,
    LIMIT,
    PICTURES,
    RAMP,
    actuator_course,
    pulse_course,
    vent_course,
)
from app.forms.field_pictures import CORNERS, SIZE, Stroke, fields_in, outline, seen
from app.forms.form import picture_of
from app.forms.picture_painter import drawn
from app.forms.picture_tip import PicturedLabel
from app.look import DARK, LIGHT
from solver.base.places import samples
from solver.engine.forces.airbags.gas import nozzle_flux
from solver.engine.maths import profile
from solver.project import load_project
from solver.project.histories import shape
from solver.project.joints import PinJoint
from solver.project.motions import HalfSine, Haversine, Trapezoid, Triangle
from solver.running.simulation import simulate
from tests.engine.test_actuators import MASS, P, drive
from tests.engine.test_coordinate_forces import seen as force_of
from tests.engine.test_coordinate_forces import slider
from tests.models import project


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


def test_a_vent_is_drawn_as_gas_flows_out_in_a_run() -> None:
    """Gas of one temperature, whose density goes with its pressure: below choking and beyond it."""
    most = nozzle_flux(1.4, 2.2, 2.2, 1.0)
    for gauge in (0.15, 0.4, 0.8, 0.89, 0.9, 1.1):
        found = nozzle_flux(1.4, 1.0 + gauge, 1.0 + gauge, 1.0) / most
        assert vent_course(gauge) == pytest.approx(found, rel=1e-9)


def test_an_actuator_is_drawn_as_it_comes_up_in_a_run() -> None:
    gives = GAIN * 0.05 * P
    law = drive(0.0, delay_s=DELAY, ramp_s=RAMP, limit=LIMIT * gives)
    data = slider(MASS, 0.05, 0.0, law)
    data["drivers"] = [
        {"id": "held", "joint": "slip", "axis": "slide", "quantity": "velocity",
         "pulse": {"kind": "constant", "value": 0.0}, "start_value": 0.05}
    ]  # fmt: skip
    del data["initial"]
    out = simulate(project(data))
    wanted = [gives * actuator_course(float(t)) for t in out.time]
    assert max(wanted) == pytest.approx(LIMIT * gives)
    assert force_of(out, "force") == pytest.approx(wanted, abs=1e-9)


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


def test_a_label_shows_the_picture_of_its_field_in_its_tip(qapp: object) -> None:
    model = load_project(samples() / "sled.json")
    pin = next(one for one in model.joints if isinstance(one, PinJoint))
    form = SimpleNamespace(commands=SimpleNamespace(project=model), theme=LIGHT)

    def image(path: str) -> QImage | None:
        return picture_of(form, SimpleNamespace(path=path))  # type: ignore[arg-type]

    assert image("title") is None
    assert image(f"joints/{pin.id}/lock") is None, "the picture tells nothing of it"
    label = PicturedLabel("Child")
    label.setToolTip("Segment <b>carried</b>.")
    label.draws = lambda: image(f"joints/{pin.id}/child")
    at = QPoint(2, 2)
    QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, at, label.mapToGlobal(at)))
    tip = label.tip
    assert tip is not None
    assert tip.isVisible()
    drawing, words = tip.findChildren(QLabel)
    assert not drawing.pixmap().isNull()
    assert words.text() == label.toolTip()
    QApplication.sendEvent(label, QEvent(QEvent.Type.Leave))
    assert label.tip is None
    label.draws = lambda: None
    QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, at, label.mapToGlobal(at)))
    assert label.tip is None
    QToolTip.hideText()
    label.deleteLater()
