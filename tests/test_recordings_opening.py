"""What texts begin with: names in remarks, and lines of units."""

import pytest

from odevsr.errors import DataFileError
from odevsr.world.recordings.files import read_recordings


@pytest.fixture
def read(tmp_path):
    def read(content):
        path = tmp_path / "runs.txt"
        path.write_text(content)
        return read_recordings(path)

    return read


NUMBERS = "0 1 2\n1 2 4\n2 4 3\n"
TAKEN = "the remark is taken for the names of the columns"


@pytest.mark.parametrize(
    "prose", ["# taken over time", "# x versus time", "# all at one time", "# x (time)", "# a time"]
)
def test_prose_names_no_columns(read, prose):
    assert read(f"# t x y\n{prose}\n{NUMBERS}").names == ("x", "y")
    with pytest.raises(DataFileError, match=r"runs.txt begins with numbers; name the columns"):
        read(f"{prose}\n{NUMBERS}")


def test_a_remark_that_is_taken_for_the_names_is_told(read):
    recordings = read(f"# time x velocity\n{NUMBERS}")
    assert recordings.names == ("x", "velocity")
    assert recordings.notes[0].endswith(f"runs.txt:1: {TAKEN}")
    assert read(f"# mine\n# t x y\n#\n\n{NUMBERS}").notes[0].endswith(f"runs.txt:2: {TAKEN}")


@pytest.mark.parametrize(
    "units", ["# s m 1", "# (s) (m) (1)", "% [s]  [m]  [-]", "# s, m, 1", "#\n# s\tm\t1\n#\n# end"]
)
def test_a_remark_below_the_names_may_hold_the_units(read, units):
    recordings = read(f"# t x y\n{units}\n{NUMBERS}")
    assert recordings.names == ("x", "y")
    assert recordings.units == {"t": "s", "x": "m"}
    assert TAKEN in recordings.notes[0]
    assert recordings.notes[1].endswith("the remark is taken for the units of the columns")


@pytest.mark.parametrize("remark", ["# measured last night", "# s m", "# s m 2", "# min or so"])
def test_a_remark_that_may_be_prose_holds_no_units(read, remark):
    kept = {"t": "min", "x": "or", "y": "so"} if "min" in remark else {}
    assert read(f"# t x y\n{remark}\n{NUMBERS}").units == kept


@pytest.mark.parametrize("units", ["s,m,1", "[s],[m],[1]", "min,1,1", "s,-,1", "s,1,\u2013"])
def test_a_line_of_units_may_have_ones_for_what_has_none(read, units):
    recordings = read(f"t,x,y\n{units}\n{NUMBERS.replace(' ', ',')}")
    assert recordings.units["t"] in ("s", "min")
    assert set(recordings.units.values()) <= {"s", "min", "m"}
    assert recordings.runs[0].times.tolist() == [0, 1, 2]


@pytest.mark.parametrize("line", ["begin,1,1", "s,m,2", "NA,m,1"])
def test_samples_are_no_units(read, line):
    with pytest.raises(DataFileError, match=r"runs.txt:2: '.*' in the column . is not a number"):
        read(f"t,x,y\n{line}\n{NUMBERS.replace(' ', ',')}")


def test_a_line_of_words_is_taken_for_the_names_rather_than_a_remark_above_it(read):
    with pytest.raises(DataFileError, match="no column t for the time, only Zeit, x; name it t"):
        read("# start time\nZeit,x\n0,1\n1,2\n")


def test_remarks_of_many_characters_name_no_columns(read):
    assert read(f"# t x y\n# {'A' * 200_000}\n{NUMBERS}").names == ("x", "y")


@pytest.mark.parametrize("header", ["t,x,y", "t,h,d"])
def test_a_line_that_names_the_time_is_taken_for_the_names_rather_than_for_units(read, header):
    names = tuple(header.split(",")[1:])
    assert read(f"# Time, position, velocity\n{header}\n0,1,2\n1,2,4\n2,4,3\n").names == names


@pytest.mark.parametrize("begin", ["sep=;\n# t;x;y", "# t;x;y\nsep=;", "sep=;\nt;x;y"])
def test_what_separates_cells_may_be_told_before_or_behind_the_names(read, begin):
    assert read(f"{begin}\n0;1;2\n1;2;4\n2;4;3\n").names == ("x", "y")
