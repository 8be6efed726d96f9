"""Tables of other libraries: which columns they have, and what their index is."""

import numpy as np
import pandas
import pytest

from odevsr.world.recordings.given import as_recordings

MINUTES = pandas.date_range("2024-01-01", periods=3, freq="min")


@pytest.mark.parametrize("index", [MINUTES, MINUTES.tz_localize("UTC"), MINUTES - MINUTES[0]])
def test_an_index_of_dates_without_a_name_is_the_time(index):
    (run,) = as_recordings(pandas.DataFrame({"x": [1, 2, 3]}, index=index)).runs
    assert run.times.tolist() == [0, 60, 120]


def test_a_column_of_times_goes_before_an_index_of_them():
    frame = pandas.DataFrame({"t": [0, 5, 9], "x": [1, 2, 3]}, index=MINUTES)
    for table in (frame, frame.set_index("t", drop=False)):
        assert as_recordings(table).runs[0].times.tolist() == [0, 5, 9]


def test_a_table_of_pyarrow_is_read_as_a_file_is():
    arrow = pytest.importorskip("pyarrow", reason="a table of pyarrow")
    table = arrow.table({"t": list(MINUTES.to_pydatetime()), "x": [1, 2, None]})
    (run,) = as_recordings(table).runs
    assert run.times.tolist() == [0, 60]
    np.testing.assert_array_equal(run.states, [[1], [2]])
