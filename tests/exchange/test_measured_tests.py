"""Measured tests: what laboratories write comes back in SI, with names, codes and figures; what is wrong is said."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import manikin as mk
from solver.base.places import samples
from solver.base.words import Refusal
from solver.cli import main
from solver.engine.signals import cfc
from solver.exchange.measured.codes import read_code
from solver.exchange.measured.figures import figures_of
from solver.exchange.measured.mme import described
from solver.exchange.measured.reading import read_test
from solver.injury import hic
from solver.injury.reference import reference
from solver.results import Channel, ResultsError
from tests.c3d_files import c3d_bytes
from tests.measured_files import ev5, mme_channel, uds_bytes

G = 9.80665


def only(path: Path) -> Channel:
    (one,) = read_test(path).channels
    return one


def test_a_channel_of_a_laboratory(tmp_path: Path) -> None:
    file = mme_channel(tmp_path / "Channel" / "t.001", Location="Rücken")
    found = only(file)
    assert (found.name, found.unit, found.axis, found.cfc, found.code) == (
        "Head acceleration x",
        "m/s2",
        "x",
        1000,
        "11HEADCG00H3ACXA",
    )
    assert found.value == pytest.approx(G * np.array([0.0, 1.5, -2.0, 3.0]))
    assert found.time == pytest.approx([-0.01, -0.0099, -0.0098, -0.0097])
    words = "front left · head mass centre · acceleration x · Hybrid III 50 %"
    assert (
        described(file.read_text(encoding="latin-1"))
        == f"{words} · Head acceleration x · g · 11HEADCG00H3ACXA"
    )
    nameless = only(
        mme_channel(
            tmp_path / "n.001",
            Name_of_the_channel="",
            Channel_frequency_class="",
            Direction="NOVALUE",
        )
    )
    assert (nameless.name, nameless.cfc, nameless.axis) == (words, 1000, "x"), "the code says it"


@pytest.mark.parametrize(
    ("unit", "si", "factor"),
    [
        ("m/(s*s)", "m/s2", 1.0), ("m / s2", "m/s2", 1.0), ("m/s²", "m/s2", 1.0), ("kN", "N", 1e3), ("Nm", "N*m", 1.0), ("mm", "m", 1e-3), ("deg/s", "rad/s", np.pi / 180.0),
        ("°/s", "rad/s", np.pi / 180.0), ("rad/(s*s)", "rad/s2", 1.0), ("km/h", "m/s", 1 / 3.6), ("ms", "s", 1e-3), ("1", "1", 1.0), ("NOVALUE", "1", 1.0), ("%", "1", 0.01), ("bar", "Pa", 1e5),
        ("kg*m2/s", "kg*m2/s", 1.0), ("J", "J", 1.0), ("kg*m/s", "N*s", 1.0), ("N/mm", "N/m", 1e3), ("kg*m2", "kg*m2", 1.0),
    ],
)  # fmt: skip
def test_units_of_laboratories(tmp_path: Path, unit: str, si: str, factor: float) -> None:
    found = only(mme_channel(tmp_path / "t.001", Unit=unit))
    assert (found.unit, found.value[1]) == (si, pytest.approx(1.5 * factor))


def a_test(folder: Path) -> Path:
    """A test with two rates, a clock, gaps, an index, comments, and channels that cannot be read."""
    channels = folder / "Channel"
    mme_channel(
        channels / "lab.001", ["0", "NOVALUE", "2", "nan", "4", "NOVALUE"], Number_of_samples="6"
    )
    slow = {
        "Sampling interval": "1E-3",
        "Channel code": "13CHST0000HFDSXC",
        "Name of the channel": "",
        "Unit": "mm",
        "Channel frequency class": "CFC 180",
    }
    mme_channel(
        channels / "lab.002",
        ["-1,5", "2"],
        Number_of_samples="3",
        **{k.replace(" ", "_"): v for k, v in slow.items()},
    )
    explicit = {
        "Reference_channel": "explicit",
        "Reference_channel_name": "10TIRS000000TI00",
        "Sampling_interval": "",
        "Time_of_first_sample": "",
    }
    mme_channel(
        channels / "lab.003",
        ["1", "2", "3"],
        Channel_code="S0SLED000000ACXD",
        Name_of_the_channel="",
        Channel_frequency_class="",
        **explicit,
    )
    mme_channel(
        channels / "lab.004",
        ["-1", "0", "5"],
        Channel_code="10TIRS000000TI00",
        Unit="ms",
        Sampling_interval="",
    )
    mme_channel(channels / "lab.005", ["1", "2"], Unit="furlong", Channel_code="11AIRB000000VO00")
    (channels / "lab.chn").write_text(
        "".join(f"Name of channel {n:03d}        :CODE{n} / x\r\n" for n in (1, 2, 9))
    )
    (folder / "lab.mme").write_text(
        "Title                       :Rücken\r\nComments   :first\r\nComments   :second\r\nCustomer : NOVALUE\r\n",
        encoding="latin-1",
    )
    return folder


def test_a_test_from_its_folder_its_files_and_an_archive(tmp_path: Path) -> None:
    folder = a_test(tmp_path / "lab")
    whole = mk.read_test(folder)
    assert whole.about == (("Title", "Rücken"), ("Comments", "first"), ("Comments", "second"))
    head, chest, sled = whole
    assert head.value == pytest.approx(G * np.array([0, 1, 2, 3, 4])), (
        "gaps are bridged, the end is cut"
    )
    assert (len(head.time), len(chest.time), chest.time[1] - chest.time[0]) == (
        5,
        2,
        pytest.approx(1e-3),
    )
    assert (chest.name, chest.cfc, chest.value[0]) == (
        "front right · chest · displacement x · Hybrid III 5 %",
        180,
        pytest.approx(-1.5e-3),
    )
    assert (sled.time.tolist(), sled.name, sled.filtered_to) == (
        [-1e-3, 0.0, 5e-3],
        "sled · acceleration x",
        60,
    )
    notes = "\n".join(whole.notes)
    for words in (
        "3 samples have no value, the first at -9.9 ms",
        "holds 2 samples, its head says 3",
        "'lab.005' is in 'furlong'",
        "channel 9 (CODE9 / x), whose file is missing",
    ):
        assert words in notes
    assert len(whole.notes) == 4
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in sorted(folder.rglob("*.*")):
            archive.write(file, f"a/{file.relative_to(folder)}")
    for start in (packed, folder / "lab.mme", folder / "Channel" / "lab.chn", folder / "Channel"):
        again = mk.read_test(start)
        assert [one.code for one in again] == [one.code for one in whole], start
    assert whole.find("chest").code == whole.find("13CHST0000HFDSXC").code == chest.code
    assert mk.read_test(folder / "Channel" / "lab.003")[0].time == pytest.approx(sled.time), (
        "its clock lies beside it"
    )


def test_one_test_of_several_is_asked_for(tmp_path: Path) -> None:
    """The folder above one test is that test; above two, or of an archive of two, each is named."""
    one = a_test(tmp_path / "all" / "one")
    assert len(mk.read_test(tmp_path / "all")) == len(mk.read_test(one))
    a_test(tmp_path / "all" / "two")
    shutil.make_archive(str(tmp_path / "both"), "zip", tmp_path / "all")
    for place in (tmp_path / "all", tmp_path / "both.zip"):
        with pytest.raises(ResultsError, match=r"holds 2 tests \(one, two\)"):
            mk.read_test(place)


def test_codes_in_words() -> None:
    said = {
        "11NECKUP00H3MOYB": "front left · neck upper · moment y · Hybrid III 50 %", "16TIBILU0000FOZB": "second row right · tibia left upper · force z", "M0MBARCG0000ACXD": "mobile barrier mass centre · acceleration x",
        "20VEHC000000VEX0": "vehicle 2 · vehicle · velocity x", "11XYZW000077ACRS": "front left · XYZW · acceleration resultant · 77", "100000000000DSX0": "displacement x",
    }  # fmt: skip
    for text, words in said.items():
        code = read_code(text)
        assert code is not None
        assert code.words() == words
    assert read_code("11HEAD") is None
    assert read_code("11HEADCG00H3ACXA").place == read_code("23HEAD0000HFACX0").place  # type: ignore[union-attr]


def test_a_channel_that_is_cut_off_is_told_of(tmp_path: Path) -> None:
    values = [*["0.1"] * 50, *["80"] * 6, *["0.2"] * 50]
    (note,) = read_test(mme_channel(tmp_path / "t.001", values)).notes
    assert "stays at its largest value from -5 to -4.5 ms" in str(note)
    (note,) = read_test(
        mme_channel(tmp_path / "t.001", ["0", "70", "0"], Channel_amplitude_class="60")
    ).notes
    assert "goes beyond the range of its channel at -9.9 ms" in str(note)
    assert not read_test(
        mme_channel(tmp_path / "t.001", ["0", "70", "0"], Channel_amplitude_class="200")
    ).notes


def test_nhtsas_exchange_text(tmp_path: Path) -> None:
    t = np.arange(-20, 80) * 5e-5
    value = 40.0 * np.sin(900.0 * t)
    rows = [{"number": "1"}, {"number": "2", "place": "FMRL", "axis": "ZL", "unit": "NWT", "most": "0", "seat": "02"},
            {"number": "3", "place": "XYZ1", "axis": "NA", "unit": "MM", "status": "CF", "seat": "NA"}, {"number": "4"}, {"number": "5", "unit": "VOL"}]  # fmt: skip
    text = ev5(tmp_path / "ev5", rows, {1: np.column_stack([t, value]), 2: [[v] for v in -100.0 * value], 3: [[-1e-3, 1], [0, 2]], 5: [[0, 1], [1, 2]]})  # fmt: skip
    made = mk.read_test(text)
    head, femur, other = made
    assert (head.code, head.name, head.cfc) == (
        "11HEADCG00H3ACXS",
        "1 head CG acceleration x (01)",
        1000,
    )
    assert head.value == pytest.approx(G * value, rel=1e-6)
    assert femur.code == "13FEMRLE0000FOZS"
    assert femur.time == pytest.approx(t), "first number and increment of the text, in µs"
    assert other.code == ""
    assert dict(made.about)["CLSSPD"] == "56.3"
    assert dict(made.about)["VEHSPD 1"] == "56.3"
    notes = "\n".join(made.notes)
    for words in ("the laboratory calls it channel failed", "names curve 4, whose file is missing", "curve 5 (head CG) is in 'VOL'"):  # fmt: skip
        assert words in notes
    alone = mk.read_test(tmp_path / "ev5" / "v04711.002")
    assert [one.code for one in alone] == [femur.code]
    shutil.make_archive(str(tmp_path / "ev5"), "zip", tmp_path / "ev5")
    assert [one.code for one in mk.read_test(tmp_path / "ev5.zip")] == [one.code for one in made]


@pytest.mark.parametrize("form", ["IEEE", "SUN", "VAX"])
def test_nhtsas_records(tmp_path: Path, form: str) -> None:
    y = np.concatenate([[0.0, 1.0, -1.0, 1e-3, 3e4], np.sin(np.arange(200.0))]).astype(np.float32)
    curves = [{"place": "HEAD CG", "unit": "G'S", "y": y, "dt": 1.25e-4, "first": -40}, {"place": "FEMUR - LEFT", "unit": "POUNDS", "axis": "ZL", "y": y[:3], "x": [-1.0, 0.5, 2.0]}]  # fmt: skip
    file = tmp_path / "V4711AA0.001"
    file.write_bytes(uds_bytes(curves, form))
    made = read_test(file)
    head, femur = made.channels
    assert head.value == pytest.approx(G * y.astype(float), rel=1e-12)
    assert (head.time[0], head.time[40]) == (pytest.approx(-0.005), 0.0)
    assert femur.time.tolist() == [-1.0, 0.5, 2.0]
    assert femur.value[1] == pytest.approx(4.4482216152605)
    assert (head.code, femur.code, head.cfc) == ("11HEADCG00H3ACXS", "11FEMRLE00H3FOZS", 1000)
    assert ("CLSSPD", "56.25") in made.about
    assert [one.code for one in read_test(tmp_path).channels] == [head.code, femur.code], (
        "by its folder"
    )


@pytest.mark.parametrize("kind", [2, 4])
def test_a_force_plate_by_hand(tmp_path: Path, kind: int) -> None:
    """A force at a point of a plate that is turned and lies elsewhere; the transducer is 40 mm below its top."""
    frames, samples = 4, 5
    c, s = np.cos(0.3), np.sin(0.3)
    R = np.array([[c, s, 0.0], [s, -c, 0.0], [0.0, 0.0, -1.0]])  # z down, as plates have it
    middle = np.array([0.3, 0.5, 0.01])
    at, free = np.array([0.1, -0.05, 0.0]), np.array([0.0, 0.0, 3.0])
    force = np.array([20.0, -30.0, 700.0])
    below = np.array([0.001, -0.002, -0.04])  # from the transducer to the top's middle
    moment = np.cross(at, force) + free - np.cross(force, below)
    load = np.concatenate([force, 1e3 * moment])
    scale = np.array([100.0, 100.0, 150.0, 2e4, 2e4, 1e4])
    bias = np.arange(6.0)
    six = (load if kind == 2 else load / scale) + bias
    analog = np.zeros((frames, samples, 7))
    analog[:, :, :6] = six
    analog[0, :, :6] = bias
    corners = 1e3 * (
        middle[:, None]
        + R @ np.array([[0.25, -0.25, -0.25, 0.25], [0.3, 0.3, -0.3, -0.3], [0.0] * 4])
    )
    about = {"USED": np.int16(1), "TYPE": np.array([kind], np.int16), "CORNERS": corners.reshape(3, 4, 1).astype(np.float32), "ORIGIN": 1e3 * below.reshape(3, 1).astype(np.float32),
             "CHANNEL": np.arange(1, 7, dtype=np.int16).reshape(6, 1), "ZERO": np.array([1, samples], np.int16)}  # fmt: skip
    if kind == 4:
        about["CAL_MATRIX"] = np.diag(scale).reshape(6, 6, 1).astype(np.float32)
    units = ["N", "N", "N", "Nmm", "Nmm", "Nmm", "V"]
    raw = c3d_bytes(
        np.zeros((frames, 1, 3)),
        ["A"],
        first=11,
        analog=analog,
        analog_labels=[*"abcdef", "EMG"],
        analog_units=units,
        plates=about,
    )
    (tmp_path / "p.c3d").write_bytes(raw)
    made = mk.read_test(tmp_path / "p.c3d")
    assert made.find("EMG").time[:2] == pytest.approx([0.1, 0.102]), "in time with the first frame"
    found = {
        what: np.array([made.find(f"plate 1 {what} {axis}").value[[0, -1]] for axis in "xyz"])
        for what in ("force", "moment", "centre of pressure")
    }
    assert found["force"][:, 1] == pytest.approx(R @ force, rel=1e-5)
    assert found["moment"][:, 1] == pytest.approx(R @ (np.cross(at, force) + free), rel=1e-4)
    assert found["centre of pressure"][:, 1] == pytest.approx(middle + R @ at, abs=1e-5)
    assert found["centre of pressure"][:, 0] == pytest.approx(middle, abs=1e-6), (
        "nobody stands there yet"
    )


@pytest.mark.parametrize("form", ["intel", "dec", "sgi"])
@pytest.mark.parametrize("scale", [-1.0, 0.1])
def test_c3d_of_every_vendor(tmp_path: Path, form: str, scale: float) -> None:
    rng = np.random.default_rng(3)
    points = rng.normal(scale=300.0, size=(6, 2, 3)).astype(np.float32)
    points[2, 1] = np.nan
    analog = rng.integers(-2000, 2000, size=(6, 4, 2))
    raw = c3d_bytes(
        points,
        ["A", "B"],
        form=form,
        scale=scale,
        analog=analog,
        analog_labels=["x", "y"],
        analog_units=["N", "mm"],
        analog_scale=[0.5, 2.0],
        analog_offset=[0, 100],
    )
    (tmp_path / "v.c3d").write_bytes(raw)
    tracks = mk.tracks(tmp_path / "v.c3d")
    assert tracks.point == pytest.approx(
        1e-3 * points.astype(float), abs=1e-9 if scale < 0.0 else 0.5e-3 * scale + 1e-9, nan_ok=True
    )
    x, y = mk.read_test(tmp_path / "v.c3d")
    assert x.value == pytest.approx(0.5 * analog[:, :, 0].ravel())
    assert y.value == pytest.approx(2e-3 * (analog[:, :, 1].ravel() - 100))


def test_tables_with_headings(tmp_path: Path) -> None:
    for name, text in (
        ("a.csv", "Time [ms];Sled x [g];free\n0;0,5;1\n1;-2;2\n"),
        ("b.tsv", "time\tSled x\tfree\n[ms]\t[g]\t[]\n0\t0.5\t1\n1\t-2\t2\n"),
        ("c.csv", "t (s),Sled x (m/s^2),free\n0,4.903325,1\n0.001,-19.6133,2\n"),
    ):
        (tmp_path / name).write_text(text)
        made = mk.read_test(tmp_path / name)
        assert [one.unit for one in made] == ["m/s2", "1"]
        assert made[0].time == pytest.approx([0.0, 1e-3])
        assert made.find("sled").value == pytest.approx(G * np.array([0.5, -2.0]))
        assert "'free' has no unit" in "".join(made.notes)
    (tmp_path / "d.csv").write_text("t [s],sled [g],sled rear [g]\n0,1,2\n1,3,4\n")
    made = mk.read_test(tmp_path / "d.csv")
    assert made.find("sled").value[0] == pytest.approx(G), (
        "its whole name comes before words of others"
    )
    with pytest.raises(ResultsError, match="2 curves of the test fit 'sl'"):
        made.find("sl")
    with pytest.raises(ResultsError, match="No curve of the test has 'head' in its name"):
        made.find("head")


def test_injury_figures_of_what_was_measured(tmp_path: Path) -> None:
    t = np.arange(0.0, 0.12, 1e-4)
    pulse = np.exp(-(((t - 0.06) / 0.01) ** 2))
    parts = {
        "HEADCG00H3ACXA": 60 * pulse, "HEADCG00H3ACYA": 0 * pulse, "HEADCG00H3ACZA": 30 * pulse, "NECKUP00H3FOXB": 500 * pulse, "NECKUP00H3FOZB": 1200 * pulse,
        "NECKUP00H3MOYB": -20 * pulse, "CHST0000H3DSXC": -35 * pulse, "FEMRLE00H3FOZB": -3000 * pulse, "PELV0000H3ACXC": 20 * pulse,
    }  # fmt: skip
    units = {"AC": "g", "FO": "N", "MO": "Nm", "DS": "mm"}
    for n, (code, value) in enumerate(parts.items(), 1):
        mme_channel(tmp_path / "Channel" / f"t.{n:03d}", [f"{v:.9g}" for v in value], Channel_code="11" + code, Unit=units[code[10:12]], Name_of_the_channel="", Direction="", Channel_frequency_class="")  # fmt: skip
    made = mk.read_test(tmp_path)
    found = {(one.part, one.criterion): one for one in made.figures()}
    rows = [cfc(t - 0.01, row, 1000) for row in (60 * pulse, 30 * pulse)]
    assert found["head", "HIC15"].value == pytest.approx(
        hic(t - 0.01, np.hypot(*rows), 0.015).value, rel=1e-6
    )
    assert found["chest", "chest_deflection"].value == pytest.approx(0.035, rel=1e-3)
    assert found["left femur", "femur_compression"].value == pytest.approx(3000, rel=1e-3)
    assert found["neck", "neck_tension"].value == pytest.approx(1200, rel=1e-3)
    moment = 20 + 0.01778 * 500
    assert found["neck", "neck_extension"].value == pytest.approx(moment, rel=1e-3)
    assert found["neck", "Nij"].value == pytest.approx(1200 / 6806 + moment / 135, rel=1e-3), (
        "FMVSS 208, S6.6 (b)"
    )
    assert ("pelvis", "3ms") not in found, "y and z are missing"
    child = tuple(replace(one, code=one.code.replace("H3", "Y7")) for one in made)
    of_child = {(one.part, one.criterion): one for one in figures_of(child)[0]}
    intercepts = reference().necks["hybrid_iii_6y"]
    assert of_child["neck", "Nij"].value == pytest.approx(1200 / intercepts["tension"] + 20 / intercepts["extension"], rel=1e-3)  # fmt: skip
    assert "height above the condyles is not known" in str(of_child["neck", "Nij"].note)
    (told,) = figures_of(made)[1]
    assert str(told) == "3ms, DRI (11): there is no pelvis · acceleration y"


def test_a_channel_as_a_pulse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The motion that a sled has takes it over; beyond its end it does not go on to push."""
    t = np.arange(-0.02, 0.1, 1e-4)
    value = np.where(t > 0.0, -20.0, 0.0) * np.minimum(1.0, 20.0 * np.maximum(t, 0.0))
    for n, (code, row) in enumerate(
        {"S0SLED000000ACXP": value, "11HEADCG00H3ACXA": 2 * value}.items(), 1
    ):
        mme_channel(tmp_path / "Channel" / f"t.{n:03d}", [f"{v:.9g}" for v in row], Channel_code=code, Time_of_first_sample="-0.02", Name_of_the_channel="")  # fmt: skip
    with pytest.raises(ResultsError, match="2 channels that can be a pulse; name one"):
        mk.read_pulse(tmp_path)
    pulse = mk.read_pulse(tmp_path, channel="sled", cfc=None, begin_s=0.0, end_s=0.09)
    assert pulse.facts().speed_change == pytest.approx(-20.0 * G * (0.09 - 0.025), rel=2e-3)
    assert pulse.function.form.y[-1] == 0.0  # type: ignore[union-attr]
    (moved,) = mk.sample("sled").project.motions
    model = mk.sample("sled").with_value(f"motions/{moved.id}/components/0/start_rate", 3.0)
    (before,) = model.project.motions
    made = model.led_by(pulse, before.segment)
    (after,) = made.project.motions
    assert (after.id, after.segment, after.components[0].start_rate) == (
        before.id,
        before.segment,
        before.components[0].start_rate,
    )
    run = mk.run(made, until=0.14)
    speed = run[f"segments/{after.segment}/velocity/x"]
    assert speed.at(0.14) - speed.at(0.0) == pytest.approx(pulse.facts().speed_change, rel=1e-3)
    assert (
        main(
            [
                "library",
                "measured",
                str(samples() / "sled.json"),
                str(tmp_path),
                "--channel",
                "S0SLED000000ACXP",
                "--to",
                after.segment,
                "--in-place",
                "--prefix",
                "p",
                "-o",
                str(tmp_path / "out.json"),
            ]
        )
        == 0
    )
    assert "Peak -20" in capsys.readouterr().out
    assert len(mk.load(tmp_path / "out.json").project.motions) == 1
    assert main(["channels", str(tmp_path), "--find", "head"]) == 0
    out = capsys.readouterr().out
    assert "11HEADCG00H3ACXA  CFC 1000  1200 × 10000 Hz, -20…99.9 ms" in out
    assert "SLED" not in out
    table = tmp_path / "c.csv"
    assert main(["import", str(tmp_path), "-o", str(table)]) == 0
    assert [one.unit for one in mk.read_test(table)] == ["m/s2", "m/s2"], "what is written is read"


