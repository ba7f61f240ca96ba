"""What a run says of depths, strains and elongations beyond the curves that give their forces."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import numpy as np

from solver.base.places import samples
from solver.report import report
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.models import base, point, project, segment
from tests.window.seated import seated


def _beyond(run: Trajectory) -> list[str]:
    return [line for line in run.log if "beyond the end" in line]


def _first_ms(line: str) -> float:
    found = re.search(r"from ([\d.]+) ms on", line)
    assert found
    return float(found[1])


def _belted(x: list[float], y: list[float]) -> Trajectory:
    data = json.loads((samples() / "lap_belt.json").read_text(encoding="utf-8"))
    (webbing,) = (f for f in data["functions"] if f["id"] == "webbing_force")
    webbing["form"] = {"kind": "table", "x": x, "y": y}
    data["runs"][0]["duration_s"] = 0.1
    return simulate(project(data))


def test_a_belt_beyond_its_curve_is_told_with_strain_time_and_force() -> None:
    run = _belted([0.0, 0.02], [0.0, 2000.0])
    (line,) = _beyond(run)
    strain = run.table("belts")["strain"][:, 0].max(axis=1)
    assert line.startswith("warning: 'lap_belt' went to")
    assert f"to {100.0 * strain.max():.3g} %, beyond the end of 'webbing_force' at 2 %" in line
    assert "that of the curve's end, 2 kN" in line
    # channels are sampled more often than frames
    frames = (
        1e3 * run.time[np.flatnonzero(strain > 0.02)[0] - 1 : np.flatnonzero(strain > 0.02)[0] + 1]
    )
    assert frames[0] <= _first_ms(line) <= frames[1]


def test_a_report_says_first_that_a_force_is_a_guess() -> None:
    html = report(_belted([0.0, 0.02], [0.0, 2000.0])).html()
    assert "A force without a curve: ‘Lap belt’ went to" in unescape(html)
    assert "A force without a curve" not in report(_belted([0.0, 0.3], [0.0, 3e4])).html()


def test_a_curve_that_is_level_at_its_end_goes_on_without_a_word() -> None:
    run = _belted([0.0, 0.02, 0.03], [0.0, 2000.0, 2000.0])
    assert run.table("belts")["strain"].max() > 0.05
    assert _beyond(run) == []


def test_any_piece_of_a_harness_is_looked_at() -> None:
    data = seated()
    del data["airbags"]
    data["functions"][0]["form"] = {"kind": "table", "x": [0.0, 0.06], "y": [0.0, 9000.0]}
    data["runs"][0]["duration_s"] = 0.06
    run = simulate(project(data))
    said = _beyond(run)
    assert [line.split("'")[1] for line in said] == ["shoulder.diagonal"]


def _dropped(end: float, where: float = 0.0, law: Any = None) -> Trajectory:
    """Drop a ball onto a plane of one metre, at its middle or beside it."""
    ball = segment("ball") | {
        "surfaces": [{"kind": "ellipsoid", "id": "skin", "semi_axes_m": [0.1, 0.1, 0.1]}]
    }
    floor = {"kind": "points", "p1_m": [-0.5, 0.5, 0.2], "p2_m": [0.5, 0.5, 0.2],
             "p3_m": [-0.5, -0.5, 0.2]}  # fmt: skip
    contact: Any = {
        "id": "ball-floor", "kind": "plane", "plane": "floor", "law": "foam",
        "surface": {"segment": "ball", "surface": "skin"},
    }  # fmt: skip
    form = {"kind": "table", "x": [0.0, end], "y": [0.0, 2000.0 * end]}
    data = base(
        duration=0.4, segments=[ball], contacts=[contact],
        planes=[{"id": "floor", "segment": "ground", "placement": floor}],
        functions=[{"id": "force", "x_unit": "m", "y_unit": "N", "form": form}],
        contact_laws=[law or {"id": "foam", "kind": "hysteretic", "base": "force"}],
        initial={"roots": [{"segment": "ball", "position_m": [where, 0.0, 0.0]}]},
    )  # fmt: skip
    return simulate(project(data))


def test_a_contact_beyond_its_curve_is_told() -> None:
    (line,) = _beyond(_dropped(0.03))
    assert "'ball-floor' went to" in line
    assert "beyond the end of 'force' at 30 mm" in line
    assert _beyond(_dropped(0.3)) == []


def test_a_law_by_a_formula_says_how_deep_it_is_meant() -> None:
    law = {"id": "foam", "kind": "kelvin_voigt", "stiffness_n_per_m": 2000.0, "deepest_m": 0.03}
    (line,) = _beyond(_dropped(1.0, law=law))
    assert "'ball-floor' went to" in line
    assert "beyond the end of what 'foam' is meant for, 30 mm" in line
    assert _beyond(_dropped(1.0, law=law | {"deepest_m": 0.3})) == []


def test_what_falls_past_a_plane_is_not_beyond_its_curve() -> None:
    run = _dropped(0.03, where=2.0)
    assert run.table("contacts")["penetration"].max() > 0.03
    assert _beyond(run) == []


def test_a_spring_beyond_its_curve_is_told() -> None:
    form = {"kind": "table", "x": [-0.01, 0.01], "y": [-10.0, 10.0]}
    data = base(
        duration=0.2, segments=[segment("body")],
        springs=[{"id": "spring", "kind": "tabulated", "a": point("ground"), "b": point("body"),
                  "rest_length_m": 0.5, "force": "force"}],
        functions=[{"id": "force", "x_unit": "m", "y_unit": "N", "form": form}],
        initial={"roots": [{"segment": "body", "position_m": [0.0, 0.0, 0.5]}]},
    )  # fmt: skip
    run = simulate(project(data))
    (line,) = _beyond(run)
    longest = 1e3 * (run.table("springs")["length"].max() - 0.5)
    assert f"'spring' went to {longest:.4g} mm" in line


def test_a_log_tells_of_the_farthest_and_counts_the_others() -> None:
    form = {"kind": "table", "x": [0.0, 0.001], "y": [0.0, 0.01]}
    names = [f"spring{n}" for n in range(12)]
    data = base(
        duration=0.2, segments=[segment("body")],
        springs=[{"id": name, "kind": "tabulated", "a": point("ground"), "b": point("body"),
                  "rest_length_m": 0.5 - 0.01 * n, "force": "force"}
                 for n, name in enumerate(names)],
        functions=[{"id": "force", "x_unit": "m", "y_unit": "N", "form": form}],
        initial={"roots": [{"segment": "body", "position_m": [0.0, 0.0, 0.5]}]},
    )  # fmt: skip
    log = simulate(project(data)).log
    told = [line.split("'")[1] for line in log if "beyond the end" in line]
    assert told == names[::-1][:10]
    assert "warning: 2 more elements went beyond their curves, less far" in log
