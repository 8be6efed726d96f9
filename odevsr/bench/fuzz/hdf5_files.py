"""HDF5 files that are whole and yet not what they should be: made to mislead whoever reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np

from odevsr.bench.fuzz.mutations import VALUES, Rng, chosen

HUGE = 1 << 44
"""Values of an array of many terabytes."""


def mislead(path: Path, rng: Rng) -> None:
    """Change one array or attribute of a file to what it should not be."""
    with h5py.File(path, "r+") as file:
        if rng.random() < 0.4:
            _change_attribute(file, rng)
            return
        name = chosen(sorted(file), rng)
        del file[name]
        chosen(_REPLACEMENTS, rng)(file, name)


def _change_attribute(file: h5py.File, rng: Rng) -> None:
    name, value = chosen(sorted(file.attrs), rng), chosen(VALUES, rng)
    del file.attrs[name]
    match int(rng.integers(4)):
        case 0:
            pass
        case 1:
            file.attrs[name] = np.zeros(3)
        case 2:
            file.attrs[name] = file.ref
        case _ if isinstance(value, bool | float | str) and "\0" not in str(value):
            file.attrs[name] = value
        case _:
            file.attrs[name] = h5py.Empty("f8")


def _virtual(file: h5py.File, name: str) -> None:
    layout = h5py.VirtualLayout((9,), "<f8")
    layout[:] = h5py.VirtualSource("elsewhere.h5", "x", (9,))
    file.create_virtual_dataset(name, layout)


def _soft_link(file: h5py.File, name: str) -> None:
    file[name] = h5py.SoftLink("/nowhere")


def _soft_circle(file: h5py.File, name: str) -> None:
    file[name] = h5py.SoftLink(f"/{name}")


def _external_link(file: h5py.File, name: str) -> None:
    file[name] = h5py.ExternalLink("/etc/passwd", "/x")


_REPLACEMENTS: tuple[Callable[[h5py.File, str], object], ...] = (
    lambda file, name: file.create_group(name),
    lambda file, name: file.create_dataset(name, (HUGE,), "<f8", chunks=(1024,)),
    lambda file, name: file.create_dataset(name, (HUGE, 3), "<i8", chunks=(1024, 3)),
    lambda file, name: file.create_dataset(name, data=h5py.Empty("<f8")),
    lambda file, name: file.create_dataset(name, data=3.0),
    lambda file, name: file.create_dataset(name, data=np.full(9, np.nan)),
    lambda file, name: file.create_dataset(name, data=np.full((9, 9), -1, "<i8")),
    lambda file, name: file.create_dataset(name, data=np.full(2, 2**62, "<i8")),
    lambda file, name: file.create_dataset(name, data=[b"\x1b[31m"] * 3),
    lambda file, name: file.create_dataset(name, (3,), h5py.ref_dtype),
    lambda file, name: file.create_dataset(name, (3,), h5py.vlen_dtype(np.float64)),
    lambda file, name: file.create_dataset(
        name, (9,), "<f8", external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)]
    ),
    _virtual,
    _soft_link,
    _soft_circle,
    _external_link,
)
