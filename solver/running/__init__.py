"""A run, from its checks to results in memory or in a file."""
