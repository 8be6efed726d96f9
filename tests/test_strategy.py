"""Steps: a law, or an outcome that is none."""

import pytest

from odevsr.language.expression import ZERO
from odevsr.vertical.laws.strategy import Outcome, is_law


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_is_no_law(outcome):
    assert not is_law(outcome)


def test_any_expression_is_a_law_even_nought():
    assert is_law(ZERO)
