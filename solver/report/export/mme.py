"""A test in the multimedia exchange format of ISO/TS 13499: a folder with a header and channels.

Sixteen characters: test object, position, main location (4), three fine locations (2 each), physical
dimension (2), direction, filter class. Ids are the user's own words; what they mean is read from
them, and what cannot be read is coded as undefined, with the name beside it in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from solver.injury import body_sensors, occupants
from solver.injury.parts import Occupant
from solver.project import Project, ProjectError, parse
from solver.project.outputs import ElementOutput, JointOutput, PointOutput
from solver.project.references import keys_in
from solver.report.export.tables import ExportError, writing
from solver.results.layout import FRAME_GROUPS
from solver.results.selection import by_time
from solver.results.trajectory import Array, Channel, Facts, Trajectory, facts

# What a channel is of in its model, where the words of ids do not say it: whose, which restraint, which part, where on it.

_RESTRAINTS = {"belts": "SEBE", "harnesses": "SEBE", "strap_points": "SEBE", "airbags": "AIRB"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """Say what the model knows: main location and fine location, or none; whose it is; whether it is at the mass centre."""

    main: str = ""
    fine: str = ""
    owner: int = 0
    is_central: bool = True
    is_felt: bool = False
    """Whether it is what an accelerometer shows, which has gravity in it."""


def meaning(project: Project, channel: Channel) -> Meaning:
    """Find what a channel is of."""
    bodies = occupants(project)
    output = next((o for o in _outputs(project) if channel.name.startswith(f"{o.id}_")), None)
    list_, id_ = _element(project, channel.name, output)
    item = next((one for one in getattr(project, list_, ()) if one.id == id_), None)
    main, fine = _RESTRAINTS.get(list_, ""), ""
    if list_ == "joints" and item is not None:
        main, fine = _neck(bodies, item.parent, item.child)
    keys = () if item is None else keys_in(item)
    segments = {channel.segment, *(key[1] for key in keys if key[0] in ("segments", "surfaces"))}
    if list_ == "segments":
        segments.add(id_)
    point = output if isinstance(output, PointOutput) else None
    is_central = point is None or (point.frame is None and not any(point.point_m))
    return Meaning(
        main, fine, _owner(bodies, id_ or channel.name, segments),
        is_central and "[" not in channel.name,
        point is not None and point.quantity == "acceleration" and point.with_gravity,
    )  # fmt: skip


def _outputs(project: Project) -> Iterator[Any]:
    """All that is recorded, longest ids first: one may begin as another one is."""
    return iter(sorted((*project.outputs, *body_sensors(project)), key=lambda o: -len(o.id)))


def _element(project: Project, name: str, output: Any) -> tuple[str, str]:
    """Give list and id of the element that a channel is of; the output's id where it is of none."""
    words = name.partition("@")[0].split("/")
    if len(words) > 2 and words[0] in FRAME_GROUPS:
        whole = re.split(r"[.\[]", words[1], maxsplit=1)[0]
        return words[0], whole
    if isinstance(output, ElementOutput):
        return output.of, output.element
    if isinstance(output, JointOutput):
        return "joints", output.joint
    return "", "" if output is None else output.id


def _neck(bodies: Sequence[Occupant], *ends: str) -> tuple[str, str]:
    """Tell the joints of a neck by what they hold: the head above, the chest below."""
    parts = {body.part_of(segment) for body in bodies for segment in ends}
    if "head" in parts:
        return "NECK", "UP"
    return ("NECK", "LO") if {"neck", "upper_torso"} <= parts else ("", "")


def _owner(bodies: Sequence[Occupant], id_: str, segments: set[str]) -> int:
    """Count whose it is: whose name its id bears, or who alone has a segment of it; 0 where it is nobody's."""
    named = ((number, body.name.lower()) for number, body in enumerate(bodies, start=1))
    low = id_.lower()
    found = [(len(name), number) for number, name in named if name and low.startswith(f"{name}_")]
    if found:
        return max(found)[1]
    theirs = [n for n, body in enumerate(bodies, 1) if segments & set(body.segments.values())]
    return theirs[0] if len(theirs) == 1 else 0


# Channel codes of ISO/TS 13499 (related electronic document B, version 1.6), from our names.

