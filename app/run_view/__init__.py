"""Run the model in the background, keep its runs, and play them back."""
