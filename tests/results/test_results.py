"""Results files: what is written is read, live and file are one."""

from __future__ import annotations

import errno
import hashlib
import json
import lzma
import os
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.engine.jit.level import level
from solver.results import (
    InjuryValue,
    MemoryTrajectory,
    ResultsError,
    ResultsWriter,
    Trajectory,
    hdf5,
    open_results,
    parts_of,
    save_run,
)
from solver.results.layout import FRAME_GROUPS, STEP_GROUP
from solver.results.memory import Growing
from solver.results.stored import pack, unpack
from tests.made_up_run import CHANNELS, EVENTS, IDS, NAMES, PROJECT, frame_at, write_run


def memory(frames: int) -> MemoryTrajectory:
    """Give the same run as `results_file`, in memory."""
    live = MemoryTrajectory(IDS, CHANNELS, PROJECT)
    for number in range(frames):
        live.add_frame(1e-3 * number, frame_at(number))
        live.add_steps({"time": [1e-3 * number], "step": [1e-3], "evaluations": [6 * number], "rejected": [0]})  # fmt: skip
    live.add_events(EVENTS)
    t = np.arange(10 * frames) * 1e-4
    live.add_samples("head_resultant", t, 10.0 * np.sin(100.0 * t))
    live.add_samples("neck_x", t, t**2)
    value = InjuryValue("HIC15", 412.5, "1", 0.061, 0.076, "head_resultant", 1000)
    live.finish("completed", "", [value], ["started", "Kopf trifft Polster"])
    return live


def test_live_and_file_are_read_alike(results_file: Path) -> None:
    live = memory(600)
    with open_results(results_file) as stored:
        assert isinstance(live, Trajectory)
        assert isinstance(stored, Trajectory)
        for name in ("status", "message", "project_json", "segment_ids", "injury", "notes", "log"):
            assert getattr(live, name) == getattr(stored, name), name
        assert set(live.channel_names) == set(stored.channel_names)
        assert np.array_equal(live.time, stored.time)
        for group in IDS:
            a, b = live.table(group), stored.table(group)
            assert a.ids == b.ids
            for name in FRAME_GROUPS[group].columns:
                assert a[name].dtype == b[name].dtype
                assert np.array_equal(a[name], b[name]), (group, name)
        for name in STEP_GROUP.columns:
            assert np.array_equal(live.steps()[name], stored.steps()[name])
        assert live.events() == stored.events()
        for name in live.channel_names:
            a, b = live.channel(name), stored.channel(name)
            assert (a.unit, a.quantity, a.segment, a.axis, a.cfc) == (
                b.unit, b.quantity, b.segment, b.axis, b.cfc,
            )  # fmt: skip
            assert np.array_equal(a.time, b.time)
            assert np.array_equal(a.value, b.value)
        assert np.array_equal(live.segment("neck").velocity, stored.segment("neck").velocity)


def test_a_run_in_memory_that_is_saved_keeps_its_figures_and_notes(tmp_path: Path) -> None:
    live = memory(3)
    with open_results(save_run(live, tmp_path / "saved.h5", "0.1.0")) as saved:
        for name in ("status", "message", "injury", "notes", "log"):
            assert getattr(saved, name) == getattr(live, name), name
        assert saved.injury
        assert saved.notes


def test_what_is_known_late_to_have_begun_early_stands_where_it_began(tmp_path: Path) -> None:
    """A belt that presses into the belly is told once it has done so for a time, when later events have been written."""
    live = memory(3)
    live.add_events([replace(EVENTS[0], time=1e-4)])
    with open_results(save_run(live, tmp_path / "saved.h5", "0.1.0")) as saved:
        assert saved.events()[0].time == 1e-4
        assert saved.events() == live.events()
    with ResultsWriter(tmp_path / "run.h5", IDS, CHANNELS, PROJECT, "0.1.0", "run", names=NAMES) as writer:  # fmt: skip
        write_run(writer, 3)
        writer.events([replace(EVENTS[0], time=1e-4)])
        writer.finish("completed")
    with open_results(tmp_path / "run.h5") as run:
        assert run.events() == live.events()


