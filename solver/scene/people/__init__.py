"""People with a skin: a closed surface made from a body's segments, which goes with them."""
