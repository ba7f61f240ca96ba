"""Sentences are data until they are shown; in a made-up language nothing that is shown stays English."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import write_po

from solver.base.places import samples
from solver.base.words import NOTHING, Refusal, Sentence, joined, plural, read, tr
from solver.cli import COMMANDS, main
from solver.injury.reference import reference
from solver.project import ProjectError, parse
from solver.project.checks import check
from solver.project.criteria import CRITERIA
from solver.results import ResultsError
from tests.checks_cases import CASES
from tests.checks_model import base, changed
from tests.rows import rows
from tools import words

DEEP = Sentence(
    "{what} starts {depth:.1f} mm deep.", what=Sentence("'{id}'", id="head"), depth=1.26
)


def test_a_sentence_is_data_until_it_is_shown() -> None:
    assert str(DEEP) == DEEP.english() == f"{DEEP}" == "'head' starts 1.3 mm deep."
    assert DEEP.values["depth"] == 1.26
    assert Sentence(DEEP.template, **DEEP.values) == DEEP
    assert Sentence(DEEP.template, what="'head'", depth=1.27) != DEEP
    assert len({DEEP, Sentence(DEEP.template, **DEEP.values)}) == 1
    assert pickle.loads(pickle.dumps(DEEP)) == DEEP
    assert read(json.loads(json.dumps(DEEP.as_data()))) == DEEP
    with pytest.raises(AttributeError):
        DEEP.template = "other"  # type: ignore[misc]


def test_braces_stay_where_there_is_nothing_to_fill_in() -> None:
    assert str(Sentence("a {b} c")) == "a {b} c"
    assert not NOTHING
    assert str(joined("; ", [Sentence("{a}"), NOTHING, Sentence("b {n}", n=1)])) == "{a}; b 1"


def test_a_refusal_carries_its_sentence() -> None:
    found = ResultsError("There is no file '{path}'.", path=Path("a"))
    assert str(found) == "There is no file 'a'."
    assert found.said.values == {"path": "a"}
    again = pickle.loads(pickle.dumps(found))
    assert isinstance(again, ResultsError)
    assert again.said == found.said
    assert str(Refusal(DEEP)) == str(DEEP)


def test_a_sentence_is_shown_in_the_language_of_the_reader(made_up: Path) -> None:
    refused = ResultsError("There is no file '{path}'.", path="a")
    assert str(refused) == "⟦Ţĥéŕé íš ñó ƒíłé 'a'.⟧"
    assert refused.said.english() == "There is no file 'a'."
    assert tr("") == ""
    assert tr("in no catalogue") == "in no catalogue"


def test_the_language_has_its_own_form_for_several(made_up: Path) -> None:
    assert plural("{n} error", "{n} errors", 1) == "⟦1 éŕŕóŕ⟧"
    assert plural("{n} error", "{n} errors", 3) == "⟦3 éŕŕóŕš⟧"
    assert plural("{n} of {all}", "{n} of {all}, several", 2, all=5) == "2 of 5, several"


def test_every_sentence_can_be_translated_and_every_translation_is_up_to_date(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Run what the guard runs: `python -m tools.words --check`."""
    assert words.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ('raise ResultsError(f"There is no {x}.")', True),
        ('raise ValueError(f"There is no {x}.")', False),
        ('tr(f"{n} runs")', True),
        ('tr("{n} runs", n=1)', False),
        ('Sentence("{n} runs", m=1)', True),
        ('Sentence("{n:{w}.1f} runs", n=1.0)', True),
        ('Sentence("{n:{w}.1f} runs", n=1.0, w=3)', False),
        ('Sentence("{n} runs", **more)', False),
    ],
)
def test_what_cannot_be_translated_is_found(line: str, is_found: bool) -> None:
    assert bool(list(words.unmarked(words.said(line)))) is is_found


def test_a_translation_that_is_out_of_date_is_found(tmp_path: Path) -> None:
    """Take the made-up language as a translator's file: whole, with a sentence less, and with one that nobody says."""
    file = tmp_path / "xx" / "LC_MESSAGES" / "manikin.po"
    file.parent.mkdir(parents=True)
    wanted = Catalog()
    for text in ("One.", "Two."):
        wanted.add(text)
    wanted.add(("{n} run", "{n} runs"))

    def found(*texts: str, **said: str) -> list[str]:
        told = Catalog(locale="de")
        for text in texts:
            told.add(text, said.get("says", text.upper()))
        told.add(("{n} run", "{n} runs"), ("{n} LAUF", "{n} LÄUFE"))
        with file.open("wb") as out:
            write_po(out, told)
        if said.get("compiled") != "before":
            with file.with_suffix(".mo").open("wb") as out:
                write_mo(out, told)
        return list(words.out_of_date(tmp_path, wanted))

    assert found("One.", "Two.") == []
    assert found("One.") == [f"{file}: not translated: 'Two.'"]
    assert found("One.", "Two.", "Three.") == [f"{file}: no longer said: 'Three.'"]
    assert found("One.", "Two.", says="1.", compiled="before") == [
        f"{file}: its .mo says something else; compile it"
    ]


