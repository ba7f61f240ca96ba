"""The validation book: cases with a reference, run by the engine as users run it."""
