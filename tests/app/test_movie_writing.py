"""A movie that the disk did not take is told, and has no name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app.features.movie.writing import MovieError, Writer

ROOT = Path(__file__).parent.parent.parent

LIMITED = """
import resource, sys
from pathlib import Path
import numpy as np
from app.features.movie.writing import MovieError, Writer
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
rng = np.random.default_rng(1)
for name in ("a.mp4", "b.gif", "c"):
    try:
        writer = Writer(Path(sys.argv[1]) / name, (64, 48), 30.0)
        for _ in range(12):
            writer.add(rng.integers(0, 256, (48, 64, 3)).astype(np.uint8))
        writer.finish()
    except MovieError as failure:
        print("told", failure)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on file sizes")
def test_a_movie_on_a_disk_that_takes_no_more_is_told(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("told") == 3, done.stdout
    assert done.stdout.count("cannot be written") == 3 or "could not" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script of the shell")
@pytest.mark.parametrize("reads", [True, False])
def test_what_the_encoder_says_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: bool
) -> None:
    """ffmpeg says that the disk is full, at the end or while pictures still come."""
    script = tmp_path / "ffmpeg"
    script.write_text(
        "#!/bin/sh\n"
        + ("cat > /dev/null\n" if reads else "")
        + 'echo half > "$(eval echo \\${$#})"\n'
        "echo 'av_interleaved_write_frame(): No space left on device' >&2\n"
        "echo 'Conversion failed!' >&2\nexit 1\n"
    )
    script.chmod(0o755)
    monkeypatch.setattr("imageio_ffmpeg.get_ffmpeg_exe", lambda: str(script))
    target = tmp_path / "films" / "a.mp4"
    target.parent.mkdir()
    writer = Writer(target, (640, 480), 30.0)

    def write() -> None:
        for _ in range(20):
            writer.add(np.zeros((480, 640, 3), np.uint8))
        writer.finish()

    with pytest.raises(MovieError, match="No space left"):
        write()
    assert list(target.parent.iterdir()) == []
