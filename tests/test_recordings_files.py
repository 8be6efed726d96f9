"""Reading recordings from files, and what is said of files that are none."""

import sys

import numpy as np
import pytest

from odevsr.errors import DataFileError, MissingExtraError, OdevsrError, UsageError
from odevsr.world.recordings import binary, lines, roles, text
from odevsr.world.recordings.files import read_recordings
from odevsr.world.trajectories.recording import record
from odevsr.world.trajectories.store import save_trajectories

TWO_RUNS = "run,t [s],x [m],dx,u\na,0,1,-1,0.5\na,1,2,-2,0.5\nb,0,3,-3,1\nb,0.5,4,-4,\nb,2,5,-5,3\n"


@pytest.fixture
def write(tmp_path):
    def write(content, name="runs.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_a_csv_file_is_read_with_runs_units_inputs_and_derivatives(write):
    path = write(TWO_RUNS)
    read = read_recordings(path, inputs="u")
    assert (read.names, read.inputs, read.source) == (("x",), ("u",), str(path))
    assert read.units == {"t": "s", "x": "m"}
    first, second = read.runs
    assert (first.name, second.name) == ("a", "b")
    assert first.times.tolist() == [0, 1]
    assert second.times.tolist() == [0, 0.5, 2]
    assert second.states.tolist() == [[3], [4], [5]]
    assert second.derivatives.tolist() == [[-3], [-4], [-5]]
    assert second.inputs.tolist() == [[1], [1.5], [3]]
    assert read.notes == (
        "u: 1 of 5 values are missing; straight lines between its neighbours are put in their "
        "place",
        "run b: the times are uneven, and taken as they are",
        "dx: taken as measured derivatives of x",
    )


@pytest.mark.parametrize(
    "content",
    ["t\tx\n0\t1\n1\t2\n", "t;x\n0;1\n1;2\n", '\ufeff# kept\n\n"t", x\n0,"1"\n\n# said\n1,2\n'],
)
def test_tabs_semicolons_quotes_comments_and_marks_of_editors_are_understood(write, content):
    (run,) = read_recordings(write(content)).runs
    assert run.name == "runs"
    assert run.times.tolist() == [0, 1]
    assert run.states.tolist() == [[1], [2]]
    assert run.derivatives is None


def test_time_itself_may_be_an_input(write):
    (run,) = read_recordings(write("time,x\n3,1\n4,2\n"), inputs=["t"]).runs
    assert run.inputs.tolist() == [[3], [4]]


def test_what_is_missing_repeated_or_infinite_is_said_and_never_filled(write):
    content = "t,x,y\n0,1,2\n1,,3\n1,NA,5\n2,inf,6\n,9,9\n3,4,7\n4,nan,\n"
    read = read_recordings(write(content))
    (run,) = read.runs
    assert run.times.tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(run.states, [[1, 2], [np.nan, 4], [np.nan, 6], [4, 7]])
    said = "\n".join(read.notes)
    assert "samples without a time are left out: 1" in said
    assert "run runs: where a time stands more than once, the mean is taken" in said
    assert "samples without a value of any variable are left out: 1" in said
    assert "x: 2 of 4 values are missing; nothing is put in their place" in said


def test_gaps_and_runs_without_motion_are_said(write):
    content = "run,t,x\na,0,1\na,1,2\na,2,3\na,40,4\na,41,5\na,42,6\nlone,0,1\n"
    read = read_recordings(write(content))
    assert [run.name for run in read.runs] == ["a"]
    assert "run lone left out: not every variable was measured at two times" in read.notes
    assert "run a: nothing was measured between 2 and 40" in read.notes


def test_several_files_are_one_recording_whose_columns_may_be_in_any_order(write):
    first = write("t,x,y\n0,1,2\n1,3,4\n", "first.csv")
    second = write("y,t,x,run\n6,0,5,a\n8,1,7,a\n6,0,5,b\n6,1,5,b\n", "second.csv")
    read = read_recordings(first, second)
    assert [run.name for run in read.runs] == ["first", "second:a", "second:b"]
    assert read.runs[1].states.tolist() == [[5, 6], [7, 8]]
    again = read_recordings(first, first)
    assert [run.name for run in again.runs] == ["first", "first-2"]


def test_files_of_different_columns_or_units_are_refused(write):
    first = write("t,x [m],y\n0,1,2\n1,3,4\n", "first.csv")
    with pytest.raises(DataFileError, match=r"second.csv has no column y, and .*first.csv has"):
        read_recordings(first, write("t,x\n0,1\n1,2\n", "second.csv"))
    with pytest.raises(DataFileError, match=r"x is in m in .*first.csv and in cm in .*third.csv"):
        read_recordings(first, write("t,x [cm],y\n0,1,2\n1,3,4\n", "third.csv"))


BAD = {
    "t,x\n0,1\n1,fast\n": r"runs.csv:3: 'fast' in the column x is not a number; write one",
    "t,x\n0,1\n1,1_0\n": r"runs.csv:3: '1_0' in the column x is not a number; write one",
    "t,x\n0,1\n1,1e200\n": r"runs.csv: x goes to 1e\+200; give it in other units",
    "t,x\n0,1\n1e-90,2\n": r"runs.csv: t goes to 1e-90; give it in other units",
    "t,x,dx\n0,1,1e99\n1,2,3\n": r"runs.csv: dx goes to 1e\+99; give it in other units",
    "t" + ",x" * roles.MOST_COLUMNS + "\n": r"runs.csv has 10,001 columns, and at most 10,000",
    "t,x\n0,1\n": r"runs.csv has no run with two samples at different times",
    "t,x\n0,1\n0,2\n": r"runs.csv has no run with two samples at different times",
    "t,x,k\n0,1,7\n1,2,7\n": r"runs.csv: k is 7 in all samples, and what never moves has no law",
    "t,x\n0,1\n2,2\n1,3\n": r"runs.csv:4: the time 1 comes after 2 in run runs; sort the samples",
    "t,x\n0,1\n1,2,3\n": r"runs.csv:3: the line has 3 cells, and the first names 2 columns",
    "t,x\n0,\n1,nan\n": r"runs.csv has no value of x; remove its column",
    "0,1,1\n1,2,3\n": r"runs.csv begins with numbers; name the columns in the first line",
    "0,1\n1,2\n": r"runs.csv begins with numbers; name the columns in the first line",
    "": r"runs.csv is empty; give a text with a line of names",
    "\n\n": r"runs.csv is empty",
    "t,x\n": r"runs.csv has no samples; give a line for each",
    "a,x\n0,1\n": r"runs.csv has no column t for the time, only a, x; name it t",
    "t,time,x\n0,1,2\n": r"runs.csv has columns t and time; rename the one",
    "t,x,x\n0,1,2\n": r"runs.csv has two columns x; rename or remove one",
    "t\n0\n1\n": r"runs.csv has no column for a variable beside the time",
    "t,???\n0,1\n1,2\n": r"runs.csv: the column '\?\?\?' is not a name; use a letter",
    "t,x (m),x (cm)\n0,1,2\n": r"has two columns x \('x \(m\)' and 'x \(cm\)'\); rename or remove",
    "t,x,Time\n0,1,2\n": r"runs.csv has columns t and Time; rename the one that is not the time",
    "Mine\nt,x\n0,1\n": r"no column t for the time, only Mine; name it t \(begin lines above the",
    "0 1\n1 2\n": r"runs.csv begins with numbers; name the columns in the first line, separated as",
    "# mine\n0,5;1\n1;2\n": r"runs.csv begins with numbers; name the columns",
    "# mine\n": r"runs.csv is empty; give a text with a line of names",
    "# t x\n": r"runs.csv has no samples; give a line for each",
    "t,x\n0,1\n1 2\n": r"runs.csv:3: the line has 1 cells, .* columns; separate all lines alike",
    't,x\n0,1\n1,"1,234"\n': r"3: '1,234' in .* number; write one as all others, such as 1234.5,",
    "t;x\n0;1.234,5\n": r"runs.csv:2: '1.234,5' in the column x .* without separators of thousands",
    "t;x\n0;1,5\n1;2.5\n": r"2: '1,5' in the column x is not a number; write one as all others",
    "t,x\n0,1\nTotal,1\n": r"runs.csv:3: 'Total' in the column t .* or begin the line with #",
    "time,x\n05.01.2024 12:00,1\n": r"2: '05.01.2024 12:00' .* for times dates such as 2024-01-05T",
    "t;x\n0;1.234.567\n": r"2: '1.234.567' in the column x .* without separators of thousands",
    "t,x\nNA,NA\n": r"runs.csv has no samples",
    "time,x\n12:00:00,1\n": r"runs.csv:2: '12:00:00' .* write numbers, or for times dates such as",
    "time,x\n2024-01-05,1\n6,2\n": r"runs.csv:3: '6' in the column time is no date as the first",
    "time,x\n2024-01-05,1\n2024-01-06T00Z,2\n": r"3: '2024-01-06T00Z' .* write all times alike",
    "date,time,x\n0,0,1\n": r"date and time; rename .* time, or write both in one, such as 2024-",
    "date,x\n2024-01,1\n": r"2: '2024-01' .* write numbers, or for times dates such as 2024-01",
    "t,x,y\n0,1,ok\n": r"2: 'ok' in the column y .* leave the cell empty, remove the column, or",
    "run,t,x\na,0,1\n,1,2\n": r"runs.csv:3: the sample has no run; name the run of each in the",
    "t,x\ns,m\n": r"runs.csv has no samples; give a line for each",
    "t,x\n0,1\n".encode("utf-16-le"): r"runs.csv is not a text; give CSV in UTF-8",
    't,x\n0,"1\n1,2\n': r"runs.csv:2: from here on a quoted cell goes over several lines",
    b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe": r"runs.csv is not a text; give CSV in UTF-8",
    b"PK\x03\x04\x00\x00\x00\x00,\n\x00": r"runs.csv .*",
    "t,x\n" + "1" * lines.LONGEST_LINE: r"runs.csv:2: the line is longer than 1,000,000 characters",
}


@pytest.mark.parametrize(("content", "sentence"), BAD.items(), ids=[str(k)[:24] for k in BAD])
def test_a_bad_file_is_refused_in_one_sentence_that_says_where(write, content, sentence):
    with pytest.raises(OdevsrError, match=sentence) as refused:
        read_recordings(write(content))
    assert "\n" not in str(refused.value)


def test_what_is_no_file_or_no_input_is_refused(write, tmp_path):
    with pytest.raises(DataFileError, match="is a folder; name the files in it"):
        read_recordings(tmp_path)
    with pytest.raises(DataFileError, match=r"none\.csv: there is no such file"):
        read_recordings(tmp_path / "none.csv")
    with pytest.raises(DataFileError, match=r"\.mat files are not read; save it as"):
        read_recordings(write(b"MATLAB", "runs.mat"))
    with pytest.raises(DataFileError, match=r"\.xlsx files are not read; save it as \.csv"):
        read_recordings(write(b"PK", "runs.xlsx"))
    with pytest.raises(UsageError, match="no column v for an input; known: run, t, x, dx, u"):
        read_recordings(write(TWO_RUNS), inputs="v")
    with pytest.raises(UsageError, match="there is no file to read"):
        read_recordings()


def test_what_never_moves_may_be_an_input_and_is_told(write):
    read = read_recordings(write("t,x,k\n0,1,7\n1,2,7\n"), inputs="k")
    assert read.notes == ("the input k is 7 in all samples: laws cannot tell what it does",)


def test_a_run_whose_input_was_never_measured_is_refused(write):
    with pytest.raises(DataFileError, match="the input u has no value in run b; give it"):
        read_recordings(write("run,t,x,u\na,0,1,1\na,1,2,1\nb,0,1,\nb,1,2,\n"), inputs="u")


def test_a_long_file_is_read_in_pieces_and_thinned_with_a_word_about_it(write, monkeypatch):
    monkeypatch.setattr(text, "PIECE", 500)
    rows = "".join(f"long,{k},{k * k}\n" for k in range(1000))
    short = "".join(f"short,{k},{k}\n" for k in range(20))
    read = read_recordings(write(f"run,t,x\n{rows}{short}"), most=200)
    long, kept = read.runs
    assert sum(len(run.times) for run in read.runs) <= 200
    assert len(kept.times) == 20
    assert long.times.tolist() == list(range(0, 1000, 8))
    assert long.states[:, 0].tolist() == [k * k for k in range(0, 1000, 8)]
    assert any("of 1,020 samples 145 are kept, of long runs every 8th" in n for n in read.notes)


def test_order_and_numbers_are_checked_in_what_is_thinned_away_too(write):
    rows = "".join(f"{k},{k}\n" for k in range(100))
    with pytest.raises(DataFileError, match=r"runs.csv:102: the time 98.5 comes after 99"):
        read_recordings(write(f"t,x\n{rows}98.5,1\n"), most=8)
    with pytest.raises(DataFileError, match="has more than 3 runs; give a part of them"):
        read_recordings(write("run,t,x\na,0,1\nb,0,1\nc,0,1\nd,0,1\n"), most=3)


def test_npz_arrays_are_columns_and_tables_of_them(tmp_path):
    path = tmp_path / "runs.npz"
    states = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
    np.savez(path, t=[0, 1, 0, 1], run=[0.0, 0.0, 1.0, 1.0], x=states, u=[1, 2, 3, 4])
    read = read_recordings(path, inputs="u")
    assert (read.names, read.inputs) == (("x0", "x1"), ("u",))
    assert [run.name for run in read.runs] == ["0", "1"]
    assert read.runs[1].states.tolist() == states[2:].tolist()


def test_npz_files_that_unpack_to_too_much_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(binary, "MOST_BYTES", 1000)
    np.savez_compressed(tmp_path / "packed.npz", t=np.arange(200), x=np.zeros(200))
    with pytest.raises(DataFileError, match="its arrays have more than 1,000 bytes; save it as"):
        read_recordings(tmp_path / "packed.npz")


def test_bad_npz_files_are_refused(write, tmp_path):
    with pytest.raises(DataFileError, match="is not a whole npz file of numbers"):
        read_recordings(write(b"PK\x03\x04 cut short", "runs.npz"))
    np.savez(tmp_path / "objects.npz", t=np.array([{}, {}]), allow_pickle=True)
    with pytest.raises(DataFileError, match="is not a whole npz file of numbers"):
        read_recordings(tmp_path / "objects.npz")
    np.savez(tmp_path / "complex.npz", t=[0, 1], x=[1j, 2])
    with pytest.raises(DataFileError, match="x holds complex128; give plain numbers"):
        read_recordings(tmp_path / "complex.npz")
    np.savez(tmp_path / "empty.npz")
    with pytest.raises(DataFileError, match="has no columns; give t and one for each variable"):
        read_recordings(tmp_path / "empty.npz")
    np.savez(tmp_path / "wide.npz", t=[0, 1], x=np.zeros((2, roles.MOST_COLUMNS)))
    with pytest.raises(DataFileError, match="has 10,001 columns, and at most 10,000 are read"):
        read_recordings(tmp_path / "wide.npz")
    np.savez(tmp_path / "lengths.npz", t=[0, 1, 2], x=[1, 2])
    with pytest.raises(DataFileError, match=r"columns of different lengths \(t 3, x 2\)"):
        read_recordings(tmp_path / "lengths.npz")
    np.savez(tmp_path / "cube.npz", t=[0, 1], x=np.zeros((2, 2, 2)))
    with pytest.raises(DataFileError, match=r"x has the shape \(2, 2, 2\); give a column"):
        read_recordings(tmp_path / "cube.npz")


def test_parquet_is_read_where_its_library_is(tmp_path):
    pytest.importorskip("pyarrow", reason="parquet is read by pyarrow")
    import pandas

    path = tmp_path / "runs.parquet"
    table = {"run": ["a", "a", "b", "b"], "t [s]": [0.0, 1.0, 0.0, 1.0], "x": [1, 2, 3, None]}
    pandas.DataFrame(table).to_parquet(path)
    read = read_recordings(path)
    assert [run.name for run in read.runs] == ["a"]
    assert read.units == {"t": "s"}
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(DataFileError, match="is not a whole parquet file"):
        read_recordings(path)


def test_parquet_without_its_library_names_the_extra(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'odevsr\[parquet\]'"):
        read_recordings(write(b"PAR1", "runs.parquet"))


def test_our_own_files_give_their_samples_alone(tmp_path):
    path = tmp_path / "lorenz.h5"
    recorded = record("lorenz", 2, 0, command="made", duration=0.1, step=0.01)
    save_trajectories(path, recorded)
    read = read_recordings(path)
    assert (read.names, read.inputs) == (("x0", "x1", "x2"), ())
    assert [run.name for run in read.runs] == ["0", "1"]
    np.testing.assert_array_equal(read.runs[1].states, recorded.trajectories[1].states)
    assert read.runs[0].derivatives is None
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(DataFileError, match="is damaged, cut short or no HDF5 file"):
        read_recordings(path)
