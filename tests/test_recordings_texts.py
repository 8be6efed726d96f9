"""Texts as other programs write them: separators, letters, headings, numbers and dates."""

import gzip

import numpy as np
import pandas
import pytest

from odevsr.errors import DataFileError
from odevsr.world.recordings import text
from odevsr.world.recordings.files import read_recordings
from odevsr.world.recordings.given import as_recordings
from odevsr.world.recordings.headings import read_heading
from odevsr.world.recordings.kinds import is_recording


@pytest.fixture
def read(tmp_path):
    def read(content, name="runs.csv", **asked):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_recordings(path, **asked)

    return read


def samples(recordings):
    (run,) = recordings.runs
    return run.times.tolist(), run.states.T.tolist()


WRITTEN = {
    "semicolons and decimal commas": "t;x\n0;1\n0,5;2,5\n",
    "tabs and decimal commas": "t\tx\n0\t1\n0,5\t2,5\n",
    "semicolons and points": "t;x\n0;1\n0.5;2.5\n",
    "runs of blanks": "   t     x\n   0.0   1.0\n   0.5   2.5\n",
    "numpy.savetxt with a header": "# made by numpy\n# t x\n0.0e+00 1.0e+00\n5.0e-01 2.5e+00\n",
    "numpy.savetxt with commas in the header alone": "# t, x\n0.0e+00 1.0e+00\n5e-01 2.5e+00\n",
    "a header behind a blank line and #": "\n#\n# t x\n0 1\n.5 2.5\n",
    "a header behind %": "%t,x\n0,1\n.5,2.5\n",
    "remarks above, below and between": "% one\n# time\nt,x\n0,1\n% t,x\n.5,2.5\n# end\n",
    "blanks around commas": ' "t" , "x" \n 0 , 1\n 0.5 , "2.5"\n',
    "a separator at the end of all lines": "t,x,\n0,1,\n0.5,2.5,\n",
    "a separator at the end of samples": "t;x\n0;1;;\n0.5;2.5;\n",
    "lines that end as in Windows": "t,x\r\n0,1\r\n0.5,2.5\r\n",
    "lines that end as in old Macs": "t,x\r0,1\r0.5,2.5\r",
    "UTF-16": "t,x\n0,1\n0.5,2.5\n".encode("utf-16"),
    "an index as pandas has it": ",t,x\n0,0,1\n1,0.5,2.5\n",
    "such an index, read and written again": "Unnamed: 0,t,x\n0,0,1\n1,0.5,2.5\n",
    "quoted cells": '"t","x"\n"0","1"\n"0.5","2.5"\n',
    "exponents of Fortran": "t,x\n0,1.0D+00\n0.5d0,0.25D+01\n",
    "bars": "t|x\n0|1\n0.5|2.5\n",
    "bars around blanks": " t   | x\n 0   | 1\n 0.5 | 2.5\n",
    "the separator told to Excel": "sep=;\nt;x\n0;1\n0,5;2,5\n",
    "such, in quotes": '"sep=\t"\nt\tx\n0\t1\n0.5\t2.5\n',
    "units with blanks in front": "time (s)  x [m]\n0 1\n0.5 2.5\n",
}


@pytest.mark.parametrize("content", WRITTEN.values(), ids=WRITTEN)
def test_a_text_is_read_however_it_is_separated_and_written(read, content):
    recordings = read(content)
    assert recordings.names == ("x",)
    assert samples(recordings) == ([0, 0.5], [[1, 2.5]])


