"""Read tests from NHTSA's data bases: UDS-1992 (records of 512 bytes) and EV5 (a text of sections, and a file of numbers for each curve)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from solver.base.words import NOTHING, Note, Sentence
from solver.exchange.measured.files import Files, MeasuredTest, saturated, whole
from solver.exchange.measured.mme import to_si
from solver.results.layout import ResultsError
from solver.results.trajectory import Array, Channel

_UNITS: dict[str, tuple[str, float]] = {
    name: (ours, factor)
    for names, ours, factor in (
        ("G'S|GS|G", "g", 1.0), ("METERS/SEC**2|MP2", "m/s2", 1.0), ("NEWTONS|NWT", "N", 1.0), ("POUNDS|LBS", "lbf", 1.0), ("KILOPOUNDS|KLB", "kip", 1.0),
        ("NEWTON-METERS|NWM", "N*m", 1.0), ("POUND-FEET|LBF", "ft*lbf", 1.0), ("MILLIMETERS|MM", "mm", 1.0), ("CENTIMETERS|CMS", "cm", 1.0), ("METERS|MET", "m", 1.0),
        ("INCHES|INS", "in", 1.0), ("KILOMETERS/HOUR|KPH", "km/h", 1.0), ("METERS/SEC|MPS", "m/s", 1.0), ("MILES/HOUR|MPH", "mph", 1.0), ("DEGREES|DEG", "deg", 1.0),
        ("RADIANS|RAD", "rad", 1.0), ("DEGREES/SEC|DPS", "deg/s", 1.0), ("RADIANS/SEC|RPS", "rad/s", 1.0), ("DEGREES/SEC**2|DP2", "deg/s2", 1.0), ("RADIANS/SEC**2|RP2", "rad/s2", 1.0),
        ("KILOPASCALS AB|KILOPASCALS GA|KPA|KPG", "kPa", 1.0), ("PASCALS AB|PASCALS GA", "Pa", 1.0), ("POUNDS/IN**2 AB|POUNDS/IN**2 GA|PIA|PIG", "psi", 1.0),
        ("NEWTON-SECONDS|NSC", "N*s", 1.0), ("POUND-SECONDS|PSC", "lbf*s", 1.0), ("DEGREES CELSIUS|CEN", "degC", 1.0), ("DEGREES FARENHEIT|FAR", "degF", 1.0), ("SECONDS|SEC", "s", 1.0),
        ("MICROMET/MET|MICROIN/IN|MPM|MPI", "1", 1e-6), ("PERCENT STRAIN|PST", "%", 1.0), ("KILOGRAMS|KGM", "kg", 1.0), ("NONE|DIMENSIONLESS|NON", "1", 1.0), ("HZ", "Hz", 1.0),
    )
    for name in names.split("|")
}  # fmt: skip
"""NHTSA's names and codes of units."""
_AXES = {"X": "x", "Y": "y", "Z": "z", "R": "resultant"}
_AXIS_CODES = {"XG", "YG", "ZG", "XL", "YL", "ZL", "RS", "NR", "NA", "OT"}
_SEATS = {
    "01": "1",
    "02": "3",
    "03": "6",
    "04": "4",
    "05": "2",
    "06": "5",
    "07": "7",
    "08": "8",
    "09": "9",
}
_STATUS = {
    "CF": "channel failed", "MN": "meaningless", "NO": "no data", "QD": "questionable data", "SF": "system failed",
}  # fmt: skip
_DUMMIES = {("H3", "50"): "H3", ("H3", "05"): "HF", ("H3", "95"): "HM", ("P5", "50"): "H2", ("ES", "50"): "E1", ("BS", "50"): "BS", ("SD", "50"): "SI", ("SH", "50"): "SH"}  # fmt: skip
_PLACES = {
    "HDCG": ("HEADCG", "head CG"), "NECK": ("NECK00", "neck"), "NEKU": ("NECKUP", "upper neck"), "NEKL": ("NECKLO", "lower neck"), "CHST": ("CHST00", "chest"),
    "SNMU": ("STRNUP", "upper sternum"), "SNML": ("STRNLO", "lower sternum"), "SPNU": ("THSPUP", "upper spine"), "SPNL": ("THSPLO", "lower spine"), "LUMB": ("LUSP00", "lumbar spine"),
    "PVCN": ("PELV00", "pelvis"), "PVPS": ("PUBC00", "pubic symphysis"), "FMRL": ("FEMRLE", "left femur"), "FMRR": ("FEMRRI", "right femur"), "KNEL": ("KNEELE", "left knee"),
    "KNER": ("KNEERI", "right knee"), "TIBL": ("TIBILE", "left tibia"), "TIBR": ("TIBIRI", "right tibia"), "TBLU": ("TIBILU", "left upper tibia"), "TBLL": ("TIBILL", "left lower tibia"),
    "TBRU": ("TIBIRU", "right upper tibia"), "TBRL": ("TIBIRL", "right lower tibia"), "ANKL": ("ANKLLE", "left ankle"), "ANKR": ("ANKLRI", "right ankle"), "FOTL": ("FOOTLE", "left foot"),
    "FOTR": ("FOOTRI", "right foot"), "ABDO": ("ABDO00", "abdomen"), "SHLL": ("SHLDLE", "left shoulder"), "SHLR": ("SHLDRI", "right shoulder"), "LPBO": ("SEBEOU", "outer lap belt"),
    "LPBI": ("SEBEIN", "inner lap belt"), "SHBT": ("SEBEUP", "shoulder belt"), "VECG": ("VEHCCG", "vehicle CG"), "SLED": ("SLED00", "sled"), "ENGN": ("ENGN00", "engine"),
    "FLTU": ("TUNN00", "floorpan tunnel"), "SELR": ("SEATLE", "left rear seat"), "SERR": ("SEATRI", "right rear seat"), "DPLC": ("DASB00", "dashboard"), "STCL": ("STCO00", "steering column"),
    "PEND": ("IMPA00", "pendulum"),
}  # fmt: skip
"""Attachments of sensors: main and first fine location of ISO/TS 13499, and words; others keep their code."""
_BY_WORDS = {
    "HEAD CG": "HDCG", "NECK": "NECK", "NECK - UPPER": "NEKU", "NECK - LOWER": "NEKL", "CHEST": "CHST", "STERNUM - UPPER": "SNMU", "STERNUM - LOWER": "SNML", "SPINE - UPPER": "SPNU",
    "SPINE - LOWER": "SPNL", "PELVIS - CENTER": "PVCN", "FEMUR - LEFT": "FMRL", "FEMUR - RIGHT": "FMRR", "TIBIA - LEFT": "TIBL", "TIBIA - RIGHT": "TIBR", "SLED": "SLED", "VEHICLE CG": "VECG",
    "SHOULDER BELT": "SHBT", "LAP BELT - OUTBOARD": "LPBO", "LAP BELT - INBOARD": "LPBI", "ENGINE": "ENGN", "ABDOMEN": "ABDO", "PENDULUM": "PEND", "LUMBAR SPINE LOAD CELL": "LUMB",
}  # fmt: skip
_DIMENSIONS = {"m/s2": "AC", "N": "FO", "N*m": "MO", "m": "DS", "rad": "AN", "rad/s": "AV", "rad/s2": "AA", "Pa": "PR", "m/s": "VE", "s": "TI", "K": "TE"}  # fmt: skip
_WHAT = {"AC": "acceleration", "FO": "force", "MO": "moment", "DS": "displacement", "AN": "angle", "AV": "angular velocity", "AA": "angular acceleration", "PR": "pressure", "VE": "velocity", "TI": "time", "TE": "temperature"}  # fmt: skip
_CUTOFFS = {1650.0: 1000, 300.0: 180, 100.0: 60}
"""Corner frequencies (Hz) that belong to one class of SAE J211 alone."""


