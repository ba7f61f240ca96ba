"""Studies on a Dask cluster: the same bits, and nothing that a worker sends is ever run here."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import pickle
import queue
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.studies import Progress, StudyError, courier, open_study, plain, run_study
from solver.studies import cluster as clusters
from solver.studies.evaluate import Stopped
from solver.studies.rows import Layout, RowResult, Task
from solver.studies.worker import receive_bytes
from tests.studies.test_studies_run import ROOT, same, sampled
from tests.studying import WAY, block, parameter, uniform


class Dask:
    """Hold a scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path, *tls: str) -> None:
        self.folder, self.tls = folder, tls
        self.processes = list[subprocess.Popen[bytes]]()
        self._file = folder / "scheduler.json"
        protocol = ("--protocol", "tls") if tls else ()
        self._begin("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(self._file), *protocol)  # fmt: skip
        while not self._file.exists() or not self._file.read_text().strip():
            assert self.processes[0].poll() is None
            time.sleep(0.05)
        self.address = str(json.loads(self._file.read_text())["address"])

    def worker(self, *more: str) -> None:
        """Begin a worker."""
        self._begin("dask_worker", "--scheduler-file", str(self._file), "--nthreads", "1", "--no-nanny", "--no-dashboard",
                    "--name", f"w{len(self.processes)}", "--local-directory", str(self.folder), *more)  # fmt: skip

    def _begin(self, module: str, *words: str) -> None:
        environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{self.folder}", "DASK_DISTRIBUTED__WORKER__DAEMON": "True"}  # fmt: skip
        self.processes.append(
            subprocess.Popen(
                [sys.executable, "-W", "ignore", "-m", f"distributed.cli.{module}", *words, *self.tls],
                cwd=self.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        )  # fmt: skip

    def end(self) -> None:
        """End them all."""
        for one in reversed(self.processes):
            one.kill()
            one.wait()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    """Give a scheduler with two workers."""
    pytest.importorskip("distributed")
    (tmp_path / "dask").mkdir()
    found = Dask(tmp_path / "dask")
    found.worker()
    found.worker()
    yield found
    found.end()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_bits_until_its_scheduler_dies(
    dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where one of its workers dies after the first run, and later all, before another comes."""
    monkeypatch.setattr(clusters, "PATIENCE_S", 2.0)
    whole = mk.study(sampled(), "it", workers=0)

    def tell(progress: Progress) -> None:
        if progress.done == 1:
            dask.processes[1].kill()
        if progress.done == 3 and len(dask.processes) == 3:
            dask.processes[2].kill()
            dask.worker()

    found = mk.study(sampled(), "it", tmp_path / "it.h5", scheduler=dask.address, progress=tell)
    assert found.status == "completed"
    assert same(found, whole)
    mass = parameter("m", "segments/block/mass_kg", uniform(1.0, 3.0))
    model = block().add_study("it", kind="sample", runs=3, parameters=[mass], responses=[WAY])
    stopped = mk.study(model, "it", scheduler=dask.address, cancel=lambda: True)
    assert stopped.status == "cancelled"

    file = tmp_path / "died.h5"

    def kill(progress: Progress) -> None:
        if progress.done == 2:
            dask.processes[0].kill()

    with pytest.raises(StudyError, match="is gone"):
        mk.study(sampled(40), "it", file, scheduler=dask.address, progress=kill)
    done = int((open_study(file).rows.status == 1).sum())
    assert 2 <= done < 40
    resumed = mk.study(sampled(40), "it", file, workers=0, resume=True)
    assert same(resumed, mk.study(sampled(40), "it", workers=0))


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "PATIENCE_S", 0.3)
    with pytest.raises(StudyError, match=r"No scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        run_study(sampled().project, "it", tmp_path / "it.h5", scheduler="tcp://127.0.0.1:9")
    assert not list(tmp_path.iterdir()), "another try finds nothing in its way"


class Unmanned:
    """Stand for a client of a scheduler that has no worker, but for some looks in between."""

    status = "running"

    def __init__(self, *threads: int) -> None:
        self.threads, self.given = list(threads), 0

    def nthreads(self) -> dict[str, int]:
        """Give the threads of each worker; nobody looks after the last."""
        return {"w": found} if (found := self.threads.pop(0)) else {}

    def scatter(self, *_: Any, **__: Any) -> list[Any]:
        """Give nothing to nobody."""
        self.given += 1
        raise TimeoutError


def test_a_cluster_without_a_worker_says_so_and_since_when() -> None:
    """By a clock that goes on by two seconds with each look: workers are there at the third, and gone after it."""
    told, asked, answers = {"project": "", "study": "it", "version": "1", "longest": 9, "patience": 0.1}, queue.SimpleQueue[Any](), io.BytesIO()  # fmt: skip
    client, clock = Unmanned(0, 0, 1, 0, 0), itertools.count(0.0, 2.0)
    asked.put(plain.asked(plain.Batch.of([Task(0, (1.0,))])))
    with pytest.raises(IndexError):
        _Impatient(told, client, answers, lambda: next(clock)).go(asked)
    said = list[Any]()
    answers.seek(0)
    with contextlib.suppress(EOFError):
        while True:
            said.append(json.loads(receive_bytes(answers)))
    assert said == [{"ready": True}, *({"alone": seconds} for seconds in (2.0, 4.0, 2.0, 4.0))]
    assert client.given == 1, "only where there is a worker"


class _Impatient(courier.Errand):
    """Let what the client raises through once it has nothing more to tell."""

    def _look(self, now: float) -> None:
        if not self._client.threads:
            raise IndexError
        super()._look(now)


class Heard(clusters.Cluster):
    """Be a cluster from which messages come that are given."""

    def __init__(self, *messages: dict[str, Any], wait_s: float = 300.0) -> None:
        self._address, self._layout, self._wait_s, self._is_told = "tls://a:1", LAYOUT, wait_s, False  # fmt: skip
        self.notices = list[str]()
        self._notice = lambda what: self.notices.append(str(what))
        self._messages = list(messages)

    def _send(self, message: bytes) -> None:
        """Send nothing."""

    def _next(self, cancel: Callable[[], bool] | None) -> tuple[dict[str, Any], bytes]:
        if cancel is not None and cancel():
            raise Stopped
        one = self._messages.pop(0)
        found = [RowResult(number, "done", (1.0, 2.0)) for number in one.get("found", ())]
        return one, plain.written(found) if found else b""


def test_a_study_tells_once_that_it_waits_for_a_worker_and_ends_after_its_time() -> None:
    tasks = [Task(4, (1.0,)), Task(5, (2.0,))]
    alone = [{"alone": seconds} for seconds in (2.0, 11.0, 12.0)]
    cluster = Heard(*alone, {"found": [4]}, {"alone": 15.0}, {"found": [5]})
    assert [one.number for one in cluster.solve(tasks, 2, None)] == [4, 5]
    assert len(cluster.notices) == 2, "once for each time that none is there"
    assert "has no worker: the study waits for one, up to 300 s" in cluster.notices[0]
    cluster = Heard({"found": [4]}, *alone, {"alone": 20.5}, wait_s=20.0)
    with pytest.raises(StudyError, match=r"has had no worker for 2[01] s"):
        list(cluster.solve(tasks, 2, None))
    assert cluster.notices == ["The scheduler at 'tls://a:1' has no worker: the study waits for one, up to 20 s. Start one by: dask worker tls://a:1"]  # fmt: skip
    with pytest.raises(Stopped):
        list(Heard(*alone).solve(tasks, 2, lambda: True))


class Shell:
    """Be an object whose pickle has a command run by anyone who reads it: it notes who that was."""

    def __init__(self, marker: str) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"echo $PPID >> {self.marker}",)


EVIL = """
import numpy as np
from solver.studies import plain
from tests.studies.test_studies_cluster import Shell
MARKER = {marker!r}
true = plain.solved
class Fault(Exception):
    def __reduce__(self):
        return Shell(MARKER).__reduce__()
def solved(setup, data):
    from distributed import get_worker
    match int(plain.batch_of(data).number[0]):
        case 0:
            return Shell(MARKER)
        case 1:
            raise Fault("a fault")
        case 2:
            return np.array([Shell(MARKER)], object)
        case 3:
            import pickle
            get_worker().log_event("warn", {{"message": pickle.dumps(Shell(MARKER)), "category": pickle.dumps(Shell(MARKER))}})
            return b"no row"
        case 4:
            return [Shell(MARKER)] * 100
    return true(setup, data)
plain.solved = solved
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make certificates")
def test_what_workers_send_is_not_run_here_and_all_is_encrypted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs 0 to 4 give objects whose pickles run a command; the others are honest."""
    pytest.importorskip("distributed")
    marker, key, own = (tmp_path / name for name in ("marker", "key.pem", "own.pem"))
    pickle.loads(pickle.dumps(Shell(str(marker))))
    assert marker.read_text() == f"{os.getpid()}\n", "so it would be told"
    marker.unlink()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=manikin", "-keyout", str(key), "-out", str(own)], check=True, capture_output=True,
    )  # fmt: skip
    (tmp_path / "dask").mkdir()
    (tmp_path / "dask" / "evil.py").write_text(EVIL.format(marker=str(marker)))
    dask = Dask(tmp_path / "dask", "--tls-ca-file", str(own), "--tls-cert", str(own), "--tls-key", str(key))  # fmt: skip
    try:
        dask.worker("--preload", "evil")
        assert dask.address.startswith("tls://")
        project, file = tmp_path / "block.json", tmp_path / "it.h5"
        sampled().save(project)
        words = ["study", str(project), "-o", str(file), "--scheduler", dask.address]
        tls = ["--tls-ca", str(own), "--tls-certificate", str(own), "--tls-key", str(key)]
        monkeypatch.setattr(clusters, "PATIENCE_S", 3.0)
        assert main(words) == 1
        assert main([*words, *tls[:2]]) == 1
        told = capsys.readouterr().err.splitlines()
        assert told[0].startswith("error: No scheduler answers at 'tls://")
        assert told[1].endswith("go together, with --scheduler.")
        assert main([*words, *tls]) == 0
        # or named once for all: in Dask's own file, and in the environment
        (tmp_path / "config").mkdir()
        named = {
            "tls": {"ca-file": str(own), "client": {"cert": str(own)}},
            "require-encryption": True,
        }
        text = json.dumps({"distributed": {"comm": named}})
        (tmp_path / "config" / "distributed.yaml").write_text(text)
        monkeypatch.setenv("DASK_CONFIG", str(tmp_path / "config"))
        words[3] = str(tmp_path / "other.h5")
        assert main(words) == 1, "a certificate without its key"
        monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY", str(key))
        assert main(words) == 0
    finally:
        dask.end()
    other = open_study(tmp_path / "other.h5")
    assert other.rows.status.tolist() == [3, 3, 3, 3, 3, 1]
    found, whole = open_study(file), mk.study(sampled(), "it", workers=0)
    assert found.rows.status.tolist() == [3, 3, 3, 3, 3, 1]
    assert all("The cluster did not solve this run" in one for one in found.rows.messages[:5])
    assert found.rows.outputs[5].tobytes() == whole.rows.outputs[5].tobytes()
    ran = set(map(int, marker.read_text().split())) if marker.exists() else set()
    assert ran <= {one.pid for one in dask.processes[1:]}, "only the worker may run what it sends"


def test_pickles_from_elsewhere_make_no_objects(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    found = courier._loads(pickle.dumps({"a": [Shell(str(marker)), 1.5, b"x", bytes, (KeyError("k"),)]}))  # fmt: skip
    held, number, data, kind, (fault,) = found["a"]
    assert not marker.exists()
    assert isinstance(held, courier.Withheld)
    assert (number, data, kind) == (1.5, b"x", bytes)
    assert str(fault) == "KeyError: k"
    assert str(courier._cleaned(pickle.dumps(Shell("m")))[1]).startswith("system: echo")


LAYOUT = Layout(("k",), ("p",), ("a", "b"), ("1",), ("1", "1"), ("c",), ("m",), residuals=3)


def test_a_row_comes_back_as_it_was() -> None:
    found = RowResult(
        4, "partly", (1.5, float("nan")), "ü", np.arange(201.0)[None], np.zeros(3), 0.25
    )
    bare = RowResult(7, "failed", (0.0, 0.0))
    read, other = plain.read(plain.written([found, bare]), [4, 7], LAYOUT)
    assert np.array(read.outputs).tobytes() == np.array(found.outputs).tobytes()
    assert (read.number, read.status, read.message, read.seconds) == (4, "partly", "ü", 0.25)
    assert np.array_equal(read.curves, found.curves)
    assert np.array_equal(read.residuals, found.residuals)
    assert (other.number, other.status, other.curves, other.residuals) == (7, "failed", None, None)
    batch = plain.Batch.of([Task(3, (1.0, 2.0), 1), Task(5, (3.0, np.pi))])
    assert plain.batch_of(plain.asked(batch)).tasks() == batch.tasks() == [Task(3, (1.0, 2.0), 1), Task(5, (3.0, np.pi))]  # fmt: skip
    assert batch.part(1).tasks() == [Task(5, (3.0, np.pi))]


@pytest.mark.parametrize("change", [
    {"rows": 1}, {"messages": {"0": 5}}, {"messages": {"2": "a"}}, {"messages": {"a": "b"}}, {"messages": 5},
])  # fmt: skip
def test_what_is_no_row_is_refused(change: dict[str, Any]) -> None:
    two = [RowResult(number, "done", (1.0, 2.0)) for number in (4, 6)]
    line, _, rest = plain.written(two).partition(b"\n")
    told = json.dumps(json.loads(line) | change).encode()
    with pytest.raises(plain.Unexpected):
        plain.read(told + b"\n" + rest, [4, 6], LAYOUT)
    for data in (b"", b"[]", b"[" * 9_000, line, line + b"\n" + rest[:-1], bytes(10**6)):
        with pytest.raises(plain.Unexpected):
            plain.read(data, [4, 6], LAYOUT)
    with pytest.raises(plain.Refused, match="another version"):
        plain.read(b'{"refused": "another version"}', [4, 6], LAYOUT)


@pytest.mark.parametrize("wrong", [
    [RowResult(5, "done", (1.0, 2.0))], [RowResult(4, "waiting", (1.0, 2.0))], [RowResult(4, "done", (1.0, 2.0), seconds=-1.0)],
    [RowResult(4, "done", (1.0, 2.0), seconds=np.inf)], [RowResult(4, "done", (1.0,))], [],
    [RowResult(4, "done", (1.0, 2.0), curves=np.zeros((2, 201)))], 2 * [RowResult(4, "done", (1.0, 2.0))],
])  # fmt: skip
def test_rows_of_others_are_refused(wrong: list[RowResult]) -> None:
    with pytest.raises(plain.Unexpected):
        plain.read(plain.written(wrong), [4], LAYOUT)


class Cores(Unmanned):
    """Stand for a client whose workers have many cores, and note what it is given."""

    def __init__(self, cores: int) -> None:
        super().__init__(*(cores for _ in range(10**6)))
        self.batches, self.gathered = list[plain.Batch](), 0

    def scatter(self, *_: Any, **__: Any) -> list[Any]:
        """Give it to everybody."""
        return [self]

    def map(self, _: Any, __: Any, data: list[bytes], **___: Any) -> list[Any]:
        """Take batches; they are done once somebody looks."""
        batches = [plain.batch_of(one) for one in data]
        self.batches += batches
        return [Made(one) for one in batches]

    def gather(self, made: list[Made]) -> list[bytes]:
        """Give what was found of several."""
        self.gathered += 1
        return [one.result(0.0) for one in made]


class Made:
    """Stand for the future of a batch whose runs have taken 0.02 s each."""

    def __init__(self, batch: plain.Batch) -> None:
        self.status = "finished"
        self._found = [RowResult(n, "done", (1.0, 2.0), seconds=0.02) for n in batch.number.tolist()]  # fmt: skip

    def add_done_callback(self, tell: Callable[[Any], None]) -> None:
        """Be done at once."""
        tell(self)

    def result(self, timeout: float) -> bytes:
        """Give what was found."""
        return plain.written(self._found)


@pytest.mark.parametrize(("cores", "runs", "most"), [(2, 1000, 55), (100, 50_000, 1500)])
def test_runs_go_to_workers_in_batches(
    cores: int, runs: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a second each, or longer where so many cores answer that messages would be many; short ones at the end."""
    monkeypatch.setattr(courier, "TOGETHER_S", 0.0)
    told = {"project": "", "study": "it", "version": "1", "longest": 9000, "patience": 0.1}
    client, answers = Cores(cores), io.BytesIO()
    errand = courier.Errand(told, client, answers, itertools.count(0.0, 2.0).__next__)
    errand._put(plain.Batch.of([Task(n, (1.0,)) for n in range(runs)]))
    errand._look(3.0)
    errand._give()
    while errand._todo or errand._running:
        errand._submit()
        errand._take_all(errand._done.get_nowait())
    sizes = [len(one) for one in client.batches]
    assert sum(sizes) == runs
    assert sorted(n for one in client.batches for n in one.number.tolist()) == list(range(runs))
    assert len(sizes) < most
    assert max(sizes) == max(25, int(cores / courier.MESSAGES / 0.02))
    assert sizes[0] == 1
    # of many workers answers are taken together
    assert (client.gathered == 0) == (cores < courier.FEW)
    assert sizes[-1] <= 5
    # 16 bytes and a number for each parameter: what all runs share is not sent again
    assert len(plain.asked(client.batches[-1])) == 16 + 24 * sizes[-1]
