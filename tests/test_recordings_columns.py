"""Arrays and tables by their columns: which is the time, how it is written, and names of runs."""

import datetime

import numpy as np
import pandas
import pytest

from odevsr.errors import DataFileError
from odevsr.world.recordings.given import as_recordings, recording

DAYS = ["2024-01-30", "2024-01-31", "2024-02-01"]
DAY = 86_400


def times(recordings):
    (run,) = recordings.runs
    return run.times.tolist()


@pytest.mark.parametrize(
    "columns",
    [
        {"date": DAYS, "timestamp": DAYS[::-1]},
        {"t [s]": [0, 5, 9], "date": DAYS},
        {"date": np.array(DAYS, dtype="datetime64[D]"), "time": pandas.to_timedelta([0, 1, 2])},
    ],
)
def test_two_columns_of_times_are_refused_whatever_they_hold(columns):
    first, second = columns
    with pytest.raises(DataFileError) as refused:
        as_recordings({**columns, "x": [1, 2, 3]})
    assert f"has columns {first} and {second}; rename the one that is not" in str(refused.value)


def test_two_columns_of_one_name_are_refused_where_one_is_part_of_a_table():
    with pytest.raises(DataFileError, match="the table has two columns x0; rename or remove one"):
        as_recordings({"t": [0, 1], "x": [[1, 2], [3, 5]], "x0": [7, 8]})


@pytest.mark.parametrize("heading", ["t", "time [h]", "Time (UTC)"])
def test_dates_have_the_unit_of_seconds_whatever_their_heading_says(heading):
    read = as_recordings({heading: DAYS, "x": [1, 2, 3]})
    assert read.units == {"t": "s"}
    assert times(read) == [0, DAY, 2 * DAY]
    said = "the table: times are dates, and taken as seconds since 2024-01-30 00:00:00"
    assert read.notes[0] == said


@pytest.mark.parametrize("zoned", [0, 1, 2])
@pytest.mark.parametrize("read", [str, datetime.datetime.fromisoformat, pandas.Timestamp])
def test_dates_with_and_without_a_zone_in_one_column_are_refused(zoned, read):
    texts = ["2024-01-05 02:30", "2024-01-05 03:30", "2024-01-05 04:30"]
    texts[zoned] += "+00:00"
    given = np.array([read(text) for text in texts], dtype=object)
    with pytest.raises(DataFileError, match=r"the table, row \d: .* in the column t is no date as"):
        as_recordings({"t": given, "x": [1, 2, 3]})


def test_dates_of_several_zones_are_told_apart():
    zones = ["2024-01-05T12:00Z", "2024-01-05T14:00:30+02:00"]
    assert times(as_recordings({"t": zones, "x": [1, 2]})) == [0, 30]


NUMBERS = [20240131, 20240201, 20240301]


@pytest.mark.parametrize("heading", ["date", "Date (UTC)", "Timestamp", "DATETIME"])
@pytest.mark.parametrize("kind", [int, float, str])
def test_days_in_digits_alone_are_days_below_a_heading_that_announces_dates(heading, kind):
    read = as_recordings({heading: np.array(NUMBERS).astype(kind), "x": [1, 2, 3]})
    assert times(read) == [0, DAY, 30 * DAY]
    assert read.units == {"t": "s"}
    assert "dates, and taken as seconds since 2024-01-31 00:00:00" in read.notes[0]


def test_numbers_that_may_be_days_are_numbers_below_other_headings():
    assert times(as_recordings({"t": NUMBERS, "x": [1, 2, 3]})) == NUMBERS
    assert times(as_recordings({"date": [0.5, 1, 2], "x": [1, 2, 3]})) == [0.5, 1, 2]


def test_a_number_that_is_no_day_among_days_is_refused():
    with pytest.raises(DataFileError, match="row 2: '20240132' in the column date is no date as"):
        as_recordings({"date": [20240131, 20240132], "x": [1, 2]})


def test_runs_that_are_numbered_by_floats_are_told_apart():
    labels = [1_000_001.0, 1_000_001.0, 1_000_002.0, 1_000_002.0, 0.25, 0.25]
    read = as_recordings({"run": labels, "t": [0, 1] * 3, "x": [1, 2, 3, 4, 5, 6]})
    assert [run.name for run in read.runs] == ["1000001", "1000002", "0.25"]


def test_what_is_missing_in_columns_of_objects_is_missing():
    frame = pandas.DataFrame({"t": [0, 1, 2], "x": [1, None, 3], "y": ["4", "n/a", 6]})
    (run,) = as_recordings(frame.astype({"x": "Int64"})).runs
    np.testing.assert_array_equal(run.states, [[1, 4], [3, 6]])


@pytest.mark.parametrize("label", [None, np.nan, "", pandas.NA, pandas.NaT])
def test_a_sample_without_a_run_is_refused(label):
    labels = np.array(["a", "a", label], dtype=object)
    with pytest.raises(DataFileError, match="row 3: the sample has no run; name the run of each"):
        as_recordings({"run": labels, "t": [0, 1, 2], "x": [1, 2, 3]})


def test_runs_may_have_the_names_of_nothing_or_bytes():
    for labels in (["None", "None"], np.array([b"low", b"low"])):
        (run,) = as_recordings({"run": labels, "t": [0, 1], "x": [1, 2]}).runs
        assert run.name in ("None", "low")


def test_a_table_of_one_column_is_called_as_it_is():
    assert as_recordings({"t": [[0], [1]], "x": [[1], [2]], "y": [[1, 2], [3, 5]]}).names == (
        "x",
        "y0",
        "y1",
    )


def test_tables_of_other_lengths_are_told_by_their_own_names():
    with pytest.raises(DataFileError, match=r"different lengths \(t 40, x 2\); give one length"):
        as_recordings({"t": np.arange(40), "x": np.zeros((2, 40))})


def test_masked_values_are_missing():
    masked = np.ma.masked_array([[1.0], [-9999.0], [3.0]], mask=[[False], [True], [False]])
    for read in (
        as_recordings({"t": [0, 1, 2], "x": masked[:, 0]}),
        recording([0, 1, 2], masked),
    ):
        assert read.runs[0].states.tolist() == [[1], [3]]


def test_a_number_of_nines_far_from_all_others_is_told():
    values = np.append(np.linspace(-1, 1, 20), [-9999.0, -9999.0])
    read = as_recordings({"t": np.arange(22), "x": values})
    assert "x: -9999 stands far from all other values; write nan if nothing was measured" in (
        "\n".join(read.notes)
    )
    for usual in (np.linspace(0, 99, 20), np.append(np.linspace(-1, 1, 20), -9998.0)):
        assert not as_recordings({"t": np.arange(len(usual)), "x": usual}).notes
