"""The guide: pages and the reference of elements, read inside the window without the internet."""
