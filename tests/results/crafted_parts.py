"""Parts of runs that no run has written: every record has its checksum, and says something else."""

from __future__ import annotations

import json
import random
import struct
import zlib
from pathlib import Path
from typing import Any

from solver.results.part import MAGIC
from tests.project.test_fuzz import places

FRAME = struct.Struct("<QI")
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1e308, 2**40, 2**63, 2**70, "", "time", "channels", "../x", "a/b/c", [], {}, [[]], [1, 2, 3],
    [-1], [2**40], [0], "<f8", "S8", "O", "x" * 3000, "\u0000", "\ud800", "channels/nothing/time", "segments", "/",
    ".", "project", "injury/value", "injury", "status", "events/time",
)  # fmt: skip


def records(data: bytes) -> list[bytes]:
    """Take a part to pieces."""
    found, at = [], len(MAGIC)
    while at < len(data):
        length, _ = FRAME.unpack_from(data, at)
        found.append(data[at + FRAME.size :][:length])
        at += FRAME.size + length
    return found


def put_together(head: bytes, blocks: list[bytes]) -> bytes:
    """Give a part of these pieces, each with its checksum."""
    framed = (FRAME.pack(len(one), zlib.crc32(one)) + one for one in (head, *blocks))
    return MAGIC + b"".join(framed)


def crafted(whole: Path, copy: Path, seed: int) -> None:
    """Change the head of a part, the table of a record, or its numbers."""
    dice = random.Random(seed)
    head, *blocks = records(whole.read_bytes())
    if dice.random() < 0.7:
        told = json.loads(head)
        for _ in range(dice.choice((1, 1, 2))):
            holder, key = dice.choice(places(told))
            if dice.random() < 0.2:
                del holder[key]
            else:
                holder[key] = dice.choice(ODD)
        head = json.dumps(told).encode("utf-8", "surrogatepass")
    else:
        number = dice.randrange(len(blocks))
        block = bytearray(blocks[number])
        at = 8 * dice.randrange(min(40, len(block) // 8))
        if dice.random() < 0.5:
            at = 8 * dice.randrange(len(block) // 8)
        odd = dice.choice(
            (0, 1, 2, 2**31, 2**63, 2**64 - 1, 0x7FF8 << 48, 0x7FE0 << 48, dice.randrange(100))
        )
        block[at : at + 8] = odd.to_bytes(8, "little")
        blocks[number] = bytes(block)
    copy.write_bytes(put_together(head, blocks))
