"""How files of other programs end, for anyone who asks for a name and reads nothing."""

CARDS = ".vsg"
"""Cards of VARISEG."""
PRINTED = (".aou", ".tp", ".tth")
"""Tables that ATB prints."""
STORED = (".mot", ".sto")
"""Tables over time of OpenSim."""
