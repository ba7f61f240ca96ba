"""How files of other programs end, for anyone who asks for a name and reads nothing."""

CARDS = ".vsg"
"""Cards of VARISEG."""
PRINTED = (".aou", ".tp", ".tth", *(f".t{n}" for n in range(21, 100)))
"""Tables that ATB prints: all in a file, or one in each."""
PRINTED_WORDS = (".aou", ".tp", ".tth", ".t21 to .t99")
"""The same, to be read."""
STORED = (".mot", ".sto")
"""Tables over time of OpenSim."""
TESTED = (
    *PRINTED,
    *STORED,
    ".mme",
    ".chn",
    ".ev5",
    ".uds",
    ".zip",
    *(f".{n:03d}" for n in range(1000)),
)
"""Files of measured tests, and what other programs printed: curves over time."""