TWO = np.column_stack([[0.0, 1.0], [1.0, 2.0]])


def refusals(folder: Path) -> dict[str, tuple[Path, str]]:
    """Files that cannot be read, and words of what is said of each."""

    def text(name: str, words: str | bytes) -> Path:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(words if isinstance(words, bytes) else words.encode())
        return folder / name

    def channel(name: str, values: tuple[str, ...] = ("1", "2"), **head: str) -> Path:
        return mme_channel(folder / name / "t.001", values, **head)

    uds = uds_bytes([{"place": "HEAD CG", "unit": "G'S", "y": [0, 1], "dt": 1e-4}])
    late = uds_bytes([{"place": "HEAD CG", "unit": "G'S", "y": [0, 1], "x": [1, 1]}])
    over = uds_bytes(
        [{"place": "HEAD CG", "unit": "NEWTONS", "y": [0, 1], "x": [1, 2], "over": "METERS"}]
    )
    explicit = {"Reference_channel": "explicit", "Reference_channel_name": "10TIRS000000TI00"}
    no_curve = ev5(folder / "e1", [{"number": "1"}], {})
    bad_unit = ev5(folder / "e2", [{"number": "1", "unit": "QQQ"}], {1: TWO})
    bad_number = ev5(folder / "e3", [{"number": "1"}], {1: TWO})
    (folder / "e3" / "v04711.001").write_text("0 1\n1 two\n")
    bare = c3d_bytes(np.zeros((2, 1, 3)), ["A"])
    (folder / "empty").mkdir(parents=True)
    return {
        "one sample": (channel("a1", ("1",)), "'Head acceleration x' holds fewer than two samples"),
        "a word": (channel("a2", ("1", "two")), "Line 9 of 't.001': 'two' is no number"),
        "unit": (channel("a3", Unit="furlong"), "'t.001' is in 'furlong'"),
        "no interval": (channel("a4", Sampling_interval="NOVALUE"), "does not say its sampling interval"),
        "no step": (channel("a5", Sampling_interval="0"), "sampling interval of 0 s"),
        "no code": (channel("a6", Channel_code=""), "it has no code"),
        "no clock": (channel("a7", **explicit), "names '10TIRS000000TI00' as its times"),
        "no channels": (folder / "empty", "no channels (files ending in .001 and so on)"),
        "not there": (folder / "none.001", "cannot be read"),
        "no archive": (text("a.zip", b"PK no"), "unpack it, and give the folder"),
        "no curve": (no_curve, "Line 9 of 'v04711.EV5' names curve 1, whose file is missing"),
        "no known unit": (bad_unit, "curve 1 (head CG) is in 'QQQ'"),
        "no numbers": (bad_number, "Line 2 of 'v04711.001' does not hold 2 numbers"),
        "no units": (ev5(folder / "e4", [{"number": "1", "unit": ""}], {1: TWO}), "Line 9 of 'v04711.EV5' has no axis with units"),
        "no section": (text("s/x.EV5", "----- TEST -----\nV5\n"), "has no section INSTRUMENTATION"),
        "cut UDS": (text("c.uds", uds[:1100]), "Record 3 of 'c.uds' holds no numbers of curve 1"),
        "short UDS": (text("d.uds", uds[:700]), "'d.uds' ends within record 2"),
        "old UDS": (text("o.uds", b"UDS-1991" + uds[8:]), "older edition of UDS than 1992"),
        "odd form": (text("f.uds", uds.replace(b"IEEE ", b"CRAY ")), "numbers of the form 'CRAY'"),
        "times stand": (text("l.uds", late), "The times of curve 1 of 'l.uds' do not grow"),
        "over a way": (text("w.uds", over), "is over meters, not over time"),
        "no analog": (text("n.c3d", bare), "holds no analog channels; its markers are read as tracks"),
        "no c3d": (text("m.c3d", b"nothing"), "is no C3D file, or it is cut short or damaged"),
        "no headings": (text("h.csv", "0,1\n1,2\n"), "does not begin with a row of headings"),
        "no time": (text("i.csv", "way [m],F [N]\n0,1\n1,2\n"), "The first column of 'i.csv' is 'way [m]', not 'time [s]'"),
        "a bad cell": (text("j.csv", "t [s],F [N]\n0,1\n1,x\n"), "Line 3 of 'j.csv': 'x' is no number"),
        "too wide": (text("k.csv", "t [s],F [N]\n0,1\n1,2,3\n"), "Line 3 of 'k.csv' has more columns"),
        "back in time": (text("q.csv", "t [s],F [N]\n1,1\n0,2\n"), "times of 'q.csv' do not grow"),
        "unknown unit": (text("r.csv", "t [s],F [smoots]\n1,1\n2,2\n"), "'F' is in 'smoots', no unit known here"),
        "another file": (text("x.doc", "?"), "'x.doc' is no test that is read"),
    }  # fmt: skip


