"""Small motions: against closed forms, printed figures, independent models and the runs themselves."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.io import loadmat
from scipy.linalg import expm

import manikin as mk
from solver.analysis.linear.operating_point import derivative
from solver.cli import main
from solver.cli.inverse_commands import _leading
from solver.project import save_project, validated
from tests import knutson
from tests.engine.test_coordinate_forces import slider
from tests.manikin.test_mechanics import chain
from tests.models import EXACT, base, segment

NO_WEIGHT = {"gravity_m_per_s2": [0.0, 0.0, 0.0]}


def model_of(data: Any) -> mk.Model:
    return mk.Model(validated(data))


def constant(id_: str, unit: str, value: float = 1.0) -> Any:
    form = {"kind": "constant", "value": value}
    return {"id": id_, "x_unit": "s", "y_unit": unit, "form": form}


def load(id_: str, on: str, direction: Any, kind: str = "force", point: Any = (0, 0, 0)) -> Any:
    return {
        "id": id_, "kind": kind, "segment": on, "direction": list(direction), "point_m": list(point),
        "axes": "ground", "history": "one" if kind == "force" else "turn",
    }  # fmt: skip


# two links (Li, Gontier)


def two_links() -> Any:
    """Two links of 1 m, 60 kg; the first lies along x, the second stands up, z up; joints turn about -y."""

    def link(id_: str, parent: str, at: float) -> tuple[Any, Any]:
        frame = {"position_m": [0.5 if parent != "ground" else 0.0, 0, 0]}
        return segment(id_, 60.0, (0.1, 5.037, 5.037)), {
            "id": f"to_{id_}", "kind": "pin", "parent": parent, "child": id_,
            "parent_frame": frame | {"orientation": {"angles_rad": [0, 0, math.pi]}},
            "child_frame": {"position_m": [-0.5, 0, 0], "orientation": {"angles_rad": [0, 0, math.pi]}},
        }  # fmt: skip

    one, two = link("one", "ground", 0.0), link("two", "one", 1.0)
    return base(
        segments=[one[0], two[0]], joints=[one[1], two[1]], gravity_m_per_s2=[0, 0, -9.81],
        initial={"joints": [{"joint": "to_one", "values": [0.0], "rates": [1.0]},
                            {"joint": "to_two", "values": [0.5 * math.pi], "rates": [1.0]}]},
    )  # fmt: skip


def held_links() -> mk.Model:
    """Give the two links with torques of joints that hold both rates."""
    first, second = mk.inverse(model_of(two_links()), None, [0.0, 0.0])
    loads = [load("a", "one", (0, -1, 0), "torque"), load("b", "two", (0, -1, 0), "torque")]
    loads[0]["history"], loads[1]["history"] = "first", "second"
    torques = [constant("first", "N*m", first - second), constant("second", "N*m", second)]
    return model_of(two_links() | {"functions": torques, "loads": loads})


def test_the_two_links_have_the_matrices_that_are_printed() -> None:
    """Table II of Li and Gontier, as it was found independently."""
    found = mk.linearise(held_links())
    assert found.states[:2] == ("joints/to_one/1", "joints/to_two/1")
    assert found.rates == pytest.approx([0.0, 0.0], abs=1e-9)
    assert found.mass == pytest.approx(np.array([[100.074, 20.037], [20.037, 20.037]]), abs=1e-9)
    assert found.resistance == pytest.approx(np.array([[-60, -120], [60, 0]]), abs=1e-6)
    assert found.stiffness == pytest.approx(np.full((2, 2), -294.3), abs=1e-6)


# oscillators


def shaken(stiffness: float, damping: float, mass: float) -> Any:
    """A seat that is driven up and down, and a body on a spring and damper above it."""
    return base(
        segments=[segment("seat", 10.0), segment("body", mass)],
        joints=[{"id": "guide", "kind": "slip", "parent": "seat", "child": "body"}],
        springs=[{"id": "cushion", "kind": "linear", "a": {"segment": "seat", "position_m": [0, 0, 1.0]},
                  "b": {"segment": "body"}, "rest_length_m": 1.0,
                  "stiffness_n_per_m": stiffness, "damping_ns_per_m": damping}],
        motions=[{"id": "shake", "segment": "seat", "components": [
            {"component": "z", "pulse": {"kind": "constant", "value": 0.0}}]}],
        functions=[constant("one", "N")],
        loads=[load("push", "body", (0, 0, 2.0))],
        initial={"joints": [{"joint": "guide", "values": [0.0]}]},
        **NO_WEIGHT,
    )  # fmt: skip


def test_an_oscillator_answers_as_its_closed_form() -> None:
    k, c, m = 20000.0, 350.0, 60.0
    found = mk.linearise(
        model_of(shaken(k, c, m)),
        inputs=["segments/body/force/z", "loads/push"],
        outputs=["segments/body/position/z", "segments/body/velocity/z", "segments/body/acceleration/z", "segments/seat/acceleration/z", "joints/guide/slide", "springs/cushion/force/z"],
    )  # fmt: skip
    (mode,) = found.modes
    natural = math.sqrt(k / m)
    assert mode.frequency_hz == pytest.approx(natural / (2 * math.pi), rel=1e-9)
    assert mode.damping == pytest.approx(c / (2 * m * natural), rel=1e-9)
    assert mode.energy == pytest.approx([0.0, 1.0])
    assert mode.effective == pytest.approx([0.0, 0.0, 1.0])
    hz = np.array([0.5, 2.0, natural / (2 * math.pi), 5.0, 20.0])
    s = 2j * math.pi * hz
    whole = m * s**2 + c * s + k
    by_force = found.response(hz, ["segments/body/force/z"])
    assert by_force[:, 0, 0] == pytest.approx(1 / whole, rel=1e-8)
    assert by_force[:, 1, 0] == pytest.approx(s / whole, rel=1e-8)
    assert by_force[:, 2, 0] == pytest.approx(s**2 / whole, rel=1e-8)
    assert by_force[:, 5, 0] == pytest.approx(-(c * s + k) / whole, rel=1e-8)
    assert found.response(hz, ["loads/push"]) == pytest.approx(by_force, rel=1e-8)
    passed = (c * s + k) / whole
    over = found.transmissibility(hz, "segments/body/acceleration/z", "segments/seat/acceleration/z", by="segments/seat/vz''")  # fmt: skip
    assert over == pytest.approx(passed, rel=1e-8)
    relative = found.response(hz, ["segments/seat/vz''"], ["joints/guide/slide"])[:, 0, 0]
    assert relative == pytest.approx(-m / whole, rel=1e-8)


@pytest.mark.parametrize("how", ["axis", "frame"])
def test_a_seat_on_a_driven_joint_shakes_as_one_that_is_driven_itself(how: str) -> None:
    k, c, m = 20000.0, 350.0, 60.0
    data = shaken(k, c, m)
    del data["motions"]
    data["joints"].append({"id": "post", "kind": "slip", "parent": "ground", "child": "seat"})
    still = {"pulse": {"kind": "constant", "value": 0.0}}
    if how == "axis":
        data["drivers"] = [{"id": "shake", "joint": "post", "axis": "slide", **still}]
    else:
        data["frame_drivers"] = [
            {"id": "shake", "component": "z", "moved": {"segment": "seat"}, **still}
        ]
    names = ["segments/body/acceleration/z", "segments/seat/acceleration/z"]
    found = mk.linearise(model_of(data), outputs=names)
    (mode,) = found.modes
    assert mode.frequency_hz == pytest.approx(math.sqrt(k / m) / (2 * math.pi), rel=1e-9)
    assert mode.damping == pytest.approx(c / (2 * math.sqrt(k * m)), rel=1e-9)
    # a component of a frame is a constraint, an axis an input
    assert found.inputs == (("joints/post/1''",) if how == "axis" else ())
    if how == "axis":
        hz = np.array([1.0, 4.0])
        s = 2j * math.pi * hz
        wanted = (c * s + k) / (m * s**2 + c * s + k)
        assert found.transmissibility(hz, *names) == pytest.approx(wanted, rel=1e-8)


def test_states_of_laws_are_states_of_the_equations() -> None:
    """A mass on a spring and damper in a row: s (m c s^2 + m k s + k c) = 0, the first for where it stands."""
    m, k, c = 2.0, 6000.0, 400.0
    law = {"kind": "muscle", "stiffness": k, "damping": c}
    found = mk.linearise(model_of(slider(m, 0.0, 0.0, law)))
    assert found.states[-1] == "state/1"
    assert found.A.shape == (3, 3)
    assert found.modes[0].kind == "neutral"
    swing = np.roots([m * c, m * k, k * c])
    others = [mode.eigenvalue for mode in found.modes[1:]]
    assert sorted(np.abs(others)) == pytest.approx(sorted(np.abs(swing)), rel=1e-8) or others[0] == pytest.approx(swing[swing.imag >= 0][0], rel=1e-8)  # fmt: skip


def test_heavy_strings_couple_masses() -> None:
    """M has the string's part: two ends of one that has M_A, M_B and M_AB."""
    data = base(
        segments=[segment("a", 1.0), segment("b", 2.0)],
        joints=[{"id": n, "kind": "slip", "parent": "ground", "child": n, "parent_frame": {"position_m": [0, 0, z]}}
                for n, z in (("a", 0.0), ("b", 1.0))],
        tension_elements=[{"id": "s", "a": {"segment": "a"}, "b": {"segment": "b"}, "rest_length_m": 0.9,
                           "mass_a_kg": 0.3, "mass_b_kg": 0.4, "mass_ab_kg": 0.2, "stiffness_n_per_m": 50.0}],
        **NO_WEIGHT,
    )  # fmt: skip
    found = mk.linearise(model_of(data))
    assert found.mass == pytest.approx(np.array([[1.3, 0.2], [0.2, 2.4]]), abs=1e-12)
    assert found.stiffness == pytest.approx(50.0 * np.array([[1, -1], [-1, 1]]), abs=1e-6)


