"""Results files: what is written is read, live and file are one, and a crash loses little."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.results import (
    ChannelSpec,
    InjuryValue,
    MemoryTrajectory,
    ResultsError,
    ResultsWriter,
    Trajectory,
    open_results,
    part_path,
    salvage,
)
from solver.results.layout import FRAME_GROUPS, STEP_GROUP
from solver.results.trajectory import Growing
from tests.conftest import CHANNELS, IDS, PROJECT, frame_at, write_run

ROOT = Path(__file__).parent.parent


def memory(frames: int) -> MemoryTrajectory:
    """Give the same run as `results_file`, in memory."""
    live = MemoryTrajectory(IDS, CHANNELS, PROJECT)
    for number in range(frames):
        live.add_frame(1e-3 * number, frame_at(number))
        live.add_step(
            time=1e-3 * number, step=1e-3, evaluations=6 * number, rejected=0,
            event="contact" if number == 3 else "",
        )  # fmt: skip
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
        for name in ("status", "message", "project_json", "segment_ids", "injury", "log"):
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
        for name in live.channel_names:
            a, b = live.channel(name), stored.channel(name)
            assert (a.unit, a.quantity, a.segment, a.axis, a.cfc) == (
                b.unit, b.quantity, b.segment, b.axis, b.cfc,
            )  # fmt: skip
            assert np.array_equal(a.time, b.time)
            assert np.array_equal(a.value, b.value)
        assert np.array_equal(live.segment("neck").velocity, stored.segment("neck").velocity)


def test_what_is_written_is_read_exactly(results_file: Path) -> None:
    with open_results(results_file) as run:
        assert run.time.shape == (600,)
        for number in (0, 255, 256, 599):
            for group in IDS:
                for name, value in frame_at(number)[group].items():
                    assert np.array_equal(run.table(group)[name][number], value)
        assert run.steps()["event"][3] == b"contact"
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


def test_units_are_those_of_the_layout(results_file: Path) -> None:
    with h5py.File(results_file, "r") as file:
        for group in IDS:
            for name, column in FRAME_GROUPS[group].columns.items():
                assert file[f"{group}/{name}"].attrs["unit"] == column.unit


def test_while_written_only_the_part_is_there(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    file.write_bytes(b"an older file")
    with ResultsWriter(file, IDS, CHANNELS, PROJECT, "1") as writer:
        write_run(writer, 10)
        assert part_path(file).is_file()
        assert file.read_bytes() == b"an older file"
        writer.finish("cancelled", "Cancelled by the user.")
    assert [f.name for f in tmp_path.iterdir()] == ["run.h5"]
    with open_results(file) as run:
        assert (run.status, run.message) == ("cancelled", "Cancelled by the user.")
        assert len(run.time) == 10


def test_an_exception_ends_the_file_as_failed(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"

    def solve() -> None:
        with ResultsWriter(file, IDS, CHANNELS, PROJECT, "1") as writer:
            write_run(writer, 7)
            raise ZeroDivisionError("the head met nothing")

    with pytest.raises(ZeroDivisionError):
        solve()
    with open_results(file) as run:
        assert (run.status, run.message) == ("failed", "the head met nothing")
        assert len(run.time) == 7


def test_leaving_without_finishing_is_a_failure(tmp_path: Path) -> None:
    with ResultsWriter(tmp_path / "run.h5", IDS, CHANNELS, PROJECT, "1"):
        pass
    with open_results(tmp_path / "run.h5") as run:
        assert run.status == "failed"


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_never_reaches_the_file(tmp_path: Path, bad: float) -> None:
    file = tmp_path / "run.h5"
    frame = {g: {n: np.array(v) for n, v in c.items()} for g, c in frame_at(5).items()}
    frame["segments"]["velocity"][1, 2] = bad
    words = r"velocity of 'neck' in segments .* t = 5 ms"

    def solve() -> None:
        with ResultsWriter(file, IDS, CHANNELS, PROJECT, "1") as writer:
            for number in range(5):
                writer.frame(1e-3 * number, frame_at(number))
            writer.frame(5e-3, frame)

    with pytest.raises(ResultsError, match=words):
        solve()
    with open_results(file) as run:
        assert run.status == "failed"
        assert "velocity of 'neck'" in run.message
        assert len(run.time) == 5
        assert len(run.table("segments")["position"]) == 5

    with (
        pytest.raises(ResultsError, match="Channel 'neck_x' became"),
        ResultsWriter(file, IDS, CHANNELS, PROJECT, "1") as writer,
    ):
        writer.samples("neck_x", np.array([0.0, 1e-4]), np.array([1.0, bad]))


# --- refusals -------------------------------------------------------------------------------------


def refused(path: Path) -> str:
    with pytest.raises(ResultsError) as failure:
        open_results(path)
    sentence = str(failure.value)
    assert len(sentence.splitlines()) == 1
    assert sentence.endswith(".")
    return sentence


def test_what_is_no_results_file_is_refused_in_a_sentence(
    tmp_path: Path, results_file: Path
) -> None:
    assert "no file" in refused(tmp_path / "none.h5")
    assert "is a folder" in refused(tmp_path)
    text = tmp_path / "text.h5"
    text.write_text("hello")
    assert "not HDF5" in refused(text)
    other = tmp_path / "other.h5"
    with h5py.File(other, "w") as file:
        file["x"] = 1
    assert "another program" in refused(other)
    newer = tmp_path / "newer.h5"
    shutil.copy(results_file, newer)
    with h5py.File(newer, "r+") as file:
        file.attrs["schema_version"] = 99
    assert "newer version" in refused(newer)
    for name in ("project", "time", "channels"):
        shutil.copy(results_file, newer)
        with h5py.File(newer, "r+") as file:
            del file[name]
        assert f"'{name}' is missing" in refused(newer)
    for name in ("status", "message"):
        shutil.copy(results_file, newer)
        with h5py.File(newer, "r+") as file:
            del file.attrs[name]
        assert "damaged" in refused(newer)


OPENING = """
import sys
from pathlib import Path
from solver.results import ResultsError, open_results
for file in sorted(Path(sys.argv[1]).glob("*.h5"))[int(sys.argv[2]):]:
    try:
        with open_results(file) as run:
            for group in run.groups:
                run.table(group)
            for name in run.channel_names:
                run.channel(name)
        print("survived", flush=True)
    except ResultsError as failure:
        print(failure, flush=True)