_MAIN: tuple[tuple[str, str], ...] = (
    (r"seat ?belt|lap\b|shoulder ?belt|harness|strap|webbing|belts/", "SEBE"),
    (r"air ?bag", "AIRB"),
    (r"steering ?wheel|wheel", "STWL"),
    (r"head ?rest|head ?restraint|head ?pad", "HERE"),
    (r"knee ?bolster", "KNBO"),
    (r"head ?pivot|neck|occipital|atlas", "NECK"),
    (r"head|skull", "HEAD"),
    (r"waist|lumbar|abdomen ?joint", "LUSP"),
    (r"upper ?arm|humerus", "UPAR"),
    (r"fore ?arm|lower ?arm", "FOAR"),
    (r"elbow", "ELBJ"),
    (r"wrist|hand", "WRIS"),
    (r"clavicle|collar", "CLAV"),
    (r"shoulder", "SHLD"),
    (r"upper ?leg|thigh|femur|hip\b", "FEMR"),
    (r"lower ?leg|tibia|shin\b|calf", "TIBI"),
    (r"knee", "KNEE"),
    (r"ankle", "ANKL"),
    (r"foot|feet|shoe", "FOOT"),
    (r"upper ?torso|chest|thorax|ribs?\b", "CHST"),
    (r"centre ?torso|center ?torso|middle ?torso|abdomen", "ABDO"),
    (r"lower ?torso|pelvis", "PELV"),
    (r"spine|t1\b|t12\b", "THSP"),
    (r"sternum", "STRN"),
    (r"sled", "SLED"),
    (r"vehicle|\bcar\b|cabin|aircraft", "VEHC"),
    (r"dash|instrument ?panel", "DASB"),
    (r"door", "DOOR"),
    (r"seat ?back", "SEBA"),
    (r"seat", "SEAT"),
    (r"bumper", "BUMP"),
    (r"hood|bonnet", "HOOD"),
    (r"barrier|wall", "FBAR"),
    (r"energy/kinetic", "EKIN"),
    (r"energy/strain", "EINT"),
    (r"energy/external", "EXWO"),
    (r"energy/", "ETOT"),
)
_SEAT_PARTS = {"SEBE", "AIRB", "STWL", "HERE", "KNBO", "SEBA", "SEAT", "DASB"}
_VEHICLE = {"VEHC", "SLED", "DOOR", "BUMP", "HOOD", "FBAR", "EKIN", "EINT", "EXWO", "ETOT"}

_DIMENSIONS = {
    "m/s2": "AC", "m/s": "VE", "m": "DS", "rad": "AN", "rad/s": "AV", "rad/s2": "AA", "N": "FO",
    "N*m": "MO", "Pa": "PR", "J": "EN", "s": "TI", "K": "TE", "kg": "MA", "m3": "VU", "N*s": "IM",
    "kg*m/s": "IM", "m2": "AR", "kg/s": "MF",
}  # fmt: skip
_MOTIONS = {"AC", "VE", "DS", "AN", "AV", "AA"}
_DIRECTIONS = {
    "x": "X", "y": "Y", "z": "Z", "resultant": "R", "roll": "X", "pitch": "Y", "yaw": "Z",
}  # fmt: skip
_FILTERS = {0: "0", 60: "D", 180: "C", 600: "B", 1000: "A"}

UNITS = {
    "m/s2": "m/(s*s)", "rad/s2": "rad/(s*s)", "N*m": "Nm", "m3": "m*m*m", "m2": "m*m", "N*s": "N*s",
}  # fmt: skip
"""How units of SI are written in these files where they differ from ours."""


@dataclass(frozen=True, slots=True)
class Place:
    """Say what was tested: test object, seat positions of people in the order of the model, dummy (fine location 3)."""

    test_object: str = "1"
    position: str = "134652"
    dummy: str = "00"

    def of(self, owner: int) -> str:
        """The position of somebody, counted from 1; who is nobody in particular sits on the first."""
        return self.position[min(max(owner, 1), len(self.position)) - 1]


