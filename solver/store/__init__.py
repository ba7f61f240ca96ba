"""The store: an index of projects, runs and studies in folders, and a line that asks for some of them."""

from solver.store.index import Looked, Store, StoreError
from solver.store.query import QueryError, parsed
from solver.store.reading import Entry

__all__ = ["Entry", "Looked", "QueryError", "Store", "StoreError", "parsed"]
