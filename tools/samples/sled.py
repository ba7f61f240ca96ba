"""The basic sled test of the public deck, with a test to fit: curves of a run with hidden numbers and noise.

The model itself comes from the deck and stays as it stands in the file; here its test curves are made again:
`python -m tools.samples sled`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import manikin as mk
from solver.project.document import Project
from solver.project.functions import Function, Table
from solver.project.reading import load_project
from solver.project.studies import FitStudy
from solver.project.study_parts import FitTarget, FitTest
from tools.samples.asking import ASSUMED, asking, between

FILE = Path(__file__).resolve().parent.parent.parent / "sample_projects" / "sled.json"
LAP, SHOULDER = (f"harnesses/harness/straps/{strap}/slack_m" for strap in ("lap", "shoulder"))
WEBBING, FRICTION = "functions/webbing_force/form/y", "contact_laws/torso_on_seat/friction"
HIDDEN = {"shoulder_slack": 0.02, "webbing": 1.25, "seat_friction": 0.3}
"""What the test was made with: slack of the shoulder straps (m), factor on the webbing's force, friction."""
MEASURED = {
    "chest_acceleration_x": ("test_chest", "Chest acceleration of the test"),
    "head_acceleration_resultant": ("test_head", "Head acceleration of the test"),
    "harness_loads_lap_tension_1": ("test_lap", "Tension of the lap belt in the test"),
    "harness_loads_shoulder_tension_1": ("test_shoulder", "Tension of the shoulder belt in the test"),
}  # fmt: skip
NOISE, SEED, STEP = 0.02, 19, 10
"""Deviation of the noise as a part of each curve's peak; its seed; every how many samples one is kept."""


def build() -> Project:
    """Build the sample: the model of the file with its test and the fit."""
    bare = without_test(load_project(FILE))
    return asking(
        bare.model_copy(update={"functions": (*bare.functions, *measured(bare))}), _study()
    )


def without_test(project: Project) -> Project:
    """The model alone."""
    names = {name for name, _ in MEASURED.values()}
    kept = tuple(one for one in project.functions if one.id not in names)
    return project.model_copy(update={"functions": kept, "studies": ()})


def hidden(bare: Project) -> mk.Model:
    """The model with the hidden numbers."""
    model = mk.Model(bare)
    stiffer = tuple(HIDDEN["webbing"] * y for y in model.value(WEBBING))
    return model.with_values(
        {
            SHOULDER: HIDDEN["shoulder_slack"],
            WEBBING: stiffer,
            FRICTION: HIDDEN["seat_friction"],
        }
    )


def measured(bare: Project) -> list[Function]:
    """The curves of the test: a run with the hidden numbers, every millisecond, with noise."""
    run = mk.run(hidden(bare))
    rng = np.random.default_rng(SEED)
    curves = list[Function]()
    for quantity, (name, title) in MEASURED.items():
        channel = run[quantity]
        time, value = channel.time[::STEP], channel.value[::STEP]
        noise = NOISE * np.abs(channel.value).max() * rng.standard_normal(len(value))
        form = Table(
            x=tuple(round(float(t), 6) for t in time),
            y=tuple(float(f"{v:.5g}") for v in value + noise),
        )
        curves.append(
            Function(
                id=name,
                name=title,
                note="No measured test: a run of this model with numbers that the study finds again (docs/samples.md), "
                f"with noise of {NOISE:.0%} of its peak.",
                source="python -m tools.samples sled",
                group="Test",
                x_unit="s",
                y_unit=channel.unit,
                form=form,
            )
        )
    return curves


def _study() -> FitStudy:
    """Fit slack, webbing and friction to the test."""
    return FitStudy(
        id="fit",
        name="Fit to the test",
        note="Which slack, webbing and friction the curves of the test were made with; begun from the deck's own.",
        source=ASSUMED,
        parameters=(
            between("shoulder_slack", SHOULDER, 0.0, 0.06, belongs_to="test"),
            between("webbing", WEBBING, 0.5, 2.0, is_factor=True),
            between("seat_friction", FRICTION, 0.05, 0.9),
        ),
        tests=(
            FitTest(
                id="sled",
                targets=tuple(
                    FitTarget(quantity=quantity, reference=name)
                    for quantity, (name, _) in MEASURED.items()
                ),
            ),
        ),
        step_ratio=0.01,
        tolerance=1e-4,
        most_runs=200,
    )
