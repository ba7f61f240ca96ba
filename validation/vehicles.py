"""Tyres and cars against the closed forms of the brush, the bicycle model and the quarter car, meshes, wishbones; Costa's pins and Ma's rollover."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import manikin as mk
from solver.bodies.suspension import bump_curves
from solver.bodies.vehicles import Car, resting
from solver.engine.maths.rotation import Array
from tests.balls_and_floors import run
from tests.bodies.test_vehicles import COSTA, bounce_on_arms, on_wishbones
from tests.engine import test_tyres as tyres
from tests.engine.test_tyres import ACROSS, FINE, ROLLING, SLIPS, brush, led
from validation.case import Case

G = 9.80665
MASS, BASE, HIGH, FRONT = 1400.0, 2.65, 0.55, 0.58


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _brush()
    yield from _camber()
    yield from _meshes()
    yield from _bend()
    yield from _stop()
    yield from _bounce()
    yield from _wishbones()
    yield from _pins()
    yield from _rollover()


def _brush() -> Iterator[Case]:
    data = led([(a, r, -v / ROLLING) for a, r, v in SLIPS], slip_stiffness_n=ACROSS)
    row = run(data, 0.5, 100.0, **FINE).table("tyres")
    wanted = np.array([brush(a, r, v, ACROSS) for a, r, v in SLIPS])
    source = "Fiala 1954; Pacejka 2012, chapter 3"
    for n, (name, what) in enumerate((("along", "force ahead"), ("across", "side force"), ("aligning", "aligning moment"))):  # fmt: skip
        worst = float(np.max(np.abs(row[name][-1] - wanted[:, n])) / np.max(np.abs(wanted[:, n])))
        yield Case("Tyre in 11 pure and combined slips", source, f"largest error of the {what}, in parts of the largest", 0.0, worst, 1e-3)  # fmt: skip


def _camber() -> Iterator[Case]:
    for camber, stiff in ((0.04, 12_000.0), (0.08, 20_000.0)):
        row = run(tyres.tilted(camber, stiff), 0.5, 100.0, **FINE).table("tyres")
        wanted = tyres.thrust(camber, stiff, float(row["normal"][-1, 0]))
        title = f"Tilted tyre, {camber:g} rad, {0.001 * stiff:g} kN/rad"
        yield Case(title, "closed form of the brush", "camber thrust", wanted, float(row["across"][-1, 0]), 1e-3 * wanted, "N")  # fmt: skip


def _meshes() -> Iterator[Case]:
    row = run(tyres.on_flat(), 0.3, 200.0, **FINE).table("tyres")
    for name, what in (("force", "force"), ("deflection", "deflection"), ("point", "place")):
        apart = float(np.max(np.abs(np.diff(row[name], axis=1))) / np.max(np.abs(row[name])))
        yield Case("Tilted tyre that slides over a flat mesh", "the same plane", f"largest difference of the {what}, in parts of the largest", 0.0, apart, 1e-9)  # fmt: skip
    title, out = "Tyre over a bump of radius 2 m, points 25 mm apart", run(tyres.over_bump(), 0.4, 200.0, **FINE)  # fmt: skip
    deep = out.table("tyres")["deflection"]
    yield Case(title, "a profile of the same points", "largest difference of the deflection", 0.0, float(np.max(np.abs(deep[:, 1] - deep[:, 0]))), 1e-9, "m")  # fmt: skip
    away = np.hypot(0.5 * out.time, 2.0 + ROLLING)
    off = deep[:, 1] - np.maximum(2.0 + tyres.R - away, 0.0)
    yield Case(title, "closed form of the arc", "largest difference of the deflection of its mesh", 0.0, float(np.max(np.abs(off))), 5e-5, "m")  # fmt: skip
    out, least = tyres.in_valley()
    off = out.table("tyres")["deflection"][::40, 0] - least
    yield Case("Tyre through a valley and over a ridge of a mesh", "least way out of all faces, of 20,001 directions", "largest difference of the deflection", 0.0, float(np.max(np.abs(off))), 1e-7, "m")  # fmt: skip


def _wishbones() -> Iterator[Case]:
    found, _, off = on_wishbones()
    title, source = "Car that falls onto double wishbones", "lengths of arms and rod alone, solved by SciPy"  # fmt: skip
    yield Case(title, source, "largest error of the place of a wheel in the car", 0.0, float(off[:, 0].max()), 1e-7, "m")  # fmt: skip
    yield Case(title, source, "largest error of its turn (entries of the matrix)", 0.0, float(off[:, 1].max()), 1e-7)  # fmt: skip
    yield Case(title, "energy", "what the account of energy leaves over", 0.0, float(abs(found["energy/balance"].value[-1])), 0.1, "J")  # fmt: skip
    for name, (hz, frequency, ratio, damping) in zip(("bounce", "wheel hop"), bounce_on_arms(), strict=True):  # fmt: skip
        title, source = "Car on level wishbones that are alike", "closed form, quarter car with the inertia of its arms"  # fmt: skip
        near = 3e-3 if name == "bounce" else 0.02
        yield Case(title, source, f"frequency of {name}", hz, frequency, near * hz, "Hz")
        yield Case(title, source, f"damping of {name}", ratio, damping, 2.0 * near * ratio)


def _bend() -> Iterator[Case]:
    speed, steer, front, rear = 20.0, 0.001, 50e3, 60e3
    found = mk.run(
        mk.car(
            speed_m_per_s=speed, steer_rad=steer, tyre={"patch_m": 1e-4}, front_tyre={"cornering_n_per_rad": front},
            rear_tyre={"cornering_n_per_rad": rear},
        ),
        until=4.0,
    )  # fmt: skip
    yaw = float(found["segments/car/angular_velocity/z"].value[-1])
    v = float(found["segments/car/velocity/resultant"].value[-1])
    gradient = MASS * (FRONT / (2.0 * front) - (1.0 - FRONT) / (2.0 * rear))
    wanted = v / (BASE + gradient * v * v)
    title, source = "Car in a steady bend, 20 m/s", "closed form, bicycle model"
    yield Case(
        title, source, "yaw rate by steering angle", wanted, yaw / steer, 0.01 * wanted, "1/s"
    )
    slip = [found[f"tyres/car_{name}_left/slip_angle"].value[-1] for name in ("front", "rear")]
    yield Case(title, source, "understeer gradient", gradient, float(slip[0] - slip[1]) / (v * yaw), 0.02 * gradient, "rad*s2/m")  # fmt: skip


def _stop() -> Iterator[Case]:
    speed, mu = 30.0, 0.8
    found = mk.run(
        mk.car(speed_m_per_s=speed, front_brake_nm=8000.0, rear_brake_nm=8000.0, tyre={"friction": mu}), until=4.2
    )  # fmt: skip
    title, source = "Car with locked wheels, from 30 m/s", "closed form"
    x = found["segments/car/position/x"].value
    wanted = speed**2 / (2.0 * mu * G)
    yield Case(title, source, "stopping distance", wanted, float(x[-1] - x[0]), 0.01 * wanted, "m")
    time = found["segments/car/position/x"].time
    load = sum(found[f"tyres/car_front_{side}/normal"].value for side in ("left", "right"))
    on_front = FRONT * MASS * G + MASS * mu * G * HIGH / BASE
    mean = float(np.mean(load[(time > 1.5) & (time < 3.5)]))
    yield Case(title, source, "load on the front axle", on_front, mean, 0.01 * on_front, "N")


def _bounce() -> Iterator[Case]:
    numbers = {"front_ratio": 0.5, "front_hz": 1.1, "rear_hz": 1.1, "damping_ratio": 0.206}
    rest = resting(Car(**numbers))
    found = mk.linearise(mk.car(**numbers), at=0.0)  # type: ignore[arg-type]
    m, wheel, k, c = 0.25 * rest.body_kg, 20.0, rest.spring[0], rest.damper[0]
    kt, ct = 210_000.0, 300.0
    inverse = np.diag([1.0 / m, 1.0 / wheel])
    stiff, damp = np.array([[k, -k], [-k, k + kt]]), np.array([[c, -c], [-c, c + ct]])
    A: Array = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ stiff, -inverse @ damp]])
    swings = sorted((one for one in np.linalg.eigvals(A) if one.imag > 0.0), key=abs)
    for name, one in zip(("bounce", "wheel hop"), swings, strict=True):
        hz, ratio = abs(one) / (2.0 * math.pi), -one.real / abs(one)
        near = min(found.modes, key=lambda mode: abs(mode.frequency_hz - hz) + abs(mode.damping - ratio))  # fmt: skip
        title, source = (
            "Car of equal axles, springs for 1.10 Hz and 0.206",
            "closed form, quarter car",
        )
        yield Case(title, source, f"frequency of {name}", float(hz), near.frequency_hz, 1e-3 * hz, "Hz")  # fmt: skip
        yield Case(title, source, f"damping of {name}", float(ratio), near.damping, 1e-3)


def _pins() -> Iterator[Case]:
    travel = np.linspace(-0.08, 0.08, 81)
    for name, (pivot, axis) in zip(("front", "rear"), COSTA, strict=True):
        source = "Costa and Jones, Table 1"
        lean = abs(float(np.dot(pivot, axis)))
        yield Case(f"Swing axle, {name}", source, "arm along the printed pin", 0.0, lean, 1e-3, "m")
        across = np.array(pivot) - np.dot(pivot, axis) * np.array(axis) / np.dot(axis, axis)
        ways = bump_curves(mk.SwingAxle((across[0], across[1], across[2]), axis), travel)
        fits = [tuple(np.polynomial.polynomial.polyfit(travel, way, 5)[1:]) for way in ways]
        off = float(np.linalg.norm(np.array(mk.swing_axle(mk.BumpCurves(*fits)).pivot_m) - across))
        yield Case(f"Swing axle, {name}", source, "pin found again from its bump curves, off by", 0.0, off, 2e-4, "m")  # fmt: skip


def _rollover() -> Iterator[Case]:
    found = mk.run(
        mk.car(
            mass_kg=1100.0, wheelbase_m=2.4, track_m=1.45, height_m=0.53, length_m=3.9, width_m=1.65, roof_m=1.42,
            roll_rad=math.radians(23.0), lift_m=0.45, velocity_m_per_s=(0.0, 11.18, 0.0), turning_rad_per_s=(1.5, 0.0, 0.0),
            corners_n_per_m=1e6, corners_friction=0.7,
        ),
        until=5.0,
    )  # fmt: skip
    up, time = (
        -found["segments/car/acceleration/z"].value / G,
        found["segments/car/acceleration/z"].time,
    )
    rolls = [found[f"segments/car/angular_velocity/{axis}"].value for axis in "xyz"]
    fast = found["segments/car/velocity/resultant"].value > 0.5
    fast |= np.linalg.norm(rolls, axis=0) > 0.5
    title, source = (
        "Small car thrown off a dolly, 23 degrees, 25 mph, 1.5 rad/s",
        "Ma, Menon and Lankarani, Table 1; a car of ours, its corners chosen near these figures: their size alone",
    )
    yield Case(title, source, "largest acceleration upwards", 15.0, float(up.max()), 10.0, "g")
    yield Case(title, source, "settling time", 3.0, float(time[np.flatnonzero(fast)[-1]]), 1.0, "s")
