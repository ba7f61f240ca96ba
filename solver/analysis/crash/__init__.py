"""Ready-made crashes: a vehicle, who sits in it, at rest, and what is measured."""
