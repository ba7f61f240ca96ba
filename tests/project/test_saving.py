"""Projects are saved whole or not at all, with backups of older versions."""

from __future__ import annotations

import json
import os
import signal
import stat
import time
from pathlib import Path

import pytest

from solver.project import (
    SCHEMA_VERSION,
    Project,
    ProjectError,
    load_project,
    open_project,
    save_project,
)
from tests.forks import Forks

DATA = Path(__file__).parent.parent / "data"


def test_a_version_1_file_opens_with_a_note_and_is_backed_up_when_saved(
    tmp_path: Path,
) -> None:
    old = (DATA / "project_v1.json").read_bytes()
    file = tmp_path / "old.json"
    file.write_bytes(old)
    opened = open_project(file)
    assert opened.file_version == 1
    assert [n.code for n in opened.notes] == ["format-older"]
    assert file.read_bytes() == old, "opening changes nothing"

    backup = save_project(opened.project, file)
    assert backup == tmp_path / "old.v1.json"
    assert backup.read_bytes() == old
    assert json.loads(file.read_text())["schema_version"] == SCHEMA_VERSION
    assert save_project(opened.project, file) is None, "a present file needs no backup"


def test_a_second_backup_never_overwrites_the_first(tmp_path: Path) -> None:
    text = (DATA / "project_v1.json").read_text()
    file = tmp_path / "p.json"
    for title in ("one", "two"):
        data = json.loads(text)
        data["title"] = title
        file.write_text(json.dumps(data))
        save_project(load_project(file), file)
    kept = sorted(f.name for f in tmp_path.iterdir())
    assert kept == ["p.json", "p.v1-2.json", "p.v1.json"]
    assert json.loads((tmp_path / "p.v1.json").read_text())["title"] == "one"


def test_saving_keeps_permissions_and_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    save_project(Project(title="a"), file)
    file.chmod(0o640)
    save_project(Project(title="b"), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [f.name for f in tmp_path.iterdir()] == ["p.json"]
    assert load_project(file).title == "b"


def test_saving_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    save_project(Project(title="a"), real)
    link = tmp_path / "link.json"
    link.symlink_to(real)
    save_project(Project(title="b"), link)
    assert link.is_symlink()
    assert load_project(real).title == "b"


def test_a_failed_save_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="is a folder"):
        save_project(Project(), tmp_path)
    with pytest.raises(ProjectError, match="cannot be written"):
        save_project(Project(), tmp_path / "none" / "p.json")
    assert list(tmp_path.iterdir()) == []


SAVER = """
from solver.project import Project, save_project
def work(file):
    n = 0
    while True:
        save_project(Project(title=str(n), note="x" * 15000), file)
        print(n, flush=True)
        n += 1
"""


@pytest.mark.skipif(os.name == "nt", reason="forks")
def test_a_process_killed_while_saving_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    with Forks(SAVER) as savers:
        for moment in range(12):
            saver = savers.begin(str(file))
            # one saves after the other
            assert [savers.told() for _ in range(2)] == ["0", "1"]
            time.sleep(0.01 + 0.0037 * moment)
            os.kill(saver, signal.SIGKILL)
            assert savers.end() == -signal.SIGKILL
            found = load_project(file)
            assert found.note == "x" * 15000
            assert int(found.title) >= 1
