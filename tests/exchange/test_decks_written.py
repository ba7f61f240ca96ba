"""Projects as decks: what is written is read again and solves to the same bits; what cannot be said is named."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.base.places import samples
from solver.cli import main
from solver.exchange.decks import DeckError
from solver.exchange.decks.importing import taken
from solver.exchange.decks.reading import read_deck
from solver.exchange.decks.writing import given
from solver.project import Project, load_project, validated
from solver.project.checks import check
from tests.decks import SLED, Small, card

ALL = sorted(file.stem for file in samples().glob("*.json"))
WORDS = {"id", "name", "note", "source", "title", "group"}


def again(project: Project, free: bool) -> Project:
    return taken("\n".join(given(project, free).text.lines).encode(), free).project


@cache
def sled() -> Project:
    return taken(SLED).project


@pytest.mark.parametrize("free", [False, True])
def test_a_deck_that_was_read_and_is_written_solves_to_the_same_bits(free: bool) -> None:
    first, second = mk.run(mk.Model(sled())), mk.run(mk.Model(again(sled(), free)))
    for one in sled().segments:
        for axis in "xyz":
            name = f"segments/{one.id}/position/{axis}"
            assert np.array_equal(first[name].value, second[name].value), name


def test_the_columns_of_a_deck_are_those_that_it_had() -> None:
    lines = given(sled()).text.lines
    told, ours = read_deck(SLED), read_deck("\n".join(lines).encode())
    kept = {"A.1", "B.1", "A.2", "A.3", "A.5", "C.2", "D.5", "E.1", "E.2", "F.8.a", "F.8.d2"}
    for old, new in zip(
        (
            row
            for row in told.rows
            if row.name not in kept and not row.name.startswith(("E", "F", "H"))
        ),
        (
            row
            for row in ours.rows
            if row.name not in kept and not row.name.startswith(("E", "F", "H"))
        ),
        strict=True,
    ):
        words = ("name", "symbol", "orders", "type")
        assert {k: v for k, v in old.values.items() if k not in words} == {
            k: v for k, v in new.values.items() if k not in words
        }


def numbers(one: Any) -> list[float]:
    if isinstance(one, dict):
        return [v for k, value in sorted(one.items()) if k not in WORDS for v in numbers(value)]
    if isinstance(one, list | tuple):
        return [v for value in one for v in numbers(value)]
    return [one] if isinstance(one, float) else []


@pytest.mark.parametrize("name", ALL)
def test_each_sample_is_written_and_read_or_refused_in_a_sentence(name: str) -> None:
    project = load_project(samples() / f"{name}.json")
    if any(one.parent == "ground" or one.kind in ("six", "extensional") for one in project.joints):
        with pytest.raises(
            DeckError,
            match=r"cannot be written: (a deck has no joints to the ground|of its kind)",
        ):
            given(project)
        return
    if {one.id for one in project.segments} <= {one.segment for one in project.motions}:
        # a beam on what moves as prescribed
        with pytest.raises(DeckError, match="A deck needs a body"):
            given(project)
        return
    for free in (False, True):
        made = given(project, free)
        back = taken("\n".join(made.text.lines).encode(), free).project
        assert [str(one) for one in check(back) if one.severity == "error"] == []
        assert len(back.segments) >= len(project.segments)
        masses = sorted(
            one.mass_kg
            for one in project.segments
            if one.id not in {m.segment for m in project.motions}
        )
        there = np.array([one.mass_kg for one in back.segments])
        off = [np.abs(there / mass - 1.0).min() for mass in masses if mass]
        assert max(off) < (1e-14 if free else 1e-3)
    for kind in (
        "airbags",
        "winds",
        "coordinate_forces",
        "drivers",
        "frame_drivers",
        "flexible_elements",
    ):
        for one in getattr(project, kind):
            assert any(path == f"{kind}/{one.id}" for path, _ in made.losses)


def test_what_a_deck_cannot_say_is_named_with_its_place() -> None:
    project = load_project(samples() / "lap_belt.json")
    losses = dict(given(project).losses)
    assert "points" in str(losses["motions/pulse"])
    spring = project.model_copy(
        update={
            "joints": tuple(
                one.model_copy(update={"breakage": {"force_n": 1.0}}) for one in project.joints
            )
        }
    )
    if spring.joints:
        assert any(path.startswith("joints/") for path, _ in given(spring).losses)


def test_free_form_keeps_every_number_of_joints_and_bodies() -> None:
    project = load_project(samples() / "frontal.json")
    back = again(project, free=True)
    order = {one.mass_kg: one for one in back.segments}
    for one in project.segments:
        if one.mass_kg in order and not any(one.products_kgm2):
            # not every number has one in the deck's units that becomes it to the bit
            assert one.inertia_kgm2 == pytest.approx(order[one.mass_kg].inertia_kgm2, rel=5e-16)
    places = np.array([one.parent_frame.position_m for one in back.joints])
    for joint in project.joints:
        off = np.abs(places - np.array(joint.parent_frame.position_m)).max(axis=1)
        assert off.min() < 1e-15


def test_start_velocities_are_written() -> None:
    deck = Small()
    deck.start = card("G.1", velocities=1)
    deck.roots = [card("G.2", position=(0, 0, 1), velocity=(9, 0, 2))]
    project = deck.read().project
    back = again(project, free=True).initial
    assert [numbers(one.model_dump()) for one in back.roots] == [
        numbers(one.model_dump()) for one in project.initial.roots
    ]


def test_export_from_the_shell_and_in_python(tmp_path: Path, capsys: Any) -> None:
    source = samples() / "lap_belt.json"
    assert main(["export", str(source), "--ain", str(tmp_path / "belt.lin")]) == 0
    printed = capsys.readouterr().out
    assert "motions/pulse" in printed
    assert len(mk.read_ain(tmp_path / "belt.lin").model.project.belts) == 1
    assert main(["export", str(source), "--ain", str(tmp_path / "belt.txt")]) == 1
    assert main(["export", str(samples() / "pendulum.json"), "--ain", str(tmp_path / "p.ain")]) == 1
    assert "no joints to the ground" in capsys.readouterr().err
    told = mk.write_ain(mk.sample("free_body"), tmp_path / "free.ain")
    assert (tmp_path / "free.ain").exists()
    assert all(isinstance(one, str) for one in told)


def test_a_universal_joint_is_an_euler_joint_whose_spin_is_held() -> None:
    project = Small().read().project
    (joint,) = project.joints
    universal = {
        "kind": "universal", "id": "U", "parent": joint.parent, "child": joint.child,
        "parent_frame": {"position_m": (0.0, 0.0, 0.127), "orientation": {"angles_rad": (0.3, 0.2, -0.4)}},
        "child_frame": {"position_m": (0.0, 0.0, -0.127), "orientation": {"angles_rad": (0.1, 0.5, 0.2)}},
        "first": {"centre_rad": 0.1, "spring": {"linear_nm_per_rad": 5.0}},
        "second": {"centre_rad": -0.2, "spring": {"linear_nm_per_rad": 9.0}, "friction": {"viscous_nms_per_rad": 0.3}},
    }  # fmt: skip
    start = {"roots": project.initial.roots, "joints": ({"joint": "U", "values": (0.4, 0.3)},)}
    turned = validated({**project.model_dump(), "joints": (universal,), "initial": start})
    back = again(turned, free=True)
    assert back.joints[0].kind == "euler"
    first, second = mk.run(mk.Model(turned)), mk.run(mk.Model(back))
    for axis in "xyz":
        name = f"segments/{turned.joints[0].child}/position/{axis}"
        assert np.abs(first[name].value - second[name].value).max() < 1e-7


def test_a_place_that_takes_no_deck_is_told_in_a_sentence(
    capsys: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("solver.exchange.decks.writing.write_atomic", full)
    target = str(tmp_path / "belt.ain")
    assert main(["export", str(samples() / "lap_belt.json"), "--ain", target]) == 1
    assert capsys.readouterr().err.endswith(f"'{target}' cannot be written: No space left on device.\n")  # fmt: skip