def test_what_no_spring_holds_is_a_rigid_mode_and_what_creeps_a_neutral_one() -> None:
    alone = base(segments=[segment("a", 2.0)], **NO_WEIGHT)
    modes = mk.linearise(model_of(alone)).modes
    assert [m.kind for m in modes] == ["rigid"] * 6
    shapes = np.array([m.shape.ravel() for m in modes])
    assert np.linalg.matrix_rank(shapes) == 6
    # two on a spring: five together, five of the spring's ends, and one that swings
    pair = base(
        segments=[segment("a", 2.0), segment("b", 2.0)],
        initial={"roots": [{"segment": "b", "position_m": [0, 0, 3.0]}]},
        springs=[{"id": "s", "kind": "linear", "a": {"segment": "a"}, "b": {"segment": "b"},
                  "rest_length_m": 3.0, "stiffness_n_per_m": 100.0}], **NO_WEIGHT,
    )  # fmt: skip
    modes = mk.linearise(model_of(pair)).modes
    assert [m.kind for m in modes] == ["rigid"] * 11 + ["oscillation"]
    assert modes[-1].frequency_hz == pytest.approx(math.sqrt(100.0 / 1.0) / (2 * math.pi), rel=1e-9)
    places, turns = mk.linearise(model_of(pair)).posed(modes[-1], 0.1, math.pi)
    assert places[:, 2] == pytest.approx([-0.1, 3.1]) or places[:, 2] == pytest.approx([0.1, 2.9])
    assert turns == pytest.approx(np.array([np.eye(3)] * 2))
    # a damper alone: the place is neutral, and the rate dies away
    creeping = shaken(0.0, 30.0, 60.0)
    first, second = mk.linearise(model_of(creeping)).modes
    assert (first.kind, second.kind) == ("neutral", "decay")
    assert second.eigenvalue == pytest.approx(-0.5, rel=1e-9)


