"""Bodies and parts of the library are data: no code names one, and an entry with a wrong field is refused by a sentence."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver.analysis.crash.cases import CASES, cases_of, look_at_offers
from solver.base.places import resources
from solver.bodies import DUMMIES, LIBRARY, BodyError, dummies, pose
from solver.bodies.dummies import body_of, dummy_entry, dummy_file, of_size
from solver.bodies.library import LibraryError, entries
from solver.bodies.library.entries import _entry, _of_category
from solver.injury.reference import _rows, reference
from solver.injury.scores import US_NCAP
from solver.project.criteria import judged_bodies

ROOT = Path(__file__).resolve().parent.parent.parent
PLAIN = {"half_sine", "haversine", "triangle", "trapezoid", "square", "windscreen", "bonnet", "pavement", "head_restraint", "rib"}  # fmt: skip
"""Pulses, laws and parts of the library whose ids are plain words, which mean other things in code."""
ALLOWED = {
    ("solver/project/outputs.py", "hybrid_iii_50"): "default of a field of files: another needs a migration",
    ("solver/project/study_parts.py", "hybrid_iii_50m"): "example in the help of a field",
    ("solver/cli/body_commands.py", "hybrid_iii_50m"): "example in the help of a command",
    ("solver/bodies/own_contacts.py", "limb_on_body"): "law by which every body's limbs meet its trunk",
    ("solver/editing/seating.py", "seat_cushion"): "law of a seat that nobody gave one",
    ("solver/editing/seating.py", "floor_carpet"): "law of a floor that nobody gave one",
    ("solver/editing/by_hand.py", "male-50"): "printed joints of which a body built by hand has its stops",
    ("solver/editing/by_hand.py", "es_2re"): "whose joints resist before any stop",
    ("solver/studies/levers.py", "three_point_left"): "belt that is suggested to who wears none",
    ("solver/analysis/crash/build.py", "pavement_plane"): "what a pedestrian stands on",
}  # fmt: skip
"""Where code may name one, and why."""


def strings(tree: ast.Module) -> Iterator[str]:
    """Give all texts of a module but docstrings."""
    said = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def test_no_code_names_a_body_or_a_part_of_the_library() -> None:
    own = [dummy_entry(name).judged_as for name in DUMMIES]
    known = {*DUMMIES, *LIBRARY, *(one.id for one in own if one), *(e.id for e in entries())}
    known -= PLAIN
    word = re.compile(r"[\w-]+")
    found = set()
    for folder in ("solver", "app", "manikin"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            source = file.read_text(encoding="utf-8")
            if known.isdisjoint(word.findall(source)):
                continue
            name = file.relative_to(ROOT).as_posix()
            if name.startswith(
                "manikin/schema/"
            ):  # made from the schema, which follows the entries
                continue
            for text in strings(ast.parse(source)):
                found |= {(name, id_) for id_ in known.intersection(word.findall(text))}
    assert found - set(ALLOWED) == set(), "put it into the entry, or say above why it stays"
    assert set(ALLOWED) - found == set(), "no longer there"


def test_what_the_load_cases_offer_is_there() -> None:
    look_at_offers(CASES)
    assert {one for case in CASES.values() for one in case.seats} < {e.id for e in entries("seats")}


def test_each_size_is_one_body_of_its_kind() -> None:
    assert [of_size(one) for one in ("small", "mid-size", "large")] == [
        "hybrid_iii_5f",
        "hybrid_iii_50m",
        "hybrid_iii_95m",
    ]
    assert of_size("mid-size", "printed") == "male-50"
    with pytest.raises(BodyError, match="one must be the 'small' one, not 0"):
        of_size("small", "printed")


def test_who_has_a_rating_has_what_it_is_made_of() -> None:
    for one in reference().bodies.values():
        assert set(one.ratings) <= {"us_ncap", "euro_ncap_wall", "euro_ncap_barrier"}
        for criteria in US_NCAP.values() if "us_ncap" in one.ratings else ():
            for criterion in criteria:
                assert any(one.id in curve.sizes for curve in reference().risks[criterion])
    assert list(judged_bodies()) == list(reference().bodies)


def wrong_dummy(monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]) -> Any:
    """Read the entry of a dummy with some fields otherwise."""
    data = {**json.loads(dummies._text(DUMMIES[0])), "format": "manikin-project"}
    data["dummy"] = {**data["dummy"], **change}
    text = json.dumps(data)
    with monkeypatch.context() as patched:
        patched.setattr(dummies, "_text", lambda name: text)
        return dummy_entry.__wrapped__("x")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"nmae": "Man"}, "dummy 'x': .*nmae.*not a field.*name"),
        ({"name": ""}, "dummy 'x': .*name"),
        ({"size": "tiny"}, "dummy 'x': .*size.*small"),
        ({"judged_as": {"id": "x", "name": "X", "mass_kg": -1.0, "source": "assumed"}}, "mass_kg"),
        ({"judged_as": {"id": "x", "name": "X", "mass_kg": 1.0, "source": "a", "neck": {"tension": 1.0}}}, "neck"),
        ({"held_against": {"up": "nothing"}}, "held_against"),
    ],
)  # fmt: skip
def test_a_wrong_field_of_a_dummys_entry_is_refused(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], said: str
) -> None:
    assert wrong_dummy(monkeypatch, {}).name
    with pytest.raises(BodyError, match=said):
        wrong_dummy(monkeypatch, change)


def test_a_file_that_begins_otherwise_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(dummies, "_text", lambda name: '{"format": "manikin-project"}')
        with pytest.raises(BodyError, match="does not begin with its entry 'dummy'"):
            dummy_entry.__wrapped__("x")


def test_rows_of_limits_have_the_fields_of_the_table() -> None:
    judged = dummy_entry(DUMMIES[0]).judged_as
    assert judged is not None
    good = {"criterion": "HIC15", "limit": 1.0, "source": "assumed"}
    (row,) = _rows(judged.model_copy(update={"limits": (good,)}), "limits")
    assert (row["sizes"], row["body"]) == ([judged.id], judged.name)
    for change in ({"limt": 1.0}, {"sizes": ["x"]}):
        wrong = judged.model_copy(update={"limits": ({**good, **change},)})
        with pytest.raises(BodyError, match=f"a row of 'limits' has .*wrong: {next(iter(change))}"):
            list(_rows(wrong, "limits"))
    with pytest.raises(BodyError, match="wrong: limit"):
        list(_rows(judged.model_copy(update={"limits": ({"criterion": "HIC15", "source": "a"},)}), "limits"))  # fmt: skip


def test_a_segment_that_no_pose_knows_is_named() -> None:
    piece = dummy_file(DUMMIES[0])
    odd = piece.segments[-1].model_copy(update={"id": "tail"})
    with pytest.raises(BodyError, match=r"how the segment 'tail' is turned; .*head"):
        pose(body_of(piece.model_copy(update={"segments": (*piece.segments[:-1], odd)})), "seated")


ENTRY = {"id": "x", "name": "X", "source": "none", "basis": "assumed", "fragment": {}}


@pytest.mark.parametrize(
    ("category", "change", "said"),
    [
        ("seats", {"in_crash": {"mots_kg": 1.0}}, "entry 'x' in .*seats.json.*mots_kg.*not a field"),
        ("seats", {"in_crash": {"most_kg": -1.0}}, "most_kg"),
        ("seats", {"in_crash": {"most_kg": "heavy"}}, "most_kg"),
        ("seats", {"in_crash": {"made_for": "nobody"}}, "made for 'nobody'.*hybrid_iii_50m"),
        ("seats", {"in_crash": {"bag_m": [0, 0, 0]}}, "of seats 'in_crash' says 'around_m', 'feet_hang', 'made_for'"),
        ("pulses", {"in_crash": {"feet_hang": True}}, "of pulses 'in_crash' says 'door', 'pole', 'seat'"),
        ("seats", {"at_hips": True}, "is at hips: 'origin' says where"),
        ("seats", {"feet_hang": True}, "feet_hang.*not a field"),
    ],
)  # fmt: skip
def test_a_wrong_field_of_an_entry_is_refused(
    category: str, change: dict[str, Any], said: str
) -> None:
    assert _entry(ENTRY, category, f"{category}.json").id == "x"
    with pytest.raises(LibraryError, match=said):
        _entry({**ENTRY, **change}, category, f"{category}.json")


def test_an_entry_in_a_file_of_its_own_has_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = sys.modules["solver.bodies.library.entries"]
    folder = tmp_path / "library"
    (folder / "seats").mkdir(parents=True)
    (folder / "seats.json").write_text(json.dumps([{**ENTRY, "id": "listed"}]))
    (folder / "seats" / "x.json").write_text(json.dumps(ENTRY))
    monkeypatch.setattr(module, "resources", lambda: tmp_path)
    assert [one.id for one in _of_category("seats")] == ["listed", "x"]
    (folder / "seats" / "x.json").rename(folder / "seats" / "y.json")
    with pytest.raises(LibraryError, match=r"'y\.json' holds the entry 'x': they have one name"):
        list(_of_category("seats"))


def test_a_wrong_load_case_is_refused() -> None:
    data = json.loads((resources() / "crashes.json").read_text(encoding="utf-8"))

    def changed(**fields: Any) -> dict[str, Any]:
        return {**data, "cases": {"frontal": {**data["cases"]["frontal"], **fields}}}

    for fields, said in (
        ({"seat": ["car_seat"]}, "load case 'frontal': .*seat.*not a field"),
        ({"place": "above"}, "load case 'frontal': .*place"),
        ({"seats": ["@boats"]}, "names the list '@boats', which is not there. There are: car_seats"),
    ):  # fmt: skip
        with pytest.raises(BodyError, match=said):
            cases_of(changed(**fields))
    for fields, said in (
        ({"seats": ["car_seet"]}, "names 'car_seet' among 'seats', which is not there. .*car_seat"),
        ({"bags": ["car_seat"]}, "names 'car_seat' among 'bags'"),
        ({"begins_with": "hybrid_iii_50"}, "names 'hybrid_iii_50' among 'begins_with'"),
        ({"postures": ["afloat"]}, "names 'afloat' among 'postures'"),
        ({"left": "car_seat"}, "names 'car_seat' among 'left'"),
    ):  # fmt: skip
        with pytest.raises(BodyError, match=said):
            look_at_offers(cases_of(changed(**fields)))
