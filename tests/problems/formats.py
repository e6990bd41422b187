"""Tiny files in every format, written from scratch."""

from __future__ import annotations

import gzip
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

IMAGES = (np.arange(5 * 2 * 3) * 8 % 256).astype(np.uint8).reshape(5, 2, 3)
LABELS = np.array([3, 0, 7, 3, 7], dtype=np.uint8)

LIBSVM = b"""# a comment
+1 1:0.5 3:-2e1 # more
-1 2:1

+1 1:.25 2:3. 4:1e-3
"""
CSV = b"a,b,kind\n1,2.5,x\n-1e3,4,y\n\n0,0,x\n"
LEAF: dict[str, Any] = {
    "users": ["f_b", "f_a"],
    "num_samples": [2, 1],
    "user_data": {
        "f_b": {"x": [[0.0, 0.5], [1.0, 0.25]], "y": [4, 61]},
        "f_a": {"x": [[0.125, 1.0]], "y": [4]},
    },
}


def images(values: Any = IMAGES, magic: int = 0x803, shape: tuple[int, ...] | None = None) -> bytes:
    """An IDX file; the header may lie."""
    sizes = shape or values.shape
    return struct.pack(f">{1 + len(sizes)}I", magic, *sizes) + values.tobytes()


def labels(values: Any = LABELS) -> bytes:
    """An IDX file of labels."""
    return images(values, 0x801)


def pair(folder: Path, stem: str = "train-", packed: bool = False) -> tuple[Path, Path]:
    """An IDX pair in a folder."""
    found = []
    for name, content in ((f"{stem}images-idx3-ubyte", images()), (f"{stem}labels-idx1-ubyte", labels())):
        path = folder / (name + (".gz" if packed else ""))
        path.write_bytes(gzip.compress(content) if packed else content)
        found.append(path)
    return found[0], found[1]


def leaf(**changes: Any) -> bytes:
    """A LEAF file with some of its keys changed."""
    return json.dumps(LEAF | changes).encode()


def put(folder: Path, name: str, content: bytes) -> Path:
    """A file with this content, packed if its name ends in .gz."""
    path = folder / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path