"""


def test_cut_and_scrambled_files_never_end_in_another_exception(
    tmp_path: Path, results_file: Path
) -> None:
    """In a process of its own: some scrambled bytes send the HDF5 library itself into a loop."""
    whole = results_file.read_bytes()
    file = tmp_path / "bad.h5"
    rng = np.random.default_rng(7)
    for size in (0, 4, 100, 600, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:size])
        assert refused(file)
    count, scrambled = 100, tmp_path / "scrambled"
    scrambled.mkdir()
    for number in range(count):
        raw = bytearray(whole)
        for place in rng.integers(0, min(len(raw), 60_000), 6):
            raw[place] = rng.integers(256)
        (scrambled / f"{number:03}.h5").write_bytes(raw)
    said: list[str] = []
    for _ in range(4):
        command = [sys.executable, "-c", OPENING, str(scrambled), str(len(said))]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = child.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            out += "looped\n"
        assert err == ""
        said += out.splitlines()
        if len(said) == count:
            break
    assert len(said) == count
    assert 0 < said.count("survived") < count
    assert all(line.endswith(".") for line in said if line not in ("survived", "looped"))


def test_unknown_names_are_answered(results_file: Path) -> None:
    with open_results(results_file) as run:
        for ask in (run.segment, run.channel, run.table):
            with pytest.raises(ResultsError, match="'nek'"):
                ask("nek")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\0b", "x" * 201])
def test_a_channel_name_that_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ResultsError, match="cannot be the name"):
        ResultsWriter(tmp_path / "r.h5", {}, [ChannelSpec(name, "m")], b"{}", "1")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="cannot be written"):
        ResultsWriter(tmp_path / "none" / "r.h5", {}, (), b"{}", "1")


FULL_DISK = """
import os, resource, signal, sys
import numpy as np
from solver.results import ResultsError, ResultsWriter
from tests.conftest import CHANNELS, IDS, PROJECT, frame_at
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))
writer = ResultsWriter(sys.argv[1], IDS, CHANNELS, PROJECT, "1")
try:
    for number in range(100_000):
        writer.frame(1e-3 * number, frame_at(number))
