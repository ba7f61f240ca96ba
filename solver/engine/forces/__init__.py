"""Loads on bodies and freedoms: compiled kernels that add to a tree's torques and forces."""
