"""The store: what a line asks for, what is kept of files, what is gone, and what belongs to what."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

import manikin as mk
from solver.base.places import samples
from solver.cli import main
from solver.project import load_project, save_project
from solver.project.changes import with_value
from solver.store import QueryError, Store, StoreError, parsed
from solver.store.query import Both, Compare, Either, Not, OfKind, Word
from tests.studying import STIFF, WAY, block


@pytest.mark.parametrize(
    ("line", "means"),
    [
        ("belt", Word("belt")),
        ("HIC15<400", Compare("HIC15", "<", 400.0)),
        ("HIC15 < 400 and belt", Both((Compare("HIC15", "<", 400.0), Word("belt")))),
        ("a b or not c", Either((Both((Word("a"), Word("b"))), Not(Word("c"))))),
        ("a (b or c)", Both((Word("a"), Either((Word("b"), Word("c")))))),
        ('"side impact" "Chest 3 ms" >= -6e1', Both((Word("side impact"), Compare("Chest 3 ms", ">=", -60.0)))),
        ("", Both(())),
        ('Runs "run"', Both((OfKind("run"), Word("run")))),
    ],
)  # fmt: skip
def test_a_line_is_understood(line: str, means: object) -> None:
    assert parsed(line) == means


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("HIC15 <", "a number is to stand"),
        ("HIC15 < tall", "not 'tall'"),
        ("HIC15 < nan", "not 'nan'"),
        ("(a or b", "opens at 1 is not closed"),
        ("a) b", "closes nothing"),
        ("a or", "ends where"),
        ("< 3", "not '<'"),
        ("and a", "not 'and'"),
        ('"a', "does not end"),
        ("--", "neither letters nor digits"),
        ("(" * 60 + "a", "nested too deep"),
        ("not " * 60 + "a", "nested too deep"),
        ("x" * 600, "more than 500"),
    ],
)
def test_a_line_that_says_nothing_is_refused_in_a_sentence(line: str, said: str) -> None:
    with pytest.raises(QueryError, match=said.replace("(", r"\(")):
        parsed(line)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two projects, a run of one of them, a study, and what is none of ours or damaged."""
    folder = tmp_path_factory.mktemp("models")
    shutil.copy(samples() / "pendulum.json", folder)
    shutil.copy(samples() / "sled.json", folder)
    model = block()
    model.save(folder / "block.json")
    (folder / "runs").mkdir()
    run = mk.run(model)
    run.save(folder / "runs" / "block.h5")
    mk.study(model.add_study("stiff", kind="grid", levels=3, parameters=[STIFF], responses=[WAY]), workers=0, path=folder / "runs" / "stiff.h5")  # fmt: skip
    (folder / "other.json").write_text('{"format": "something"}')
    (folder / "bad.json").write_text('{"format": "manikin-project", "schema_version": 4, "segments": [{}]}')  # fmt: skip
    (folder / "bad.h5").write_bytes((folder / "runs" / "block.h5").read_bytes()[:3000])
    return folder


@pytest.fixture
def store(kept: Path, tmp_path: Path) -> Store:
    made = Store(tmp_path / "store.sqlite")
    made.look([kept])
    return made


def names(store: Store, line: str) -> set[str]:
    return {one.path.name for one in store.find(line)}


def test_words_numbers_and_kinds_are_found(store: Store, kept: Path) -> None:
    assert names(store, "") == {"pendulum.json", "sled.json", "block.json", "block.h5", "stiff.h5"}
    assert names(store, "springs project") == {"block.json"} | names(store, "sled springs project")
    assert names(store, "harness") == names(store, "harnesses > 0") == {"sled.json"}
    assert names(store, "segments = 1 and not run") == {"pendulum.json", "block.json", "stiff.h5"}
    assert names(store, "run completed") == {"block.h5"}
    # the study's way goes from 1.5 sqrt(2 / 3000) to 1.5 sqrt(2 / 1000)
    assert names(store, "way < 0.039") == names(store, "way > 0.067") == {"stiff.h5"}
    assert names(store, "way < 0.0387") == names(store, "way > 0.0671") == set()
    assert names(store, "k >= 3000 study") == {"stiff.h5"}
    assert names(store, "100%") == names(store, "mas_kg > 0") == set()
    assert len(store.find("", kinds=["study"])) == 1


def test_projects_lead_to_runs_and_studies_and_what_leads_nowhere_is_listed(
    store: Store, kept: Path
) -> None:
    (project,) = store.find("block", kinds=["project"])
    assert {one.path.name for one in store.find() if one.model == project.model} == {"block.json", "block.h5", "stiff.h5"}  # fmt: skip
    assert store.dangling() == ()
    whole = (kept / "block.json").read_bytes()
    heavy = with_value(load_project(kept / "block.json"), "segments/block/mass_kg", 3.0)
    save_project(heavy, kept / "block.json")
    try:
        seen = store.look()
        assert [one.name for one in seen.changed] == ["block.json"]
        assert {one.path.name for one in store.dangling()} == {"block.h5", "stiff.h5"}
    finally:
        (kept / "block.json").write_bytes(whole)


def test_only_what_has_changed_is_read_again_and_what_is_gone_is_dropped(
    kept: Path, tmp_path: Path
) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        first = store.look([kept])
        assert len(first.added) == 5
        assert {path.name for path, _ in first.unread} == {"bad.json", "bad.h5"}
        assert store.folders == (kept,)
        again = store.look()
        assert (again.added, again.changed, again.dropped) == ([], [], [])
        assert again.kept == 6
        os.utime(kept / "sled.json", (1.0, 1.0))
        assert store.look().changed == []
        gone = kept / "gone.json"
        shutil.copy(kept / "pendulum.json", gone)
        assert [one.name for one in store.look().added] == ["gone.json"]
        gone.unlink()
        assert [one.name for one in store.look().dropped] == ["gone.json"]
        assert names(store, "gone") == set()
        with pytest.raises(StoreError, match="is no folder"):
            store.look([kept / "nowhere"])
        store.forget(kept)
        assert store.find("") == ()
    (tmp_path / "store.sqlite").write_bytes(b"no database at all, but long enough to be taken for one" * 50)  # fmt: skip
    with Store(tmp_path / "store.sqlite") as store:
        assert store.find("") == ()


def test_the_command_and_the_library_find_the_same(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["find", "segments = 1 and block", "--in", str(kept), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {Path(one["path"]).name for one in told} == {"block.json", "block.h5", "stiff.h5"}
    found = mk.find("run and block", folders=[kept])
    assert [one.kind for one in found] == ["run"]
    assert isinstance(found[0].open(), mk.Run)
    assert main(["find", "way < 0.039"]) == 0
    out = capsys.readouterr().out
    assert "stiff.h5" in out
    assert "way 0.0387" in out
    assert main(["find", "--dangling"]) == 0
    assert main(["find", "(a"]) == 1
    assert "is not closed" in capsys.readouterr().err
