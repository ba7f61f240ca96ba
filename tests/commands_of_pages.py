"""The command lines of the pages run, each with files as its page has them; a test module for `make installed`."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import manikin as mk
from app.front_door import main as program
from solver.base import places

LEFT_OUT = {
    "manikin my_sled.json": "opens the window",
    "manikin bench": "all tests of all dummies: half a minute",
    "manikin study woman.json": "three minutes",
    "manikin study model.json --scheduler": "needs a cluster",
    "--from-markers": "goes on from the files of a laboratory",
    "--tracks tracks.csv": "goes on from the files of a laboratory",
    "--into car.json": "goes on from a car of one's own",
    "seat.json": "goes on from a seat of one's own",
    "column.json": "goes on from a column of one's own",
    "--studies tolerances": "goes on from studies that take long",
    "identify out.h5 --segments hand": "goes on from an arm of one's own",
    "ride.h5": "goes on from a ride of one's own",
    "--quality print": "a picture of 3840 by 2160 points takes a minute",
}
"""Parts of command lines that are not run, and why."""

CODES = {"manikin settle sled.json --check": 1}
"""Exit codes that tell something other than that all is well: this sled does not rest where it starts."""

MARK = re.compile(r"(?:\.venv/bin/)?manikin |python main\.py |python -m manikin ")


def lines(page: Path) -> Iterator[str]:
    """Give the command lines of a page, without what is said beside them."""
    fence, line = "", ""
    for text in page.read_text(encoding="utf-8").splitlines():
        if text.startswith("```"):
            fence = "" if fence else text
            continue
        line = f"{line} {text.strip()}" if line else text
        is_shell = fence in ("```", "```sh")
        if is_shell and line.endswith("\\"):
            line = line.removesuffix("\\")
            continue
        begun = MARK.match(line)
        if is_shell and begun:
            words = re.sub(r"\s+#.*", "", line[begun.end() :])
            yield f"manikin {words.strip()}"
        line = ""


def commands() -> list[tuple[str, str]]:
    """Give all of them with the name of their page; tutorials have a test of their own."""
    pages = [
        one for one in sorted(places.docs().glob("*.md")) if not one.stem.startswith("tutorial")
    ]
    return [
        (page.stem, line)
        for page in pages
        for line in lines(page)
        if line not in LEFT_OUT
        and not any(part in line for part in set(LEFT_OUT) - {"manikin bench"})
    ]


COMMANDS = commands()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the files that pages name."""
    folder = tmp_path_factory.mktemp("commands")
    model = mk.sample("sled").until(0.065)
    run = mk.run(model).save(folder / "run.h5")
    for name in ("out.h5", "other.h5", "before.h5", "after.h5"):
        shutil.copy(run, folder / name)
    for name in ("sled.json", "model.json"):
        model.save(folder / name)
    for name, sample in {"car": "frontal", "arm": "double_pendulum"}.items():
        mk.sample(sample).save(folder / f"{name}.json")
    return folder


def test_each_sort_of_command_is_there() -> None:
    assert {line.split()[1] for _, line in COMMANDS} >= {
        "body", "bench", "injury", "inverse", "modes", "movie", "plot", "report", "scene", "show", "table",
    }  # fmt: skip


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[line for _, line in COMMANDS])
def test_a_command_does_its_work(
    page: str, line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    monkeypatch.chdir(folder)
    # what a shell makes of {x,y,z}
    spread = re.sub(r"(\S*)\{(\w+),(\w+),(\w+)\}", r"\1\2 \1\3 \1\4", line)
    if line.endswith(".mp4") or ".mp4 " in line:
        # the same, in a few small pictures
        spread += " --size 160x120 --to 4"
    code = program(shlex.split(spread)[1:])
    assert code == CODES.get(line, 0), capsys.readouterr().err