def test_what_is_wrong_is_said_with_its_place(tmp_path: Path) -> None:
    for what, (path, words) in refusals(tmp_path).items():
        with pytest.raises(ResultsError) as failure:
            read_test(path)
        assert words in str(failure.value), what


def test_damaged_files_end_in_a_sentence(tmp_path: Path) -> None:
    """Bytes that are changed, cut or doubled: something is read, or refused in a sentence."""
    rng = np.random.default_rng(11)
    folder = a_test(tmp_path / "lab")
    analog = np.ones((3, 2, 1))
    makers: dict[str, Callable[[], bytes]] = {
        "u.uds": lambda: uds_bytes([{"place": "HEAD CG", "unit": "G'S", "y": np.arange(9), "dt": 1e-4}] * 2, "VAX"), "v.c3d": lambda: c3d_bytes(np.zeros((3, 1, 3)), ["A"], analog=analog, analog_labels=["x"], analog_units=["N"]),
        "t.001": (folder / "Channel" / "lab.001").read_bytes, "w.csv": lambda: b"t [s],F [N]\n0,1\n1,2\n2,3\n",
        "x.EV5": lambda: ev5(tmp_path / "e", [{"number": "1"}], {1: TWO}).read_bytes(),
    }  # fmt: skip
    (tmp_path / "e").mkdir()
    read = 0
    for name, make in makers.items():
        whole = make()
        for _ in range(60):
            raw = bytearray(whole)
            for at in rng.integers(0, min(len(raw), 1600), 4):
                raw[at] = rng.integers(0, 256)
            file = tmp_path / "e" / name
            file.write_bytes(bytes(raw[: rng.integers(len(raw) // 2, len(raw) + 1)]))
            try:
                read += len(read_test(file).channels) > 0
            except Refusal:
                continue
    assert read > 30
