"""The bench that moves each limit in turn."""

from dataclasses import fields

import pytest

from odevsr.bench import limits as module
from odevsr.bench.limits import Change, _changes, row_of
from odevsr.limits import DEFAULT_LIMITS, Limits


def test_every_limit_is_doubled_and_halved_once():
    first, *others = _changes()
    assert first.limits() == DEFAULT_LIMITS
    expected = {(each.name, factor) for each in fields(Limits) for factor in (0.5, 2.0)}
    assert [(each.name, each.factor) for each in others] != []
    assert {(each.name, each.factor) for each in others} == expected


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_change_moves_one_limit_alone(factor):
    changed = Change("many", factor).limits()
    assert changed.many == DEFAULT_LIMITS.many * factor
    assert isinstance(changed.many, int)
    assert changed.estimated == DEFAULT_LIMITS.estimated


def test_a_row_counts_what_is_found(monkeypatch):
    for name, cases in (("CLEAN", ("pendulum",)), ("NOISY", ()), ("ROUGH", ())):
        monkeypatch.setattr(module, name, cases)
    row = row_of(Change("estimated", 1.0), budget=10.0)
    assert (row["exact"], row["identified"], row["false"]) == (2, 2, 0)
    strict = row_of(Change("estimated", 1e-20), budget=1.0)
    assert strict["identified"] == 0