def test_slow_and_fast_modes_stand_side_by_side() -> None:
    """A mode of 0.02 Hz is one beside one of 1000 Hz."""
    slow, fast = (2 * math.pi * 0.02) ** 2, (2 * math.pi * 1000.0) ** 2
    data = base(
        segments=[segment("a"), segment("b")],
        joints=[{"id": name, "kind": "slip", "parent": "ground", "child": name} for name in "ab"],
        springs=[{"id": f"s{name}", "kind": "linear", "a": {"segment": "ground", "position_m": [0, 0, -1.0]},
                  "b": {"segment": name}, "rest_length_m": 1.0, "stiffness_n_per_m": k}
                 for name, k in (("a", slow), ("b", fast))],
        **NO_WEIGHT,
    )  # fmt: skip
    modes = mk.linearise(model_of(data)).modes
    assert [m.frequency_hz for m in modes] == pytest.approx([0.02, 1000.0], rel=1e-6)


# the point-contact joint


@pytest.mark.parametrize(
    ("mode", "wanted"),
    [("slide", [2.259, 2.307, 4.833, 4.975, 18.94]), ("roll", [2.379, 2.405, 18.62])],
)
def test_the_point_contact_joint_swings_as_found_independently(
    mode: str, wanted: list[float]
) -> None:
    found = mk.linearise(model_of(knutson.project_data(knutson.equilibrium(), mode=mode)))
    swings = [m for m in found.modes if m.kind == "oscillation"]
    assert [m.frequency_hz for m in swings] == pytest.approx(wanted, rel=1e-3)
    assert max(abs(m.damping) for m in swings) < 1e-9
    # a ball that rolls may stand anywhere in the socket: two places that nothing brings back
    others = [m.kind for m in found.modes if m.kind != "oscillation"]
    assert others == (["neutral"] * 2 if mode == "roll" else [])
    if mode == "slide":
        assert sorted(_own_modes()) == pytest.approx([m.frequency_hz for m in swings], rel=1e-6)


