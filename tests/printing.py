"""Print tables as version V.3 of the old program does: the same widths, headings and units, from numbers in its units."""

from __future__ import annotations

from collections.abc import Sequence

Row = Sequence[float]
HEAD = (
    "1" + " " * 18 + "Date:   2 SEPT 1988     " + " " * 80 + "Page   12",
    "        Run Description:   SMALL", " " * 27 + "MADE FOR A TEST" + " " * 65 + "Page: 21.00",
    "   Vehicle Deceleration:   NONE", "           Test Subject:   NOBODY",
)  # fmt: skip


def fixed(value: float, width: int, digits: int) -> str:
    """Write F as Fortran does: asterisks where it does not fit."""
    text = f"{value:{width}.{digits}f}"
    return text if len(text) == width else "*" * width


def power(value: float, width: int, digits: int, letter: str = "E") -> str:
    """Write E or D: a point first, and no nought before it where a sign needs its place."""
    if value == 0.0:
        mantissa, exponent = 0.0, 0
    else:
        exponent = int(f"{abs(value):e}".partition("e")[2]) + 1
        mantissa = value / 10.0**exponent
        if round(abs(mantissa), digits) >= 1.0:
            mantissa, exponent = mantissa / 10.0, exponent + 1
    text = f"{mantissa:.{digits}f}{letter}{exponent:+03d}"
    text = text.replace("-0.", "-.") if len(text) > width else text
    return text.rjust(width)


def _page(title: Sequence[str], heads: Sequence[str], lines: Sequence[str]) -> str:
    return "\n".join((*HEAD, *title, *heads, "", *lines)) + "\n"


def by_axes(title: str, items: Sequence[tuple[int, str, str]], rows: Sequence[Row], point: str = "") -> str:  # fmt: skip
    """Tables of cards H.1 to H.6 and H.8: up to three items of four columns."""
    turns = "Displacement (deg)" in title
    names = (
        "    Yaw     Pitch     Roll     Res " if turns else "     X        Y        Z       Res "
    )
    heads = ["         " + "".join(f"       Point ({point}) on " for _ in items)] if point else []
    heads.append(" " * 9 + "".join(f"             Segment No.{n:3d} - {name:<4}     " for n, name, _ in items))  # fmt: skip
    heads.append("    Time " + "".join(f"              In {seen:<4} Reference        " for *_, seen in items))  # fmt: skip
    heads.append("   (msec)" + "".join(f"    {names}" for _ in items))
    lines = [fixed(r[0], 9, 3) + "".join("   " + "".join(fixed(v, 9, 3) for v in r[1 + 4 * k : 5 + 4 * k])
                                         for k in range(len(items))) for r in rows]  # fmt: skip
    return _page([" " * 48 + title, ""], heads, lines)


def joints(items: Sequence[tuple[int, str]], rows: Sequence[Row], units: str = "IN. LB. ") -> str:
    """Tables of card H.7: two joints of seven columns."""
    heads = [" " * 9 + "".join(f" {' ' * 21}Joint No.{n:3d} - {name:<4}{' ' * 20}" for n, name in items),
             "    Time " + "".join(f" State     Joint Angles (deg)        Total Torque ({units}) " for _ in items),
             "   (msec)" + "".join(" JTYPE Flexure  Azimuth  Torsion     Spring  Viscous    Res. " for _ in items)]  # fmt: skip
    lines = [
        fixed(r[0], 9, 3)
        + "".join(
            fixed(r[1 + 7 * k], 5, 0)[:5]
            + "".join(power(v, 9, 3) for v in r[2 + 7 * k : 5 + 7 * k])
            + "  "
            + "".join(power(v, 9, 3) for v in r[5 + 7 * k : 8 + 7 * k])
            for k in range(len(items))
        )
        for r in rows
    ]
    return _page(["", " " * 47 + "Joint Parameters", ""], heads, lines)


def joint_force(joint: str, segment: str, seen: str, rows: Sequence[Row]) -> str:
    """The table of a joint of card H.9: force and torque in hundreds."""
    title = f"{joint:<4} Joint Forces & Torques on {segment:<4} in {seen:<4} Reference"
    heads = ["    Time       Joint Force (LB.  10**2)          Joint Torque (IN. -LB.  10**2)",
             "   (msec)        X        Y        Z              X           Y           Z"]  # fmt: skip
    lines = [fixed(r[0], 9, 3) + "   " + "".join(fixed(v, 9, 3) for v in r[1:4]) + "   "
             + "".join("  " + power(v, 10, 3, "D") for v in r[4:7]) for r in rows]  # fmt: skip
    return _page([" ", " " * 47 + title, ""], heads, lines)


