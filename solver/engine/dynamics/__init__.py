"""Motion of trees of rigid bodies: compiled kernels that see arrays only."""
