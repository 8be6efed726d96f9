import os
import subprocess

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.world.trajectories import hdf5_file
from odevsr.world.trajectories.hdf5_file import opened_hdf5, plain_array, write_hdf5


def fill(file):
    file.create_dataset("x", data=np.arange(5.0))
    file.attrs["name"] = "five"


@pytest.fixture
def path(tmp_path):
    write_hdf5(tmp_path / "x.h5", fill)
    return tmp_path / "x.h5"


def array(path):
    with opened_hdf5(path) as file:
        return plain_array(file, "x", "<f8", 1)


def test_what_is_written_is_what_is_read_by_us_and_by_others(path):
    assert array(path).tolist() == [0, 1, 2, 3, 4]
    with h5py.File(path) as file:
        assert file["x"][-1] == 4


@given(place=st.integers(0, 10**6), mask=st.integers(1, 255))
def test_no_changed_byte_goes_unnoticed_by_hdf5_or_before(tmp_path_factory, place, mask):
    path = tmp_path_factory.mktemp("flipped") / "x.h5"
    write_hdf5(path, fill)
    content = bytearray(path.read_bytes())
    place %= len(content)
    content[place] ^= mask
    path.write_bytes(content)
    is_mark = len(content) - 79 <= place < len(content) - 64
    if not is_mark:  # without it there is no seal, and all that it seals is as it was
        with pytest.raises(OSError, match="not those that were written"):
            array(path)


def test_a_file_without_a_seal_is_read(path):
    path.write_bytes(path.read_bytes()[:-88])
    assert len(array(path)) == 5


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("import time; time.sleep(600)", "does not come to an end"),
        ("import os; os.abort()", "crashes"),
    ],
)
def test_a_file_without_a_seal_on_which_hdf5_hangs_or_crashes_is_refused(
    path, monkeypatch, program, sentence
):
    path.write_bytes(path.read_bytes()[:-88])
    real = subprocess.run

    def run(command, **options):
        return real([command[0], "-c", program], **options)

    monkeypatch.setattr(hdf5_file, "TRIAL_SECONDS", 2.0)
    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(OSError, match=sentence):
        array(path)


def test_a_file_that_others_changed_is_read(path):
    with h5py.File(path, "r+") as file:
        file.create_dataset("more", data=np.zeros(1000))
    assert len(array(path)) == 5


def grouped(file, folder):
    file.create_group("x")


def linked_within(file, folder):
    file["y"] = np.arange(5.0)
    file["x"] = h5py.SoftLink("/y")


def linked_elsewhere(file, folder):
    file["x"] = h5py.ExternalLink(str(folder / "other.h5"), "x")


def virtual(file, folder):
    layout = h5py.VirtualLayout(shape=(5,), dtype="<f8")
    layout[:] = h5py.VirtualSource(str(folder / "other.h5"), "x", shape=(5,))
    file.create_virtual_dataset("x", layout)


def stored_elsewhere(file, folder):
    (folder / "raw").write_bytes(bytes(40))
    file.create_dataset("x", (5,), "<f8", external=[(str(folder / "raw"), 0, 40)])


def packed_by_others(file, folder):
    file.create_dataset("x", data=np.arange(5.0), compression="lzf")


def of_references(file, folder):
    file.create_dataset("x", (5,), dtype=h5py.ref_dtype)


def of_text(file, folder):
    file.create_dataset("x", data=["a", "b"])


def without_values(file, folder):
    file.create_dataset("x", data=h5py.Empty("<f8"))


def of_terabytes(file, folder):
    file.create_dataset("x", (10**12,), "<f8", chunks=(1000,))


def in_a_huge_piece(file, folder):
    file.create_dataset("x", (5,), "<f8", chunks=(2**28,), maxshape=(None,))


def absent(file, folder):
    pass


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (grouped, "no array"),
        (linked_within, "a link elsewhere"),
        (linked_elsewhere, "a link elsewhere"),
        (virtual, "stands in other files"),
        (stored_elsewhere, "stands in other files"),
        (packed_by_others, "a filter that is not used here"),
        (of_references, "another type or shape"),
        (of_text, "another type or shape"),
        (without_values, "another type or shape"),
        (of_terabytes, "larger than the file can hold"),
        (in_a_huge_piece, "larger than the file can hold"),
        (absent, "x is missing"),
    ],
)
def test_what_is_no_plain_array_of_the_file_is_refused(tmp_path, made, sentence):
    write_hdf5(tmp_path / "other.h5", fill)
    with h5py.File(tmp_path / "x.h5", "w") as file:
        made(file, tmp_path)
    with pytest.raises(ValueError, match=sentence):
        array(tmp_path / "x.h5")


def test_a_failure_to_write_leaves_the_old_file_and_nothing_else(path, monkeypatch):
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_hdf5(path, fill)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
