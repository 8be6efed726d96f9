import os
import shutil
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray
from hypothesis import given, settings
from hypothesis import strategies as st

from odevsr import get_system
from odevsr.errors import DataFileError, UsageError
from odevsr.world.trajectories import sealed_file, store
from odevsr.world.trajectories.recording import Recording
from odevsr.world.trajectories.simulate import simulate, simulate_many
from odevsr.world.trajectories.store import (
    list_trajectories,
    load_trajectories,
    save_trajectories,
)
from odevsr.world.trajectories.trajectory import Ending, Tolerances, Trajectory

LORENZ = get_system("lorenz")
SEAL = 32 + 56  # bytes at the end of a file of one block
EARLIER = Path(__file__).parents[1] / "data" / "lorenz.h5"


def recorded(count=3, seed=0, system=LORENZ, command="odevsr simulate lorenz"):
    rng = np.random.default_rng(seed)
    runs = simulate_many(system, count, rng, duration=0.5, step=0.01)
    return Recording(system=system, trajectories=runs, seeds=(seed,) * count, commands=(command,))


def equal(one, other):
    """Whether two recordings hold the same in every field."""
    plain = ("system", "seeds", "commands", "solver", "tolerances", "version")
    runs = list(zip(one.trajectories, other.trajectories, strict=True))
    return (
        all(getattr(one, name) == getattr(other, name) for name in plain)
        and all(a.status is b.status and a.end_time == b.end_time for a, b in runs)
        and all(
            np.array_equal(getattr(a, name), getattr(b, name))
            for a, b in runs
            for name in ("time", "states", "derivatives")
        )
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lorenz.h5"


@pytest.fixture
def written(path):
    save_trajectories(path, recorded())
    return path


def test_what_is_saved_is_what_is_loaded(path):
    recording = recorded()
    save_trajectories(path, recording)
    assert equal(load_trajectories(path), recording)


@settings(max_examples=25, deadline=None)
@given(
    lengths=st.lists(st.integers(1, 30), min_size=1, max_size=6),
    statuses=st.lists(st.sampled_from(Ending), min_size=6, max_size=6),
    seed=st.integers(0, 2**63 - 1),
)
def test_trajectories_of_any_lengths_come_back_without_padding(
    tmp_path_factory, lengths, statuses, seed
):
    rng = np.random.default_rng(0)
    runs = tuple(
        Trajectory(
            time=0.1 * np.arange(length),
            states=rng.normal(size=(length, 3)),
            derivatives=rng.normal(size=(length, 3)),
            status=status,
            end_time=0.1 * length,
        )
        for length, status in zip(lengths, statuses, strict=False)
    )
    recording = Recording(
        system=LORENZ, trajectories=runs, seeds=(seed,) * len(runs), commands=("made by hand",)
    )
    path = tmp_path_factory.mktemp("ragged") / "x.h5"
    save_trajectories(path, recording)
    assert equal(load_trajectories(path), recording)
    with h5py.File(path) as file:
        assert file["states"].shape == (sum(lengths), 3)


def test_changed_parameters_come_back_exactly(path):
    system = LORENZ.with_parameters({"beta": "7/3", "rho": "0.1"})
    save_trajectories(path, recorded(system=system))
    assert load_trajectories(path).system.parameters == system.parameters
    with h5py.File(path) as file:
        assert '"beta": "7/3"' in file.attrs["parameters"]


def test_the_file_says_what_it_is_and_how_it_was_made(written):
    with h5py.File(written) as file:
        found = dict(file.attrs)
        assert file["command"][()].tobytes() == b"odevsr simulate lorenz\n"
    assert found["format"] == "odevsr-trajectories"
    assert found["format_version"] == 2
    assert found["system"] == "lorenz"
    assert found["system_file"] == LORENZ.text
    assert found["system_digest"] == LORENZ.digest
    assert found["solver"].startswith("DOP853")
    assert (found["relative_tolerance"], found["absolute_tolerance"]) == (1e-11, 1e-13)


def test_every_array_is_compressed_and_has_a_checksum(written):
    with h5py.File(written) as file:
        arrays = [each for each in file.values() if each.name != "/component"]
        assert len(arrays) == 11
        assert all(each.fletcher32 and each.shuffle for each in arrays)
        assert {each.compression for each in arrays} == {"gzip"}


def test_xarray_opens_the_file_with_its_names(written):
    recording = load_trajectories(written)
    with xarray.open_dataset(written, engine="h5netcdf") as data:
        assert data["states"].dims == ("sample", "component")
        assert data["component"].values.tolist() == ["x0", "x1", "x2"]
        assert data["row_size"].attrs["sample_dimension"] == "sample"
        assert "time" in data["states"].coords
        last = data.isel(sample=slice(-int(data["row_size"][-1]), None))
        assert (last["states"].values == recording.trajectories[-1].states).all()
        meanings = data["status"].attrs["flag_meanings"].split()
        assert [meanings[code] for code in data["status"].values] == ["complete"] * 3
        assert data.attrs["system"] == "lorenz"


def test_a_file_that_exists_is_not_overwritten(written):
    before = written.read_bytes()
    with pytest.raises(DataFileError, match="exists"):
        save_trajectories(written, recorded(seed=1))
    assert written.read_bytes() == before


def test_appending_keeps_what_is_there(written):
    first, second = load_trajectories(written), recorded(2, seed=5, command="again")
    save_trajectories(written, second, append=True)
    found = load_trajectories(written)
    assert found.seeds == (0, 0, 0, 5, 5)
    assert found.commands == ("odevsr simulate lorenz", "again")
    runs = [*first.trajectories, *second.trajectories]
    assert all((a.states == b.states).all() for a, b in zip(found.trajectories, runs, strict=True))


def test_appending_to_no_file_makes_one(path):
    save_trajectories(path, recorded(), append=True)
    assert equal(load_trajectories(path), recorded())


@pytest.mark.parametrize(
    "other",
    [
        recorded(system=LORENZ.with_parameters({"rho": "20"})),
        recorded(system=get_system("roessler")),
        Recording(
            system=LORENZ,
            trajectories=(simulate(LORENZ, duration=0.1),),
            seeds=(0,),
            commands=("x",),
            tolerances=Tolerances(1e-6, 1e-8),
        ),
    ],
    ids=["other parameters", "other system", "other tolerances"],
)
def test_what_does_not_belong_together_is_not_appended(written, other):
    before = written.read_bytes()
    with pytest.raises(UsageError, match="cannot follow"):
        save_trajectories(written, other, append=True)
    assert written.read_bytes() == before


@pytest.mark.parametrize("part", [0.0, 0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_refused_and_left_alone(written, part):
    content = written.read_bytes()
    cut = content[: int(part * len(content))]
    written.write_bytes(cut)
    with pytest.raises(DataFileError, match=r"cut short|damaged"):
        load_trajectories(written)
    with pytest.raises(DataFileError):
        save_trajectories(written, recorded(), append=True)
    assert written.read_bytes() == cut


def test_a_flipped_bit_anywhere_is_noticed(written):
    content = written.read_bytes()
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(content) - SEAL, 200):
        changed = bytearray(content)
        changed[place] ^= 1 << int(rng.integers(8))
        written.write_bytes(changed)
        with pytest.raises(DataFileError, match="damaged"):
            load_trajectories(written)


def test_changed_text_is_noticed_even_without_a_seal(written):
    content = written.read_bytes()[:-SEAL]
    assert content.count(b"rho = 28") == 1
    written.write_bytes(content.replace(b"rho = 28", b"rho = 29"))
    with pytest.raises(DataFileError, match="digest"):
        load_trajectories(written)


def test_another_program_file_is_refused_and_left_alone(path):
    with h5py.File(path, "w") as file:
        file["x"] = 1
    before = path.read_bytes()
    with pytest.raises(DataFileError, match="not a whole trajectory file of odevsr"):
        load_trajectories(path)
    for append in (True, False):
        with pytest.raises(DataFileError):
            save_trajectories(path, recorded(), append=append)
    assert path.read_bytes() == before


def test_a_file_that_is_not_hdf5_is_refused_and_left_alone(path):
    path.write_text("time,x\n0,1\n")
    with pytest.raises(DataFileError, match="no HDF5 file"):
        save_trajectories(path, recorded(), append=True)
    assert path.read_text() == "time,x\n0,1\n"


def test_a_file_of_a_later_version_is_refused_and_left_alone(written):
    with h5py.File(written, "r+") as file:
        file.attrs["format_version"] = 3
    before = written.read_bytes()
    with pytest.raises(DataFileError, match=r"format version 3.*update odevsr"):
        save_trajectories(written, recorded(), append=True)
    assert written.read_bytes() == before


def test_an_array_larger_than_the_file_can_hold_is_refused_before_it_is_read(written):
    with h5py.File(written, "r+") as file:
        del file["end_time"]
        file.create_dataset("end_time", shape=(10**12,), dtype="<f8", chunks=(1000,))
    with pytest.raises(DataFileError, match="larger than the file"):
        load_trajectories(written)


@pytest.mark.parametrize("name", ["states", "row_size", "status"])
def test_a_missing_array_is_told_by_name(written, name):
    with h5py.File(written, "r+") as file:
        del file[name]
    with pytest.raises(DataFileError, match=name):
        load_trajectories(written)


def test_a_missing_file_or_folder_is_told(tmp_path):
    with pytest.raises(DataFileError, match="no such file"):
        load_trajectories(tmp_path / "none.h5")
    with pytest.raises(DataFileError, match="no folder"):
        save_trajectories(tmp_path / "none" / "x.h5", recorded())


def test_a_failure_while_writing_leaves_the_old_file_and_nothing_else(written, monkeypatch):
    before = written.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    for path, append in ((written, True), (written.with_name("new.h5"), False)):
        with pytest.raises(DataFileError, match=r"cannot be written .*No space left"):
            save_trajectories(path, recorded(), append=append)
    assert written.read_bytes() == before
    assert list(written.parent.iterdir()) == [written]


@pytest.mark.parametrize(
    "change",
    [
        {"trajectories": (), "seeds": ()},
        {"seeds": (0,)},
        {"seeds": (-1, 0, 0)},
        {"seeds": (2**63, 0, 0)},
        {"commands": ("two\nlines",)},
        {"system": get_system("mhd")},
    ],
)
def test_a_recording_that_contradicts_itself_is_refused(change):
    good = recorded()
    fields = {
        "system": good.system,
        "trajectories": good.trajectories,
        "seeds": good.seeds,
        "commands": good.commands,
    }
    with pytest.raises(UsageError):
        Recording(**(fields | change))


def test_trajectories_are_listed_without_their_samples(written, monkeypatch):
    recording = load_trajectories(written)
    read = []
    plain_array = store.plain_array

    def reading(file, name, *more):
        read.append(name)
        return plain_array(file, name, *more)

    monkeypatch.setattr(store, "plain_array", reading)
    found = list_trajectories(written)
    assert [each.samples for each in found] == [len(run.time) for run in recording.trajectories]
    assert [each.status for each in found] == [run.status for run in recording.trajectories]
    assert not {"time", "states", "derivatives"} & set(read)


def test_a_file_of_version_1_is_read_and_is_of_this_version_once_it_is_appended_to(path):
    shutil.copy(EARLIER, path)
    first = load_trajectories(path)
    save_trajectories(path, recorded(1, seed=7, command="more"), append=True)
    found = load_trajectories(path)
    assert found.commands == (*first.commands, "more")
    assert len(found.trajectories) == len(first.trajectories) + 1
    with h5py.File(path) as file:
        assert file.attrs["format_version"] == 2


def test_many_appends_give_what_one_writing_gives(path):
    parts = [recorded(count, seed=count, command=f"part {count}") for count in (1, 2, 3)]
    for each in parts:
        save_trajectories(path, each, append=True)
    whole = parts[0].followed_by(parts[1]).followed_by(parts[2])
    assert equal(load_trajectories(path), whole)
    assert [each.samples for each in list_trajectories(path)] == [51] * 6
    with xarray.open_dataset(path, engine="h5netcdf") as data:
        assert data.sizes["sample"] == 6 * 51


def test_appending_changes_as_much_in_a_long_file_as_in_a_short_one(path, monkeypatch):
    one = recorded(1)
    spent = []
    for count in (200, 4000):
        many = replace(one, trajectories=one.trajectories * count, seeds=(0,) * count)
        save_trajectories(path, many)
        changed = []
        change = sealed_file._make

        def make(file, body, change=change, changed=changed):
            changed.append(len(body))
            change(file, body)

        monkeypatch.setattr(sealed_file, "_make", make)
        save_trajectories(path, one, append=True)
        monkeypatch.undo()
        spent += changed
        path.unlink()
    assert spent[1] < 2 * spent[0]


def test_a_trajectory_that_others_changed_is_noticed(written):
    with h5py.File(written, "r+") as file:
        file["states"][3, 1] += 1e-9
    with pytest.raises(DataFileError, match="digest"):
        load_trajectories(written)


def test_a_file_that_is_none_is_not_listed(tmp_path):
    with pytest.raises(DataFileError, match="no such file"):
        list_trajectories(tmp_path / "x.h5")
