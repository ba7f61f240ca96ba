"""Trust compiled kernels only as far as their checksums: what is damaged is compiled again.

Numba keeps compiled code as pickles. A damaged one ends in any exception, or is run as it is. Here a
checksum stands behind each pickle, which `pickle` itself does not read; a file without one is as good as damaged, for
damage may have hit the checksum too.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

MARK = b"manikin-sha256:"
"""Before the checksum at the end of a file."""
_LENGTH = len(MARK) + hashlib.sha256().digest_size


def is_sound(file: Path) -> bool:
    """Whether a file of the cache is what was written."""
    content = file.read_bytes()
    return content[-_LENGTH:] == seal(content[:-_LENGTH])


def seal(content: bytes) -> bytes:
    """What stands behind a file's content."""
    return MARK + hashlib.sha256(content).digest()
