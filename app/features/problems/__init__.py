"""The list of what the checks have found, with quick fixes."""
