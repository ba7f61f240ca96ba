"""Small files of measured tests, as laboratories and NHTSA write them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.c3d_files import reals

MME = {
    "Channel code": "11HEADCG00H3ACXA", "Name of the channel": "Head acceleration x", "Direction": "X", "Channel frequency class": "1000", "Unit": "g",
    "Sampling interval": "1.0E-4", "Time of first sample": "-0.010",
}  # fmt: skip
INSTRUMENT = "1|{number}|AC|{seat}|{place}|{axis}|SEC|{unit}|1650|MAKER|01/02/2003|2000|{most}|56|-20|79|50|{status}|P|own words"
OCCUPANT = "1|01|H3|0|M|0|78|OT|50|MAKER"


def mme_channel(file: Path, values: Sequence[str] = ("0.0", "1.5", "-2", "3E0"), **head: str) -> Path:  # fmt: skip
    """Write a channel of ISO-MME; an empty value takes a descriptor away."""
    about = {**MME, **{name.replace("_", " "): value for name, value in head.items()}}
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{name:<28}:{value}" for name, value in about.items() if value]
    file.write_text("\r\n".join([*lines, *values]) + "\r\n", encoding="latin-1", newline="")
    return file


def ev5(folder: Path, rows: Sequence[dict[str, str]], curves: dict[int, Sequence[Sequence[float]]], stem: str = "v04711") -> Path:  # fmt: skip
    """Write a test of NHTSA's exchange text, with its curves."""
    folder.mkdir(parents=True, exist_ok=True)
    usual = {
        "seat": "01",
        "place": "HDCG",
        "axis": "XL",
        "unit": "G'S",
        "most": "500",
        "status": "AM",
    }
    lines = ["----- EV5 -----", "----- TEST -----", "V5|Own test|To try|01/02/2003|US|C1|R1|RES|VTB|CON|DRY|20|DIG|UMB|56.3|0|0|0|3|none",
             "----- VEHICLE -----", "|".join(["1", "MADE UP", "CAR", "2003", *[""] * 6, "1500", *[""] * 30, "56.3"]),
             "----- OCCUPANT -----", OCCUPANT, "----- INSTRUMENTATION -----"]  # fmt: skip
    lines += [INSTRUMENT.format(**{**usual, **row}) for row in rows]
    (folder / f"{stem}.EV5").write_text("\r\n".join([*lines, "----- END -----", ""]), newline="")
    for number, table in curves.items():
        text = "\r\n".join("\t".join(f"{v:.7g}" for v in row) for row in table)
        (folder / f"{stem}.{number:03d}").write_text(text + "\r\n", newline="")
    return folder / f"{stem}.EV5"


def uds_bytes(curves: Sequence[dict[str, Any]], form: str = "IEEE") -> bytes:
    """Write a file of UDS-1992: each curve has y, and x or `dt` with the number of its first sample."""
    order = ">" if form == "SUN" else "<"

    def text(word: str, size: int) -> bytes:
        return word.encode().ljust(size)

    def real(*values: float) -> bytes:
        return reals(values, {"IEEE": "intel", "SUN": "sgi", "VAX": "dec"}[form])

    def whole(value: int) -> bytes:
        return struct.pack(order + "i", value)

    head = (
        text("UDS-1992", 12)
        + whole(len(curves))
        + text("Y", 10)
        + text(form, 5)
        + text("MET", 3)
        + text("VEHICLE DB", 15)
        + whole(4711)
    )
    head += (
        text("4711", 12)
        + text("Own test", 70)
        + text("own", 25)
        + text("R1", 10)
        + text("VTB", 3)
        + whole(0)
        + real(56.25)
    )
    head += (
        whole(1)
        + text("VE", 2)
        + text("", 30)
        + text("MADE UP", 15)
        + text("CAR", 25)
        + whole(2003)
        + text("", 25)
        + text("", 4)
        + real(1500, 56.25)
    )
    head += text("H3", 6) + whole(0) + text("M", 1) + real(78) + text("50", 2) + text("", 40) + real(0, 0, 0, 0, 0, 0) + text("", 1)  # fmt: skip
    out = head.ljust(512)
    for n, curve in enumerate(curves, 1):
        y = np.asarray(curve["y"], float)
        first = curve.get("first", 0)
        body = (
            text("CURVE HDR", 12)
            + whole(n)
            + text("X-Y" if "x" in curve else "Y", 10)
            + whole(n)
            + text(str(n), 12)
            + text(curve["place"], 30)
            + text("01", 2)
        )
        body += (
            whole(0) * 3
            + text(curve.get("axis", "XL"), 2)
            + text("", 20)
            + text(curve["unit"], 20)
            + text("TIME", 20)
            + text(curve.get("over", "SECONDS"), 20)
        )
        body += text("AS MEASURED", 20) + text("TIME SERIES", 20) + text("", 70) + whole(first) + whole(first + len(y) - 1) + real(curve.get("dt", 0), 0, 1650, 0, 0, 0, 1)  # fmt: skip
        out += body.ljust(512)
        for word, column in (("Y DATA", y), ("X DATA", curve.get("x"))):
            if column is not None:
                column = np.asarray(column, float)
                padded = np.pad(column, (0, -len(column) % 125))
                for part in padded.reshape(-1, 125):
                    out += text(word, 12) + real(*part)
    return out
