"""Tests, of which several go on at once: linear algebra takes one thread in each of them."""

import os

for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
