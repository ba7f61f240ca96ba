"""Bodies made from dimensions."""

from __future__ import annotations

from typing import Literal

from solver.bodies.body import Body, BodyError
from solver.bodies.dimensions import Dimensions
from solver.bodies.entries import read
from solver.bodies.from_measured import skeleton_of_measured
from solver.bodies.from_solids import skeleton_of_solids
from solver.bodies.from_tables import skeleton_of_tables
from solver.bodies.skeleton import assemble

Method = Literal["tables", "measured", "solids"]
METHODS: tuple[Method, ...] = ("tables", "measured", "solids")

_MAKE = {
    "tables": skeleton_of_tables,
    "measured": skeleton_of_measured,
    "solids": skeleton_of_solids,
}
_SAID = {
    "tables": "lengths of the generator's dimensions, masses of published tables of segments",
    "measured": "scaled segment by segment from the measured 50th-percentile man",
    "solids": "homogeneous solids by the rules of the 95th-percentile man of the sled test",
}


def generated(
    dimensions: Dimensions,
    *,
    method: Method | None = None,
    torque_factor: float = 1.0,
    title: str = "",
) -> Body:
    """Make a body of 15 segments, standing.

    `tables`, taken if nothing is said, has the masses of published tables and sections that suit them. `measured`
    stretches the printed 50th-percentile man; `solids` follows from the dimensions alone: both as the old generator had
    it. `torque_factor` multiplies the torques of all joints: the printed ones do not change with the size of the body,
    which is too stiff for a child.
    """
    method = method or "tables"
    if method not in METHODS:
        raise BodyError(
            "There is no method '{method}'. There are: {methods}.",
            method=method,
            methods=", ".join(METHODS),
        )
    if torque_factor < 0.0:
        raise BodyError(
            "The factor of joint torques is {torque_factor:g}; it cannot be negative.",
            torque_factor=torque_factor,
        )
    said = dimensions.said[0].upper() + dimensions.said[1:]
    return assemble(
        _MAKE[method](dimensions),
        title=title or said,
        source=f"Generated: {dimensions.said}; {_SAID[method]}; {read('dimensions')['source']}",
        note="Joint stops and torques are those of the printed adult male"
        + ("." if torque_factor == 1.0 else f", torques times {torque_factor:g}."),
        torque_factor=torque_factor,
        dimensions=dict(dimensions.values),
        sex=dimensions.sex,
    )
