"""What differs between runs: injury figures, peaks, and the fields of their models."""
