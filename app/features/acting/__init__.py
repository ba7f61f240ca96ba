"""What acts on a part: forces by their source, which add up to its acceleration."""
