"""Work in the background; answers come back into the window's thread."""