def _own_modes() -> list[float]:
    """Give the frequencies of the thesis's equations by their own differences."""
    x0, h = knutson.equilibrium(), 1e-4
    columns = []
    for k in range(5):
        d = np.zeros(5)
        d[k] = h
        ahead, back = (knutson.rates(x0 + s * d, np.zeros(5))[0] for s in (1, -1))
        columns.append((ahead - back) / (2 * h))
    values = np.linalg.eigvals(np.array(columns).T)
    return [math.sqrt(-v.real) / (2 * math.pi) for v in values]


# loops and instants


def test_a_four_bar_has_one_mode_and_keeps_its_loop() -> None:
    found = mk.linearise(mk.sample("four_bar"), rest=["joints"])
    (mode,) = found.modes
    assert mode.kind == "oscillation"
    assert mode.damping == pytest.approx(0.0, abs=1e-9)
    assert found.is_at_rest
    # the loop's ends go the same way in the mode
    rows = found._standing.rows
    assert np.abs(rows @ found.directions).max() < 1e-9


def test_a_loop_in_motion_keeps_to_its_one_freedom() -> None:
    """Along its own motion u' grows by A: du'/dt = A_uy u + A_uu u', and A_uu = -m' u / m by the energy of one freedom."""
    model, time, h = mk.sample("four_bar"), 0.02, 1e-4
    found = mk.linearise(model, at=time)
    (a, b), (c, d) = found.A
    direction = found.directions[:, 0]

    def at(when: float) -> tuple[float, float, float]:
        sim = mk.Simulation(model.with_value("runs/0/integrator", EXACT))
        sim.step_to(when, exactly=True)
        v, rates = sim.state.v, mk.forward(model, sim.state)
        u = float(direction @ v)
        mass = float(v @ mk.mass_matrix(model, sim.state) @ v) / u**2
        return u, float(direction @ rates), mass

    before, now, after = (at(time + k * h) for k in (-1, 0, 1))
    u, growth, mass = now
    assert (a, b) == pytest.approx((0.0, 1.0), abs=1e-8)
    assert d == pytest.approx(-(after[2] - before[2]) / (2 * h) / mass, rel=1e-4)
    assert c * u + d * growth == pytest.approx((after[1] - before[1]) / (2 * h), rel=1e-4)


def test_matrices_tell_how_two_runs_that_are_close_part() -> None:
    """x' = A x, over a short time about the middle of it, with all kinds of joints in motion."""
    h, step = 1e-4, 0.002
    settings = {"kind": "dopri", "relative_tolerance": 1e-12, "absolute_tolerance": 1e-13}

    def at(off: float, spin: float) -> mk.State:
        model = chain().with_value("runs/run/integrator", settings)
        start = {one.joint: one for one in model.project.initial.joints}["j4"]
        (angle,), (rate,) = start.values, start.rates
        model = model.start_joint("j4", [angle + off], [rate + spin])
        sim = mk.Simulation(model)
        sim.step_to(step, exactly=True)
        return sim.state

    model = chain().with_value("runs/run/integrator", settings)
    found = mk.linearise(model, at=0.5 * step)
    n, k = len(found.A) // 2, found.states.index("joints/j4/1")
    assert found.time == pytest.approx(0.5 * step, abs=1e-12)
    over = expm(found.A * step)
    open_ = found._standing.open
    for entry, off, spin in ((k, h, 0.0), (n + k, 0.0, h)):
        one, other = at(off, spin), at(-off, -spin)
        apart = (one.v - other.v)[open_] / (2 * h)
        assert apart == pytest.approx(over[n:, entry], abs=4e-5 * np.abs(over[n:, entry]).max())