@pytest.mark.parametrize(
    ("english", "german", "is_broken"),
    [
        ("{n} of {m}", "von {m}: {n:.0f}", False),
        ("{n} of {m}", "von {m}", True),
        ("&Open…", "Öffnen…", True),
        ("&Open…", "Ö&ffnen…", False),
        ("&Open…", "Ö&ffnen", True),
        ("%s: no file", "%s: keine Datei", False),
        ("%s: no file", "keine Datei", True),
        ("a ", "ein", True),
    ],
)
def test_a_translation_that_lost_something_is_found(
    english: str, german: str, is_broken: bool
) -> None:
    told = Catalog(locale="de")
    told.add(english, german)
    assert bool(list(words.broken(told))) is is_broken


def test_problems_are_translated(made_up: Path) -> None:
    """Every case of the checks, and what the first pass finds, is said in the made-up language."""
    left = {}
    for case in CASES:
        for problem in check(changed(case.bad)):
            if lines := escaped(f"{problem.sentence}\n{problem.hint}", KINDS_OF_DATA):
                left[problem.code] = lines
    assert not left, "\n".join(f"{code}: {lines}" for code, lines in left.items())


def test_what_is_wrong_with_a_file_is_translated(made_up: Path) -> None:
    left = []
    for data in ({}, {"format": "other"}, _wrong()):
        with pytest.raises(ProjectError) as refused:
            parse(json.dumps(data))
        for problem in refused.value.problems:
            left += escaped(f"{problem.sentence}\n{problem.hint}", KINDS_OF_DATA)
    assert not left, "\n".join(left)


def _wrong() -> dict[str, Any]:
    """Give a project with a slip of each kind that the first pass knows."""
    data: dict[str, Any] = json.loads(json.dumps(base()))
    data["segmens"] = []
    data["gravity_m_per_s2"] = [0.0, 1e99, "a"]
    one, two, three = data["segments"][:3]
    one["mass_kg"], two["mass_kg"], three["mass_kg"] = -1.0, {}, None
    one["colour"], two["id"], three["id"] = 10**40, "a/b", ""
    del one["inertia_kgm2"]
    joint, other = data["joints"][:2]
    joint["kind"] = "pinn"
    del other["kind"]
    data["runs"][0]["duration_s"] = 1e9
    return data


@rows("command", ["", *COMMANDS])
def test_help_is_translated(
    command: str, made_up: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), "--help"]) == 0
    left = escaped(
        capsys.readouterr().out, {"list", "insert", "measured", "add", "update", "let", "compare"}
    )
    assert not left, left


def test_what_commands_print_is_translated(
    made_up: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A project with something to say is checked, solved, reported, assessed and refused."""
    source = samples() / "neck_pendulum.json"
    data = json.loads(source.read_text(encoding="utf-8"))
    project = made_up / "p.json"
    project.write_text(json.dumps(data), encoding="utf-8")
    results, page = made_up / "r.h5", made_up / "r.html"
    known = _words(json.dumps(data)) | _words(str(made_up)) | {"json", "html", "py"}
    known |= _words(str(reference())) | _words(" ".join(file.stem for file in samples().iterdir()))
    short = ["--set", "runs/0/duration_s=0.02"]
    runs = {
        "check": [str(project)],
        "run": [str(project), "-o", str(results), "--quiet", *short],
        "show": [str(results)],
        "injury": [str(results)],
        "report": [str(results), "-o", str(page)],
        "settle": [str(project), "--check"],
        "sample": ["nobody"],
        "plot": [str(results), "--y", "nothing/*", "-o", str(made_up / "a.svg")],
        "export": [str(results), "--csv", str(made_up / "no" / "a.csv")],
    }
    left = {}
    for command, arguments in runs.items():
        main([command, *arguments])
        out, err = capsys.readouterr()
        if found := escaped(out + err, known):
            left[command] = found
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]*>", "\n", text, flags=re.S)
    if found := escaped(text, known):
        left["page"] = found
    assert not left, "\n".join(f"{at}: {line}" for at, lines in left.items() for line in lines)


UNITS = {"kg", "mm", "ms", "kN", "kW", "Nm", "rad", "km", "kPa", "kB", "MB", "deg", "si", "metric"}


NO_WORDS = (
    r"'[^']*'|--?[\w-]+|\S*/\S*|\w+\.[\w.]+|\b\w*_\w*\b|\{[\w,]+\}|\[[\w-]+\]|\b[0-9a-f]{64}\b"
)
"""Names in quotes, options, paths, ids, choices, codes and sums: words of files, not of sentences."""
KINDS_OF_DATA = {
    "loads", "pitch", "values", "pin", "box", "pelvis", "velocity", "nutation", "spin", "rates", "resultant", "number",
}  # fmt: skip
"""Lists, kinds, fields and ids in sentences: words of the file."""


OURS = {
    *UNITS,
    *COMMANDS,
    *CRITERIA,
    "manikin",
    "Manikin",
    "WxH",
    "Python",
    "NumPy",
    "dopri",
}


def escaped(text: str, known: set[str]) -> list[str]:
    """Give the lines that hold an English word: all letters of sentences have accents here."""
    out = []
    for line in text.splitlines():
        here = re.sub(NO_WORDS, " ", line)
        left = {w for w in _words(here) if not w.isupper()} - known - OURS
        if left:
            out.append(f"{line.strip()}  ({', '.join(sorted(left))})")
    return out


def _words(text: str) -> set[str]:
    return set(re.findall(r"(?<![^\W\d_])[A-Za-z]{2,}(?![^\W\d_])", text))
