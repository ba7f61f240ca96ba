"""The ground floor: opening, checking and saving projects, writing and reading results."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.timing import median_time
from solver.base.places import samples
from solver.project import Project, load_project, save_project, to_json, validated
from solver.project.checks import check
from solver.results import ChannelSpec, ResultsWriter, open_results
from solver.results.layout import FRAME_GROUPS
from solver.results.trajectory import rows_of, value_shape


def table(repeats: int = 15) -> str:
    """The table of this part."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [*_projects(Path(folder), repeats), *_results(Path(folder)), *_start()]
    lines = ["## Projects and results", "", "| what | time | asked |", "|---|---|---|"]
    lines += [f"| {what} | {seconds * 1e3:.1f} ms | {asked} |" for what, seconds, asked in rows]
    return "\n".join([*lines, ""])


def four_sleds() -> Project:
    """A project of 61 segments: the sled with four occupants."""
    sled = json.loads((samples() / "sled.json").read_text(encoding="utf-8"))
    people = {s["id"] for s in sled["segments"]} - {"vehicle"}
    owned = people | {
        e["id"] for n in ("joints", "contacts", "harnesses", "outputs") for e in sled[n]
    }

    def renamed(value: object, mark: str) -> object:
        if isinstance(value, dict):
            return {k: v if k == "criterion" else renamed(v, mark) for k, v in value.items()}
        if isinstance(value, list):
            return [renamed(v, mark) for v in value]
        return f"{value}{mark}" if isinstance(value, str) and value in owned else value

    whole = json.loads(json.dumps(sled))
    for number in range(1, 4):
        copy = renamed(sled, f"_{number}")
        for name in ("segments", "joints", "contacts", "harnesses", "outputs"):
            whole[name] += [e for e in copy[name] if e["id"] != "vehicle"]  # type: ignore[index]
        for name in ("roots", "attitudes"):
            start = copy["initial"][name]  # type: ignore[index]
            whole["initial"][name] += [e for e in start if e["segment"] != "vehicle"]
    return validated(whole)


def _projects(folder: Path, repeats: int) -> list[tuple[str, float, str]]:
    project = four_sleds()
    file = folder / "four.json"
    save_project(project, file)
    assert not any(p.severity == "error" for p in check(project))
    size = f"{len(project.segments)} segments, {len(project.contacts)} contacts"

    def load_and_check() -> None:
        check(load_project(file))

    return [
        (f"load and check, {size}", median_time(load_and_check, repeats), "< 100 ms"),
        ("- of which load", median_time(lambda: load_project(file), repeats), ""),
        ("- of which check", median_time(lambda: check(project), repeats), ""),
        ("canonical text of it", median_time(lambda: to_json(project), repeats), ""),
        (
            "save it, forced to the disk",
            median_time(lambda: save_project(project, file), repeats),
            "",
        ),
    ]


def _results(folder: Path) -> list[tuple[str, float, str]]:
    ids = {
        "segments": [f"s{i}" for i in range(17)],
        "joints": [f"j{i}" for i in range(16)],
        "contacts": [f"c{i}" for i in range(25)],
        "energy": [],
    }
    channels = [ChannelSpec(f"c{i}", "m/s2") for i in range(60)]
    frame = {
        g: {n: np.ones(value_shape(c, rows_of(g, ids))) for n, c in FRAME_GROUPS[g].columns.items()}
        for g in ids
    }
    file = folder / "run.h5"
    samples_ = np.arange(2000) * 1e-4

    def write() -> None:
        with ResultsWriter(file, ids, channels, b"{}", "1") as writer:
            for number in range(2000):
                writer.frame(1e-4 * number, frame)
            for channel in channels:
                writer.samples(channel.name, samples_, samples_)
            writer.finish("completed")

    def read() -> None:
        with open_results(file) as run:
            run.table("segments")
            for name in run.channel_names:
                run.channel(name)

    written = median_time(write, 5)
    size = file.stat().st_size / 1e6
    return [
        (f"write results of 200 ms at 10 kHz ({size:.0f} MB)", written, ""),
        ("open it, read the motion and all channels", median_time(read, 5), ""),
    ]


def _start() -> list[tuple[str, float, str]]:
    sled = str(samples() / "sled.json")
    program = "import sys; from app.front_door import main; sys.exit(main(['check', sys.argv[1]]))"

    def start() -> None:
        subprocess.run([sys.executable, "-c", program, sled], check=True, capture_output=True)

    return [("the command `check` on the sled, from the shell", median_time(start, 5), "")]