except ResultsError as failure:
    print(failure, flush=True)
    os._exit(7)  # HDF5 itself cannot end cleanly after a failed write
"""


def test_a_disk_that_fills_up_ends_the_run_cleanly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.h5"
    full = shutil.disk_usage(tmp_path)._replace(free=10)

    def solve() -> None:
        with ResultsWriter(file, IDS, CHANNELS, PROJECT, "1") as writer:
            for number in range(1000):
                if number == 600:
                    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
                writer.frame(1e-3 * number, frame_at(number))

    with pytest.raises(ResultsError, match="The disk is full"):
        solve()
    with open_results(file) as run:
        assert run.status == "failed"
        assert "disk is full" in run.message
        assert len(run.time) == 512


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on file sizes")
def test_a_write_that_fails_says_so_and_leaves_a_usable_part(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(file)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 7, done.stderr
    assert "cannot be written" in done.stdout
    with open_results(salvage(part_path(file))) as run:
        assert len(run.time) >= 256
        assert np.array_equal(
            run.table("segments")["position"][200], frame_at(200)["segments"]["position"]
        )


# --- a crash --------------------------------------------------------------------------------------

CRASHER = """
import sys, time
import numpy as np
from solver.results import ResultsWriter
from tests.conftest import CHANNELS, IDS, PROJECT, frame_at
writer = ResultsWriter(sys.argv[1], IDS, CHANNELS, PROJECT, "1")
print("ready", flush=True)
number = 0
while True:
    t = 1e-3 * number + np.arange(10) * 1e-4
    writer.frame(1e-3 * number, frame_at(number))
    writer.samples("neck_x", t, t ** 2)
    writer.samples("head_resultant", t, 10 * np.sin(100 * t))
    number += 1
    if number % 256 == 0:
        print(number, flush=True)
"""


def test_a_killed_run_is_salvaged(tmp_path: Path) -> None:
    for moment in range(8):
        file = tmp_path / f"run{moment}.h5"
        with subprocess.Popen(
            [sys.executable, "-c", CRASHER, str(file)], stdout=subprocess.PIPE, cwd=ROOT
        ) as run:
            assert run.stdout is not None
            for _ in range(2 + moment):
                told = run.stdout.readline()
            time.sleep(0.0013 * moment)
            run.send_signal(signal.SIGKILL)
        assert "salvage" in refused(part_path(file)) or os.name == "nt"
        done = salvage(part_path(file))
        assert done == file
        assert not part_path(file).exists()
        with open_results(file) as saved:
            assert saved.status == "failed"
            assert saved.project_json == PROJECT
            count = len(saved.time)
            assert count >= int(told), "what was flushed before is there"
            assert np.array_equal(saved.time, 1e-3 * np.arange(count))
            for group in IDS:
                for name, value in frame_at(count - 1)[group].items():
                    assert np.array_equal(saved.table(group)[name][-1], value)
            channel = saved.channel("neck_x")
            assert np.array_equal(channel.value, channel.time**2)


KILLED_AT_THE_END = """
import os, signal, sys
from solver.results import ResultsWriter, writer as module
from tests.conftest import CHANNELS, IDS, PROJECT, frame_at
moment = sys.argv[2]

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def half(file, status, *_):
    file.attrs["status"] = status
    file.attrs["message"] = "half"
    file.create_group("injury")
    file.flush()
    die()

if moment == "completing":
    module.complete = half
elif moment == "copying":
    module.shutil.copyfile = lambda a, b: (open(b, "wb").write(open(a, "rb").read(5000)), die())
elif moment == "publishing":
    module.publish = die
writer = ResultsWriter(sys.argv[1], IDS, CHANNELS, PROJECT, "1")
for number in range(700):
    writer.frame(1e-3 * number, frame_at(number))
