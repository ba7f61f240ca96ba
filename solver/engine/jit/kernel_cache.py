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


def watch(folder: Path) -> None:
    """Give the caches in a folder checksums, and let damaged files be compiled anew."""
    files: Any = caching.IndexDataCacheFile

    def is_ours(cache: Any) -> bool:
        return Path(cache._cache_path).is_relative_to(folder)

    def reading(name: str, path: Callable[..., str], missing: Any) -> None:
        read = getattr(files, name)

        def checked(cache: Any, *given: Any) -> Any:
            if not is_ours(cache):
                return read(cache, *given)
            file = Path(path(cache, *given))
            try:
                if not file.exists() or is_sound(file):
                    return read(cache, *given)
            except Exception:  # noqa: BLE001 (a damaged pickle raises anything)
                pass
            with contextlib.suppress(OSError):
                file.unlink()
            return missing()

        setattr(files, name, checked)

    def sealing(name: str, path: Callable[..., str]) -> None:
        save = getattr(files, name)

        def sealed(cache: Any, *given: Any) -> None:
            if not is_ours(cache):
                save(cache, *given)
                return
            # without room for it the kernel is there all the same, for this time
            with contextlib.suppress(OSError):
                save(cache, *given)
                file = Path(path(cache, *given))
                content = file.read_bytes()
                with cache._open_for_write(str(file)) as out:
                    out.write(content + MARK + _sum(content))

        setattr(files, name, sealed)

    reading("_load_index", lambda cache: cache._index_path, dict)
    reading("_load_data", lambda cache, name: cache._data_path(name), lambda: None)
    sealing("_save_index", lambda cache, _: cache._index_path)
    sealing("_save_data", lambda cache, name, _: cache._data_path(name))


def _sum(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