def code_of(channel: Channel, place: Place, means: Meaning | None = None) -> str:
    """The channel code of a channel in SI, by the words of its name and by what the model says it is of."""
    means = means or Meaning(is_central="[" not in channel.name)
    words = channel.name.partition("@")[0].replace("_", " ").lower()
    main = means.main or _main(words)
    position = "0" if main in _VEHICLE or main == "0000" else place.of(means.owner)
    dummy = "00" if main in _VEHICLE | _SEAT_PARTS or main == "0000" else place.dummy
    dimension = _dimension(channel)
    is_central = means.is_central and dimension in _MOTIONS
    level = means.fine if means.fine and main == means.main else _level(words, main, is_central)
    fine = ((_side(words) or level) + "0000")[:4]
    axis = (channel.axis or "").rpartition("_")[2]
    direction = _DIRECTIONS.get(axis, "0")
    filter_class = _FILTERS.get(channel.filtered_to, "S")
    return f"{place.test_object}{position}{main}{fine}{dummy}{dimension}{direction}{filter_class}"


def _main(words: str) -> str:
    for pattern, code in _MAIN:
        if re.search(rf"(?<![a-z])(?:{pattern})", words):
            return code
    return "0000"


def _side(words: str) -> str:
    if re.search(r"\bleft\b", words):
        return "LE"
    return "RI" if re.search(r"\bright\b", words) else ""


def _level(words: str, main: str, is_central: bool) -> str:
    if main == "NECK":
        return "UP" if re.search(r"head ?pivot|upper|occipital|atlas", words) else "LO"
    if main == "HEAD" and is_central:
        return "CG"
    return "00"


def _dimension(channel: Channel) -> str:
    if channel.unit == "1" and channel.quantity == "strain":
        return "ST"
    if channel.unit == "1" and "quaternion" in channel.quantity:
        return "QU"
    return _DIMENSIONS.get(channel.unit, "00")


def told_apart(codes: list[str]) -> list[str]:
    """Each code once: number the second fine location of codes that are the same, where they repeat."""
    out: list[str] = []
    taken: set[str] = set()
    for code in codes:
        number, made = 1, code
        while made in taken and number < 100:
            number += 1
            made = f"{code[:8]}{number:02d}{code[10:]}"
        taken.add(made)
        out.append(made)
    return out


WIDTH = 28
"""Columns of a descriptor before its colon."""
EVEN = 1e-6
"""Part of an interval by which times of even samples may miss."""
MOST = 999
"""Channels that a test can have: the number is the ending of the file."""


