"""Models of other programs: import with a report beside the scene, export."""
