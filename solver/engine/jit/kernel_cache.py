"""Trust compiled kernels only as far as their checksums: what is damaged is compiled anew.

Numba keeps compiled code as pickles. A damaged one ends in any exception, or is run as it is. Here a
checksum stands behind each pickle, which `pickle` itself does not read; a file without one is as good as damaged, for
damage may have hit the checksum too.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching

MARK = b"manikin-sha256:"
"""Before the checksum at the end of a file."""
_LENGTH = len(MARK) + hashlib.sha256().digest_size


def is_sound(file: Path) -> bool:
    """Tell whether a file of the cache is what was written."""
    content = file.read_bytes()
    return content[-_LENGTH:] == MARK + _sum(content[:-_LENGTH])


_files: Any = caching.IndexDataCacheFile


class SealedFiles(_files):  # type: ignore[misc]
    """The files of one kernel: an index, and one file for each set of types; what is damaged is not there."""

    def _load_index(self) -> Any:
        return self._if_sound(self._index_path, super()._load_index, {})

    def _load_data(self, name: str) -> Any:
        return self._if_sound(
            self._data_path(name), lambda: super(SealedFiles, self)._load_data(name), None
        )

    def _save_index(self, overloads: Any) -> None:
        self._seal(self._index_path, lambda: super(SealedFiles, self)._save_index(overloads))

    def _save_data(self, name: str, data: Any) -> None:
        self._seal(self._data_path(name), lambda: super(SealedFiles, self)._save_data(name, data))

    def _if_sound(self, path: str, read: Callable[[], Any], missing: Any) -> Any:
        file = Path(path)
        try:
            if not file.exists() or is_sound(file):
                return read()
        except Exception:  # noqa: BLE001 (a damaged pickle raises anything)
            pass
        with contextlib.suppress(OSError):
            file.unlink()
        return missing

    def _seal(self, path: str, save: Callable[[], None]) -> None:
        # without room for it the kernel is there all the same, for this time
        with contextlib.suppress(OSError):
            save()
            content = Path(path).read_bytes()
            with self._open_for_write(path) as out:
                out.write(content + MARK + _sum(content))


def _sum(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
