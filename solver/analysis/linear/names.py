"""Names and units of the speeds of a model, in their order."""

from __future__ import annotations

from solver.engine.dynamics.tree import BALL, FREE, SLIDE, SPEEDS, TURN
from solver.model.compile import Model

OF_BODY = ("vx", "vy", "vz", "wx", "wy", "wz")
_UNITS = {TURN: ("rad",), SLIDE: ("m",), BALL: ("rad",) * 3, FREE: ("m",) * 3 + ("rad",) * 3}


def speed_names(model: Model) -> tuple[str, ...]:
    """Name the speeds of a model: those of joints by their number, of bodies on their own by six letters."""
    trees, tree = model.trees, model.trees.tree
    names = [""] * trees.speeds
    owner = {b: f"joints/{id_}" for id_, made in trees.joints.items() for b in made.bodies}
    free = {b: f"segments/{id_}" for id_, b in trees.body_of.items() if b not in owner}
    bags = zip(trees.bag_bodies, model.project.airbags, strict=True)
    free |= {b: f"airbags/{bag.id}" for b, bag in bags}
    counts = dict[str, int]()
    for i, kind in enumerate(tree.kind):
        for k in range(SPEEDS[kind]):
            if i in free:
                names[tree.at_v[i] + k] = f"{free[i]}/{OF_BODY[k]}"
            else:
                counts[owner[i]] = counts.get(owner[i], 0) + 1
                names[tree.at_v[i] + k] = f"{owner[i]}/{counts[owner[i]]}"
    return tuple(names)


def way_units(model: Model) -> tuple[str, ...]:
    """Give the unit of the way along each speed: m or rad."""
    tree = model.trees.tree
    units = [""] * model.trees.speeds
    for i, kind in enumerate(tree.kind):
        for k, unit in enumerate(_UNITS[int(kind)]):
            units[tree.at_v[i] + k] = unit
    return tuple(units)
