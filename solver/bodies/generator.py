"""Bodies made from dimensions."""

from __future__ import annotations

from typing import Literal

from solver.bodies.body import Body, BodyError
from solver.bodies.dimensions import Dimensions
from solver.bodies.entries import read
from solver.bodies.from_measured import skeleton_of_measured
from solver.bodies.from_solids import skeleton_of_solids
from solver.bodies.skeleton import assemble

Method = Literal["measured", "solids"]
METHODS: tuple[Method, ...] = ("measured", "solids")

_SAID = {
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

    `measured` stretches the printed 50th-percentile man, whose masses and joints were measured; it is
    taken for adults if nothing is said. `solids` follows from the dimensions alone and is taken for
    children. `torque_factor` multiplies the torques of all joints: the printed ones do not change with
    the size of the body, which is too stiff for a child.
    """
    if method is None:
        method = "solids" if dimensions.sex == "child" else "measured"
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
    make = skeleton_of_solids if method == "solids" else skeleton_of_measured
    said = dimensions.said[0].upper() + dimensions.said[1:]
    return assemble(
        make(dimensions),
        title=title or said,
        source=f"Generated: {dimensions.said}; {_SAID[method]}; {read('dimensions')['source']}",
        note="Joint stops and torques are those of the printed adult male"
        + ("." if torque_factor == 1.0 else f", torques times {torque_factor:g}."),
        torque_factor=torque_factor,
        dimensions=dict(dimensions.values),
        sex=dimensions.sex,
    )