def channel_of(time: Array, value: Array, about: Mapping[str, str], dummy: str = "00") -> tuple[Channel, list[Note]]:  # fmt: skip
    """Make a channel in SI of values and of what is told of them by NHTSA's names of fields. Raises ResultsError."""
    number, unit = about.get("CURNO", ""), about.get("YUNITS", "").strip().upper()
    attached = about.get("SENATT", "").strip().upper()
    place, words = _PLACES.get(_BY_WORDS.get(attached, attached), ("000000", attached.lower()))
    label = Sentence("curve {number}", number=number)
    if unit not in _UNITS:
        raise ResultsError("{curve} ({place}) is in '{unit}', no unit known here: convert it, or leave it out.", curve=label, place=words, unit=unit or "nothing")  # fmt: skip
    ours, factor = _UNITS[unit]
    si, numbers = to_si(factor * np.asarray(value, float), ours, str(label))
    axis = _AXES.get(about.get("AXIS", " ")[:1].upper(), "") if about.get("AXIS", "").upper() != "NA" else ""  # fmt: skip
    kind = _DIMENSIONS.get(si, "00")
    seat = about.get("SENLOC", "").strip().zfill(2)
    title = f"{words} {_WHAT.get(kind, '')} {axis}".strip()
    who = f" ({seat})" if seat in _SEATS else ""
    title = f"{number} {title}{who}".strip()
    time, numbers, notes = whole(title, time, numbers)
    notes += saturated(title, time, numbers, _most(about, ours, factor, str(label)))
    status = about.get("DASTAT", about.get("STATUS", "")).strip()
    status = _STATUS.get(status.upper(), status.lower())
    if status in _STATUS.values():
        notes.append(Sentence("'{name}': the laboratory calls it {status}.", name=title, status=status))  # fmt: skip
    class_ = _CUTOFFS.get(_float(about.get("PREFIL", about.get("PREF", ""))), 0)
    code = ""
    if place != "000000" and kind != "00":
        vehicle = about.get("VEHNO", "1").strip()
        belt = place.startswith("SEBE")
        code = f"{vehicle if re.fullmatch('[1-9]', vehicle) else '1'}{_SEATS.get(seat, '0')}{place}00{'00' if belt or seat not in _SEATS else dummy}{kind}{axis[:1].upper() or '0'}S"  # fmt: skip
    return Channel(title, time, numbers, si, axis=axis, cfc=class_, filtered_to=class_, code=code), notes  # fmt: skip


