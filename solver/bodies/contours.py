"""Globographic stops instead of the cone of a flexure stop, on chosen joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from solver.bodies.body import LEFT, RIGHT, Body, BodyError
from solver.bodies.units import tidy3
from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from
from solver.project.azimuths import GlobographicStop, LibraryContour, PolynomialContour
from solver.project.contours import library
from solver.project.functions import Function, Polynomial
from solver.project.geometry import Frame, Orientation
from solver.project.joints import BallJoint
from solver.project.pose import turn

CONTOUR_OF = {
    "pelvis": "lumbar",
    "waist": "lumbar",
    "neck_pivot": "neck",
    "head_pivot": "neck",
    "shoulder": "shoulder",
    "wrist": "wrist",
    "hip": "hip",
    "ankle": "ankle",
}
"""Ball joints of a body, and the printed joint sinus that is measured on such a joint."""
FARTHEST_RAD = 3.2


def contour_joints(body: Body) -> tuple[str, ...]:
    """Name the joints of a body that can take a globographic stop."""
    return tuple(
        joint.id
        for joint in body.joints
        if _plain(joint.id) in CONTOUR_OF
        and isinstance(joint, BallJoint)
        and joint.by_azimuth is None
    )


def with_contours(
    body: Body, joints: Sequence[str] | None = None, *, centred_on_pose: bool = False
) -> Body:
    """Give joints a globographic stop (section 6.2) in place of their flexure stop.

    A joint may be named with its side or without; all ball joints if none is named. The pole of the
    sphere is the direction of the limb at which the printed stop has its middle, or the one of the
    body's present pose. The printed figures do not say which way their azimuth counts: it is taken from
    the joint's x axis towards y on the right side, and mirrored on the left. The torque beyond the
    contour is the quadratic one of the flexure stop that it replaces.
    """
    chosen = _chosen(body, joints)
    made, functions = [], {f.id: f for f in body.functions}
    for joint in body.joints:
        if joint.id not in chosen or not isinstance(joint, BallJoint):
            made.append(joint)
            continue
        spring = joint.flexure
        if joint.globographic is not None:
            raise BodyError("The joint '{joint}' has a globographic stop already.", joint=joint.id)
        function = f"{_plain(joint.id)}_stop"
        functions[function] = Function(
            id=function,
            name=f"Torque beyond the contour, {_plain(joint.id).replace('_', ' ')}",
            source=joint.source,
            x_unit="rad",
            y_unit="N*m",
            form=Polynomial(
                coefficients=(0.0, 0.0, spring.quadratic_nm_per_rad2), x_max=FARTHEST_RAD
            ),
        )
        name = CONTOUR_OF[_plain(joint.id)]
        stop = GlobographicStop(
            contour=_contour(name, joint.id.startswith(LEFT)),
            torque=function,
            returned_ratio=spring.returned_ratio,
        )
        made.append(
            joint.model_copy(
                update={
                    "globographic": stop,
                    "flexure": type(spring)(),
                    **_frames(body, joint, centred_on_pose),
                }
            )
        )
    return replace(body, joints=tuple(made), functions=tuple(functions.values()))


def _plain(joint: str) -> str:
    return joint.removeprefix(RIGHT).removeprefix(LEFT)


def _chosen(body: Body, joints: Sequence[str] | None) -> set[str]:
    able = contour_joints(body)
    if joints is None:
        return set(able)
    chosen = set()
    for name in joints:
        found = {id_ for id_ in able if name in (id_, _plain(id_))}
        if not found:
            body_has = ", ".join(dict.fromkeys(_plain(id_) for id_ in able))
            raise BodyError(
                "'{name}' can take no globographic stop; these ball joints can: {body_has}.",
                name=name,
                body_has=body_has,
            )
        chosen |= found
    return chosen


def _contour(name: str, left: bool) -> LibraryContour | PolynomialContour:
    """Give a printed contour, or its mirror image: the sine of the azimuth changes sign."""
    if not left:
        return LibraryContour.model_validate({"name": name})
    mirrored = tuple(c if n % 2 == 0 else -c for n, c in enumerate(library()[name]))
    return PolynomialContour(coefficients=mirrored)


def _frames(body: Body, joint: BallJoint, centred_on_pose: bool) -> dict[str, Frame]:
    """Lay the child's frame along the child's own axes, and the parent's so that its z is the pole.

    All turn goes from the child's frame into the parent's: the joint's angles are zero where the
    child's z axis points along the pole.
    """
    R_C = turn(joint.child_frame.orientation)
    R_P = turn(joint.parent_frame.orientation) @ R_C.T
    if centred_on_pose:
        R_P = turn(body.attitudes[joint.parent]).T @ turn(body.attitudes[joint.child])
    return {
        "parent_frame": joint.parent_frame.model_copy(update={"orientation": _turned(R_P)}),
        "child_frame": joint.child_frame.model_copy(update={"orientation": Orientation()}),
    }


def _turned(R: Array) -> Orientation:
    return Orientation(angles_rad=tidy3(angles_from(R, "zyx")))
