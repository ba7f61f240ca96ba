"""Coordinates and controls of OpenSim that go by functions of time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import manikin as mk
from solver.exchange.trees.files import ReadTree, tree_of
from solver.exchange.trees.osim_ties import course_of
from solver.exchange.trees.xml import TreeError, parsed
from tests.exchange.osim_places import simm
from tests.exchange.test_osim import KNEE, pendulum

SINE = "<Sine><amplitude>0.5</amplitude><omega>2</omega><phase>0.1</phase><offset>0.3</offset></Sine>"  # fmt: skip
STEP = "<StepFunction><transition_start_time>-0.2</transition_start_time><transition_end_time>0.2</transition_end_time><start_value>0.2</start_value><end_value>0.9</end_value></StepFunction>"
LINE = "<MultiplierFunction><function><LinearFunction><coefficients>3 0.2</coefficients></LinearFunction></function><scale>0.5</scale></MultiplierFunction>"
SPLINE = "<SimmSpline><x>0.05 0.1 0.15 0.2 0.25</x><y>0.2 0.1 0.4 0.5 0.3</y></SimmSpline>"
TOLD = {
    SINE: ((0.0, 0.34991670832341404, 0.9950041652780257, -0.19966683329365623), (0.3, 0.622108843, 0.7648421873, -1.288435374)),
    STEP: ((0.0, 0.55, 3.28125, 0.0), (0.1, 0.8275390625, 1.845703125, -24.609375), (0.3, 0.9, 0.0, 0.0)),
    LINE: ((0.0, 0.1, 1.5, 0.0), (0.3, 0.55, 1.5, 0.0)),
}  # fmt: skip
"""Time, and value, rate and second rate of the coordinate, in closed form."""


def moved(function: str, until: float) -> mk.Run:
    text = f"<prescribed_function>{function}</prescribed_function><prescribed>true</prescribed><default_value>"
    made = pendulum(**{"<default_value>": text})
    assert not any("prescribed" in str(note) for note in made.notes)
    model = mk.Model(made.project)
    assert not [one for one in model.problems if one.severity in ("error", "warning")]
    return mk.run(model, until=until)


@pytest.mark.parametrize("function", TOLD)
def test_a_prescribed_coordinate_moves_by_its_function(function: str) -> None:
    run = moved(function, 0.32)
    for time, *wanted in TOLD[function]:
        for name, told in zip(("", "velocity", "acceleration"), wanted, strict=True):
            if name:
                got = run[f"segments/bob/angular_{name}/z@ground"].at(time)
                assert got == pytest.approx(told, rel=1e-5, abs=1e-5), (time, name)
            else:
                x, y = (run[f"segments/bob/position/{a}"].at(time) for a in "xy")
                assert math.atan2(x, 1.0 - y) == pytest.approx(told, abs=1e-6), time


def test_before_and_behind_a_spline_it_goes_straight_on() -> None:
    run = moved(SPLINE, 0.3)
    x, y = (np.array(words.split(), float) for words in ("0.05 0.1 0.15 0.2 0.25", "0.2 0.1 0.4 0.5 0.3"))  # fmt: skip
    h = 1e-6
    for time in (0.0, 0.02, 0.12, 0.22, 0.28):
        slope = (simm(x, y, time + h) - simm(x, y, time - h)) / (2.0 * h)
        assert run["segments/bob/angular_velocity/z@ground"].at(time) == pytest.approx(slope, abs=2e-3)  # fmt: skip
        sway = run["segments/bob/position/x"].at(time)
        assert sway == pytest.approx(0.5 * math.sin(simm(x, y, time)), abs=1e-5)


CONTROL = """<ControllerSet><objects><PrescribedController name="c"><enabled>{on}</enabled><actuator_list>/forceset/vasti</actuator_list>
<FunctionSet name="ControlFunctions"><objects>{function}</objects></FunctionSet></PrescribedController>{more}</objects></ControllerSet></Model>"""


HELD = KNEE.format(bend=-0.3).replace('<Coordinate name="bend">', '<Coordinate name="bend"><locked>true</locked>')  # fmt: skip


def controlled(function: str, on: str = "true", more: str = "") -> ReadTree:
    end = CONTROL.format(on=on, function=function, more=more)
    return tree_of(HELD.replace("</Model>", end).encode())


def test_a_prescribed_control_leads_the_activation_from_the_default_on() -> None:
    """a' = (u - a) / (rise (0.5 + 1.5 a)), or (u - a) (0.5 + 1.5 a) / fall, from the file's 0.3 on."""
    made = controlled("<StepFunction><transition_start_time>0.01</transition_start_time><transition_end_time>0.03</transition_end_time><start_value>0.1</start_value><end_value>0.8</end_value></StepFunction>")  # fmt: skip
    # held still, it pulls by a line of the activation
    pull = {}
    for name, project in {
        "led": made.project,
        0.3: tree_of(HELD.encode()).project,
        0.8: tree_of(HELD.replace("<default_activation>0.3", "<default_activation>0.8").encode()).project,
    }.items():  # fmt: skip
        (force,) = (one for one in project.coordinate_forces if one.name == "vasti")
        pull[name] = mk.run(mk.Model(project), until=0.05)[f"coordinate_forces/{force.id}/force"].value  # fmt: skip
    slope = (pull[0.8][0] - pull[0.3][0]) / 0.5
    activation = 0.3 + (pull["led"] - pull[0.3][0]) / slope

    def rate(t: float, a: np.ndarray) -> np.ndarray:
        x = min(max((t - 0.01) / 0.02, 0.0), 1.0)
        u = 0.1 + 0.7 * x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
        slow = 0.5 + 1.5 * a
        return np.asarray((u - a) / (0.015 * slow) if u > a[0] else (u - a) * slow / 0.05)

    told = solve_ivp(rate, (0.0, 0.05), [0.3], rtol=1e-9, atol=1e-11, max_step=1e-4).y[0, -1]
    assert activation[0] == pytest.approx(0.3, abs=1e-9)
    assert activation[-1] == pytest.approx(told, abs=2e-4)


def test_controls_that_are_not_read_are_named() -> None:
    assert "'c' is switched off" in " ".join(map(str, controlled("<Constant><value>1</value></Constant>", "false").notes))  # fmt: skip
    said = " ".join(map(str, controlled("<PiecewiseConstantFunction/>", more="<Other/>").notes))
    assert "are left out (1): vasti." in said
    assert "Controllers are left out (1)." in said


GCV = """<GCVSpline><half_order>{half}</half_order>{more}<x>0 0.3 0.5 0.9 1.4 1.6 2.2 2.5</x><y>1 0.2 0.7 -0.3 0.4 0.9 0.1 0.5</y></GCVSpline>"""
AT = (-0.4, 0.13, 1.05, 2.3, 3.1)


@pytest.mark.parametrize(
    ("half", "told", "near"),
    [
        (2, [2.8413224263902617, 0.44884573098185154, -0.4103088756462829, 0.14650450994723663, 1.768875646284922], 1e-12),
        (3, [7.519094576237627, 0.25138023486694216, -0.5331708892442398, 0.08425903743324334, 5.5237532547367945], 1e-6),
        (4, [16.25190515677366, 0.07546556024013931, -0.5335455535486349, 0.04105592778184089, 10.830739018538543], 1e-6),
    ],
)  # fmt: skip
def test_splines_of_higher_degree_are_those_of_opensim(half: int, told: list[float], near: float) -> None:  # fmt: skip
    """Within and beyond their ends, as OpenSim 4.6 gives them."""
    course = course_of(parsed(GCV.format(half=half, more="").encode()))
    assert course is not None
    assert [course.at(x) for x in AT] == pytest.approx(told, abs=near)


@pytest.mark.parametrize(
    ("half", "more", "said"),
    [
        (5, "", "it is 2, 3 or 4"),
        (3, "<error_variance>0.1</error_variance>", "splines that smooth are not read"),
    ],
)
def test_splines_that_are_not_read_are_refused_with_what_to_do(half: int, more: str, said: str) -> None:  # fmt: skip
    with pytest.raises(TreeError, match=said):
        course_of(parsed(GCV.format(half=half, more=more).encode()))
