"""Read curves of a test: channels of ISO-MME, what ATB printed, or tables of OpenSim."""

from __future__ import annotations

import re
from pathlib import Path

from solver.exchange.endings import PRINTED, STORED
from solver.exchange.printed import read_printed
from solver.results import Channel
from solver.results.mme_reading import mme_channels, read_mme_channel


def read_test(path: Path | str) -> tuple[Channel, ...]:
    """Read the curves of a test into SI, from a channel of ISO-MME (`.001`), its header or folder (all of them), from a printout of ATB (`.aou`), or a table of OpenSim (`.mot`, `.sto`).

    Raises ResultsError and PrintedError.
    """
    file = Path(path)
    if file.suffix.lower() in PRINTED:
        return tuple(read_printed(file).curves)
    if file.suffix.lower() in STORED:
        from solver.exchange.opensim import read_storage

        return read_storage(file)
    if re.fullmatch(r"\.\d{3,4}", file.suffix):
        return (read_mme_channel(file),)
    return tuple(read_mme_channel(one) for one in mme_channels(file))
