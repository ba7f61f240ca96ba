"""What is no sound results file, or cannot be written, is told in a sentence."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from solver.results import ChannelSpec, ResultsError, ResultsWriter, open_results
from tests.exploring import SEED
from tests.made_up_run import CHANNELS, IDS, PROJECT, frame_at
from tests.results.results_refusals import refused

ROOT = Path(__file__).parent.parent.parent


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
import hashlib, sys
from pathlib import Path
import numpy as np
from solver.results import ResultsError, open_results
for file in sorted(Path(sys.argv[1]).glob("*.h5"))[int(sys.argv[2]):]:
    try:
        with open_results(file) as run:
            content = [run.status, run.message, run.created_utc, run.app_version, run.run_id, run.log]
            content += [run.injury, run.project_json, np.asarray(run.time).tobytes()]
            tables = [(group, run.table(group)) for group in run.groups]
            for group, table in [*tables, ("steps", run.steps())]:
                content += [group, table.ids, *(v.tobytes() for v in table.columns.values())]
            for name in run.channel_names:
                one = run.channel(name)
                content += [run.channel_spec(name), one.time.tobytes(), one.value.tobytes()]
        print("read", hashlib.sha256(repr(content).encode()).hexdigest(), flush=True)
    except ResultsError as failure:
        print(failure, flush=True)
"""


def read_all(folder: Path, count: int) -> list[str]:
    """Read files in a process of its own: bytes put at random can send HDF5 itself into a loop."""
    said: list[str] = []
    for _ in range(4):
        command = [sys.executable, "-c", OPENING, str(folder), str(len(said))]
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
        )
        try:
            out, err = child.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            out += "looped\n"
        assert err == ""
        said += out.splitlines()
        if len(said) == count:
            break
    assert len(said) == count
    return said


@pytest.mark.seeded
def test_cut_and_scrambled_files_are_told_or_read_exactly(
    tmp_path: Path, results_file: Path
) -> None:
    whole = results_file.read_bytes()
    file = tmp_path / "bad.h5"
    rng = np.random.default_rng(SEED + 7)
    for size in (0, 4, 96, 100, 600, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:size])
        assert refused(file)
    scrambled = tmp_path / "scrambled"
    scrambled.mkdir()
    (scrambled / "000.h5").write_bytes(whole)
    count = 160
    for number in range(1, count):
        raw = bytearray(whole)
        if number % 4 == 0:
            for place in rng.integers(0, len(raw), 6):
                raw[place] = rng.integers(256)
        else:
            # one flipped bit, near the start in every second file: what HDF5 keeps stands there
            place = rng.integers(0, 60_000 if number % 2 else len(raw))
            raw[place] ^= 1 << int(rng.integers(8))
        (scrambled / f"{number:03}.h5").write_bytes(raw)
    said = read_all(scrambled, count)
    assert said[0].startswith("read ")
    survived = [line for line in said if line.startswith("read ")]
    assert set(survived) == {said[0]}, "what can be read is what was written"
    assert len(survived) < count // 4, "most of a file has checksums"
    assert all(line.endswith(".") for line in said if line not in survived and line != "looped")


def test_injury_figures_that_cannot_be_read_are_not_left_out(
    tmp_path: Path, results_file: Path
) -> None:
    whole = results_file.read_bytes()
    with h5py.File(results_file) as found:
        place = h5py.h5o.get_info(found["injury"].id).addr
    # the header of the group: names and places of its datasets, after its size and times
    for at in range(place + 8, place + 120, 8):
        raw = bytearray(whole)
        raw[at] ^= 2
        (tmp_path / "bad.h5").write_bytes(raw)
        assert "damaged" in refused(tmp_path / "bad.h5"), f"byte {at - place} of the group"


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
            assert run.log
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
    """Each array is missing once, and twice is another than it should be, by turns in each way."""
    names: list[str] = []
    with h5py.File(results_file) as file:
        file.visititems_links(
            lambda name, _: names.append(name) if isinstance(file[name], h5py.Dataset) else None
        )
    arrays = [n for n in names if n.split("/")[0] not in ("project", "log", "notes", "injury")]
    copy = tmp_path / "broken.h5"
    for number, name in enumerate(arrays):
        other = np.ones if name.split("/")[-1] in ("ids", "names", "kinds") else _words
        ways = (
            lambda old: old[:-1],
            lambda old: spoilt(old) if np.asarray(old).dtype.kind == "f" else None,
            lambda old: old[..., None],
            lambda old, other=other: other(old.shape),
            lambda old: old.reshape(-1)[0],
        )
        for change in (lambda _: None, ways[number % 5], ways[(number + 1) % 5]):
            if name == "events/more" and change(np.zeros((1, 1))) is None:
                # files of before impacts told more do without
                assert broken(results_file, copy, name, change) == ""
                continue
            sentence = broken(results_file, copy, name, change)
            assert sentence.endswith("."), (name, sentence)
            assert len(sentence.splitlines()) == 1
            assert str(copy) in sentence


def test_times_that_run_backwards_are_told(tmp_path: Path, results_file: Path) -> None:
    copy = tmp_path / "back.h5"
    for name in ("time", "channels/neck_x/time", "events/time"):
        assert "run backwards" in broken(results_file, copy, name, lambda old: old[::-1].copy())
        assert "not a number" in broken(results_file, copy, name, spoilt)


def test_a_status_that_was_changed_is_refused(tmp_path: Path, results_file: Path) -> None:
    copy = tmp_path / "copy.h5"
    copy.write_bytes(results_file.read_bytes())
    with h5py.File(copy, "r+") as file:
        file.attrs["message"] = "all is well"
    with pytest.raises(ResultsError, match=r"changed|damaged"), open_results(copy):
        pass
