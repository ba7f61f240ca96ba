"""What a crash was made of, as plain data and back."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from app.editing.figures import WHO, Figure
from solver.analysis.crash.build import CASES, Crash, first
from solver.bodies import BodyError


@dataclass(frozen=True, slots=True)
class Chosen:
    """Hold the choices of a crash, and who was chosen as the fields name it."""

    crash: Crash
    figure: Figure

    def as_data(self) -> dict[str, Any]:
        """Write it as plain data."""
        plain = asdict(replace(self.crash, who=""))
        return plain | {"figure": asdict(self.figure)}

    @classmethod
    def read(cls, data: dict[str, Any]) -> Chosen | None:
        """Read plain data; none where it is damaged or of a load case that is no more.

        What changes nothing in this load case is left: earlier versions wrote it all the same.
        """
        try:
            # earlier versions knew a name and a percentile, beside what concerns the crash
            figure = Figure(**data.get("figure") or {n: data[n] for n in ("who", "percentile")})
            if figure.who not in WHO:
                return None
            begin = first(data["case"])
            own = {name: data[name] for name in CASES[begin.case].choices - {"who"} if name in data}
            return cls(replace(begin, **own), figure)
        except (TypeError, ValueError, KeyError, AttributeError, BodyError):
            return None
