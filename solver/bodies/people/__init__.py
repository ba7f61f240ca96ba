"""People with a flexible spine, a chest that gives way and a neck, of any size the generator knows."""

from solver.bodies.people.build import human
from solver.bodies.people.scaling import Scaling, bone, scaling, soft

__all__ = ["Scaling", "bone", "human", "scaling", "soft"]
