"""Run the random tests on cases that no run has seen, others on all of theirs, and print the seed that tells them again."""

from __future__ import annotations

import argparse
import os
import secrets
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run one round after another, each with a seed of its own, until one finds something."""
    parser = argparse.ArgumentParser(prog="python -m tools.explore", description=__doc__)
    parser.add_argument("--seed", type=int, help="tell an earlier round again")
    parser.add_argument("--rounds", type=int, default=1, help="how many rounds (default 1)")
    parser.add_argument("tests", nargs="*", help="only these files of tests")
    asked = parser.parse_args()
    for number in range(asked.rounds):
        seed = secrets.randbelow(10**9 - 1) + 1 if asked.seed is None else asked.seed + number
        print(f"=== seed {seed}: tell it again with 'make explore SEED={seed}'", flush=True)
        words = ["-m", "hypothesis or seeded", f"--hypothesis-seed={seed}", *asked.tests]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words],
            cwd=ROOT, env={**os.environ, "MANIKIN_EXPLORE": str(seed)}, check=False,
        )  # fmt: skip
        if done.returncode:
            print(f"\nSeed {seed} found something: 'make explore SEED={seed}' shows it again.")
            return done.returncode
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
