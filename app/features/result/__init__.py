"""The result page: what happened in a run, by whom, why, and what to try next."""
