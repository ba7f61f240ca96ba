"""From the document to arrays: what the kernels see of a project."""
