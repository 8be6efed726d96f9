import json
import math
from dataclasses import dataclass

import pytest

from odevsr.plain import from_plain, to_plain, typed


@dataclass(frozen=True)
class Inner:
    pair: tuple[str, float]


@dataclass(frozen=True)
class Outer:
    many: tuple[int, ...]
    inner: Inner | None = None
    is_set: bool = False


def test_a_record_of_its_types_is_given_back():
    record = Outer((1, 2), Inner(("x", 3)))
    assert typed(record) is record
    assert typed(Outer(())).inner is None


@pytest.mark.parametrize(
    "record",
    [
        Outer([1]),
        Outer((1, "x")),
        Outer((True,)),
        Outer((), Inner(("x", "y"))),
        Outer((), Inner(("x",))),
        Outer((), {"pair": 1}),
        Outer((), None, 1),
    ],
)
def test_what_is_of_another_type_is_refused_however_deep(record):
    with pytest.raises(TypeError, match=" is "):
        typed(record)


def test_a_record_comes_back_from_json_and_null_is_infinite():
    record = Outer((1, 2), Inner(("x", math.inf)), True)
    told = json.loads(json.dumps(to_plain(record)))
    assert told["inner"] == {"pair": ["x", None]}
    assert from_plain(Outer, told) == record
    assert from_plain(Outer, {"many": [], "unknown": 1}) == Outer(())


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"many": "12"},
        {"many": [1, "x"]},
        {"many": [1.5]},
        {"many": [True]},
        {"many": [], "inner": {"pair": ["x"]}},
        {"many": [], "inner": {"pair": [1, 2]}},
        {"many": [], "inner": 1},
        {"many": [], "is_set": 1},
    ],
)
def test_what_no_record_was_written_as_is_refused(told):
    with pytest.raises(TypeError):
        from_plain(Outer, told)
