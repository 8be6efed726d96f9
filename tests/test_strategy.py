"""Steps: a law, or none."""

from laws import FunctionQuantity, make_question

from odevsr.language.expression import ONE, ZERO
from odevsr.vertical.laws.strategy import explaining_law, laws_among


def test_a_law_that_the_data_refute_is_none():
    assert explaining_law(make_question(FunctionQuantity(lambda x, y: x * y)), ONE) is None


def test_any_expression_is_a_law_even_nought():
    law = explaining_law(make_question(FunctionQuantity(lambda x, y: 0 * x)), ZERO)
    assert next(laws_among([None, law])) == ZERO
