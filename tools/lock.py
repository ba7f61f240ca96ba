"""Write `constraints.txt`: one version of each library that development needs, for all systems and versions of Python.

`make lock` renews it. It holds names and versions alone: no address of an index, and no hash, since hashes would make pip
refuse this project itself, which is installed in place.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "constraints.txt"
HEAD = "# Versions that `make setup` installs, found by `make lock`; docs/dependencies.md says what they are for.\n"


def main() -> int:
    """Ask uv, which asks the index that this machine is set up with."""
    words = [
        str(Path(sys.executable).parent / "uv"), "pip", "compile", "pyproject.toml", "--extra", "dev",
        "--universal", "--python-version", "3.11", "--no-emit-index-url", "--no-annotate", "--no-header",
        "--quiet", "--upgrade",
    ]  # fmt: skip
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        return done.returncode
    FILE.write_text(HEAD + done.stdout, encoding="utf-8")
    print(f"wrote {FILE.name}: {len(done.stdout.splitlines())} versions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
