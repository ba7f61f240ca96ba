"""Forms of elements, produced from the schema."""
