"""Bodies that bend by modes: Anderson's, Meijaard's and Melzer's examples of seed 001, each with a modal body for each member."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import manikin as mk
from solver.project import validated
from tests.engine.test_beams import angle_of_robot
from validation.case import Case

NOTHING = {"mass_kg": 0.0, "inertia_kgm2": [0.0] * 3}


def cases() -> Iterator[Case]:
    """All cases."""
    ryan = {"area_m2": 4e-4, "moment_y_m4": 2e-7, "moment_z_m4": 2e-7, "torsion_m4": 4e-7}
    made = spun_up(10.0, ryan, 7e10, 3000.0, 6.0)
    title = "Beam of 10 m that is spun up to 6 rad/s, four modes"
    yield Case(title, "001, Anderson, fig. 2", "largest deflection of the tip", 0.5739, made.max(), 0.0057, "m")  # fmt: skip
    rest = np.abs(made[-400:]).max()
    yield Case(title, "001, Anderson", "deflection that swings on", 0.0037, float(rest), 1e-4, "m")
    flat = {"area_m2": 0.03676 * 0.001986, "moment_y_m4": 0.001986 * 0.03676**3 / 12, "moment_z_m4": 2e-9, "torsion_m4": 4e-9}  # fmt: skip
    made = spun_up(8.0, flat, 6.895e10, 2766.67, 4.0)
    yield Case("Beam of 8 m that is spun up to 4 rad/s, four modes", "001, Meijaard, 5.1", "largest deflection of the tip", 0.5360, made.max(), 0.0054, "m")  # fmt: skip
    title = "Slider-crank with a rod that bends, three modes"
    yield Case(title, "001, Meijaard, table 3", "first largest deflection by length, 124.8 rad/s", 0.00976, slider_crank(124.8, 0.0), 1e-4)  # fmt: skip
    yield Case(title, "001, Meijaard, fig. 2", "the same with a heavy slider, 150 rad/s", 0.01394, slider_crank(150.0, 0.0378126), 1.4e-4)  # fmt: skip
    for time, printed, found in zip((0.41, 0.57), ((1.019, 0.599), (1.043, 0.123)), robot(), strict=True):  # fmt: skip
        for axis, x, y, near in zip("xy", printed, found, (0.004, 0.001), strict=True):
            yield Case(f"Robot of two flexible arms, {time:.2f} s, two modes each", "001, Melzer, Table 5", f"{axis} of its tip", x, y, near, "m")  # fmt: skip


def robot() -> list[tuple[float, float]]:
    """Where the tip of Melzer's two flexible arms turns round; they begin at rest under their weight."""
    times = sorted({*np.linspace(0, 0.62, 75).round(6).tolist(), 1 / 6, 1 / 3, 0.5})

    def follow(sign: float) -> dict[str, Any]:
        table = {"kind": "table", "x": times, "y": [sign * angle_of_robot(t) for t in times], "between": "spline"}  # fmt: skip
        return {"x_unit": "s", "y_unit": "rad", "form": table}

    def arm(long: float, high: float, wide: float) -> dict[str, Any]:
        section = {"kind": "rectangle", "width_m": wide, "height_m": high}
        return {"kind": "beam", "length_m": long, "section": section, "elastic_pa": 7.3e10, "shear_pa": 2.8e10, "density_kg_per_m3": 2700.0, "bending_y": 2, "static": True}  # fmt: skip

    upright = {"orientation": {"angles_rad": [0.5 * math.pi, 0.0, 0.0], "order": "xyz"}}
    pin = {"kind": "pin", "parent_frame": upright, "child_frame": upright}
    model = _model(
        [{"id": "first", **NOTHING}, {"id": "elbow", "mass_kg": 1.0, "inertia_kgm2": [1e-4] * 3},
         {"id": "second", **NOTHING}, {"id": "load", "mass_kg": 3.0, "inertia_kgm2": [1e-4] * 3}],
        [{"id": "shoulder", "parent": "ground", "child": "first"} | pin, _node("a", "first", "elbow", 0.545),
         {"id": "bend", "parent": "elbow", "child": "second"} | pin, _node("b", "second", "load", 0.675)],
        [{"id": "one", "segment": "first", "shapes": arm(0.545, 0.06, 0.015), "nodes": ["a"]},
         {"id": "two", "segment": "second", "shapes": arm(0.675, 0.04, 0.01), "nodes": ["b"]}],
        {"duration_s": 0.62, "frame_interval_s": 0.001, "integrator": {"kind": "dopri"}},
        gravity_m_per_s2=[0.0, -9.81, 0.0],
        functions=[{"id": "up"} | follow(1.0), {"id": "down"} | follow(-1.0)],
        drivers=[
            {"id": name, "joint": joint, "axis": "angle", "quantity": "position", "pulse": {"kind": "function", "function": function}}
            for name, joint, function in (("d1", "shoulder", "up"), ("d2", "bend", "down"))
        ],
    )  # fmt: skip
    run = mk.run(model.settled()).trajectory
    table = run.table("segments")
    tip = np.asarray(table["position"])[:, table.ids.index("load")]
    out = []
    for start, stop, pick in ((0.35, 0.48, np.argmax), (0.5, 0.62, np.argmin)):
        rows = np.flatnonzero((run.time > start) & (run.time < stop))
        x, y, _ = tip[int(rows[pick(tip[rows, 1])])]
        out.append((float(x), float(y)))
    return out


