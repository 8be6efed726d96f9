"""Files that change all at once or not at all, wherever whoever changes them is stopped."""

import io
import threading
import warnings
from contextlib import suppress
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odevsr.errors import TornFileWarning
from odevsr.world.trajectories import sealed_file
from odevsr.world.trajectories.hdf5_file import changed_hdf5, opened_hdf5, plain_array, write_hdf5
from odevsr.world.trajectories.sealed_file import BLOCK, opened_sealed, seal_of

OLD, NEW = 20_000, 12_000


def length_of(head):
    """Our own files here say how long they are in their first bytes."""
    return int.from_bytes(head[:8], "little")


def made(path, size):
    content = size.to_bytes(8, "little") + np.random.default_rng(size).bytes(size - 8)
    path.write_bytes(content + seal_of(content))
    return content


def read(path):
    with opened_sealed(path, length_of) as file:
        return file.read()


@settings(max_examples=40, deadline=None)
@given(size=st.integers(8, 3 * BLOCK), writes=st.lists(
    st.tuples(st.integers(8, 4 * BLOCK), st.integers(1, 2 * BLOCK)), max_size=4))  # fmt: skip
def test_a_change_is_what_it_would_be_in_memory(tmp_path_factory, size, writes):
    path = tmp_path_factory.mktemp("sealed") / "x"
    other = io.BytesIO(made(path, size))
    with opened_sealed(path, length_of, to_change=True) as file:
        for each in (file, other):
            for place, count in writes:
                each.seek(place)
                each.write(bytes([count % 256]) * count)
        assert file.length == len(other.getvalue())
    assert read(path) == other.getvalue()
    content = other.getvalue()
    assert path.read_bytes() == content + seal_of(content)


def test_only_what_is_asked_for_is_read(tmp_path):
    path = tmp_path / "x"
    content = bytearray(made(path, 5 * BLOCK))
    damaged = path.read_bytes()
    path.write_bytes(damaged[: 3 * BLOCK] + b"?" + damaged[3 * BLOCK + 1 :])
    with opened_sealed(path, length_of) as file:
        assert file.read(2 * BLOCK) == content[: 2 * BLOCK]
        with pytest.raises(OSError, match="not those that were written"):
            file.read(2 * BLOCK)


class Killed(BaseException):
    """What a process does not survive."""


class Dying(io.FileIO):
    """A file to which so many bytes are written, and no more."""

    left = 0  # of all of them

    def write(self, content):
        content = bytes(content)[: Dying.left]
        Dying.left -= super().write(content) or 0
        if not Dying.left:
            raise Killed
        return len(content)


def array_of(path):
    with opened_hdf5(path) as file:
        return plain_array(file, "x", "<f8", 1)


def appended(path):
    with changed_hdf5(path) as file:
        file["x"].resize(OLD + NEW, axis=0)
        file["x"][OLD:] = np.sin(np.arange(NEW))


@pytest.fixture
def path(tmp_path):
    write_hdf5(tmp_path / "x.h5", lambda file: file.create_dataset(
        "x", data=np.arange(float(OLD)), maxshape=(None,), chunks=(1000,)))  # fmt: skip
    return tmp_path / "x.h5"


def appended_until_killed(path, most):
    """Append by a process that dies after so many bytes; how many it has written."""
    usual, Dying.left = Path.open, most
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Path, "open", lambda self, mode="r": (
            Dying(self, "r+") if mode == "r+b" else usual(self, mode)))  # fmt: skip
        with suppress(Killed):
            appended(path)
    return most - Dying.left


def test_whoever_is_killed_while_appending_leaves_the_old_file_or_the_new(path):
    before, whole = path.read_bytes(), path.with_name("whole.h5")
    whole.write_bytes(before)
    in_all = appended_until_killed(whole, 10**9)
    old, new = np.arange(float(OLD)), array_of(whole)
    is_old = []
    for share in np.linspace(0, 1, 40, endpoint=False):
        path.write_bytes(before)
        appended_until_killed(path, 1 + int(share * in_all))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = array_of(path)
        is_old.append(len(found) == OLD)
        assert np.array_equal(found, old if is_old[-1] else new)
        assert [each.category for each in told] == [TornFileWarning] * is_old[-1]
        if is_old[-1]:
            with h5py.File(path) as file:  # others see the old file, too
                assert len(file["x"]) == OLD
            appended(path)
        assert np.array_equal(array_of(path), new)
    assert is_old == sorted(is_old, reverse=True)
    assert 10 < sum(is_old) < 35


def test_two_that_append_at_once_wait_for_each_other(path):
    def more():
        with changed_hdf5(path) as file:
            count = len(file["x"])
            file["x"].resize(count + 10, axis=0)

    threads = [threading.Thread(target=more) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(array_of(path)) == OLD + 40


def test_a_file_that_is_cut_while_it_is_looked_at_is_read_once_it_is_held(tmp_path, monkeypatch):
    path = tmp_path / "x"
    made(path, 100)
    sizes = iter([path.stat().st_size + 10])
    true_size = sealed_file._size
    monkeypatch.setattr(sealed_file, "_size", lambda file: next(sizes, None) or true_size(file))
    with opened_sealed(path, length_of) as content:
        assert content.length == 100


def test_the_length_in_an_end_is_not_believed(tmp_path):
    path = tmp_path / "x"
    made(path, 100)
    content = bytearray(path.read_bytes())
    content[-40:-32] = (1 << 60).to_bytes(8, "little")
    path.write_bytes(content)
    with pytest.raises(OSError, match="not those"), opened_sealed(path, length_of):
        pass
    assert sealed_file._END.size == 56
