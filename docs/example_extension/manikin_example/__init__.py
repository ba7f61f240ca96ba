"""What a package may add to Manikin: one of each kind."""
