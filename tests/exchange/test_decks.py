"""Decks of CVS-IV and ATB: every number, every card, every error."""

from __future__ import annotations

import random
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import manikin as mk
from solver.base.places import samples
from solver.cli import main
from solver.exchange.decks.importing import Imported, taken
from solver.exchange.decks.numbers import integer, real, values_of, written
from solver.exchange.decks.reading import read_deck
from solver.exchange.decks.taking import report_lines
from solver.project import Problem, Project, ProjectError, load_project
from solver.project.checks import check
from solver.project.pose import start_pose
from tests.decks import FOLDER, GEBOD, SLED, Small, card, constant, plane, table
from tests.exploring import SEED
from tests.rows import rows

INCH, POUND = 0.0254, 4.4482216152605
OF_WORDS = {"id", "name", "note", "source", "group", "mirror"}


@cache
def sled() -> Imported:
    return taken(SLED, source="sled.ain")


def counted(ours: Any, theirs: Any, path: str, wrong: list[str]) -> int:
    """Count the numbers of two parts of a document and note where they differ.

    The deck's remainders of single precision (889.9999 for 890) are rounded away in the sample.
    """
    if isinstance(ours, dict):
        if set(ours) - OF_WORDS != set(theirs) - OF_WORDS:
            wrong.append(f"{path}: {set(ours) ^ set(theirs)}")
        return sum(
            counted(ours[k], theirs.get(k), f"{path}/{k}", wrong) for k in ours if k not in OF_WORDS
        )
    if isinstance(ours, list | tuple):
        if not isinstance(theirs, list | tuple) or len(ours) != len(theirs):
            wrong.append(f"{path}: not as many")
            return 0
        return sum(
            counted(a, b, f"{path}/{n}", wrong)
            for n, (a, b) in enumerate(zip(ours, theirs, strict=True))
        )
    if isinstance(ours, bool) or not isinstance(ours, int | float):
        return 0
    if not isinstance(theirs, int | float) or abs(ours - theirs) > 4e-7 * abs(ours):
        wrong.append(f"{path}: {ours} {theirs}")
    return 1


def parts(project: Project) -> dict[str, list[dict[str, Any]]]:
    """Give what a deck holds of a project, each list in the deck's order, without defaults."""
    data = project.model_dump(exclude_defaults=True)
    data["segments"] = sorted(data["segments"], key=lambda one: one["id"] == "vehicle")
    used = {
        str(v)
        for kind in ("contact_laws", "motions")
        for one in data[kind]
        for v in numbers_and_ids(one)
    }
    curves = [one for one in data["functions"] if one["id"] in used]
    for one in curves:
        if one["y_unit"] == "m/s2":  # after the pulse the deck has zeros, the sample one
            one["form"] = {k: v[:9] if isinstance(v, tuple) else v for k, v in one["form"].items()}
    data["functions"] = sorted(
        curves, key=lambda one: [one["x_unit"], one["y_unit"], *map(float, of_form(one["form"]))]
    )
    for one in data["contacts"]:
        # the sample has the rule of its day for what comes over an edge
        one |= {"edge": "below"} if "plane" in one and one.get("edge", "fade") == "fade" else {}
    data["runs"] = [one for one in data["runs"] if one.get("integrator")]
    for one in data["runs"]:
        # what the deck's program did, which no card says
        one["integrator"].pop("as_program", None)
    data["roots"] = [
        {k: v for k, v in one.items() if k != "relative_to"} for one in data["initial"]["roots"]
    ]
    data["attitudes"] = [
        {k: v for k, v in one.items() if k != "relative_to"} for one in data["initial"]["attitudes"]
    ]
    data["gravity"] = [{"gravity": data["gravity_m_per_s2"]}]
    return data


def of_form(form: dict[str, Any]) -> list[float]:
    found = [one for one in numbers_and_ids(form) if isinstance(one, float)]
    return [len(found), *(float(f"{one:.3g}") for one in found)]


def numbers_and_ids(one: Any) -> list[Any]:
    if isinstance(one, dict):
        return [found for value in one.values() for found in numbers_and_ids(value)]
    if isinstance(one, list | tuple):
        return [found for value in one for found in numbers_and_ids(value)]
    return [one]


