"""Free-format cards of VARISEG (docs/variseg.md): SEG and RSEG as its report prints them, the others are ours.

`cards` cuts a text into cards and fields by the rules of the report; `reading` makes a project of them, `writing` the way back.
"""

from solver.exchange.variseg.reading import read_variseg
from solver.exchange.variseg.telling import VarisegError
from solver.exchange.variseg.writing import write_variseg

__all__ = ["VarisegError", "read_variseg", "write_variseg"]
