"""Runs of a study record what is read of them alone: their rows are those of whole runs, bit for bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.results.memory import EVERYTHING, NotRecorded, Wanted
from solver.results.quantities import Quantities
from solver.running import simulation
from solver.running.outputs.channels import Channels
from solver.studies.responses import Reader
from solver.studies.rows import LONGEST, RowResult, Task
from solver.studies.work import Work, setup_of, within
from tests.models import hung, project
from tests.studying import FAST, FORCE, STIFF, WAY, block, channel, formula, parameter, uniform

BAG = "airbags/driver_bag/trigger/time_s"


def figure(name: str, figure: str) -> dict[str, Any]:
    return {"kind": "injury", "id": name, "figure": figure}


RESPONSES = [
    figure("hic", "HIC15"),
    figure("nij", "Nij"),
    figure("leg", "femur_compression_left"),
    figure("touched", "contact_HIC15"),
    channel("belt", "driver_three_point_belt_load_belt_tension_2"),
    channel("head", "driver_head_acceleration_resultant", cfc=1000),
    channel("drag", "driver_condyles.torque_friction_angle", "largest"),
    channel("knee", "knee_angle", "last"),
    channel("rim", "contacts/car_left_foot-toe_board/force/resultant", "integral"),
    channel("way", "segments/driver_head[0.1,0,0]/position/x@driver_upper_torso", "last"),
    channel("felt", "segments/driver_head/felt/resultant", "mean", from_s=0.005),
    channel("angle", "joints/driver_condyles/angle/1", "at", time_s=0.02),
    channel("bag", "airbag_contacts/driver_bag.driver_upper_torso/force/x", "min"),
    channel("spin", "energy/spin/y", "largest"),
    channel("lost", "energy/lost_in_contacts"),
    channel("steps", "integrator/evaluations", "time_of_max"),
    {
        "kind": "ride", "id": "ride", "quantity": "segments/driver_lower_torso/acceleration/z",
        "weighting": "Wk", "take": "vdv",
    },
    {
        # shorter than a second: it has none
        "kind": "ride", "id": "long", "quantity": "segments/driver_head/acceleration/z",
        "weighting": "Wk", "take": "mtvv",
    },
    {
        "kind": "rating", "id": "like", "quantity": "segments/driver_head/position/x",
        "reference": "measured", "take": "whole",
    },
    formula("both", "hic + 2 * bag_time"),
]  # fmt: skip


def occupant() -> mk.Model:
    time = np.linspace(0.0, 0.04, 41)
    return (
        mk.sample("frontal")
        .with_value("studies", ())
        .with_value("runs/run/duration_s", 0.04)
        .add_function(
            "measured", x_unit="s", y_unit="m",
            form={"kind": "table", "x": time.tolist(), "y": (0.3 * np.sin(40.0 * time)).tolist()},
        )
        .add_output("knee", kind="joint", joint="driver_left_knee", quantity="angle")
        .add_study(
            "it", kind="sample", runs=3, parameters=[parameter("bag_time", BAG, uniform(0.001, 0.003))],
            responses=RESPONSES,
            curves=["driver_head_acceleration_x", "segments/driver_upper_torso/velocity/x"],
        )
    )  # fmt: skip


def spring_fit() -> mk.Model:
    time = np.linspace(0.0, 0.08, 41)
    targets = [
        {"quantity": "place_x", "reference": "measured"},
        {"quantity": "springs/spring/force/x", "reference": "pulled"},
    ]
    out = block()
    for name, unit in (("measured", "m"), ("pulled", "N")):
        form = {"kind": "table", "x": time.tolist(), "y": (time - 3.0 * time**2).tolist()}
        out = out.add_function(name, x_unit="s", y_unit=unit, form=form)
    return out.add_study(
        "it", kind="fit", parameters=[STIFF], tests=[{"id": "sled", "targets": targets}]
    )


def work(model: mk.Model) -> Work:
    return Work(setup_of(model.project, model.project.studies[0]))


def bits(found: RowResult) -> tuple[Any, ...]:
    arrays = [None if one is None else one.tobytes() for one in (found.curves, found.residuals)]
    return found.status, np.array(found.outputs).tobytes(), found.message, arrays


def test_rows_are_those_of_whole_runs() -> None:
    made = work(occupant())
    found = [made.found(Task(n, (time,))) for n, time in enumerate((0.003, 0.002))]
    read = made._known[0].wanted
    assert not read.is_all
    assert read.groups == {"segments", "contacts", "joints", "airbag_contacts", "energy"}
    assert len(read.channels) < 60
    # read from a run as anybody has it
    run, solved = made.solved((0.002,))
    reader = Reader(run, solved)
    answered = reader.answered(made.study.responses, {"bag_time": 0.002})
    assert np.array(answered.values).tobytes() == np.array(found[1].outputs).tobytes()
    curves = reader.curves(made.study.curves, made.durations[0])
    assert found[1].curves is not None
    assert curves.tobytes() == found[1].curves.tobytes()
    # the first run of a worker has recorded everything
    assert bits(work(occupant()).found(Task(1, (0.002,)))) == bits(found[1])
    assert found[1].status == "partly"
    assert found[1].message.startswith("long: ")
    values = np.array(found[1].outputs)
    assert np.isfinite(values).sum() == len(RESPONSES) - 1
    assert not (values == 0.0).any()


def test_residuals_are_those_of_whole_runs() -> None:
    made = work(spring_fit())
    made.found(Task(0, (1500.0,)))
    found = made.found(Task(1, (2500.0,)))
    assert made._known[0].wanted.groups == {"springs"}
    assert bits(found) == bits(work(spring_fit()).found(Task(1, (2500.0,))))
    assert found.residuals is not None
    assert np.isfinite(found.residuals).all()


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[Wanted]:
    """Note what each run was to record."""
    out, true = list[Wanted](), Work._read_of

    def noted(self: Work, task: Task, cancel: Any, wanted: Wanted) -> Any:
        out.append(wanted)
        return true(self, task, cancel, wanted)

    monkeypatch.setattr(Work, "_read_of", noted)
    return out


def sampled(*responses: dict[str, Any]) -> Work:
    return work(
        block()
        .add_output("unread", kind="point", segment="block", quantity="acceleration")
        .add_study("it", kind="sample", runs=2, parameters=[STIFF, FAST], responses=list(responses))
    )


def test_what_was_not_recorded_is_solved_again_whole(solved: list[Wanted]) -> None:
    made = sampled(FORCE, WAY, channel("at_frames", "springs/spring/force/x"))
    first = made.found(Task(0, (2000.0, 1.5)))
    made.found(Task(1, (1500.0, 1.2)))
    read = Wanted(
        frozenset({"springs"}),
        frozenset({"place_x", *(f"pull_force_{end}" for end in ("x", "y", "z", "resultant"))}),
    )
    assert solved == [EVERYTHING, read]
    for lacks in (Wanted(channels=read.channels), Wanted(groups=read.groups)):
        solved.clear()
        made._known[0] = replace(made._known[0], wanted=lacks)
        assert bits(made.found(Task(0, (2000.0, 1.5)))) == bits(first)
        assert solved == [lacks, EVERYTHING]
        assert made._known[0].wanted == read


def test_a_run_that_is_lost_says_what_was_lost(
    solved: list[Wanted], monkeypatch: pytest.MonkeyPatch
) -> None:
    true = simulation.channels

    def spoiled(*given: Any) -> Sequence[Channels]:
        def of(one: Channels) -> Channels:
            def values(seen: Any, *given: Any) -> Any:
                out = one.values(seen, *given)
                out[:, seen.time > 0.03125] = np.nan
                return out

            return replace(one, values=values) if one.specs[0].name == "unread_x" else one

        return [of(one) for one in true(*given)]

    made = sampled(FORCE, WAY)
    assert made.found(Task(0, (2000.0, 1.5))).status == "done"
    # a number so large that what is made of it may not be finite: what is not recorded is looked at, too
    monkeypatch.setattr("solver.running.outputs.recorder.SMALL", 1e-3)
    monkeypatch.setattr(simulation, "channels", spoiled)
    found = made.found(Task(0, (2000.0, 1.5)))
    assert [one.is_all for one in solved] == [True, False, True]
    assert found.status == "failed"
    assert found.message.startswith("At 31.3 ms unread x (channels) is no finite number")


def test_angles_alone_are_those_of_whole_runs() -> None:
    """A rod that turns twice around: its angle is counted on from block to block."""
    start = [{"joint": "joint", "rates": [0.0, 12.0, 0.0]}]
    data = hung({"kind": "ball"}, initial={"joints": start}, gravity_m_per_s2=[0.0, 0.0, 0.0])
    data["runs"][0] |= {"channel_rate_hz": 1000.0}
    data["outputs"] = [{"id": "it", "kind": "joint", "joint": "joint", "quantity": "angle"}]
    model, names = project(data), ("it_yaw", "it_pitch", "it_roll")
    whole = simulation.simulate(model)
    part = simulation.Simulation(model, wanted=Wanted(channels=frozenset(names)))
    run = part.sparse()
    assert part.go([run]).status == "completed"
    for name in names:
        assert run.channel(name).value.tobytes() == whole.channel(name).value.tobytes()
    assert np.abs(run.channel("it_pitch").value).max() > 11.0


def test_who_reads_what_is_not_there_is_told() -> None:
    model = block().project
    run = simulation.Simulation(model, wanted=Wanted(channels=frozenset({"place_x"}))).sparse()
    assert run.channel("place_x").name == "place_x"
    assert "place_y" in run.channel_names
    with pytest.raises(NotRecorded):
        run.channel("place_y")
    with pytest.raises(NotRecorded):
        Quantities(run)("springs/spring/force/x")
    with pytest.raises(NotRecorded):
        run.segment("block")
    assert run.read.groups == {"springs", "segments"}
    # a group without elements has been recorded whole
    assert run.table("belts").ids == ()
    # names alone are no reading
    assert "springs/spring/force/x" in Quantities(run).infos
    assert run.read.channels == {"place_x", "place_y"}


def test_a_row_warns_of_what_passed_through_what() -> None:
    soft = parameter("soft", "functions/foam/form/y", uniform(0.01, 2.0), is_factor=True)
    model = mk.sample("bouncing_ball").with_value("runs/drop/duration_s", 0.5)
    model = model.add_study(
        "it", kind="grid", levels=2, parameters=[soft],
        responses=[channel("most", "ball_acceleration_resultant")],
    )  # fmt: skip
    found = mk.study(model, "it", workers=0)
    assert found.rows.status.tolist() == [1, 1]
    assert found.warned == [0]
    weak, hard = found.rows.messages
    assert hard == ""
    assert weak.startswith("warning: 'ball' passed through 'pad' by ")
    with_notes = mk.run(mk.Model(found.design(0))).trajectory.notes
    assert weak.split(". warning")[0].rstrip(".") in [str(one) for one in with_notes]


def test_a_message_holds_whole_sentences() -> None:
    assert within([], 20) == ""
    assert within(["One.", "Two."], 20) == "One. Two."
    assert (
        within(["One is long.", "Two is long.", "Three."], 31) == "One is long. There are 2 more."
    )
    assert len(within(["a" * 900], LONGEST)) == 900