def test_every_number_of_the_sled_is_that_of_the_sample_built_by_hand() -> None:
    ours, theirs = parts(load_project(samples() / "sled.json")), parts(sled().project)
    wrong = list[str]()
    count = 0
    for kind in ("gravity", "segments", "joints", "planes", "functions", "contact_laws", "contacts", "harnesses",
                 "motions", "roots", "attitudes", "runs"):  # fmt: skip
        count += counted(ours[kind], theirs[kind], kind, wrong)
    assert not wrong, wrong[:10]
    assert count >= 824


def test_figures_of_the_sled() -> None:
    project = sled().project
    bodies = [one for one in project.segments if one.id != "vehicle"]
    pound = POUND / (386.088 * INCH)
    assert sum(one.mass_kg for one in bodies) / pound == pytest.approx(208.78, abs=1e-9)
    where = start_pose(project)
    for name, place in {
        "CT": (13.16068, 0, -19.07188), "UT": (11.31383, 0, -26.93796), "H": (7.77521, 0, -41.83338),
        "RUL": (22.94073, 3.42, -14.48930), "RF": (48.12719, 3.42, -4.45598), "RLA": (22.75808, 6.24, -21.48521),
    }.items():  # fmt: skip
        assert where[name].p_W / INCH == pytest.approx(place, abs=6e-6)
    alone = mk.read_ain(FOLDER / "sled.ain").model.project
    keep = {
        "joints": (),
        "contacts": (),
        "planes": (),
        "harnesses": (),
        "outputs": (),
        "contact_laws": (),
    }
    car = alone.model_copy(
        update=keep | {"segments": (alone.segments[-1],), "functions": (alone.functions[0],),
                       "initial": alone.initial.model_copy(update={"attitudes": (), "roots": alone.initial.roots[:1]}),
                       "runs": alone.runs[:1]}
    )  # fmt: skip
    run = mk.run(mk.Model(car))
    assert run["segments/vehicle/velocity/x"].value[-1] / INCH == pytest.approx(-308.8704, abs=1e-9)
    assert run["segments/vehicle/position/x"].value[-1] / INCH == pytest.approx(
        -12.354816, abs=1e-9
    )


PRINTED = {
    "LT": (0.017821, -0.088444, -26.834667), "CT": (0.114863, -0.110519, 40.304182), "UT": (-0.038031, -0.075445, -0.859463),
    "N": (-0.042273, -0.074371, 13.637950), "H": (-0.047117, -0.073212, -1.165342), "RUL": (0.041547, -0.039503, -2.405012),
    "RLL": (-0.101009, 0.188273, -12.216811), "RF": (-0.187602, -0.183691, 56.330962), "RUA": (-0.114274, -0.038215, -6.917594),
    "RLA": (-0.266915, 0.736709, -34.722434),
}  # fmt: skip
"""What version V.3 prints of the sled at its start: accelerations along x and z (g), angular acceleration about y (rad/s2)."""


def test_the_sled_starts_with_the_accelerations_that_the_later_program_prints() -> None:
    """Gravity, joints, and eight contacts on four planes: a seat whose front edge lies below the thighs among them."""
    project = sled().project
    start = project.model_copy(update={"runs": (project.runs[1].model_copy(update={"duration_s": 2e-3}),)})  # fmt: skip
    run = mk.run(mk.Model(start))
    for name, printed in PRINTED.items():
        x, z = (run[f"segments/{name}/acceleration/{c}"].value[0] / (386.088 * INCH) for c in "xz")
        turning = run[f"segments/{name}/angular_acceleration/y"].value[0]
        assert (x, z) == pytest.approx(printed[:2], abs=2e-6), name
        assert turning == pytest.approx(printed[2], abs=2e-4), name


def test_both_public_decks_are_read_without_a_warning() -> None:
    for data in (SLED, GEBOD):
        made = taken(data)
        assert not made.lost
        assert [str(one) for one in check(made.project) if one.severity != "note"] == []
    weight = sum(one.mass_kg for one in taken(GEBOD).project.segments) / (POUND / (386.088 * INCH))
    assert weight == pytest.approx(173.55, abs=1e-9)
    assert taken(GEBOD).project.segments[2].principal_axes.angles_rad[1] == pytest.approx(
        np.radians(14.4)
    )


