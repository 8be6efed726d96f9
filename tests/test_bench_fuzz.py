"""Five thousand of the files that `odevsr bench fuzz` makes by the million."""

import crashing
import numpy as np
import pytest

from odevsr.bench.fuzz import bench, judged
from odevsr.bench.fuzz.judged import Outcome
from odevsr.bench.fuzz.mutations import mutated_bytes, mutated_json, mutated_text
from odevsr.bench.fuzz.surfaces import SURFACES, Examples
from odevsr.errors import DataFileError, UsageError

DEAR = ("HDF5", "run folders")
"""Ten times as dear to read as text."""


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    return Examples(tmp_path_factory.mktemp("examples"))


@pytest.mark.parametrize("surface", SURFACES)
def test_changed_files_are_read_or_refused(surface, examples):
    count = 125 if surface in DEAR else 700
    cases = [judged.judged(surface, number, 2, examples) for number in range(count)]
    assert [each for each in cases if not each.outcome.is_allowed] == []
    assert {each.outcome for each in cases} == {Outcome.READ, Outcome.REFUSED}


def test_what_is_wrong_is_seen(monkeypatch, examples):
    def raw(*_):
        raise AttributeError("no shape")

    def steering(*_):
        print("\x1b[31m")

    def outside(examples, *_):
        (examples.folder / "elsewhere").write_text("x")

    def refusing(*_):
        raise DataFileError("no \x1b[31mfile")

    readers = {"raw": raw, "steering": steering, "outside": outside, "refusing": refusing}
    monkeypatch.setattr(judged, "SURFACES", readers)
    seen = {name: judged.judged(name, 0, 0, examples).outcome for name in readers}
    assert seen == {"raw": Outcome.RAW, "steering": Outcome.STEERING, "outside": Outcome.OUTSIDE,
                    "refusing": Outcome.REFUSED}  # fmt: skip


def test_readers_that_hang_or_crash_are_seen_and_the_others_go_on(monkeypatch):
    monkeypatch.setattr(bench, "_work", crashing.work)
    monkeypatch.setattr(bench, "LONGEST", 8.0)
    tasks = [("good", 0), ("crash", 1), ("hang", 2), ("fine", 3)]
    seen = list(bench._supervised(tasks, 0))
    assert seen == [
        "good",
        judged.FuzzCase("crash", 1, Outcome.CRASHED),
        judged.FuzzCase("hang", 2, Outcome.HANGING),
        "fine",
    ]


def test_a_case_is_made_again_by_its_number(examples):
    first, second = (judged.judged("formulas", 7, 3, examples) for _ in range(2))
    assert first == second


def test_contents_are_changed():
    rng = np.random.default_rng(0)
    assert len({mutated_bytes(b"some bytes", rng) for _ in range(50)}) > 25
    assert len({mutated_text("some words in a row", rng) for _ in range(50)}) > 25
    values = {"a": [1, {"b": 2}], "c": "d"}
    assert len({repr(mutated_json(values, rng)) for _ in range(50)}) > 25
    assert values == {"a": [1, {"b": 2}], "c": "d"}


def test_what_nothing_reads_is_refused():
    with pytest.raises(UsageError, match="nothing reads 'XML'"):
        bench.bench_fuzz(cases=["XML"])