def test_what_is_written_is_read_exactly(results_file: Path) -> None:
    with open_results(results_file) as run:
        assert run.time.shape == (600,)
        for number in (0, 255, 256, 599):
            for group in IDS:
                for name, value in frame_at(number)[group].items():
                    assert np.array_equal(run.table(group)[name][number], value)
        assert run.events() == EVENTS
        assert run.injury["HIC15"].t2 == 0.076
        assert run.segment("Rücken").position.shape == (600, 3)


@settings(max_examples=25, deadline=None)
@given(
    frames=st.integers(0, 40),
    names=st.lists(st.text("abcü_", min_size=1, max_size=5), unique=True, max_size=4),
    title=st.text(max_size=30).map(lambda t: t.encode("utf-8", "replace").decode()),
)
def test_any_shape_makes_the_way_and_back(
    tmp_path_factory: pytest.TempPathFactory, frames: int, names: list[str], title: str
) -> None:
    file = tmp_path_factory.mktemp("r") / "r.h5"
    project = title.replace("\0", "").encode()
    rng = np.random.default_rng(frames)
    columns = FRAME_GROUPS["springs"].columns
    values = {n: rng.normal(size=(frames, len(names), *c.shape)) for n, c in columns.items()}
    with ResultsWriter(file, {"springs": names}, (), project, "1") as writer:
        for i in range(frames):
            writer.frame(0.1 * i, {"springs": {n: v[i] for n, v in values.items()}})
        writer.finish("completed")
    with open_results(file) as run:
        assert run.project_json == project
        assert run.table("springs").ids == tuple(names)
        for name, value in values.items():
            assert np.array_equal(run.table("springs")[name], value)


def test_the_file_is_plain_hdf5_with_units_and_nexus(results_file: Path) -> None:
    with h5py.File(results_file, "r") as file:
        assert file.attrs["format"] == "manikin-results"
        assert file.attrs["status"] == "completed"
        assert file.attrs["processor"] == level().name
        assert file.attrs["project_sha256"] == hashlib.sha256(PROJECT).hexdigest()
        assert file["project"][()] == PROJECT
        assert file["segments/position"].shape == (600, 3, 3)
        assert file["segments/quaternion_wxyz"].shape == (600, 3, 4)
        assert list(file["segments/ids"].asstr()[()]) == list(IDS["segments"])

        missing: list[str] = []
        file.visititems(
            lambda name, item: (
                missing.append(name)
                if isinstance(item, h5py.Dataset) and "unit" not in item.attrs
                else None
            )
        )
        assert missing == []
        # the way a NeXus viewer goes: root, its default entry, its default data, its signal
        assert file.attrs["NX_class"] == "NXroot"
        entry = file[file.attrs["default"]]
        assert entry.attrs["NX_class"] == "NXentry"
        data = entry[entry.attrs["default"]]
        assert data.attrs["NX_class"] == "NXdata"
        signal, axis = data[data.attrs["signal"]], data[data.attrs["axes"][0]]
        assert signal.shape == axis.shape == (6000,)
        assert signal.attrs["long_name"] == "head_resultant [m/s2]"
        assert dict(data.attrs)["cfc"] == 1000