def _model(segments: list[Any], joints: list[Any], bodies: list[Any], run: Any, **more: Any) -> mk.Model:  # fmt: skip
    data = {
        "format": "manikin-project", "schema_version": 4, "gravity_m_per_s2": [0.0, 0.0, 0.0],
        "segments": segments, "joints": joints, "modal_bodies": bodies, "runs": [{"id": "run", **run}],
    }  # fmt: skip
    return mk.Model(validated(data | more))


def _turned(rate: Any) -> dict[str, Any]:
    """What turns the pin 'shaft' at a rate by time."""
    driver = {"id": "spin", "joint": "shaft", "axis": "angle", "quantity": "velocity", "pulse": {"kind": "function", "function": "rate"}}  # fmt: skip
    return {
        "functions": [{"id": "rate", "x_unit": "s", "y_unit": "rad/s", "form": rate}],
        "drivers": [driver],
    }


def _node(name: str, parent: str, child: str, at: float) -> dict[str, Any]:
    return {"id": name, "kind": "locked", "parent": parent, "child": child, "parent_frame": {"position_m": [at, 0.0, 0.0]}}  # fmt: skip


def spun_up(
    length: float, section: dict[str, float], elastic: float, density: float, speed: float
) -> np.ndarray:  # fmt: skip
    """Deflection (m, against the turning) of the tip over 20 s, of which the first 15 speed up (Kane, Ryan, Banerjee 1987)."""
    time = np.linspace(0.0, 15.0, 301)
    rate = speed / 15.0 * (time - 7.5 / math.pi * np.sin(2.0 * math.pi * time / 15.0))
    form = {"kind": "table", "x": time.tolist(), "y": rate.tolist(), "between": "spline_at_rest"}
    beam = {
        "kind": "beam", "length_m": length, "section": {"kind": "given", **section}, "elastic_pa": elastic,
        "shear_pa": elastic / 2.6, "density_kg_per_m3": density, "bending_z": 4,
    }  # fmt: skip
    model = _model(
        [{"id": "hub", **NOTHING}, {"id": "tip", **NOTHING}],
        [{"id": "shaft", "kind": "pin", "parent": "ground", "child": "hub"}, _node("end", "hub", "tip", length)],
        [{"id": "beam", "segment": "hub", "shapes": beam, "nodes": ["end"]}],
        {"duration_s": 20.0, "frame_interval_s": 0.01, "integrator": {"kind": "dopri", "relative_tolerance": 1e-6}},
        **_turned(form),
    )  # fmt: skip
    shift = mk.run(model).trajectory.table("modal_nodes")["shift"]
    # turning about y goes from z to x: what lags behind is at positive z
    out: np.ndarray = np.asarray(shift)[:, 0, 2]
    return out


def slider_crank(speed: float, slider: float) -> float:
    """The first largest deflection of the middle of the rod, by its length; the slider is heavy or next to nothing."""
    crank, rod = 0.1524, 0.3048
    along = {"orientation": {"angles_rad": [0.0, math.pi / 2.0, 0.0]}}
    beam = {
        "kind": "beam", "length_m": rod, "section": {"kind": "circle", "diameter_m": 0.00635}, "elastic_pa": 2.06843e11,
        "shear_pa": 8.37e10, "density_kg_per_m3": 7834.56, "ends": "pinned", "bending_z": 3,
    }  # fmt: skip
    model = _model(
        [
            {"id": "crank", "mass_kg": 1.0, "inertia_kgm2": [1.0] * 3}, {"id": "rod", **NOTHING}, {"id": "end", **NOTHING},
            {"id": "slider", "mass_kg": slider or 1e-6, "inertia_kgm2": [1e-6] * 3}, {"id": "mid", **NOTHING},
        ],
        [
            {"id": "shaft", "kind": "pin", "parent": "ground", "child": "crank"},
            {"id": "pin", "kind": "pin", "parent": "crank", "child": "rod", "parent_frame": {"position_m": [crank, 0.0, 0.0]}},
            {"id": "guide", "kind": "slip", "parent": "ground", "child": "slider", "parent_frame": along, "child_frame": along},
            _node("tip", "rod", "end", rod), _node("middle", "rod", "mid", 0.5 * rod),
        ],
        [{"id": "bends", "segment": "rod", "shapes": beam, "nodes": ["tip", "middle"]}],
        {"duration_s": 8.0 / speed, "frame_interval_s": 1e-4, "integrator": {"kind": "dopri", "relative_tolerance": 1e-6}},
        constraints=[{"id": "loop", "kind": "zero_distance", "a": {"segment": "end"}, "b": {"segment": "slider"}}],
        initial={"joints": [{"joint": "pin", "rates": [-1.5 * speed]}, {"joint": "guide", "values": [crank + rod]}]},
        **_turned({"kind": "constant", "value": speed}),
    )  # fmt: skip
    shift = np.asarray(mk.run(model).trajectory.table("modal_nodes")["shift"])[:, 1, 2] / rod
    size = np.abs(shift)
    tops = [k for k in range(1, len(size) - 1) if size[k - 1] < size[k] >= size[k + 1] and size[k] > 0.008]  # fmt: skip
    return float(size[tops[0]])
