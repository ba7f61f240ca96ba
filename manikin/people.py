"""People and dummies: those of the library, those made to measure, and how they get into a model."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Self

from manikin.changing import Changing, turned_by, vector
from solver.bodies import (
    DUMMIES,
    LIBRARY,
    Body,
    BodyError,
    Place,
    Pose,
    Touch,
    adult_range,
    child_range,
    insert_body,
    pose,
    poses,
    with_contours,
    with_hands,
)
from solver.bodies.made_to_measure import CHILD_YEARS, body_named
from solver.bodies.made_to_measure import person as made

if TYPE_CHECKING:
    from solver.editing.persons import Person

Anchor = Literal["hips", "root", "lowest"]
Vector = tuple[float, float, float]
ORIGIN: Vector = (0.0, 0.0, 0.0)


def bodies() -> tuple[str, ...]:
    """Name the bodies of the library: dummies, then those as the old programs printed them.

    >>> "hybrid_iii_50m" in mk.bodies()
    True
    """
    return (*DUMMIES, *LIBRARY)


def postures() -> Mapping[str, Pose]:
    """The postures of the library by name, with what about each is assumed, and its source.

    >>> sorted(mk.postures())
    ['driving', 'lying', 'seated', 'standing']
    """
    return poses()


def body(name: str) -> Body:
    """Give a body of the library, a dummy or one as printed, or the `man` or `woman` of the 50th percentile, to be put into a model by `Model.add_body`.

    `mk.dummy` gives a dummy as a model of its own, with the studies by which its laws were fitted.

    >>> found = mk.body("hybrid_iii_50m")
    >>> found.title, round(found.mass_kg, 1)
    ('Hybrid III, 50th percentile man', 77.7)
    """
    return body_named(name)


def person(
    sex: Literal["male", "female"] | None = None,
    *,
    age_years: float | None = None,
    percentile: float | None = None,
    weight_kg: float | None = None,
    height_m: float | None = None,
    weight_percentile: float | None = None,
    height_percentile: float | None = None,
    dimensions: Mapping[str, float] | None = None,
    flexible: bool = False,
    compressing: bool = False,
    breaking_bones: bool = False,
    extensors: bool = False,
    method: Literal["tables", "measured", "solids"] | None = None,
    torque_factor: float | None = None,
) -> Body:
    """Make a person to measure: a man if no `sex` is given, a child with an age up to 20 years.

    An adult follows from weight and height, each itself or as a percentile, the 50th if it is not given; a child from
    its age. `dimensions` are those that were measured, by name, such as `chest_depth_m` (docs/bodies.md). A `flexible` person has a
    flexible spine, a chest that gives way and a neck: 33 segments; with `compressing` its lumbar discs shorten,
    too, with `breaking_bones` bones of its limbs bend until they break, with `extensors` muscles hold its neck, and its age moves how far joints go. One of 15 segments is made by a `method` (the tables', if none is named), with all
    joint torques times `torque_factor`. Raises BodyError where choices do not go together.

    >>> woman = mk.person("female", percentile=5)
    >>> round(woman.mass_kg, 1), len(woman.segments)
    (45.3, 15)
    >>> len(mk.person("male", height_m=1.8, flexible=True).segments)
    33
    >>> mk.person(age_years=6, percentile=50)
    Traceback (most recent call last):
    manikin.BodyError: A child follows from its age: leave 'percentile' away.
    """
    return made(
        sex,
        age_years=age_years,
        percentile=percentile,
        weight_kg=weight_kg,
        height_m=height_m,
        weight_percentile=weight_percentile,
        height_percentile=height_percentile,
        dimensions=dimensions,
        flexible=flexible,
        compressing=compressing,
        breaking_bones=breaking_bones,
        extensors=extensors,
        method=method,
        torque_factor=torque_factor,
    )


def person_range(
    sex: Literal["male", "female"] | None = None, *, age_years: float | None = None
) -> Mapping[str, tuple[float, float]]:
    """Say from which to which weight (kg) and height (m) a person can be made: a man if nothing is said, a child with an age up to 20 years.

    >>> sorted(mk.person_range("female"))
    ['standing_height_m', 'weight_kg']
    """
    if age_years is not None and age_years <= CHILD_YEARS:
        return child_range(age_years)
    return adult_range(sex or "male")


def posed(
    who: Body | str,
    posture: str,
    turned: Mapping[str, Vector] | None = None,
    *,
    hands: bool = False,
    contours: bool | Sequence[str] = False,
) -> Body:
    """Give a body in a posture of the library; `turned` are yaw, pitch and roll (rad) of single segments instead.

    With `hands` they are parted from forearms. With `contours` ball joints, all or those that are named, have stops by the
    direction in which the limb points.

    >>> mk.posed(mk.body("hybrid_iii_50m"), "driving").pose
    'driving'
    """
    found = body_named(who)
    turns = {name: turned_by(angles) for name, angles in (turned or {}).items()}
    found = pose(found, posture, turns)
    if hands:
        found = with_hands(found)
    if contours is not False:
        found = with_contours(found, None if contours is True else list(contours))
    return found


class Peopled(Changing):
    """People of a model."""

    def add_body(
        self,
        who: Body | str,
        prefix: str = "",
        *,
        posture: str | None = None,
        at: Vector = ORIGIN,
        turn_rad: Vector = ORIGIN,
        anchor: Anchor = "hips",
        relative_to: str = "ground",
        moves_with: str | None = None,
        velocity_m_per_s: Vector = ORIGIN,
        group: str = "Occupant",
        touches: Sequence[Touch] = (),
        sensors: bool = True,
        own_contacts: bool = True,
    ) -> Self:
        """Put a body, or one of the library by name, into the model; its ids are the plain ones behind `prefix` and '_'.

        Its `anchor` comes to `at` (m), in the axes of `relative_to`: the middle of the hip joints, the root's mass
        centre, or its lowest point; `turn_rad` is yaw, pitch and roll of the whole. It moves with `moves_with`, which is
        `relative_to` if nothing is said. It is in a `posture` of the library, or as it was posed (`mk.posed`): who never was stands.
        `touches` let segments press on planes and surfaces of the model. `sensors` measure in head, chest and
        pelvis; with `own_contacts` its parts press on each other. Raises BodyError.

        >>> woman = mk.person("female")
        >>> model = mk.new("Standing").add_body(woman, "woman", posture="standing", anchor="lowest")
        >>> model.project.segments[0].id, model.problems
        ('woman_lower_torso', ())
        """
        found = body_named(who)
        if posture is not None:
            found = pose(found, posture)
        place = Place(
            position_m=vector(at, "The place"),
            orientation=turned_by(turn_rad),
            anchor=anchor,
            relative_to=relative_to,
            moves_with=relative_to if moves_with is None else moves_with,
            velocity_m_per_s=vector(velocity_m_per_s, "The velocity"),
        )
        return self._with(
            insert_body(
                self._project, found, prefix, place,
                group=group, touches=touches, sensors=sensors, own_contacts=own_contacts,
            )
        )  # fmt: skip

    def seat(
        self,
        who: Body | str,
        prefix: str,
        on: str = "ground",
        *,
        facing_rad: float = 0.0,
        rests: bool = True,
        sensors: bool = True,
    ) -> Self:
        """Put a body, or one of the library by name, where its posture belongs on what carries it: hips on a seat, feet or back on a floor.

        It moves with the segment `on`, and faces ahead in its axes or so far to the right (rad). Where it `rests` it may touch the planes there, by
        laws of the library; `settled()` lets it come to rest. A body of the library sits; `mk.posed` gives it another posture. Raises BodyError.

        >>> sat = mk.new().insert("car_seat", "seat").seat("hybrid_iii_50m", "driver")
        >>> plane = [f"driver_lower_torso.{way}" for way in ("y", "roll", "yaw")]
        >>> sat.health().verdict, sat.settled(hold=plane, lock=True).health().verdict
        ('unbalanced', 'accepted')
        """
        from solver.editing.seating import put_on

        body = pose(body_named(who), "seated") if isinstance(who, str) else who
        return self._with(
            put_on(
                self._project, body, prefix, on, facing_rad=facing_rad, rests=rests, sensors=sensors
            )
        )

    @property
    def people(self) -> tuple[Person, ...]:
        """The bodies of the model, in the order of its segments: `prefix`, `name`, `segments`, `mass_kg`.

        >>> [(one.prefix, round(one.mass_kg, 1)) for one in mk.sample("frontal").people]
        [('driver', 77.7)]
        """
        from solver.editing.persons import people

        return people(self._project)

    def copy_to_next_seat(self, on: str) -> Self:
        """Give the model with a copy of a body, by its prefix, in the next seat, with its belts, and what only it touches, such as cushion and back.

        On the other side of a vehicle belts are mirrored, so that the buckle stays inboard. What the copy cannot touch as the first does is told by
        a warning. Raises CannotCopy.

        >>> two = mk.sample("side_impact").copy_to_next_seat("driver")
        >>> [one.prefix for one in two.people]
        ['driver', 'passenger']
        """
        from solver.editing.next_seat import copy_to_next_seat

        made = copy_to_next_seat(self._project, self._person(on))
        for one in made.missing:
            warnings.warn(f"The copy cannot touch '{one}' as the first one does.", stacklevel=2)
        return self._with(made.project)

    def without_body(self, on: str) -> Self:
        """Give the model without a body, by its prefix, its joints and laws, and the belts that lie over it alone.

        >>> mk.sample("frontal").without_body("driver").people
        ()
        """
        from solver.editing.persons import all_of
        from solver.editing.removing import removed

        paths = all_of(self._project, self._person(on).paths)
        return self._with(removed(self._project, *paths).project)

    def rename_body(self, on: str, name: str) -> Self:
        """Give the model with a body, by its prefix, called otherwise, in all ids that begin with that.

        >>> [one.prefix for one in mk.sample("frontal").rename_body("driver", "Anna").people]
        ['anna']
        """
        from solver.editing.persons import person_renamed

        return self._with(person_renamed(self._project, self._person(on), name)[0])

    def _person(self, prefix: str) -> Person:
        found = next((one for one in self.people if one.prefix == prefix), None)
        if found is None:
            known = ", ".join(one.prefix or "''" for one in self.people) or "none"
            raise BodyError("There is no body '{prefix}'; this model has {known}.", prefix=prefix, known=known)  # fmt: skip
        return found
