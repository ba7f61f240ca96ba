"""Files of tracks as programs of laboratories write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.analysis.tracking.tracks import read_tracks


@pytest.mark.parametrize(
    ("heads", "axes", "rows", "names"),
    [
        (
            "Frame#\tTime\tA\t\t\tB\t\t",
            "\t\tX1\tY1\tZ1\tX2\tY2\tZ2",
            "-2\t-0.02\t1\t2\t3\t\t\t\n-1\t-0.01\t4\t5\t6\t7\t8\t9",
            "A B",
        ),
        (
            "Frame#\t\tTime\t\tA\t\t\t\t\t\tB",
            "\t\t\t\tX1\t\tY1\t\tZ1\t\tX2\t\tY2\t\tZ2",
            "-2\t\t-0.02\t\t1\t\t2\t\t3\t\t\t\t\t\t\n-1\t\t-0.01\t\t4\t\t5\t\t6\t\t7\t\t8\t\t9",
            "A B",
        ),
        (
            "Frame#,Time,A,,,B,,",
            ",,X1,Y1,Z1,X2,Y2,Z2",
            "-2,-0.02,1,2,3,,,\n-1,-0.01,4,5,6,7,8,9",
            "A B",
        ),
        (
            "Frame#\tTime\tA\t\t",
            "\t\tX1\tY1\tZ1\tX2\tY2\tZ2",
            "-2\t-0.02\t1\t2\t3\n-1\t-0.01\t4\t5\t6\t7\t8\t9",
            "A|marker 2",
        ),
        (
            "Frame#\tTime\tA\t\t\tB\t\t",
            "\t\tX1\tY1\tZ1\tX2\tY2\tZ2",
            "-2\t-0,02\t1\t2\t3\t\t\t\n-1\t-0,01\t4,0\t5\t6\t7\t8\t9",
            "A B",
        ),
    ],
    ids=["tabs", "double tabs", "commas", "a name is missing", "decimal commas"],
)
@pytest.mark.parametrize(("unit", "factor"), [("mm", 1e-3), ("m", 1.0), ("in", 0.0254)])
def test_tracks_of_motion_analysis_as_programs_write_them(
    heads: str, axes: str, rows: str, names: str, unit: str, factor: float, tmp_path: Path
) -> None:
    """Frames may be counted below zero, before the trigger; markers may not be seen, or have no name."""
    file = tmp_path / "walk.trc"
    file.write_text(
        f"PathFileType\t4\t(X/Y/Z)\twalk.trc\nDataRate\tUnits\n100\t{unit}\n{heads}\n{axes}\n\n{rows}\n"
    )
    back = read_tracks(file)
    assert list(back.names) == (names.split("|") if "|" in names else names.split())
    assert back.time == pytest.approx([-0.02, -0.01])
    assert back.seen.tolist() == [[True, False], [True, True]]
    assert back.point[1] == pytest.approx(factor * np.array([[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]))