def _most(about: Mapping[str, str], ours: str, factor: float, label: str) -> float:
    most = _float(about.get("CHLMAX", ""))
    return abs(float(to_si(factor * np.array([most]), ours, label)[1][0])) if most > 0.0 else 0.0


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _gathered(kind: str, made: Iterator[tuple[Channel, list[Note]] | ResultsError], about: Sequence[tuple[str, str]], where: str, notes: Sequence[Note] = ()) -> MeasuredTest:  # fmt: skip
    channels, said, why = list[Channel](), list(notes), NOTHING
    for one in made:
        if isinstance(one, ResultsError):
            why = one.said
            said.append(Sentence("Left out: {why}", why=one.said))
        else:
            channels.append(one[0])
            said += one[1]
    if not channels:
        raise ResultsError("'{where}' has no channel that can be read. {why}", where=where, why=why)  # fmt: skip
    return MeasuredTest(kind, tuple(channels), tuple(about), tuple(said))


# UDS-1992.

_RECORD = 512
_HEADER = "12s i 10s 5s 3s 15s i 12s 70s 25s 10s 3s i f i 2s 30s 15s 25s i 25s 4s f f 6s i 1s f 2s 20s 20s"
_HEADER_NAMES = [
    "FILEVER",
    "NCHAN",
    "FILEFORM",
    "NUMFORM",
    "DIMSYS",
    "TSTSRC",
    "TSTNO",
    "TSTNAM",
    "TITLE",
    "TSTPRF",
    "TSTREF",
    "TSTCFN",
    "IMPANG",
    "CLSSPD",
    "CMPNO",
    "CMPTYP",
    "CMPDSC",
    "MAKE",
    "MODEL",
    "YEAR",
    "BODY",
    "ENGINE",
    "CMPWGT",
    "CMPSPD",
    "OCCTYP",
    "OCCAGE",
    "OCCSEX",
    "OCCWT",
    "DUMSIZ",
    "RESTR1",
    "RESTR2",
]
_CURVE = "12s i 10s i 12s 30s 2s i i i 2s 20s 20s 20s 20s 20s 20s 70s i i f f f f"
_CURVE_NAMES = ["HEAD", "ICHAN", "CHANFORM", "CURNO", "CURNAM", "SENATT", "SENLOC", "SENNUM", "BANDNO", "GAGNO", "AXIS", "YTYP", "YUNITS", "XTYP", "XUNITS", "STATUS", "CURTYP", "CURDSC", "NFP", "NLP", "DEL", "INIVEL", "PREF", "FCUT"]  # fmt: skip
_PER_RECORD = 125
_ENDS = {"VAX": "<", "IEEE": "<", "SUN": ">"}


