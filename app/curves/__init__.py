"""What draws curves, and what reads them from tables."""
