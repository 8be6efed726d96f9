"""Steps: a law, or an outcome that is none."""

import pytest
from laws import FunctionQuantity, make_question

from odevsr.language.expression import ONE, ZERO
from odevsr.vertical.laws.strategy import Outcome, explaining_law, first_law, is_law


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_is_no_law(outcome):
    assert not is_law(outcome)


def test_a_law_that_the_data_contradict_is_refuted():
    step = explaining_law(make_question(FunctionQuantity(lambda x, y: x * y)), ONE)
    assert step is Outcome.REFUTED


def test_any_expression_is_a_law_even_nought():
    law = explaining_law(make_question(FunctionQuantity(lambda x, y: 0 * x)), ZERO)
    assert first_law([Outcome.SPENT, law]) == ZERO
    assert first_law([Outcome.SPENT]) is None