writer.finish("completed", injury=(lambda run: die()) if moment == "figures" else ())
"""


@pytest.mark.parametrize("moment", ["figures", "copying", "completing", "publishing"])
def test_a_run_that_is_killed_at_its_end_is_salvaged_whole(tmp_path: Path, moment: str) -> None:
    file = tmp_path / "run.h5"
    done = subprocess.run(
        [sys.executable, "-c", KILLED_AT_THE_END, str(file), moment], cwd=ROOT, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert not file.exists()
    with open_results(salvage(part_path(file))) as run:
        assert len(run.time) == 700
        assert "Salvaged" in run.message
    assert [one.name for one in tmp_path.iterdir()] == ["run.h5"], "nothing is left over"


def test_a_full_disk_completes_the_part_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.h5"
    writer = ResultsWriter(file, IDS, CHANNELS, PROJECT, "1")
    writer.frame(0.0, frame_at(0))
    little = shutil.disk_usage(tmp_path)._replace(free=33 * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: little)
    monkeypatch.setattr(
        Path, "stat", lambda _, **__: os.stat_result((0o100644, 0, 0, 1, 0, 0, 2**30, 0, 0, 0))
    )
    assert writer._copied() == writer.part
    monkeypatch.undo()
    assert writer.finish("completed") == file
    assert [one.name for one in tmp_path.iterdir()] == ["run.h5"]


def broken(whole: Path, copy: Path, name: str, change: Any) -> str:
    """Put something else in place of a dataset; gives what is said of it, empty for nothing."""
    shutil.copy(whole, copy)
    with h5py.File(copy, "r+") as file:
        old = file[name][()]
        attrs = dict(file[name].attrs)
        del file[name]
        new = change(old)
        if new is not None:
            file[name] = new
            file[name].attrs.update(attrs)
    try:
        with open_results(copy) as run:
            for group in run.groups:
                run.table(group)
            for channel in run.channel_names:
                run.channel(channel)
            run.steps()
            assert len(run.time)
    except ResultsError as failure:
        return str(failure)
    return ""


def spoilt(values: Any) -> Any:
    out = np.array(values, float)
    out.flat[out.size // 2] = np.nan
    return out


def _words(shape: tuple[int, ...]) -> Any:
    return np.full(shape, b"words")


def test_wrong_shapes_and_values_are_told_in_a_sentence(tmp_path: Path, results_file: Path) -> None:
    names: list[str] = []
    with h5py.File(results_file) as file:
        file.visititems(
            lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None
        )
    arrays = [n for n in names if n.split("/")[0] not in ("project", "log", "injury")]
    copy = tmp_path / "broken.h5"
    for name in arrays:
        other = np.ones if name.split("/")[-1] in ("ids", "event") else _words
        for change in (
            lambda _: None,
            lambda old: old[:-1],
            lambda old: old[..., None],
            lambda old: old.reshape(-1)[0],
            lambda old, other=other: other(old.shape),
            lambda old: spoilt(old) if np.asarray(old).dtype.kind == "f" else None,
        ):
            sentence = broken(results_file, copy, name, change)
            assert sentence.endswith("."), (name, sentence)
            assert len(sentence.splitlines()) == 1
            assert str(copy) in sentence


def test_times_that_run_backwards_are_told(tmp_path: Path, results_file: Path) -> None:
    copy = tmp_path / "back.h5"
    for name in ("time", "channels/neck_x/time"):
        assert "run backwards" in broken(results_file, copy, name, lambda old: old[::-1].copy())
        assert "not a number" in broken(results_file, copy, name, spoilt)


def test_salvage_leaves_finished_and_foreign_files_alone(
    tmp_path: Path, results_file: Path
) -> None:
    with pytest.raises(ResultsError, match="needs no salvage"):
        salvage(results_file, tmp_path / "x.h5")
    assert results_file.is_file()
    other = tmp_path / "x.part.h5"
    other.write_text("hello")
    with pytest.raises(ResultsError, match="not HDF5"):
        salvage(other)
    assert other.read_text() == "hello"
    (tmp_path / "x.h5").write_text("mine")
    with pytest.raises(ResultsError, match="is there already"):
        salvage(other)
    assert sorted(f.name for f in tmp_path.iterdir()) == ["results", "x.h5", "x.part.h5"]


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
