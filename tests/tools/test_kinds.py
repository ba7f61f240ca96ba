"""No kind is left out of a floor, and one that is left out is named."""

from __future__ import annotations

from typing import Any

import pytest

from solver.project.checks.ids import LIST_WORDS
from solver.project.contact import KelvinVoigtLaw, Kernel
from solver.project.joint_table import ALONG_Z, JOINTS, MODELS, Row, Turn, row_of
from solver.project.joints import BallJoint, PinJoint, SlipJoint
from solver.results.layout import FRAME_GROUPS
from solver.running.outputs.frames import KINDS
from tools import kinds


def test_no_kind_lacks_anything() -> None:
    assert kinds.missing() == []


def without(group: str) -> tuple[Any, ...]:
    return tuple(kind for kind in KINDS if kind.group != group)


FAULTS: dict[str, tuple[str, Any, str]] = {
    "no row": (
        "JOINTS",
        tuple(row for row in JOINTS if row.model is not BallJoint),
        "BallJoint has no row in the table of joints (solver/project/joint_table.py).",
    ),
    "one rotation": (
        "JOINTS",
        tuple(row for row in JOINTS if row.rotation != "pin_z"),
        "Rotation 'pin_z' of SlipJoint is only in one of its schema and solver/project/joint_table.py.",
    ),
    "no such field": (
        "JOINTS",
        (*JOINTS, Row(PinJoint, "axes", (Turn("x", "angle", "hinge"),))),
        "PinJoint has no field 'hinge' with an Axis or a Spring, which solver/project/joint_table.py names.",
    ),
    "no word": (
        "JOINTS",
        (*JOINTS, Row(PinJoint, "axes", (Turn("y", "swing", "spring"),))),
        "The axis 'swing' of PinJoint has no word in COORDINATES (app/texts/scene.py).",
    ),
    "no slide": (
        "JOINTS",
        (*JOINTS, Row(PinJoint, "axes", (Turn("y", "angle", "spring"),), slides=ALONG_Z)),
        "PinJoint has no field 'slide', which its row in solver/project/joint_table.py needs.",
    ),
    "no rows": (
        "KINDS",
        without("winds"),
        "Nothing gives the rows of group 'winds' (solver/running/outputs/frames.py).",
    ),
    "not followed": (
        "KINDS",
        without("belts"),
        "Outputs may follow 'belts', which has no rows (solver/running/outputs/frames.py).",
    ),
    "no columns": (
        "FRAME_GROUPS",
        {name: group for name, group in FRAME_GROUPS.items() if name != "airbags"},
        "Group 'airbags' has no columns (solver/results/layout.py).",
    ),
    "no noun": (
        "LIST_WORDS",
        {name: words for name, words in LIST_WORDS.items() if name != "loads"},
        "The list 'loads' has no words in LIST_WORDS (solver/project/checks/ids.py).",
    ),
    "no maker": (
        "MAKERS",
        tuple(one for one in kinds.MAKERS if one.kind != "bushing"),
        "Nobody can add a Bushing in the window: it has no maker (app/editing/making.py).",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_left_out_is_named(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, value, sentence = FAULTS[fault]
    monkeypatch.setattr(kinds, name, value)
    assert sentence in kinds.missing()


LAWS: dict[str, tuple[Any, str]] = {
    "none": (
        None,
        "KelvinVoigtLaw does not say by which law of the kernels it acts: give it a `kernel` "
        "(solver/project/contact.py).",
    ),
    "unknown": (
        Kernel("RUBBER", KelvinVoigtLaw.kernel.numbers),
        "KelvinVoigtLaw acts by RUBBER, which solver/engine/forces/laws.py does not know.",
    ),
    "unused field": (
        Kernel("BY_RATE", {"STIFFNESS": "stiffness_n_per_m"}),
        "Field 'damping_ns_per_m' of KelvinVoigtLaw reaches no kernel: name it in its `kernel` "
        "(solver/project/contact.py).",
    ),
    "unknown field": (
        Kernel("BY_RATE", {**KelvinVoigtLaw.kernel.numbers, "LOSS": "loss"}),
        "KelvinVoigtLaw has no field 'loss', which its `kernel` names (solver/project/contact.py).",
    ),
}


@pytest.mark.parametrize("fault", LAWS)
def test_a_law_that_does_not_reach_its_kernel_is_named(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, sentence = LAWS[fault]
    monkeypatch.setattr(KelvinVoigtLaw, "kernel", kernel)
    assert sentence in kinds.missing()


def test_a_slip_joint_has_a_row_for_each_rotation() -> None:
    both = {"id": "slip", "parent": "ground", "child": "body"}
    rows = [
        row_of(SlipJoint.model_validate({**both, "rotation": rotation}))
        for rotation in ("none", "pin_y", "pin_z", "ball")
    ]
    assert [row.order for row in rows] == ["", "y", "z", "zyx"]
    assert [row.coordinates for row in rows] == [1, 2, 2, 4]
    assert len(MODELS) == len(set(MODELS)) == 9
