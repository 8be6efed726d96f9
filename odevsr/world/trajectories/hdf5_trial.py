"""Reads all of an HDF5 file, as a process of its own that may hang or crash: see `hdf5_file`."""

from __future__ import annotations

import sys
from contextlib import suppress

import h5py

from odevsr.world.trajectories.hdf5_file import READING_ERRORS, plain_array


def read_all(path: str) -> None:
    """Read every attribute and array; what cannot be read is for whoever reads it in earnest."""
    with h5py.File(path, "r") as file:
        for name in list(file.attrs):
            with suppress(*READING_ERRORS):
                str(file.attrs[name])
        for name in list(file):
            with suppress(*READING_ERRORS):
                array = file[name]
                plain_array(file, name, array.dtype, array.ndim)


if __name__ == "__main__":
    with suppress(*READING_ERRORS):
        read_all(sys.argv[1])