def test_a_spinning_body_has_the_modes_of_euler() -> None:
    """Round a steady spin about its axis a body of revolution nutates by (C - A) / A of it, seen from itself."""
    spin, A, C = 40.0, 0.3, 0.5
    data = base(
        segments=[segment("top", 3.0, (A, A, C))],
        initial={"attitudes": [{"segment": "top", "angular_velocity_rad_per_s": [0, 0, spin]}]},
        **NO_WEIGHT,
    )  # fmt: skip
    found = mk.linearise(model_of(data))
    x, y = (found.states.index(f"segments/top/w{axis}") for axis in "xy")
    # a tilt that stands still in space goes round backwards in the body: R1^T R2 = Rz(-s t) tilt Rz(s t)
    assert found.A[y, x] == pytest.approx(-spin, rel=1e-9)
    assert found.A[x, y] == pytest.approx(spin, rel=1e-9)
    swings = [m.frequency_hz for m in found.modes if m.kind == "oscillation"]
    # and what is turned a little from the axis in space turns backwards as the body sees it
    wanted = sorted([spin, spin * (C - A) / A])
    assert sorted(2 * math.pi * f for f in swings) == pytest.approx(wanted, rel=1e-9)


# buckling


def beam(pieces: int, kind: str) -> tuple[Any, float, float, float]:
    """Give a strip along y of pieces that bend about x at their ends and twist about y in their middles, never about z."""
    EI, S, length = 40.0, 25.0, 2.0
    h = length / pieces
    count = 2 * pieces
    segments = [segment(f"p{k}", 0.1, (0.001, 0.001, 0.001)) for k in range(count)]
    joints = []
    for k in range(count):
        size = (2.0 if k == 0 else 1.0) / h
        if kind == "moment" and k == 0:
            size = 0.0
        # bending in the middle between two twists, and the other way round
        turned = {"orientation": {"angles_rad": [-0.5 * math.pi if k % 2 == 0 else 0.0, 0, 0]}}
        joints.append(
            {"id": f"j{k}", "kind": "pin", "parent": f"p{k - 1}" if k else "ground", "child": f"p{k}",
             "parent_frame": {"position_m": [0, 0.25 * h if k else 0, 0], **turned},
             "child_frame": {"position_m": [0, -0.25 * h, 0], **turned},
             "spring": {"linear_nm_per_rad": size * (S if k % 2 else EI)}}
        )  # fmt: skip
    data = base(
        segments=segments, joints=joints, functions=[constant("one", "N"), constant("turn", "N*m")], **NO_WEIGHT,
    )  # fmt: skip
    end, tip = f"p{count - 1}", [0, 0.25 * h, 0]
    if kind == "moment":
        data["loads"] = [load("bend", end, (0, 0, 1), "torque")]
        data["frame_drivers"] = [
            {"id": c, "component": c, "moved": {"segment": end, "frame": {"position_m": tip}},
             "quantity": "position", "pulse": {"kind": "constant", "value": 0.0}} for c in ("z", "pitch")
        ]  # fmt: skip
    else:
        along = (1, 0, 0) if kind == "side" else (0, -1, 0)
        data["loads"] = [load("push", end, along, point=tip)]
    return data, EI, S, length


BUCKLES = {
    "column": lambda EI, S, long: math.pi**2 * EI / (4 * long * long),
    "side": lambda EI, S, long: 4.0126 * math.sqrt(EI * S) / long**2,
    "moment": lambda EI, S, long: math.pi * math.sqrt(EI * S) / long,
}
"""Loads at which a cantilever buckles under a push or a load across at its tip, and a strip under moments."""