def test_channels_of_the_same_instants_share_their_times(tmp_path: Path) -> None:
    specs = [replace(CHANNELS[0], name=name) for name in "abcd"]
    time = np.arange(1000) * 1e-4
    times = dict.fromkeys("abd", time) | {"c": np.append(time[:-1], 0.1)}
    with ResultsWriter(tmp_path / "run.h5", IDS, specs, PROJECT, "1") as writer:
        for part in (slice(0, 400), slice(400, 990), slice(990, 1000)):
            for number, name in enumerate("abc"):
                writer.samples(name, times[name][part], times[name][part] + number)
        writer.samples("d", time[:999], time[:999])
        writer.finish("completed")
    with h5py.File(tmp_path / "run.h5") as file:
        a, b, c, d = (file[f"channels/{name}/time"] for name in "abcd")
        assert a == b
        assert len({a, c, d}) == 3
        for one in (a, c, d):
            assert (one.attrs["units"], one.attrs["long_name"]) == ("s", "time [s]")
    with open_results(tmp_path / "run.h5") as run:
        for number, name in enumerate("abc"):
            channel = run.channel(name)
            assert np.array_equal(channel.time, times[name])
            assert np.array_equal(channel.value, times[name] + number)
        assert np.array_equal(run.channel("d").time, time[:999])
    pack(tmp_path / "run.h5", tmp_path / "stored")
    unpack(tmp_path / "stored", tmp_path / "again.h5", PROJECT)
    with open_results(tmp_path / "again.h5") as run:
        for name in "abc":
            assert np.array_equal(run.channel(name).time, times[name])
    with h5py.File(tmp_path / "again.h5") as file:
        assert file["channels/a/time"] == file["channels/b/time"]


@pytest.mark.parametrize("spread", [1.0, 1e-9, 1e9])
def test_a_stored_run_keeps_what_is_shown(
    results_file: Path, tmp_path: Path, spread: float
) -> None:
    """Numbers of any size come back within half a step; times, counts, words and what is infinite are the very same."""
    rng = np.random.default_rng(5)
    with h5py.File(results_file, "r+") as file:
        for name, shape in (("a", (90,)), ("b", (90, 4)), ("c", (90, 4, 3))):
            values = (
                spread
                * rng.normal(size=shape).cumsum(axis=0)
                * 10.0 ** rng.integers(-6, 6, shape[1:2])[(...,) + (None,) * (len(shape) == 3)]
            )
            values[rng.random(shape) < 0.2] = 0.0
            file[f"more/{name}"] = values
        file["more/count"] = rng.integers(-(2**62), 2**62, 90)
        file["more/time"] = np.arange(90) * 1e-4
        file["more/endless"] = np.where(rng.random(90) < 0.1, np.inf, 1.0 / 3.0)
    stored, again = tmp_path / "stored", tmp_path / "again.h5"
    pack(results_file, stored)
    unpack(stored, again, PROJECT)
    with open_results(results_file) as one, open_results(again) as other:
        for name in ("status", "message", "project_json", "segment_ids", "injury", "notes", "log"):
            assert getattr(one, name) == getattr(other, name), name
        assert one.events() == other.events()
        assert np.array_equal(one.time, other.time)
        for name in one.channel_names:
            assert np.array_equal(one.channel(name).time, other.channel(name).time)
    with h5py.File(results_file) as one, h5py.File(again) as other:
        for name in ("count", "time", "endless"):
            assert np.array_equal(one["more"][name], other["more"][name]), name
        for name in ("more/a", "more/b", "more/c", "segments/position", "segments/velocity"):
            before, after = one[name][()], other[name][()]
            largest = np.abs(before).max(axis=(0, *range(2, before.ndim)), keepdims=True)
            parts = 2**18 if name.endswith("position") else 2**15
            assert np.all(np.abs(after - before) <= largest * 2.0 / parts), name
            assert np.any(after != before), name