def write_mme(
    folder: Path,
    run: Trajectory,
    channels: Sequence[Channel],
    place: Place | None = None,
    codes: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Write a test; give the code of each channel by name.

    Channels must be in SI. `codes` overrides the code of a channel. Channels whose samples are not
    evenly spaced get a channel of their times, to which they refer.
    """
    place = place or Place()
    given = codes or {}
    if not re.fullmatch(r"[0-9]+/[A-Z0-9?]{2}", f"{place.position}/{place.dummy}"):
        raise ExportError("Positions are digits, and a dummy is two capitals or digits, as H3.")
    for name, code in given.items():
        if not re.fullmatch(r"[A-Z0-9?]{16}", code):
            raise ExportError(
                "'{code}' of '{name}' is no channel code: 16 capitals and digits.",
                code=code,
                name=name,
            )
    about, chosen, clocks = facts(run), list(channels), dict[int, int]()
    for base in by_time(channels):
        if _interval(base.time) is None and len(base.time) > 1:
            clock = Channel("time", base.time, base.time, "s", "time")
            clocks |= {id(c): len(chosen) for c in base.channels}
            chosen.append(clock)
    if not 0 < len(chosen) <= MOST:
        raise ExportError(
            "An ISO-MME test has 1 to {most} channels; {count} were chosen.",
            most=MOST,
            count=len(chosen),
        )
    means = _meanings(run, chosen)
    # of two that are alike that comes first which a sensor shows
    order = sorted(range(len(chosen)), key=lambda n: not (found := means[n]) or not found.is_felt)
    codes_ = told_apart(
        [given.get(chosen[n].name) or _code(chosen[n], place, means[n]) for n in order]
    )
    made = [code for _, code in sorted(zip(order, codes_, strict=True))]
    name = re.sub(r"[^A-Za-z0-9_-]", "_", folder.name) or "test"
    with writing(folder) as part:
        (part / "Channel").mkdir(parents=True, exist_ok=True)
        _write(part / f"{name}.mme", _test(about, place))
        _write(part / "Channel" / f"{name}.chn", _index(chosen, made))
        for number, (channel, code) in enumerate(zip(chosen, made, strict=True), start=1):
            clock_code = made[clocks[id(channel)]] if id(channel) in clocks else ""
            lines = _channel(channel, code, place, clock_code)
            _write(part / "Channel" / f"{name}.{number:03d}", lines)
    return {channel.name: code for channel, code in zip(chosen, made, strict=True)}


def _meanings(run: Trajectory, channels: Sequence[Channel]) -> list[Meaning | None]:
    """Say what channels are of, where the project of the run can be read."""
    try:
        project = parse(run.project_json.decode()).project
    except (ProjectError, UnicodeDecodeError):
        return [None] * len(channels)
    return [meaning(project, channel) for channel in channels]


def _code(channel: Channel, place: Place, means: Meaning | None) -> str:
    if channel.quantity == "time" and channel.unit == "s":
        return f"{place.test_object}0TIRS000000TI00"
    return code_of(channel, place, means)


def _line(name: str, value: object) -> str:
    text = " ".join(str(value).split()) or "NOVALUE"
    return f"{name:<{WIDTH}}:{text}"


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("".join(f"{line}\r\n" for line in lines), encoding="utf-8", newline="")


def _test(about: Facts, place: Place) -> list[str]:
    day = about.created_utc.partition("T")[0]
    return [
        _line("Data format edition number", "1.6"),
        _line("Laboratory name", "NOVALUE"),
        _line("Customer name", "NOVALUE"),
        _line("Customer test ref. number", about.name),
        _line("Title", about.title),
        _line("Timestamp", about.created_utc.replace("T", " ")[:19]),
        _line("Type of the test", "Simulation"),
        _line("Date of the test", day),
        _line("Number of test objects", "1"),
        _line("Name of test object 1", "NOVALUE"),
        _line("Class of test object 1", place.test_object),
        _line("Comments", f"Computed with Manikin {about.app_version}; status {about.status}"),
        _line("Comments", f"SHA-256 of the project {about.project_sha256}"),
    ]


def _index(channels: Sequence[Channel], codes: Sequence[str]) -> list[str]:
    lines = [
        _line("Instrumentation standard", "SAE J211, issued 1995-03"),
        _line("Number of channels", len(channels)),
    ]
    for number, (channel, code) in enumerate(zip(channels, codes, strict=True), start=1):
        lines.append(_line(f"Name of channel {number:03d}", f"{code} / {channel.name}"))
    return lines


def _channel(channel: Channel, code: str, place: Place, clock: str) -> list[str]:
    time, value = channel.time, channel.value
    if not np.all(np.isfinite(value)):
        raise ExportError("'{channel}' has numbers that are not finite.", channel=channel.name)
    top, low = int(np.argmax(value)), int(np.argmin(value))
    even = _interval(time)
    return [
        _line("Channel code", code),
        _line("Customer channel code", channel.name),
        _line("Reference channel", "explicit" if clock else "implicit"),
        _line("Reference channel name", clock or "NOVALUE"),
        _line("Data source", "simulation"),
        _line("Test object number", place.test_object),
        _line("Name of the channel", channel.name),
        _line("Location", channel.segment),
        _line("Direction", channel.axis),
        _line("Channel frequency class", channel.filtered_to or "NOVALUE"),
        _line("Reference system", "NOVALUE"),
        _line("Unit", UNITS.get(channel.unit, channel.unit or "1")),
        _line("Sampling interval", "NOVALUE" if even is None else repr(even)),
        _line("Time of first sample", "NOVALUE" if clock else repr(float(time[0]))),
        _line("Number of samples", len(value)),
        _line("First global maximum value", f"{value[top]:.9E}"),
        _line("Time of maximum value", f"{time[top]:.9E}"),
        _line("First global minimum value", f"{value[low]:.9E}"),
        _line("Time of minimum value", f"{time[low]:.9E}"),
        _line("Dimension", code[12:14]),
        *(f"{number:.9E}" for number in value),
    ]


def _interval(time: Array) -> float | None:
    """The interval of even samples (s), or none where they are not even."""
    if len(time) < 2:
        return None
    step = float(time[-1] - time[0]) / (len(time) - 1)
    if np.max(np.abs(time - time[0] - step * np.arange(len(time)))) > EVEN * step:
        return None
    return float(f"{step:.12g}")