def buckled(kind: str, pieces: int) -> tuple[mk.Buckling, float]:
    """Give what buckles a strip of pieces, and the load in closed form."""
    data, *sizes = beam(pieces, kind)
    found = mk.buckling(model_of(data), ["bend" if kind == "moment" else "push"])
    return found, BUCKLES[kind](*sizes)


@pytest.mark.parametrize("kind", BUCKLES)
def test_beams_of_pieces_buckle_as_beams_do(kind: str) -> None:
    """Euler's column, the strip under a load at its tip, and one bent by moments (Meijaard): errors fall by four."""
    errors = []
    for pieces in (4, 8):
        found, exact = buckled(kind, pieces)
        errors.append(abs(found.factor / exact - 1.0))
        assert found.lowest_hz < 1e-3 * found.unloaded_hz
    assert errors[1] < 0.007
    assert 3.5 < errors[0] / errors[1] < 4.1


def test_loads_that_bend_or_stiffen_a_model_have_no_factor() -> None:
    data, *_ = beam(4, "column")
    data["loads"][0]["direction"] = [0, 1, 0]
    with pytest.raises(mk.LinearError, match="take no stiffness away"):
        mk.buckling(model_of(data), ["push"])
    data["loads"][0]["direction"] = [0, 0, 1]
    with pytest.raises(mk.LinearError, match="not at rest"):
        mk.buckling(model_of(data), ["push"])
    with pytest.raises(mk.LinearError, match="Did you mean 'push'"):
        mk.buckling(model_of(data), ["psh"])


# commands, files, names


def test_a_mode_names_who_has_half_a_percent_of_its_energy_and_three_at_most() -> None:
    def named(*energy: float) -> str:
        linear: Any = SimpleNamespace(segments=("a", "b", "c", "d"))
        mode: Any = SimpleNamespace(energy=energy)
        return _leading(linear, mode)

    assert named(0.004, 0.99, 0.006, 0.0) == "b 99 %, c 1 %"
    assert named(0.1, 0.2, 0.3, 0.4) == "d 40 %, c 30 %, b 20 %"