def test_every_card_is_accounted_for() -> None:
    for data, lines in ((SLED, 324), (GEBOD, 102)):
        notes = taken(data).notes
        told = {line for one in notes for line in range(one.first, one.last + 1)}
        assert told == set(range(1, lines + 1))
    by_line = {one.first: one for one in sled().notes}
    assert (by_line[8].elements, by_line[8].how) == (("segments/LT",), "taken")
    assert by_line[160].elements == ("functions/f13",)
    assert by_line[156].how == "note"
    assert "324  H.12" in "\n".join(report_lines(sled().notes))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.replace(b"\n", b"\r\n"),
        lambda d: d.replace(b"\n", b"\r\n") + b"\x1a",
        lambda d: b"\xef\xbb\xbf" + d,
        lambda d: d.replace(b"\n", b"\r"),
        lambda d: d.decode().encode("utf-16"),
        lambda d: d.replace(b"  20.0000000", b"    2.0D+001"),
        lambda d: d.replace(b"  35.0000000", b"       3.5+1"),
        lambda d: d.replace(b"        1 -5   .00000000", b"\t1 -5   .00000000"),
    ],
)  # fmt: skip
def test_however_the_file_was_written_the_model_is_the_same(change: Any) -> None:
    assert change(SLED) != SLED
    assert taken(change(SLED), source="sled.ain").project == sled().project


def test_blank_fields_are_zero_and_short_lines_are_padded() -> None:
    lines = SLED.decode().split("\n")
    spared = [line.replace(" .00000000", " " * 10).rstrip() for line in lines]
    assert spared != lines
    assert taken("\n".join(spared).encode(), source="sled.ain").project == sled().project


def test_text_that_is_not_utf8_and_comments_are_kept_and_said() -> None:
    data = SLED.replace(b"EXAMPLE 1:", b"BEISPIEL \xfc").replace(
        b"  IN. LB.", b"# by hand\n IN. LB.", 1
    )
    data = data.replace(b" IN. LB.SEC.", b"# by hand\n IN. LB.SEC.", 1)
    made = taken(data)
    assert "BEISPIEL ü" in made.project.title
    assert "by hand" in made.project.note
    assert {one.card for one in made.notes if one.how == "note"} >= {"#"}


