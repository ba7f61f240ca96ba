"""Facts about elements, produced from the schema."""
