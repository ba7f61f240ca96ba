"""The first five minutes: a card that shows around, step by step, and never stands in the way."""
