"""A volunteer at 15 g: head and neck of the library on the measured motion of T1."""

from __future__ import annotations

from solver.project.document import Project
from validation.volunteers import FOLDER, model, read

NUMBER = "1639"
"""A test to which nothing was fitted."""


def build() -> Project:
    """Build the sample."""
    return model(read(FOLDER / f"{NUMBER}.csv")).model_copy(
        update={
            "note": "Head, seven vertebrae, discs, ligaments and 202 lines of muscles on T1, which moves as measured on a "
            f"volunteer of a sled at 15 g. The neck was fitted to three others; test {NUMBER} is not among them. Beside the measured "
            "head, which turns 94 degrees, this one turns 86, with three quarters of the greatest angular acceleration.",
            "source": "Motion of T1: Naval Biodynamics Laboratory, volunteers (NHTSA biomechanics database). Neck: as its library entry says",
        }
    )
