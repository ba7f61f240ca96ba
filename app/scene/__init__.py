"""The scene: from the document to shapes, from shapes to actors, and the widget that shows them."""
