"""Commas in numbers of texts: before decimals, or between thousands."""

import pytest

from odevsr.errors import DataFileError
from odevsr.world.recordings.files import read_recordings


@pytest.fixture
def read(tmp_path):
    def read(cells, separator="\t"):
        path = tmp_path / "runs.tsv"
        rows = (f"{time}{separator}{cell}\n" for time, cell in enumerate(cells))
        path.write_text(f"t{separator}x\n{''.join(rows)}")
        (run,) = read_recordings(path).runs
        return run.states[:, 0].tolist()

    return read


@pytest.mark.parametrize("separator", ["\t", ";", " "])
@pytest.mark.parametrize("cells", [["998", "1,002", "12,345"], ["-1,250", "1,300"]])
def test_commas_that_may_separate_thousands_are_refused(read, cells, separator):
    first = next(cell for cell in cells if "," in cell)
    with pytest.raises(DataFileError) as refused:
        read(cells, separator)
    line = 2 + cells.index(first)
    said = f"runs.tsv:{line}: nothing tells whether the comma in {first!r} stands before decimals"
    assert said in str(refused.value)
    assert str(refused.value).endswith(
        f"write {first.replace(',', '.')} or {first.replace(',', '')}"
    )


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["0,125", "1,250"], [0.125, 1.25]),
        (["-0,125", "1,250"], [-0.125, 1.25]),
        (["1,250", "1,3"], [1.25, 1.3]),
        (["1,250", "1234,500"], [1.25, 1234.5]),
        (["1,250", "1,250E+01"], [1.25, 12.5]),
    ],
)
def test_one_number_with_decimals_tells_of_all(read, cells, numbers):
    assert read(cells) == numbers


@pytest.mark.parametrize("cells", [["998", "1,234,567"], ["1,002", "12,345.5"]])
def test_separators_of_thousands_are_refused(read, cells):
    with pytest.raises(DataFileError, match=r"is not a number; .* without separators of thousands"):
        read(cells)


def test_points_in_dates_say_nothing_of_commas(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("t;x\n2024-01-05 12:00:00.5;0,5\n2024-01-05 12:00:01.5;1,5\n")
    (run,) = read_recordings(path).runs
    assert run.states[:, 0].tolist() == [0.5, 1.5]
