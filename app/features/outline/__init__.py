"""The tree of elements, and what is done with those that are selected."""
