"""Whatever writes a file ends in a sentence where the disk does not take it, and leaves nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

LIMITED = """
import itertools, os, resource, sys
sys.dont_write_bytecode = True
from pathlib import Path
folder = Path(sys.argv[1])
import solver.base.boundary
solver.base.boundary.user_cache = lambda: folder / "cache"
from app.front_door import main
from solver.base.places import samples
os.chdir(folder)
sample = str(samples() / "free_body.json")
assert main(["run", sample, "-o", "r.h5", "--quiet"]) == 0
before = sorted(folder.rglob("*"))
some = ["segments/*/position/*"]
print("", file=sys.stderr, flush=True)
commands = (
    ["export", "r.h5", "--csv", "o.csv", "--channels", *some],
    ["export", "r.h5", "--excel", "o.xlsx", "--channels", *some],
    ["export", "r.h5", "--mme", "o", "--channels", *some],
    ["plot", "r.h5", "--y", *some, "-o", "o.svg"],
    ["plot", "r.h5", "--y", *some, "-o", "o.pdf"],
    ["plot", "r.h5", "--y", *some, "-o", "o.png"],
    ["table", "r.h5", *some, "-o", "o.txt"],
    ["report", "r.h5", "-o", "o.html"],
    ["report", "r.h5", "-o", "o.pdf"],
    ["scene", "r.h5", "-o", "o.glb"],
    ["scene", "r.h5", "-o", "o.vtkhdf"],
    ["run", sample, "-o", "o.h5", "--quiet"],
    ["format", sample, "-o", "o.json"],
    ["schema", "-o", "o.schema"],
    ["sample", "frontal", "-o", "o.json"],
)
for limit, words in itertools.product(map(int, sys.argv[2:]), commands):
    if words[0] in ("report", "plot") and (limit == 0) != words[-1].endswith("pdf"):
        continue  # all are saved alike, and take long to draw
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, 300))
    code = main(words)
    found = [one for one in sorted(folder.rglob("*")) if one not in before]
    left = [str(one) for one in found if folder / "cache" not in (one, *one.parents)]
    print(code, *words[:3], words[-1], "left:", *left, flush=True)
    print("---", file=sys.stderr, flush=True)
    for one in left:
        Path(one).unlink()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on file sizes")
def test_every_writer_tells_of_a_disk_that_takes_no_more(tmp_path: Path) -> None:
    """It takes 300 bytes, and then none: each time of all writers in one process."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path), "300", "0"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    said = done.stdout[done.stdout.index("left:") - 60 :]
    lines = [line for line in done.stdout.splitlines() if "left:" in line]
    assert len(lines) == 25, said
    assert all(line.startswith("1 ") for line in lines), lines
    assert [line.partition("left:")[2].strip() for line in lines] == [""] * 25
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    parts = done.stderr.split("---\n")[:-1]
    assert all("cannot be written" in part for part in parts), parts
