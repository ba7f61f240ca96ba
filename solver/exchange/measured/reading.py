"""Read curves of a test, whatever wrote them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from solver.exchange.endings import PRINTED, STORED
from solver.exchange.measured.files import NUMBERED, MeasuredTest, alone, opened
from solver.exchange.measured.mme import read_mme, read_mme_alone
from solver.exchange.measured.nhtsa import is_uds, read_ev5, read_uds
from solver.exchange.printed import read_printed
from solver.results.layout import ResultsError

TABLES = (".csv", ".tsv", ".txt", ".dat")
"""Tables of numbers with a row of headings."""
ARCHIVES = (".zip",)


def is_test(path: Path) -> bool:
    """Whether a name is that of a test's folder or of one of its files, not of a model."""
    end = path.suffix.lower()
    return path.is_dir() or end in (*PRINTED, *STORED, *TABLES, *ARCHIVES, ".mme", ".chn", ".ev5", ".uds", ".c3d") or bool(NUMBERED.fullmatch(end))  # fmt: skip


def read_test(path: Path | str) -> MeasuredTest:
    """Read the curves of a test into SI: ISO-MME by its folder, archive, header or one channel (`.001`), NHTSA's EV5 and UDS, a printout of ATB, tables of OpenSim, C3D, or a table with headings.

    Raises ResultsError and PrintedError.
    """
    file = Path(path)
    end = file.suffix.lower()
    if end in PRINTED and not file.is_dir():
        printed = read_printed(file)
        return MeasuredTest("ATB", tuple(printed.curves), (), tuple(printed.notes))
    if end in STORED:
        from solver.exchange.opensim import read_storage

        return MeasuredTest("OpenSim", read_storage(file))
    if end == ".c3d":
        from solver.exchange.measured.analog import read_analog

        return read_analog(file)
    if end in TABLES:
        from solver.exchange.measured.tables import read_columns

        return read_columns(file)
    if end == ".uds":
        return read_uds(alone(file), (file.name,))
    if NUMBERED.fullmatch(end):
        return _numbered(file)
    return _folder(file)


def _numbered(file: Path) -> MeasuredTest:
    """One channel: of UDS or ISO-MME by itself; of EV5 with its text beside it."""
    one = alone(file)
    raw = one.bytes_of(file.name)
    if is_uds(raw):
        return read_uds(one, (file.name,))
    if b"hannel code" not in raw[:16384]:
        beside = opened(file)
        if texts := beside.ending(".ev5"):
            found = read_ev5(beside, texts[0])
            number = str(int(file.suffix[1:]))
            ours = tuple(
                c for c in found.channels if c.name.partition(" ")[0].lstrip("0") == number
            )
            if ours:
                return MeasuredTest(found.kind, ours, found.about, tuple(n for n in found.notes if f"{ours[0].name}" in str(n)))  # fmt: skip
    return read_mme_alone(file)


def _folder(path: Path) -> MeasuredTest:
    if not path.is_dir():
        if not path.exists():
            alone(path).bytes_of(path.name)
        if path.suffix.lower() not in (".mme", ".chn", ".zip", ".ev5"):
            raise ResultsError("'{file}' is no test that is read: give a folder or archive of ISO-MME or NHTSA (EV5, UDS), or a .mme, .001, .ev5, .uds, .c3d, .csv, .mot, .sto or .aou file.", file=path.name)  # fmt: skip
    files = opened(path)
    if texts := files.ending(".ev5"):
        return read_ev5(files, texts[0])
    numbered = files.numbered()
    if not numbered and path.is_dir() and not files.ending(".mme", ".uds"):
        below = sorted(one for one in path.iterdir() if one.is_dir() and opened(one).ending(".mme", ".ev5"))  # fmt: skip
        if len(below) == 1:
            return _folder(below[0])
        if below:
            raise ResultsError("'{where}' holds {count} tests ({names}): give the folder of one.", where=str(path), count=len(below), names=", ".join(one.name for one in below[:6]))  # fmt: skip
    if not numbered or files.ending(".uds"):
        numbered = files.ending(".uds") or numbered
    if numbered and is_uds(files.bytes_of(numbered[0])[:16]):
        return read_uds(files, [one for one in numbered if is_uds(files.bytes_of(one)[:16])])
    return read_mme(files)


def named(names: Sequence[str], codes: Sequence[str], words: str) -> int:
    """Find the one curve whose code is this, whose name this is, or whose name has all of these words. Raises ResultsError."""
    low = words.strip().lower()
    for wanted in (codes, names):
        same = [k for k, one in enumerate(wanted) if one.lower() == low and low]
        if len(same) == 1:
            return same[0]
    fit = [k for k, name in enumerate(names) if all(word in f"{name} {codes[k]}".lower() for word in low.split())]  # fmt: skip
    if len(fit) == 1:
        return fit[0]
    listed = "; ".join(names[k] for k in (fit or range(len(names)))[:12])
    if not fit:
        raise ResultsError("No curve of the test has '{words}' in its name. There are: {listed}.", words=words, listed=listed)  # fmt: skip
    raise ResultsError("{count} curves of the test fit '{words}'; give more words, or a code. There are: {listed}.", count=len(fit), words=words, listed=listed)  # fmt: skip
