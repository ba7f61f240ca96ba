"""Files and folders are written whole or not at all."""

import ast
import os
import re
import stat
from pathlib import Path

import pytest

from solver.base.atomic import file_stem, replaced, write_atomic

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("kind", [OSError, KeyboardInterrupt])
def test_a_failure_leaves_what_was_there(tmp_path: Path, kind: type[BaseException]) -> None:
    file = tmp_path / "a.csv"
    file.write_text("old")

    def fail() -> None:
        with replaced(file) as part:
            assert part.suffix == ".csv"
            part.write_text("half")
            raise kind

    with pytest.raises(kind):
        fail()
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.name == "nt", reason="no such permissions and links")
def test_permissions_and_links_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "a.csv", tmp_path / "link.csv"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="no named pipes in folders")
@pytest.mark.parametrize("through_a_link", [False, True])
def test_what_is_no_file_is_neither_written_nor_replaced(
    tmp_path: Path, through_a_link: bool
) -> None:
    pipe, name = tmp_path / "pipe", tmp_path / "pipe"
    os.mkfifo(pipe)
    if through_a_link:
        name = tmp_path / "link"
        name.symlink_to(pipe)
    there = sorted(tmp_path.iterdir())
    with pytest.raises(OSError, match="no ordinary file"):
        write_atomic(name, b"through")
    with pytest.raises(OSError, match="no ordinary file"), replaced(name):
        pass
    assert pipe.is_fifo()
    assert sorted(tmp_path.iterdir()) == there


def test_a_link_that_leads_nowhere_makes_its_file_and_a_ring_of_links_is_told(
    tmp_path: Path,
) -> None:
    link, ring = tmp_path / "link", tmp_path / "ring"
    link.symlink_to(tmp_path / "file")
    write_atomic(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "file").read_text() == "new"
    ring.symlink_to(ring)
    with pytest.raises(OSError, match="links"):
        write_atomic(ring, "new")


def test_names_as_long_as_the_system_allows_are_written(tmp_path: Path) -> None:
    for stem in ("n" * 250, "ü" * 125):
        write_atomic(tmp_path / f"{stem}.json", "long")
    assert {one.read_text() for one in tmp_path.iterdir()} == {"long"}
    with pytest.raises(OSError, match="too long"):
        write_atomic(tmp_path / ("n" * 300), "longer")


def test_a_folder_takes_the_place_of_an_empty_one_only(tmp_path: Path) -> None:
    folder = tmp_path / "test"
    folder.mkdir()
    for done in (True, False):
        try:
            with replaced(folder) as part:
                (part / "Channel").mkdir(parents=True)
        except OSError:
            assert not done
    assert [one.name for one in tmp_path.iterdir()] == ["test"]
    assert [one.name for one in folder.iterdir()] == ["Channel"]


def test_nothing_else_writes_files() -> None:
    parts = {"atomic.py", "mme.py", "tables.py"}  # the latter write what is put in its place
    found = {
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for room in ("app", "solver")
        for file in (ROOT / room).rglob("*.py")
        if file.name not in parts
        and re.search("write_(text|bytes)", file.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"write_text", "write_bytes"}
    }
    assert not found


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("EXAMPLE 1:  SLED / TEST", "EXAMPLE 1_ SLED _ TEST"),
        ("v1.2 of a model", "v1.2 of a model"),
        ("CON", "_CON"),
        ("com1.json", "_com1.json"),
        ("console", "console"),
        ("..", "model"),
        (" /\\\0\n", "model"),
        ("dot. ", "dot"),
        ("Größe" * 60, ("Größe" * 60).encode()[:120].decode(errors="ignore")),
    ],
)
def test_a_title_makes_a_name_that_every_system_takes(title: str, stem: str) -> None:
    assert file_stem(title, "model") == stem