def test_what_is_taken_for_something_else_or_left_out_is_said(read):
    assert read("t;x\n0;1\n1;2,5\n").notes[0].endswith("commas are taken for decimal points")
    assert read("t,x,\n0,1,9\n1,2,9\n").notes == ("left out for want of a heading: column 3",)
    assert (
        read("t,x,y\ns,m,\n0,1,2\n1,2,3\n")
        .notes[0]
        .endswith(":2: taken for the units of the columns")
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16"])
def test_letters_of_western_europe_are_read_in_any_encoding(read, encoding):
    recordings = read("t,x [µm],Temp. °C\n0,1,2\n1,2,3\n".encode(encoding))
    assert recordings.units == {"x": "µm"}
    assert recordings.names == ("x", "Temp_C")
    assert recordings.notes == ("'Temp. °C' is called Temp_C",)


HEADINGS = {
    "Time": ("t", ""),
    "TIME (s)": ("t", "s"),
    "t/s": ("t", "s"),
    "Date": ("t", ""),
    "T": ("T", ""),
    "Run": ("run", ""),
    "x(m)": ("x", "m"),
    "flow [m/(s K)]": ("flow", "m/(s K)"),
    "flow (m/(s K))": ("flow", "m/(s K)"),
    "N(t)": ("N", ""),
    "x [-]": ("x", ""),
    "x[0]": ("x_0", ""),
    "[A] (mM)": ("A", "mM"),
    "dS/dt": ("dS", ""),
    "d[A]/dt (mM/s)": ("dA", "mM/s"),
    "Prey count": ("Prey_count", ""),
    "ω": ("omega", ""),
    "2": ("x2", ""),
    "lambda": ("lambda_", ""),
    "exp": ("exp_", ""),
    "y_": ("y_", ""),
    "E": ("E", ""),
    " ": ("", ""),
    "x" + " (" * 60_000: ("x", ""),
}


@pytest.mark.parametrize(("heading", "said"), HEADINGS.items(), ids=[k[:9] for k in HEADINGS])
def test_a_heading_is_a_name_that_laws_can_have_and_a_unit(heading, said):
    assert read_heading(heading) == said


def test_columns_of_any_heading_are_renamed_with_a_note_and_named_either_way_as_inputs(read):
    content = "Run,Time,Prey count,dPrey_count/dt,Feed rate\na,0,1,0,5\na,1,2,0,6\n"
    for asked in ("Feed rate", "Feed_rate"):
        recordings = read(content, inputs=asked)
        assert (recordings.names, recordings.inputs) == (("Prey_count",), ("Feed_rate",))
        assert recordings.runs[0].derivatives.tolist() == [[0], [0]]
        assert recordings.notes[0] == (
            "'Prey count' is called Prey_count, 'Feed rate' is called Feed_rate"
        )


def test_a_data_frame_is_read_by_the_same_headings():
    days = pandas.date_range("2024-01-01", periods=2, freq="D")
    frame = pandas.DataFrame({"Time": days, "Run": ["a", "a"], "Prey count": [1, 2]})
    for table in (frame, frame.set_index(["Run", "Time"])):
        read = as_recordings(table)
        assert (read.names, read.units) == (("Prey_count",), {"t": "s"})
        assert samples(read) == ([0, 86_400], [[1, 2]])


DAYS = pandas.Series(["2024-01-01", None, "2024-01-02"])


@pytest.mark.parametrize(
    "times",
    [
        DAYS,
        pandas.to_datetime(DAYS),
        pandas.to_datetime(DAYS, utc=True),
        pandas.to_timedelta([0, None, 1], unit="D"),
    ],
    ids=["texts", "dates", "dates of a zone", "spans"],
)
def test_dates_in_a_table_become_seconds_in_whatever_form_they_are(times):
    read = as_recordings(pandas.DataFrame({"Time (UTC)": times, "x": [1, 7, 2]}))
    assert samples(read) == ([0, 86_400], [[1, 2]])
    assert read.units == {"t": "s"}


@pytest.mark.parametrize("when", [pandas.to_datetime(DAYS), pandas.to_timedelta([0, 1, 2])])
def test_dates_that_are_no_times_are_refused(when):
    with pytest.raises(DataFileError, match=r"when holds .*64\[.s\]; give plain numbers"):
        as_recordings(pandas.DataFrame({"t": [0, 1, 2], "when": when}))
    with pytest.raises(DataFileError, match=r"row 1: '1.1.24' in the column t is not a number"):
        as_recordings({"t": ["1.1.24", "2.1.24"], "x": [1, 2]})


@pytest.mark.parametrize("unit", ["Y", "M"])
def test_years_and_months_are_dates_but_no_spans(unit):
    dates = np.array([0, 1], dtype=f"datetime64[{unit}]")
    days = {"Y": 365, "M": 31}[unit]
    assert samples(as_recordings({"t": dates, "x": [1, 2]})) == ([0, 86_400 * days], [[1, 2]])
    with pytest.raises(DataFileError, match=rf"t holds timedelta64\[{unit}\]; give plain numbers"):
        as_recordings({"t": dates - dates[0], "x": [1, 2]})


@pytest.mark.parametrize("units", ["s,m", "[s],[m]", " (s) , (m) "])
def test_a_line_of_units_below_the_names_is_read_as_such(read, units):
    recordings = read(f"t,x\n{units}\n0,1\n0.5,2.5\n")
    assert recordings.units == {"t": "s", "x": "m"}
    assert samples(recordings) == ([0, 0.5], [[1, 2.5]])
    assert read("t [h],x\ns,-\n0,1\n1,2\n").units == {"t": "h"}


@pytest.mark.parametrize(
    "times",
    [
        ("2024-01-05T12:00:00", "2024-01-05T12:00:30.5"),
        ("2024-01-05 12:00:00", "2024-01-05 12:00:30.5"),
        ("2024-01-05T12:00Z", "2024-01-05T14:00:30.5+02:00"),
    ],
)
def test_dates_become_seconds_since_the_first(read, times):
    first, second = times
    recordings = read(f"time,x\n{first},1\n,7\n{second},2\n")
    assert samples(recordings) == ([0, 30.5], [[1, 2]])
    assert recordings.units == {"t": "s"}
    assert "times are dates, and taken as seconds since 2024-01-05 12:00:00" in recordings.notes[0]


def test_dates_are_told_from_the_first_in_later_portions_and_runs_too(read, monkeypatch):
    monkeypatch.setattr(text, "PIECE", 30)
    rows = "".join(f"{run};2024-01-0{day};{day},5\n" for run in "ab" for day in (1, 2, 3))
    recordings = read(f"run;t;x\n{rows}")
    assert [run.times.tolist() for run in recordings.runs] == [[0, 86_400, 172_800]] * 2
    assert recordings.runs[1].states[:, 0].tolist() == [1.5, 2.5, 3.5]


@pytest.mark.parametrize(
    "times",
    [
        ("20240131", "20240201"),
        ("202401312330", "202402012330"),
        ("20240131233059", "20240201233059"),
    ],
)
def test_days_in_digits_alone_are_dates_below_a_heading_that_announces_them(read, times):
    first, second = times
    recordings = read(f"Date (UTC);x\n{first};1\n{second};2,5\n")
    assert samples(recordings) == ([0, 86_400], [[1, 2.5]])
    assert recordings.units == {"t": "s"}
    assert samples(read(f"t;x\n{first};1\n{second};2\n"))[0] == [int(first), int(second)]
    with pytest.raises(DataFileError, match="'20240230' in the column date is no date as the"):
        read(f"date,x\n{first},1\n20240230,2\n")


def test_words_of_other_programs_for_what_was_not_measured_are_known(read):
    words = ("NaN", "#N/A", "", "?", ".", "--", "missing", "<NA>", "#DIV/0!")
    rows = "".join(f"{index},{word},1\n" for index, word in enumerate(words))
    recordings = read(f"t,x,y\n{rows}20,\u22121,2\n21,2,3\n")
    assert "x: 9 of 11 values are missing; nothing is put in their place" in recordings.notes
    assert recordings.runs[0].states[-2:, 0].tolist() == [-1, 2]


def test_a_text_packed_by_gzip_is_read_and_one_cut_short_refused(read):
    rows = "".join(f"{k},{k * k}\n" for k in range(2000))
    packed = gzip.compress(f"t,x\n{rows}".encode())
    recordings = read(packed, "runs.csv.gz")
    assert is_recording("runs.csv.gz")
    assert [(run.name, len(run.times)) for run in recordings.runs] == [("runs", 2000)]
    for broken in (packed[:-20], b"t,x\n0,1\n1,2\n"):
        with pytest.raises(DataFileError, match=r"runs.csv.gz is not a whole gzip file; pack it"):
            read(broken, "runs.csv.gz")


@pytest.mark.parametrize("name", ["RUNS.CSV", "my runs.dat", "-runs.txt", "messung:µ.asc"])
def test_files_may_have_any_name(read, name):
    recordings = read("t x\n0 1\n1 2\n", name)
    assert is_recording(name)
    assert recordings.runs[0].name == name.rpartition(".")[0]
