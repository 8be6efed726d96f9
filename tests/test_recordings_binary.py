"""Parquet, whose times may be dates, and which comes in batches."""

import datetime

import pytest

from odevsr.errors import DataFileError
from odevsr.world.recordings.files import read_recordings

arrow = pytest.importorskip("pyarrow", reason="parquet is read by pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="parquet is read by pyarrow")

DAY = 86_400
FIRST = datetime.datetime(2024, 1, 31)
GREENWICH = datetime.UTC
DATES = [None, FIRST, FIRST + datetime.timedelta(days=1), FIRST + datetime.timedelta(days=4)]
KINDS = {
    "dates": DATES,
    "days": [each and each.date() for each in DATES],
    "dates of a zone": [each and each.replace(tzinfo=GREENWICH) for each in DATES],
    "texts": [each and str(each) for each in DATES],
    "digits": [each and int(f"{each:%Y%m%d}") for each in DATES],
}


@pytest.fixture
def write(tmp_path):
    def write(**columns):
        path = tmp_path / "runs.parquet"
        parquet.write_table(arrow.table(columns), path)
        return path

    return write


@pytest.fixture
def small_batches(monkeypatch):
    whole = parquet.ParquetFile.iter_batches
    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", lambda self: whole(self, batch_size=2))


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("dates", KINDS.values(), ids=KINDS)
def test_dates_in_parquet_become_seconds_since_the_first_in_all_batches(write, dates):
    read = read_recordings(write(date=dates, x=[9, 1, 2, 3]))
    (run,) = read.runs
    assert run.times.tolist() == [0, DAY, 4 * DAY]
    assert read.units == {"t": "s"}
    assert any("taken as seconds since 2024-01-31 00:00:00" in note for note in read.notes)


@pytest.mark.usefixtures("small_batches")
def test_dates_in_parquet_are_counted_though_all_of_the_first_batch_are_missing(write):
    (run,) = read_recordings(write(t=[None, None, FIRST, DATES[2]], x=[1, 2, 3, 4])).runs
    assert run.times[1] - run.times[0] == DAY


def test_spans_in_parquet_become_seconds(write):
    spans = [datetime.timedelta(hours=hours) for hours in (0, 1, 3)]
    read = read_recordings(write(t=spans, x=[1, 2, 3]))
    assert read.runs[0].times.tolist() == [0, 3600, 10_800]
    assert read.units == {"t": "s"}


@pytest.mark.usefixtures("small_batches")
def test_a_date_in_parquet_that_is_none_is_refused_where_it_stands(write):
    with pytest.raises(DataFileError, match=r"runs.parquet, row 3: '7' in the column date is no"):
        read_recordings(write(date=["2024-01-31", "2024-02-01", "7"], x=[1, 2, 3]))


@pytest.mark.parametrize("column", [[[1.0, 2.0], [3.0, 4.0]], [{"a": 1}, {"a": 2}]])
def test_columns_of_lists_in_parquet_are_refused(write, column):
    with pytest.raises(DataFileError, match=r"row 1: .* in the column x is not a number"):
        read_recordings(write(t=[0, 1], x=column))


def test_parquet_that_is_damaged_between_its_ends_is_refused(write):
    path = write(t=list(range(5000)), x=[k * 0.37 for k in range(5000)])
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + bytes(len(whole) // 2) + whole[4 + len(whole) // 2 :])
    with pytest.raises(DataFileError, match="is not a whole parquet file"):
        read_recordings(path)
