"""Read channels of ISO-MME tests: what is written comes back, and what is wrong is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.results import ResultsError
from solver.results.mme_reading import described, mme_channels, read_mme_channel

HEAD = {
    "Channel code": "11HEADCG00H3ACXA",
    "Name of the channel": "Head acceleration x",
    "Direction": "X",
    "Channel frequency class": "1000",
    "Unit": "g",
    "Sampling interval": "1.0E-4",
    "Time of first sample": "-0.010",
    "Number of samples": "4",
}


def written(file: Path, values: tuple[str, ...] = ("0.0", "1.5", "-2", "3E0"), **head: str) -> Path:
    about = {**HEAD, **{name.replace("_", " "): value for name, value in head.items()}}
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{name:<28}:{value}" for name, value in about.items()]
    file.write_text("\r\n".join([*lines, *values]) + "\r\n", encoding="latin-1", newline="")
    return file


def test_a_channel_of_a_laboratory(tmp_path: Path) -> None:
    file = written(tmp_path / "Channel" / "t.001", Location="Rücken")
    found = read_mme_channel(file)
    assert (found.name, found.unit, found.axis, found.cfc) == (
        "Head acceleration x",
        "m/s2",
        "x",
        1000,
    )
    assert found.value == pytest.approx(9.80665 * np.array([0.0, 1.5, -2.0, 3.0]))
    assert found.time == pytest.approx([-0.01, -0.0099, -0.0098, -0.0097])
    assert described(file) == "Head acceleration x · g · 11HEADCG00H3ACXA"


@pytest.mark.parametrize(
    ("unit", "si", "factor"),
    [
        ("m/(s*s)", "m/s2", 1.0), ("kN", "N", 1e3), ("Nm", "N*m", 1.0), ("mm", "m", 1e-3),
        ("deg/s", "rad/s", np.pi / 180.0), ("rad/(s*s)", "rad/s2", 1.0), ("km/h", "m/s", 1 / 3.6),
        ("ms", "s", 1e-3), ("1", "1", 1.0), ("NOVALUE", "1", 1.0), ("bar", "Pa", 1e5),
    ],
)  # fmt: skip
def test_units_of_laboratories(tmp_path: Path, unit: str, si: str, factor: float) -> None:
    found = read_mme_channel(written(tmp_path / "t.001", Unit=unit))
    assert found.unit == si
    assert found.value[1] == pytest.approx(1.5 * factor)


def test_times_of_their_own(tmp_path: Path) -> None:
    clock = {"Channel_code": "10TIRS000000TI00", "Unit": "ms"}
    written(tmp_path / "Channel" / "t.002", ("0", "1", "3", "7"), **clock)
    explicit = {"Reference_channel": "explicit", "Reference_channel_name": "10TIRS000000TI00"}
    file = written(tmp_path / "Channel" / "t.001", **explicit)
    assert read_mme_channel(file).time == pytest.approx([0.0, 0.001, 0.003, 0.007])
    (tmp_path / "Channel" / "t.002").unlink()
    with pytest.raises(ResultsError, match="names '10TIRS000000TI00' as its times"):
        read_mme_channel(file)


def test_channels_are_found_from_any_file_of_the_test(tmp_path: Path) -> None:
    files = [written(tmp_path / "Channel" / f"t.{n:03d}") for n in (1, 2, 10)]
    header = tmp_path / "t.mme"
    header.write_text("Title :test")
    for start in (tmp_path, header, files[1]):
        assert mme_channels(start) == files


@pytest.mark.parametrize(
    ("values", "head", "words"),
    [
        (("1",), {}, "fewer than two"),
        (("1", "two"), {}, "no numbers"),
        (("1", "2"), {"Unit": "furlong"}, "no unit known"),
        (("1", "2"), {"Sampling_interval": "NOVALUE"}, "sampling interval"),
        (("1", "2"), {"Sampling_interval": "0"}, "sampling interval of 0"),
        (("1", "2"), {"Channel_code": ""}, "no code"),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path, values: tuple[str, ...], head: dict[str, str], words: str
) -> None:
    with pytest.raises(ResultsError, match=words):
        read_mme_channel(written(tmp_path / "t.001", values, **head))


def test_a_folder_without_channels_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="no channels"):
        mme_channels(tmp_path)
    with pytest.raises(ResultsError, match="cannot be read"):
        read_mme_channel(tmp_path / "none.001")
