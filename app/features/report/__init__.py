"""Reports of one run or two."""