def is_uds(raw: bytes) -> bool:
    """Whether a file is one of UDS."""
    return raw.startswith(b"UDS-199")


def read_uds(files: Files, names: Sequence[str]) -> MeasuredTest:
    """Read files of UDS-1992, each with one channel or several. Raises ResultsError."""
    first = files.bytes_of(names[0])
    return _gathered("UDS-1992", (one for name in names for one in _uds(files.bytes_of(name), PurePosixPath(name).name)), _uds_about(first, names[0]), files.where)  # fmt: skip


def _uds_about(raw: bytes, name: str) -> list[tuple[str, str]]:
    head = _fields(raw, 0, _HEADER, _HEADER_NAMES, _form(raw, name), name)
    return [(key, f"{value:g}" if isinstance(value, float) else str(value)) for key, value in head.items() if value not in ("", 0, 0.0)]  # fmt: skip


def _form(raw: bytes, name: str) -> str:
    if not raw.startswith(b"UDS-1992"):
        raise ResultsError("'{file}' is of an older edition of UDS than 1992: convert it with NHTSA's UDS92.", file=name)  # fmt: skip
    form = raw[26:31].decode("latin-1").strip()
    if form not in _ENDS:
        raise ResultsError("'{file}' has numbers of the form '{form}', not VAX, IEEE or SUN.", file=name, form=form)  # fmt: skip
    return form


def _fields(raw: bytes, record: int, layout: str, names: Sequence[str], form: str, file: str) -> dict[str, Any]:  # fmt: skip
    """Take a record apart; texts are stripped."""
    part = raw[record * _RECORD : (record + 1) * _RECORD]
    if len(part) < struct.calcsize(_ENDS[form] + layout):
        raise ResultsError("'{file}' ends within record {record}.", file=file, record=record + 1)
    plain = layout.replace("f", "4s")
    values: list[Any] = []
    for kind, value in zip(layout.split(), struct.unpack_from(_ENDS[form] + plain, part), strict=True):  # fmt: skip
        if kind == "f":
            values.append(float(_reals(value, form)[0]))
        else:
            values.append(
                value.decode("latin-1").strip(" \0") if isinstance(value, bytes) else value
            )
    return dict(zip(names, values, strict=True))


def _reals(raw: bytes, form: str) -> Array:
    """Numbers of four bytes: little-endian, big-endian, or of VAX (F), whose halves are swapped and whose exponent is two more."""
    if form != "VAX":
        return np.frombuffer(raw, _ENDS[form] + "f4").astype(float)
    bits = np.frombuffer(raw, "<u2").reshape(-1, 2).astype(np.uint32)
    swapped = (bits[:, 0] << np.uint32(16)) | bits[:, 1]
    exponent = (swapped >> np.uint32(23)) & np.uint32(0xFF)
    made = swapped.view(np.float32).astype(float) / 4.0
    # an exponent of 255 is a number here, which IEEE would take for none
    top = exponent == 255
    made[top] = (swapped[top] - np.uint32(2 << 23)).view(np.float32).astype(float)
    made[exponent == 0] = 0.0
    return made