def planes(items: Sequence[tuple[int, str, int, str, int]], seen: str, rows: Sequence[Row]) -> str:
    """Contacts of segments with planes: two items of seven columns."""
    named = "".join(f"  PANEL{p:3d} ({title:<20}) VS SEG{s:3d} ({name:<4})  ELLIP{e:3d}" for p, title, s, name, e in items)  # fmt: skip
    heads = [" ", " " * 11 + named,
             " " * 13 + "Defl-  Normal  Friction Resultant Contact Location (IN. )",
             f"    Time    ection   Force    Force    Force     ({seen:<4} Reference)",
             "   (msec)" + "".join("   (IN. )  (LB. )    (LB. )   (LB. )     X       Y       Z  " for _ in items)]  # fmt: skip
    lines = [
        fixed(r[0], 9, 3)
        + "".join(
            fixed(r[1 + 7 * k], 9, 3)
            + "".join(fixed(v, 9, 2) for v in r[2 + 7 * k : 5 + 7 * k])
            + "".join(fixed(v, 8, 3) for v in r[5 + 7 * k : 8 + 7 * k])
            for k in range(len(items))
        )
        for r in rows
    ]
    return _page([" " * 27 + "Contact Forces - Segment Panels vs. Segments"], heads, lines)


def pair(first: tuple[int, str], second: tuple[int, str], rows: Sequence[Row]) -> str:
    """The contact of two segments: ten columns."""
    (m, a), (n, b) = first, second
    heads = ["", " " * 13 + "Defl-  Normal  Friction Resultant" + " " * 14 + "Contact Location (IN. )",
             "    Time    ection" + "   Force " * 3 + f"  Seg.{m:3d} Local Reference   Seg.{n:3d} Local Reference ",
             "   (msec)   (IN. )" + "   (LB. )" * 3 + "     X       Y       Z    " * 2]  # fmt: skip
    lines = [fixed(r[0], 9, 3) + fixed(r[1], 9, 3) + "".join(fixed(v, 9, 2) for v in r[2:5])
             + "".join(fixed(v, 8, 3) for v in r[5:8]) + "  " + "".join(fixed(v, 8, 3) for v in r[8:11]) for r in rows]  # fmt: skip
    title = f"Contact Forces - Segment No.{m:3d} ({a:<4}) vs. Segment No.{n:3d} ({b:<4})"
    return _page(["0" + " " * 26 + title], heads, lines)


def straps(items: Sequence[tuple[int, int]], rows: Sequence[Row]) -> str:
    """Ends of the straps of harnesses: two items of four columns."""
    heads = [" " * 9 + "".join(f"{' ' * 15}Belt No.{b:4d} of Harness No.{h:3d}{' ' * 15}" for b, h in items),
             "    Time" + "".join(" " * 9 + "Strain       Force" + " " * 12 + "Strain       Force   " for _ in items),
             "   (msec)" + "".join("      (IN. /IN. )    (LB. )         (IN. /IN. )    (LB. )   " for _ in items)]  # fmt: skip
    return _page(["0" + " " * 26 + "Harness System Belt Endpoint Forces"], heads, _ends(rows, len(items)))  # fmt: skip


def belts(items: Sequence[tuple[int, str, int, str]], rows: Sequence[Row]) -> str:
    """Simple belts: two items of four columns."""
    named = "".join(f"       Belt{b:3d} ({title:<20}) vs. Segment{s:3d} ({name:<4}) " for b, title, s, name in items)  # fmt: skip
    heads = [" " * 8 + named, "    Time",
             "   (msec)" + "".join("      (IN. /IN. )    (LB. )         (IN. /IN. )    (LB. )   " for _ in items)]  # fmt: skip
    return _page(["0" + " " * 26 + "Contact Forces - Belts vs. Segments"], heads, _ends(rows, len(items)))  # fmt: skip


def _ends(rows: Sequence[Row], items: int) -> list[str]:
    return [fixed(r[0], 9, 3) + "".join(fixed(r[1 + 2 * k], 15, 6) + fixed(r[2 + 2 * k], 12, 2) + "   "
                                        for k in range(2 * items)) for r in rows]  # fmt: skip


def springs(items: Sequence[int], rows: Sequence[Row]) -> str:
    """Springs and dampers: two items of four columns."""
    heads = [" " * 9 + "".join(f"{' ' * 21}Spring Damper No.{n:3d}{' ' * 19}" for n in items), "    Time",
             "   (msec)" + "".join("        (IN. )      (LB. )      (LB. )      (LB. )     " for _ in items)]  # fmt: skip
    lines = [fixed(r[0], 9, 3) + "".join(fixed(r[1 + 4 * k], 14, 3) + " " + "".join(fixed(v, 12, 2) for v in r[2 + 4 * k : 5 + 4 * k])
                                         + "    " for k in range(len(items))) for r in rows]  # fmt: skip
    return _page(["0" + " " * 26 + "Spring Damper Forces"], heads, lines)
