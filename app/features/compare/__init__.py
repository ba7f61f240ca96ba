"""Runs compared, figure by figure."""
