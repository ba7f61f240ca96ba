"""What the window can do, one folder for each feature; each knows the workbench, never the window."""