def test_the_command_lists_modes_and_writes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "seat.json"
    save_project(validated(shaken(20000.0, 350.0, 60.0)), file)
    asked = ["--inputs", "segments/body/force/z", "--outputs", "segments/body/position/z"]
    for ending in ("npz", "mat", "csv"):
        out = tmp_path / f"modes.{ending}"
        assert main(["modes", str(file), *asked, "--export", str(out)]) == 0
        assert out.is_file()
    said = capsys.readouterr().out
    assert "2.90576 Hz" in said
    assert "body 100 %" in said
    one = np.load(tmp_path / "modes.npz")
    other = loadmat(tmp_path / "modes.mat")
    found = mk.linearise(mk.load(file), inputs=asked[1:2], outputs=asked[3:])
    for name, value in (("A", found.A), ("B", found.B), ("C", found.C), ("D", found.D)):
        assert (one[name] == value).all()
        assert (other[name] == value).all()
    assert list(one["inputs"]) == list(found.inputs)
    assert [str(name[0]) for name in other["states"].ravel()] == list(found.states)
    rows = (tmp_path / "modes_A.csv").read_text().splitlines()
    assert [float(x) for x in rows[1].split(",")[1:]] == found.A[0].tolist()
    assert main(["modes", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["modes"][0]["frequency_hz"] == pytest.approx(2.90576)
    for wrong, sentence in (
        (["--export", str(tmp_path / "x.txt")], "ends in none of"),
        (["--at", "5000"], "is outside"),
        (["--at", "5", "--settled"], "leave out --at"),
        (["--inputs", "segments/bodi/force/z"], "Did you mean 'body'"),
        (["--inputs", "push"], "is no input"),
        (["--outputs", "energy/kinetic"], "is no output"),
        (["--outputs", "segments/body/positon/z"], "Did you mean 'position'"),
    ):
        assert main(["modes", str(file), *wrong]) == 1
        assert sentence in capsys.readouterr().err


def test_a_run_is_linearised_at_any_of_its_times(tmp_path: Path) -> None:
    model = mk.sample("double_pendulum")
    run = mk.run(model, until=0.4)
    file = run.save(tmp_path / "run.h5")
    at = mk.linearise(model, at=0.3)
    for source in (run, mk.open_run(file)):
        again = mk.linearise(source, at=0.3)
        assert pytest.approx(at.A, rel=1e-6, abs=1e-6) == again.A
    assert mk.linearise(run).time == pytest.approx(0.4)
    assert main(["modes", str(file), "--at", "300"]) == 0
    # M q'' + ... : the joints' own stiffness is that of weight at this angle
    with pytest.raises(mk.LinearError, match="outside"):
        mk.linearise(run, at=0.5)
    with pytest.raises(TypeError, match="time of its own"):
        mk.linearise(run, rest=True)


def test_outputs_are_what_jacobians_say() -> None:
    model = mk.sample("double_pendulum")
    names = [f"segments/lower[0,0,0.25]/{q}/{a}" for q in ("position", "velocity") for a in "xyz"]
    found = mk.linearise(model, at=0.2, outputs=names)
    sim = mk.Simulation(model)
    sim.step_to(0.2, exactly=True)
    J = mk.jacobian(model, sim.state, "lower", (0.0, 0.0, 0.25))[:3]
    n = J.shape[1]
    assert found.C[:3, :n] == pytest.approx(J, abs=1e-9)
    assert found.C[3:, n:] == pytest.approx(J, abs=1e-9)
    assert np.abs(found.C[:3, n:]).max() == 0.0


def test_it_tells_how_far_it_is_and_can_be_ended() -> None:
    parts: list[float] = []
    mk.linearise(mk.sample("double_pendulum"), progress=parts.append)
    assert parts == [0.25, 0.5, 0.75, 1.0]

    def enough(part: float) -> None:
        raise KeyError(part)

    with pytest.raises(KeyError):
        mk.linearise(mk.sample("double_pendulum"), progress=enough)


def test_differences_choose_steps_and_see_corners() -> None:
    smooth = derivative(
        lambda h: np.array([np.sin(40.0 * h), np.exp(h)]), np.array([0.0, 1.0]), 1.0
    )
    assert smooth.value == pytest.approx([40.0, 1.0], rel=1e-9)
    assert (np.abs(smooth.value - [40.0, 1.0]) <= smooth.error).all()
    assert not smooth.corner
    # a spring behind a gap of a micrometre: a step across it would give half of it
    near = derivative(lambda h: np.array([1e6 * max(h - 1e-6, 0.0) + h]), np.array([0.0]), 1.0)
    assert near.value == pytest.approx([1.0], rel=1e-6)
    corner = derivative(lambda h: np.array([abs(h) + h]), np.array([0.0]), 1.0)
    assert corner.corner
    assert corner.value == pytest.approx([1.0])


def test_what_is_sensed_late_is_told() -> None:
    law = {"kind": "actuator", "target": 0.0, "proportional": 50.0, "reflex_s": 0.05}
    late = mk.linearise(model_of(slider(2.0, 0.0, 0.0, law)))
    assert any("sensed late" in str(note) for note in late.notes)
    now = mk.linearise(model_of(slider(2.0, 0.0, 0.0, law | {"reflex_s": 0.0})))
    assert now.notes == ()
    assert late.modes[0].kind == "rigid"
    assert now.modes[-1].frequency_hz == pytest.approx(5.0 / (2 * math.pi), rel=1e-9)


def test_a_pendulum_is_held_upright_as_its_gains_say() -> None:
    """About the upright: J phi'' = (m g l - P) phi - D phi'; it falls where P is less than m g l."""
    J, weight = 1.0 / 12 + 0.25, 9.81 * 0.5
    for P, D in ((12.0, 1.5), (3.0, 0.2)):
        law = {"kind": "actuator", "target": 0.0, "proportional": P, "derivative": D}
        data = base(
            segments=[segment("rod")],
            joints=[{"id": "pin", "kind": "pin", "parent": "ground", "child": "rod", "child_frame": {"position_m": [0, 0, 0.5]}}],
            coordinate_forces=[{"id": "hold", "coordinate": {"kind": "joint", "joint": "pin"}, "zero": 0.0, "laws": [law]}],
        )  # fmt: skip
        found = [m.eigenvalue for m in mk.linearise(model_of(data)).modes if m.kind != "neutral"]
        wanted = np.roots([J, D, P - weight])
        assert max(found, key=lambda e: e.real).real == pytest.approx(wanted.real.max(), rel=1e-8)
