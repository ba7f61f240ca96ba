"""The earlier name of `solver.simulation`, as long as imports have it."""

from solver.simulation import *  # noqa: F403