def _uds(raw: bytes, name: str) -> Iterator[tuple[Channel, list[Note]] | ResultsError]:
    try:
        form = _form(raw, name)
        head = _fields(raw, 0, _HEADER, _HEADER_NAMES, form, name)
    except ResultsError as failure:
        yield failure
        return
    dummy = _DUMMIES.get((head["OCCTYP"][:2], head["DUMSIZ"]), "00")
    record = 2 if raw[_RECORD : _RECORD + 9] == b"CMP-2 HDR" else 1
    for _ in range(max(1, min(head["NCHAN"], len(raw) // _RECORD))):
        try:
            about, time, value, record = _uds_channel(raw, record, form, name)
            yield channel_of(time, value, {**about, "VEHNO": str(head["CMPNO"])}, dummy)
        except ResultsError as failure:
            yield failure
            if raw[record * _RECORD : record * _RECORD + 9] != b"CURVE HDR":
                return


def _uds_channel(raw: bytes, record: int, form: str, name: str) -> tuple[dict[str, str], Array, Array, int]:  # fmt: skip
    if raw[record * _RECORD : record * _RECORD + 9] != b"CURVE HDR":
        raise ResultsError("Record {record} of '{file}' is no head of a curve.", record=record + 1, file=name)  # fmt: skip
    found = _fields(raw, record, _CURVE, _CURVE_NAMES, form, name)
    count = found["NLP"] - found["NFP"] + 1
    records = -(-count // _PER_RECORD)
    if not 2 <= count <= (len(raw) // _RECORD) * _PER_RECORD:
        raise ResultsError("Curve {number} of '{file}' goes from sample {first} to {last}, more than the file holds or fewer than two.", number=found["CURNO"], file=name, first=found["NFP"], last=found["NLP"])  # fmt: skip

    def numbers(at: int, word: bytes) -> Array:
        parts = []
        for n in range(at, at + records):
            part = raw[n * _RECORD : (n + 1) * _RECORD]
            if not part.startswith(word) or len(part) < _RECORD:
                raise ResultsError("Record {record} of '{file}' holds no numbers of curve {number}.", record=n + 1, file=name, number=found["CURNO"])  # fmt: skip
            parts.append(_reals(part[12:], form))
        return np.concatenate(parts)[:count]

    value, after = numbers(record + 1, b"Y DATA"), record + 1 + records
    about = {key: str(one) for key, one in found.items()}
    if found["CHANFORM"] == "X-Y":
        time, after = numbers(after, b"X DATA"), after + records
    else:
        time = found["DEL"] * np.arange(found["NFP"], found["NLP"] + 1, dtype=float)
    if found["XUNITS"].upper() not in ("SECONDS", "SEC", ""):
        raise ResultsError("Curve {number} of '{file}' is over {what}, not over time.", number=found["CURNO"], file=name, what=found["XUNITS"].lower())  # fmt: skip
    _growing(time, found["CURNO"], name)
    return about, time, value, after


def _growing(time: Array, number: object, name: str) -> None:
    if not (np.isfinite(time).all() and (np.diff(time) > 0.0).all()):
        raise ResultsError("The times of curve {number} of '{file}' do not grow from sample to sample.", number=number, file=name)  # fmt: skip


# EV5: sections between lines of dashes, fields between upright strokes.

_SECTION = re.compile(r"^-+\s*([A-Z0-9_ ]+?)\s*-+\s*$")
_TEST = ["VERNO", "TITLE", "TSTOBJ", "TSTDAT", "TSTPRF", "CONNO", "TSTREF", "TSTTYP", "TSTCFN", "TKSURF", "TKCOND", "TEMP", "RECTYP", "LINK", "CLSSPD", "IMPANG", "OFFSET", "IMPPNT", "TOTCRV", "TSTCOM"]  # fmt: skip
_VEHICLE = {1: "MAKE", 2: "MODEL", 3: "YEAR", 10: "VEHTWT", 41: "VEHSPD"}
_BEFORE = ("SENATT", "SENLOC", "SENTYP", "CURNO", "VEHNO")
_BEHIND = ("PREFIL", "INSMAN", "CALDAT", "INSRAT", "CHLMAX", "INIVEL", "NFP", "NLP", "DELT", "DASTAT", "CHSTAT", "INSCOM")  # fmt: skip


def read_ev5(files: Files, name: str) -> MeasuredTest:
    """Read a test of NHTSA's exchange text, with the files of numbers beside it. Raises ResultsError."""
    sections: dict[str, list[tuple[int, list[str]]]] = {}
    current = ""
    for line, text in enumerate(files.text_of(name).splitlines(), 1):
        found = _SECTION.match(text.strip())
        if found:
            current = found[1].strip()
            sections.setdefault(current, [])
        elif text.strip() and current:
            sections[current].append((line, [one.strip() for one in text.split("|")]))
    if not sections.get("INSTRUMENTATION"):
        raise ResultsError("'{file}' has no section INSTRUMENTATION, which names the curves.", file=name)  # fmt: skip
    dummies = {}
    for _, row in sections.get("OCCUPANT", []):
        if len(row) > 8:
            dummies[row[0], row[1].zfill(2)] = _DUMMIES.get((row[2], row[8]), "00")
    about = [(key, value) for _, row in sections.get("TEST", [])[:1] for key, value in zip(_TEST, row, strict=False) if value]  # fmt: skip
    for _, row in sections.get("VEHICLE", []):
        about += [(f"{key} {row[0]}", row[k]) for k, key in _VEHICLE.items() if k < len(row) and row[k]]  # fmt: skip
    curves = {int(PurePosixPath(one).suffix[1:]): one for one in files.numbered()}

    def made() -> Iterator[tuple[Channel, list[Note]] | ResultsError]:
        for line, row in sections["INSTRUMENTATION"]:
            try:
                facts = _instrument(row, line, name)
                number = int(facts["CURNO"]) if facts["CURNO"].isdigit() else -1
                if number not in curves:
                    raise ResultsError("Line {line} of '{file}' names curve {number}, whose file is missing.", line=line, file=name, number=facts["CURNO"])  # fmt: skip
                time, value = _columns(files.text_of(curves[number]), curves[number], facts)
                yield channel_of(time, value, facts, dummies.get((facts["VEHNO"], facts["SENLOC"].zfill(2)), "00"))  # fmt: skip
            except ResultsError as failure:
                yield failure

    return _gathered("NHTSA EV5", made(), about, files.where)


def _instrument(row: list[str], line: int, file: str) -> dict[str, str]:
    """The fields of a curve, counted from axis and units, which vehicles, occupants and components have alike."""
    at = next((k for k in range(len(row) - 2) if row[k].upper() in _AXIS_CODES and row[k + 1].upper() in _UNITS and row[k + 2]), None)  # fmt: skip
    if at is None or at < 4:
        raise ResultsError("Line {line} of '{file}' has no axis with units of time and value behind it (AXIS, XUNITS, YUNITS).", line=line, file=file)  # fmt: skip
    facts = dict.fromkeys((*_BEFORE, *_BEHIND), "")
    facts |= {"AXIS": row[at], "XUNITS": row[at + 1], "YUNITS": row[at + 2]}
    facts |= dict(zip(_BEFORE, reversed(row[:at]), strict=False))
    facts |= dict(zip(_BEHIND, row[at + 3 :], strict=False))
    return facts


def _columns(text: str, name: str, facts: Mapping[str, str]) -> tuple[Array, Array]:
    """Time and value of a curve: two columns, or one with the increment (µs) and the first number of the text."""
    rows = [(n, line.replace(",", " ").split()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]  # fmt: skip
    many = len(rows[0][1]) if rows else 0
    if many not in (1, 2) or len(rows) < 2:
        raise ResultsError("'{file}' does not hold one column of values, or two of time and value.", file=name)  # fmt: skip
    for n, words in rows:
        if len(words) != many or not all(_is_number(word) for word in words):
            raise ResultsError("Line {line} of '{file}' does not hold {count} numbers.", line=n, file=name, count=many)  # fmt: skip
    table = np.array([words for _, words in rows], float)
    unit = _UNITS.get(facts["XUNITS"].upper(), ("s", 1.0))[0]
    if unit != "s":
        raise ResultsError("Curve {number} of '{file}' is over {what}, not over time.", number=facts["CURNO"], file=name, what=facts["XUNITS"])  # fmt: skip
    if many == 2:
        time = table[:, 0]
    else:
        step = 1e-6 * _float(facts["DELT"])
        if not step > 0.0:
            raise ResultsError("'{file}' holds values alone, and its text no increment of time (DELT).", file=name)  # fmt: skip
        time = step * (_float(facts["NFP"]) + np.arange(len(table)))
    _growing(time, facts["CURNO"], name)
    return time, table[:, -1]


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
