"""Sample projects that are built, so that they can be built again when bodies or parts change."""
