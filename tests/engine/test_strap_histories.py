"""Ends of straps that follow a measured tension or pull-out, beside closed forms and devices whose histories they repeat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.engine.dynamics.tree import Array
from solver.project import Project
from solver.project.checks import check
from solver.results.trajectory import Trajectory
from tests.engine.test_harness import (
    EA,
    anchor,
    at,
    balance,
    body,
    function,
    hang,
    solved,
    strapped,
)
from tests.models import project
from tests.running.test_restart import half_and_whole

PULL = ([0.0, 0.02, 0.05, 0.3], [0.0, 8.0, 3.0, 3.0])
"""A tension (N) by time (s)."""


def falling(device: dict[str, Any], functions: list[Any]) -> dict[str, Any]:
    """A body that goes away at 2 m/s from an anchor, on a strap with a device at its end."""
    points = [anchor("far", 0.0, 0.0, 0.0), anchor("ground", 0.0, 0.0, 0.0)]
    bodies = [body("far", 0.0, 0.0, 1.0, speed=(0.0, 0.0, 2.0))]
    return dict(strapped(points, bodies, functions=functions, devices={"end_device": device}))


def test_a_body_goes_as_a_given_tension_pulls() -> None:
    run = solved(
        falling({"given_tension": "pull"}, [function("pull", *PULL, x_unit="s")]), 0.3, 1e-9
    )
    fine = np.linspace(0.0, 0.3, 30001)
    a = -np.interp(fine, *PULL) / 2.0
    v = 2.0 + np.concatenate([[0.0], np.cumsum(0.5 * (a[1:] + a[:-1]) * np.diff(fine))])
    z = 1.0 + np.concatenate([[0.0], np.cumsum(0.5 * (v[1:] + v[:-1]) * np.diff(fine))])
    assert run.segment("far").position[:, 2] == pytest.approx(
        np.interp(run.time, fine, z), abs=1e-5
    )
    assert run.table("harnesses")["tension"][:, 0, 1] == pytest.approx(
        np.interp(run.time, *PULL), abs=2e-3
    )
    assert balance(run) < 1e-5


def test_a_given_tension_winds_in_what_comes_nearer() -> None:
    """Also from slack: an end that is pulled has no loose webbing."""
    bench = hang({"given_tension": "pull"}, [function("pull", [0.0, 1.0], [5.0, 5.0], x_unit="s")])
    for z in (*np.linspace(1.0, 0.8, 41), *np.linspace(0.8, 1.1, 61)):
        assert at(bench, z) == pytest.approx(5.0, rel=1e-3)
        assert bench.system.straps.retractors.drawn[0] == pytest.approx(
            z / (1.0 + 5.0 / EA) - 1.0, abs=1e-4
        )


def test_a_given_pull_out_lets_out_and_draws_in() -> None:
    out = ([0.0, 0.1, 0.2], [0.0, 0.05, -0.1])
    bench = hang({"given_payout": "out"}, [function("out", *out, x_unit="s", y_unit="m")])
    for t in (0.0, 0.03, 0.1, 0.15, 0.2, 0.3):
        rest = 1.0 + float(np.interp(t, *out))
        assert at(bench, 1.1, t) == pytest.approx(EA * (1.1 / rest - 1.0), rel=1e-4), t
    assert at(bench, 0.85, 0.3) == 0.0, "no webbing pushes"


def devices() -> dict[str, Any]:
    trigger = {"kind": "time", "time_s": 0.02}
    return {
        "retractor": {"tension_n": 2.0, "lock_payout_m": 0.02, "film_spool": "spool"},
        "pretensioner": {"trigger": trigger, "stroke": "stroke", "force_limit_n": 30.0},
        "load_limiter": {"force": "limit"},
    }


def curves() -> list[Any]:
    return [
        function("spool", [0.0, 0.01, 0.02], [0.0, 60.0, 61.0], x_unit="m"),
        function("stroke", [0.0, 0.01], [0.0, 0.04], x_unit="s", y_unit="m"),
        function("limit", [0.0, 0.5], [40.0, 45.0], x_unit="m"),
    ]


@pytest.fixture(scope="module")
def fitted() -> Trajectory:
    return solved(falling(devices(), curves()), 0.15, 1e-8)


@pytest.mark.parametrize("of", ["tension", "payout"])
def test_what_devices_did_is_repeated_by_its_history(fitted: Trajectory, of: str) -> None:
    """Retractor, pretensioner and limiter in one run; tension or pull-out of it drive another, which moves as the first."""
    rows = fitted.table("harnesses")
    history: Array = rows[of][:, 0, 1]
    unit = "N" if of == "tension" else "m"
    again = function("history", fitted.time.tolist(), history.tolist(), x_unit="s", y_unit=unit)
    run = solved(falling({f"given_{of}": "history"}, [again]), 0.15, 1e-8)
    here, there = (one.segment("far").position[:, 2] for one in (run, fitted))
    assert np.abs(there - 1.0 - 2.0 * fitted.time).max() > 0.05, "the devices held it"
    assert here == pytest.approx(there, abs=2e-3 * np.ptp(there))


def test_a_history_goes_on_after_a_restart() -> None:
    data = falling(
        {"given_payout": "out"}, [function("out", [0.0, 0.1], [0.0, -0.05], x_unit="s", y_unit="m")]
    )
    half_and_whole(project(data), 0.12)


@pytest.mark.parametrize(
    ("device", "found"),
    [
        ({"given_tension": "pull"}, False),
        ({"given_tension": "pull", "given_payout": "out"}, True),
        ({"given_tension": "pull", "retractor": {"lock_payout_m": 0.1}}, True),
    ],
)
def test_a_history_stands_alone(device: dict[str, Any], found: bool) -> None:
    both = [
        function("pull", *PULL, x_unit="s"),
        function("out", [0.0, 1.0], [0.0, 0.1], x_unit="s", y_unit="m"),
    ]
    said = {one.code for one in check(Project.model_validate(falling(device, both)))}
    assert ("device-history" in said) is found
