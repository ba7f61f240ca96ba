"""The outer boundary of every command and thread: whatever is raised becomes a sentence and a report.

The command line and the window use the same functions, so that a failure reads the same in both.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import platform
import signal
import sys
import threading
import traceback
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from solver.base.atomic import write_atomic
from solver.base.places import user_cache
from solver.base.words import tr

FAILED = 3
"""Exit code of a command that met a fault of the program or of the machine."""

KEPT = 20
"""Reports that are kept; the oldest go first."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What is said of an exception that nobody expected."""

    sentence: str
    report: str
    """Versions, what was asked, and the way it took; the user's folders are left out."""
    file: Path | None
    """Where the report stands; none where the disk did not take it."""


def failure(
    raised: BaseException, doing: Sequence[str] = (), versions: Mapping[str, str] | None = None
) -> Failure:
    """Say in a sentence what was raised, and write the report that can be sent."""
    text = report(raised, doing, versions)
    file = _kept(text)
    sentence = exception_text(raised)
    if file is not None:
        sentence = f"{sentence} A report that you can send is in '{file}'."
    return Failure(sentence, text, file)


def exception_text(raised: BaseException) -> str:
    """Say in one sentence what was raised."""
    if isinstance(raised, MemoryError):
        return "There is not enough memory for this."
    if isinstance(raised, RecursionError):
        return "The program has a fault: something is nested too deeply."
    if isinstance(raised, OSError) and raised.errno is not None:
        what = f"'{raised.filename}': " if raised.filename else ""
        full = raised.errno in (errno.ENOSPC, errno.EDQUOT)
        return f"{what}{'the disk is full' if full else raised.strerror}."
    words = " ".join(str(raised).split())[:160]
    kind = type(raised).__name__
    return f"The program has a fault ({kind}{': ' if words else ''}{words})."


def report(
    raised: BaseException, doing: Sequence[str] = (), versions: Mapping[str, str] | None = None
) -> str:
    """Write down what was raised, with versions, without the user's folders."""
    return with_versions("".join(traceback.format_exception(raised)), doing, versions)


def with_versions(
    trace: str, doing: Sequence[str] = (), versions: Mapping[str, str] | None = None
) -> str:
    """Put versions and what was asked above the lines that tell where it happened."""
    from solver.base.places import __version__

    known = {"Manikin": __version__, "Python": platform.python_version()} | dict(versions or {})
    head = ", ".join([*(f"{name} {number}" for name, number in known.items()), platform.platform()])
    asked = f"\n{' '.join(doing)}" if doing else ""
    return f"{head}{asked}\n\n{trace}".replace(str(Path.home()), "~")


def guarded(work: Callable[[], int], doing: Sequence[str] = ()) -> int:
    """Do the work and give its exit code; what it or one of its threads raises is told."""
    fallen: list[BaseException] = []
    before = threading.excepthook

    def hook(found: threading.ExceptHookArgs) -> None:
        if found.exc_value is not None:
            fallen.append(found.exc_value)

    threading.excepthook = hook
    code = 0
    try:
        code = work()
    except Exception as raised:  # noqa: BLE001 (this is the boundary)
        fallen.append(raised)
    finally:
        threading.excepthook = before
    for one in fallen:
        found = failure(one, doing)
        with contextlib.suppress(OSError, ValueError):
            print(f"error: {found.sentence}", file=sys.stderr)
            if found.file is None:
                print(found.report, file=sys.stderr)
    return FAILED if fallen else code


class Ended(KeyboardInterrupt):
    """Say that somebody asked this process from outside to end; it is met as Ctrl+C is, so that files are completed."""

    def __init__(self, number: int) -> None:
        super().__init__(
            tr("It was ended from outside (signal {name}).", name=signal.Signals(number).name)
        )
        self.code = 128 + number
        """Exit code by which shells know the signal."""
        self.name = signal.Signals(number).name


def endings() -> list[signal.Signals]:
    """The signals by which a process is asked to end; what somebody has set aside, as nohup does with HUP, stays so."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [signal.Signals[name] for name in names]
    return [one for one in numbers if signal.getsignal(one) is signal.SIG_DFL]


_holding: list[Callable[[KeyboardInterrupt], object]] = []
"""Who would rather be handed an interrupt of the main thread than have it raised wherever that stands."""


def hold_back(take: Callable[[KeyboardInterrupt], object]) -> None:
    """Have an interrupt that `ending_well` meets in the main thread handed over from now on."""
    if threading.current_thread() is threading.main_thread():
        _holding.append(take)


def let_through(take: Callable[[KeyboardInterrupt], object]) -> None:
    """Have it raised again."""
    if take in _holding:
        _holding.remove(take)


@contextlib.contextmanager
def ending_well() -> Iterator[None]:
    """Raise `Ended` where TERM or HUP comes, once; a second one waits for the end of what the first began.

    Within work that goes on step by step it comes at the end of a step (`hold_back`); so does the first Ctrl+C.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = endings()
    asked = False

    def meet(interrupt: KeyboardInterrupt) -> None:
        if not _holding:
            raise interrupt
        _holding[-1](interrupt)

    def end(number: int, _: object) -> None:
        nonlocal asked
        if not asked:
            asked = True
            meet(Ended(number))

    def interrupt(_: int, __: object) -> None:
        # who presses again does not want to wait
        signal.signal(signal.SIGINT, signal.default_int_handler)
        meet(KeyboardInterrupt())

    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        for one in ours:
            signal.signal(one, end)
        if is_usual:
            signal.signal(signal.SIGINT, interrupt)
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)
        if is_usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _kept(text: str) -> Path | None:
    folder = user_cache() / "reports"
    when = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S")
    file = folder / f"report-{when}-{uuid.uuid4().hex[:4]}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(file, text)
        for old in sorted(folder.glob("report-*.txt"))[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return None
    return file
