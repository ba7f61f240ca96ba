"""Play the stories of the window on another stage: `python -m tools.stories [--size 1024x700] [--letters 150] [--contrast] [--german] [NAME …]`.

The screen has the size that is asked for, and the window fills it. Pictures of all steps go to `build/stories`, one
folder for each stage and story; `seen_in_part.txt` in it names words that were cut, and dialogs that were larger than the screen.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tools.display import open_display

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "window"
STAGE = "MANIKIN_STAGE"
"""Name in the environment: the stage on which stories are played, where it is another than the usual one."""
USUAL = (1366, 768)


@dataclass(frozen=True, slots=True)
class Stage:
    """How the window stands before who plays: the screen (pixels), the scale of all that is drawn (%), colours, language."""

    size: tuple[int, int] = USUAL
    letters: int = 100
    contrast: bool = False
    german: bool = False

    @property
    def name(self) -> str:
        """What the environment holds, and its folder is called."""
        switches = [one for one in ("contrast", "german") if getattr(self, one)]
        return "-".join(("{}x{}".format(*self.size), str(self.letters), *switches))

    @property
    def room(self) -> tuple[int, int]:
        """The size of a window that fills the screen, as Qt counts."""
        return self.size[0] * 100 // self.letters, self.size[1] * 100 // self.letters

    def environment(self) -> dict[str, str]:
        """What a process finds in its environment to play on this stage."""
        language = {"MANIKIN_LANGUAGE": "de"} if self.german else {}
        return {STAGE: self.name, "QT_SCALE_FACTOR": f"{self.letters / 100}", **language}


def stage() -> Stage | None:
    """The stage that the environment names; none where stories are played as usual."""
    name = os.environ.get(STAGE)
    if not name:
        return None
    size, letters, *switches = name.split("-")
    return Stage(size_of(size), int(letters), "contrast" in switches, "german" in switches)


def size_of(text: str) -> tuple[int, int]:
    """Read a size such as 1024x700."""
    width, height = (int(one) for one in text.split("x"))
    return width, height


def stories() -> dict[str, Path]:
    """The files of all stories, by their names."""
    files = sorted(TESTS.glob("test_story_*.py"))
    named = {one.stem.removeprefix("test_story_"): one for one in files}
    return named | {"tours": TESTS / "test_tours.py"}


def main() -> int:
    """Play the chosen stories one after the other; give 1 where one did not come to its end."""
    known = stories()
    parser = argparse.ArgumentParser(prog="python -m tools.stories", description=__doc__)
    parser.add_argument("--size", type=size_of, default=USUAL, help="screen and window (pixels)")
    parser.add_argument("--letters", type=int, default=100, help="scale of all that is drawn (%%)")
    parser.add_argument("--contrast", action="store_true", help="high contrast")
    parser.add_argument("--german", action="store_true", help="labels in German")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    chosen = parser.parse_args()
    unknown = [one for one in chosen.names if one not in known]
    if unknown:
        parser.error(f"no story is called '{unknown[0]}'; there are {', '.join(known)}")
    on = Stage(chosen.size, chosen.letters, chosen.contrast, chosen.german)
    end = open_display(always=True, size=on.size)
    try:
        rows = [(name, *played(known[name], on)) for name in chosen.names or known]
    finally:
        end()
    print(f"\nPictures are in {folder(on)}\nstory                result   seconds")
    for name, passed, seconds in rows:
        print(f"{name:<20} {'passed' if passed else 'FAILED'} {seconds:>9.1f}")
    return 0 if all(passed for _, passed, _ in rows) else 1


def played(file: Path, on: Stage) -> tuple[bool, float]:
    """Play a story; give whether it came to its end, and how long it took (s)."""
    begun = time.monotonic()
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)]
    done = subprocess.run(words, cwd=ROOT, env=os.environ | on.environment(), check=False)
    return done.returncode == 0, time.monotonic() - begun


def folder(on: Stage) -> Path:
    """Where the pictures of a stage are put."""
    return ROOT / "build" / "stories" / on.name


if __name__ == "__main__":
    raise SystemExit(main())
