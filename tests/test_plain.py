from dataclasses import dataclass

import pytest

from odevsr.plain import typed


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
