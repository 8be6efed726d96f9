"""Arrays of numpy that are packed as they should be, and are yet no recording."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.bench.fuzz.mutations import NASTY, Rng, chosen, mutated_bytes

HUGE = 1 << 44
"""Values that an array says it has."""
_REPLACEMENTS: tuple[Callable[[], Any], ...] = (
    lambda: np.zeros(()),
    lambda: np.zeros((9, 9, 9)),
    lambda: np.zeros((0, 1 << 20)),
    lambda: np.zeros((9, 1 << 15), bool),
    lambda: np.full(9, np.nan),
    lambda: np.full(9, 1e300),
    lambda: np.full(9, 1e-300),
    lambda: np.arange(9) * 1j,
    lambda: np.array(["NaT"] * 9, "datetime64[ns]"),
    lambda: np.arange(9).astype("timedelta64[Y]"),
    lambda: np.zeros(9, [("a", "f8")]),
    lambda: np.array([b"\x1b[31m"] * 9),
    lambda: np.array(["1_0"] * 9),
    lambda: np.array([{}] * 9, object),
    lambda: np.full(9, 2**63, np.uint64),
)


def mislead_npz(path: Path, rng: Rng) -> None:
    """Write a recording one array of which is not what it should be, or damaged bytes of it."""
    times = np.linspace(0, 1, 9)
    arrays: dict[str, Any] = {"t": times, "x": np.exp(-times), "run": np.zeros(9, int)}
    name = chosen([*arrays, chosen(NASTY, rng)], rng)
    if not name.replace("/", "").strip("\0."):
        name = "y"
    match int(rng.integers(4)):
        case 0:
            np.savez(path, **arrays)
            path.write_bytes(mutated_bytes(path.read_bytes(), rng))
        case 1:
            np.savez(path, **arrays)
            _declare(path, "y", rng)
        case 2:
            np.savez_compressed(path, **{name: chosen(_REPLACEMENTS, rng)()})
        case _:
            np.savez(path, **{**arrays, name: chosen(_REPLACEMENTS, rng)()})


def _declare(path: Path, name: str, rng: Rng) -> None:
    """Add an array that says it is far longer than it is."""
    header = io.BytesIO()
    shape = (HUGE >> int(rng.integers(44)),)
    told = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, told)
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr(f"{name}.npy", header.getvalue() + bytes(72))