@pytest.mark.parametrize(
    ("line", "at", "put", "said"),
    [
        (8, 6, "34.7X2", "line 8, columns 7-12: Card B.2.a, field weight: '34.7X2' stands where a number"),
        (23, 6, "  1a", "line 23, columns 7-10: Card B.3.a, field inner"),
        (7, 0, "    -5", "line 7, columns 1-6: Card B.1, field segments: -5 cannot be a count"),
        (8, 30, "-5.168", "line 8, columns 31-48: Card B.2.a, field semi_axes"),
        (36, 68, " 3 3 1", "columns 69-80: Card B.3.b, field orders: 3 3 1 turns about one axis twice in a row"),
        (4, 0, " MI.", "line 4, columns 1-4: Card A.3, field length: 'MI.' is no unit"),
        (212, 4, "  77", "line 212, columns 5-8: Card F.1.b, field carrier: 77 is no segment"),
        (212, 16, "  99", "Card F.1.b, field functions: there is no function 99"),
        (29, 6, "   9", "Card B.3.a, field inner: segment 9 does not come before"),
        (324, 12, "   1   9", "9 is none of the 3 histories"),
        (8, 6, "-34.77", "line 8: Card B.2.a: "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_line_columns_card_and_field(
    line: int, at: int, put: str, said: str
) -> None:
    lines = SLED.decode().split("\n")
    old = lines[line - 1].ljust(80)
    lines[line - 1] = old[:at] + put + old[at + len(put) :]
    with pytest.raises(ProjectError) as failure:
        taken("\n".join(lines).encode())
    assert said in str(failure.value)


def test_a_deck_that_ends_too_soon_says_what_was_missing() -> None:
    for end in range(1, 324, 17):
        said = ""
        try:
            taken(b"\n".join(SLED.split(b"\n")[:end]))
        except ProjectError as failure:
            said = str(failure)
        # cards H may be missing
        assert end > 305 or f"line {end + 1}: The deck ends where card" in said


def test_a_deck_of_five_hundred_cards_takes_no_longer_by_the_card() -> None:
    def seconds(functions: int) -> tuple[float, int]:
        deck = Small(30)
        deck.functions = [
            row for n in range(1, functions + 1) for row in table(n, 0, 0, 1, n, 2, 5)
        ]
        data = deck.text().encode()
        least = 1e9
        for _ in range(3):
            before = time.process_time()
            taken(data)
            least = min(least, time.process_time() - before)
        return least, data.count(b"\n")

    (one, few), (other, many) = seconds(79), seconds(600)
    assert few > 500
    assert other / many < 3.0 * one / few


def test_numbers_are_read_as_fortran_reads_them() -> None:
    told = {"": 0, "  ": 0, "1.": 1, ".5": 0.5, "-.072": -0.072, "1D3": 1e3, "1.5d-3": 1.5e-3, "1.5+3": 1500, "2Q1": 20,
            " 1 2.5 ": 12.5, "+4": 4, "1E+02": 100}  # fmt: skip
    for text, value in told.items():
        assert real(text) == value, text
    for text in ("1.2.3", "x", "1e999", "inf", "nan", ".", "-", "1,2", "0x10", "1_0", "٣"):
        assert real(text) is None, text
    assert (integer("  12 "), integer("1 2"), integer(""), integer("1.0"), integer("9" * 11)) == (
        12,
        12,
        0,
        None,
        None,
    )
    assert values_of("1, ,3*2 'a b' /rest") == ["1", None, "2", "2", "2", "'a b'"]


def test_nothing_is_written_short_and_leaves_a_column_free() -> None:
    assert [written(0.0, width) for width in (2, 3, 4, 6)] == ["0.", " 0.", " 0.0", "   0.0"]


@given(st.floats(-1e14, 1e14, allow_subnormal=False), st.sampled_from([6, 8, 10, 12]))
def test_what_is_written_into_columns_is_read_back_as_near_as_they_allow(
    value: float, width: int
) -> None:
    text = written(value, width)
    if text is None:
        return
    assert len(text) == width
    back = real(text)
    assert back is not None
    # of a number in fixed point at least width - 2 characters are digits, one more may be the sign
    if 1e-2 < abs(value) < 10.0 ** (width - 3):
        assert abs(back - value) <= abs(value) * 10.0 ** (4 - width)


@pytest.mark.seeded
@rows("seed", range(3000 if SEED else 200))
def test_a_damaged_deck_gives_sentences(seed: int) -> None:
    rng = random.Random(f"{SEED}-{seed}")
    data = bytearray(rng.choice((SLED, SLED, GEBOD, RARE)))
    for _ in range(rng.choice((1, 1, 2, 5, 40))):
        damage(data, rng)
    problems: tuple[Problem, ...] = ()
    made = None
    try:
        made = taken(bytes(data), free=rng.random() < 0.1)
    except ProjectError as failure:
        problems = failure.problems
        assert str(failure)  # noqa: PT017
    if made is not None:
        assert all(str(one) for one in made.notes)
        problems = check(made.project)
    assert all(one.sentence and one.code for one in problems)


def rare() -> bytes:
    """Make a deck of cards that the public ones do not have."""
    deck = Small(3)
    for row in deck.joints:
        row.values["inner"] *= -1
    deck.flexible = [card("B.7.a", count=1, segments=(2,)), *[card("B.7.b", values=[0.1] * 12)] * 4]
    deck.vehicle = [card("C.1", title="CAR"), card("C.2", points=-2, interval=0.01, angles=(9, 9, 9)),
                    card("C.2.b", rate=(1, 2, 3)), *[card("C.4", linear=(1, 2, 3), angular=(9, 99, 9))] * 2]  # fmt: skip
    deck.shapes["D.6"] = [card("D.6", type=5, first=1, second=2, first_point=(1, 2, 3)),
                          card("D.6", type=5, first_point=(1, 1, 1), second_point=(1, 1, 1))]  # fmt: skip
    return deck.text().encode()


RARE = rare()


def damage(data: bytearray, rng: random.Random) -> None:
    """Change a few bytes, a field, or whole lines."""
    lines = bytes(data).split(b"\n")
    n = rng.randrange(len(lines))
    kind = rng.randrange(8)
    if kind == 0 and data:
        data[rng.randrange(len(data))] = rng.randrange(256)
        return
    if kind == 1:
        del lines[n]
    elif kind == 2:
        lines.insert(n, lines[rng.randrange(len(lines))])
    elif kind == 3:
        lines = lines[:n]
    elif kind == 4:
        other = rng.randrange(len(lines))
        lines[n], lines[other] = lines[other], lines[n]
    else:
        at = rng.randrange(0, 72, 2)
        odd = rng.choice(
            (
                b"-1",
                b"999",
                b"1e9",
                b"9999",
                b"0",
                b"    ",
                b"-.5",
                b"NaN",
                b"1.D-9",
                b"*****",
                b",",
                b"\t",
                b"-9.9",
                b"88",
            )
        )
        line = lines[n].ljust(80)
        lines[n] = line[:at] + odd + line[at + len(odd) :]
    data[:] = b"\n".join(lines)


def test_import_from_the_shell_writes_a_project_and_a_report(tmp_path: Path, capsys: Any) -> None:
    deck, out, report = tmp_path / "sled.ain", tmp_path / "sled.json", tmp_path / "report.txt"
    deck.write_bytes(SLED)
    assert main(["import", str(deck), "--report", str(report)]) == 0
    assert load_project(out).title.startswith("EXAMPLE 1")
    assert "F.8.d1" in report.read_text()
    assert "F.8.d1" not in capsys.readouterr().out
    assert main(["import", str(deck), "--report", "-o", str(out)]) == 0
    assert report.read_text() in capsys.readouterr().out, "on the screen where no file is named"
    assert deck.read_bytes() == SLED
    assert main(["import", str(deck)]) == 1
    deck.write_bytes(SLED.replace(b"34.772", b"34.7X2"))
    assert main(["import", str(deck), "-o", str(tmp_path / "no.json")]) == 1
    assert "line 8, columns 7-12" in capsys.readouterr().err
    assert not (tmp_path / "no.json").exists()
    assert main(["import", str(tmp_path / "x.doc")]) == 1
    assert ".ain, .lin, .xml" in capsys.readouterr().err


def test_free_form_is_read_with_its_defaults_and_repeats() -> None:
    deck = Small(3)
    assert without_source(deck.read(free=True)) == without_source(deck.read())
    text = deck.text(free=True).replace(" 0.0 0.0 386.088 0.0  Card A.3", ",,,386.088 / no more")
    text = text.replace("10 0.002", "10, .002")
    assert without_source(taken(text.encode(), free=True)) == without_source(deck.read())


def without_source(made: Imported) -> Any:
    def bare(one: Any) -> Any:
        if isinstance(one, dict):
            return {k: bare(v) for k, v in one.items() if k != "source"}
        return [bare(v) for v in one] if isinstance(one, list | tuple) else one

    return bare(made.project.model_dump())


def test_rows_know_where_they_stand() -> None:
    deck = read_deck(SLED)
    assert [row.line for row in deck.of("B.2.a")] == list(range(8, 23))
    assert deck.of("C.2")[0]["points"] == 15


def test_a_floor_below_a_chain() -> None:
    deck = Small()
    deck.shapes["D.2"] = plane(1)
    deck.functions = [
        *table(1, 0, 0, 1, 100, 2, 300),
        *constant(2, 0.3, impulse=0.75),
        *constant(3, 0.6),
    ]
    for option in (1, 0, -1, -2, -3):
        deck.contacts["F.1.b"].append(card("F.1.b", plane=1, carrier=3, segment=1, ellipsoid=1,
                                           functions=(1, 0, 3, 0, 2), option=option))  # fmt: skip
    deck.contacts["F.1.b"].append(
        card("F.1.b", plane=1, carrier=3, segment=2, ellipsoid=2, functions=(0, 0, 0, 0, 2))
    )
    project = deck.read().project
    edges = [(one.edge, one.holds_when_behind) for one in project.contacts if one.kind == "plane"]
    assert edges == [
        ("below", False),
        ("sharp", False),
        ("none", False),
        ("none", True),
        ("sharp", True),
    ]
    law = project.contact_laws[0]
    assert (law.friction, law.restitution, law.energy_ratio) == (0.3, 0.5, 0.6)  # type: ignore[union-attr]
    (rolls,) = project.constraints
    assert rolls.kind == "roll_slide"
    assert rolls.sliding_friction == 0.3
