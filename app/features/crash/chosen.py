"""What a crash was made of, as plain data and back."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from app.features.crash.fields import body_of
from solver.bodies import BodyError
from solver.equilibrium.crash import CASES, Crash


@dataclass(frozen=True, slots=True)
class Chosen:
    """Hold the choices of a crash, and who was chosen as the fields name it."""

    crash: Crash
    who: str
    percentile: float

    def as_data(self) -> dict[str, Any]:
        """Write it as plain data."""
        plain = asdict(replace(self.crash, who=""))
        return plain | {"who": self.who, "percentile": self.percentile}

    @classmethod
    def read(cls, data: dict[str, Any]) -> Chosen | None:
        """Read plain data; none where it is damaged or of a load case that is no more."""
        try:
            own = dict(data)
            percentile = float(own.pop("percentile"))
            who = str(own.pop("who"))
            crash = Crash(who=body_of(who, percentile), **own)
            return cls(crash, who, percentile) if crash.case in CASES else None
        except (TypeError, ValueError, KeyError, AttributeError, BodyError):
            return None