def test_a_stored_run_is_of_its_model(results_file: Path, tmp_path: Path) -> None:
    """Words may be others; what is computed may not, and a byte that is wrong is no run."""
    stored = tmp_path / "stored"
    pack(results_file, stored)
    said = json.loads(PROJECT) | {"title": "Neck", "note": "Other words.", "studies": [1]}
    text = json.dumps(said).encode()
    unpack(stored, tmp_path / "again.h5", text)
    with open_results(tmp_path / "again.h5") as run:
        assert run.project_json == text
    other = json.dumps(said | {"gravity_m_per_s2": [0, 0, -9.81]}).encode()
    with pytest.raises(ResultsError, match="another model"):
        unpack(stored, tmp_path / "none.h5", other)
    data = stored.read_bytes()
    for bad in (b"", b"no", data[: len(data) // 2], data[:-20] + bytes(20), lzma.compress(b"no")):
        stored.write_bytes(bad)
        with pytest.raises(ResultsError, match="damaged"):
            unpack(stored, tmp_path / "none.h5", PROJECT)
    assert not (tmp_path / "none.h5").exists()


def test_units_are_those_of_the_layout(results_file: Path) -> None:
    with h5py.File(results_file, "r") as file:
        for group in IDS:
            for name, column in FRAME_GROUPS[group].columns.items():
                assert file[f"{group}/{name}"].attrs["unit"] == column.unit


def test_while_written_only_the_part_is_there(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    file.write_bytes(b"an older file")
    with ResultsWriter(file, IDS, CHANNELS, PROJECT, "1", names=NAMES) as writer:
        write_run(writer, 10)
        assert parts_of(file) == [writer.part]
        assert writer.part.is_file()
        assert file.read_bytes() == b"an older file"
        writer.finish("cancelled", "Cancelled by the user.")
    assert [f.name for f in tmp_path.iterdir()] == ["run.h5"]
    with open_results(file) as run:
        assert (run.status, run.message) == ("cancelled", "Cancelled by the user.")
        assert len(run.time) == 10


def test_leaving_without_finishing_is_a_failure(tmp_path: Path) -> None:
    with ResultsWriter(tmp_path / "run.h5", IDS, CHANNELS, PROJECT, "1"):
        pass
    with open_results(tmp_path / "run.h5") as run:
        assert run.status == "failed"


def test_a_view_of_growing_data_is_not_changed_by_growth() -> None:
    growing = Growing((), "f8", 2)
    growing.extend(np.array([1.0, 2.0]))
    before = growing.view()
    for value in range(100):
        growing.append(value)
    assert before.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        before[0] = 5.0


def test_a_growing_run_is_seen_as_it_stood() -> None:
    memory = MemoryTrajectory(IDS, CHANNELS, PROJECT)
    for number in range(100):
        memory.add_frame(1e-3 * number, frame_at(number))
        memory.add_samples("head_resultant", np.full(10, 1e-3 * number), np.full(10, 1.0 * number))
        if number == 40:
            seen = memory.snapshot()
        if number < 99:
            memory.add_samples("neck_x", np.full(10, 1e-3 * number), np.full(10, 2.0 * number))
    assert len(seen.time) == len(seen.table("segments")["position"]) == 41
    assert len(seen.channel("head_resultant").value) == len(seen.channel("neck_x").value) == 400
    assert len(memory.time) == 100
    assert seen.segment("neck").position[-1] == pytest.approx(memory.segment("neck").position[40])


def test_hdf5_reads_back_what_a_full_disk_did_not_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the disk is full: the reason is told, and HDF5 never meets bytes nobody wrote."""
    left, real = 0, os.write

    def write(handle: int, data: bytes) -> int:
        nonlocal left
        if left < len(data):
            raise OSError(errno.ENOSPC, "full")
        left -= len(data)
        return real(handle, data)

    def fill(path: Path) -> None:
        with hdf5.written(path, libver=None) as file:
            names = ["a", "longer", "the longest of all"]
            file.create_dataset("names", data=names, dtype=h5py.string_dtype("utf-8"))
            file["numbers"] = np.arange(100.0)
            assert list(file["names"].asstr()[()]) == names
            assert np.array_equal(file["numbers"][()], np.arange(100.0))

    monkeypatch.setattr(os, "write", write)
    for room in (0, 1, 100, 300, 1000, 2000, 4000):
        left = room
        with pytest.raises(OSError, match="full"):
            fill(tmp_path / "full.h5")
    left = 100_000
    fill(tmp_path / "whole.h5")
