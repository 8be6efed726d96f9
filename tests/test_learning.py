import pytest

from odevsr.discovery.learning import learnt_rules
from odevsr.language.algebra.normal import normal_form
from odevsr.language.parse import parse

NAMES = ["x", "y", "z"]


def rules(*laws):
    return set(learnt_rules([parse(law, NAMES) for law in laws]))


def normal(text):
    return normal_form(parse(text, NAMES))


@pytest.mark.parametrize("law", ["2*x + y**3 - 1", "x*y*z", "7", "(x + 1)**2*y"])
def test_polynomials_teach_nothing(law):
    assert rules(law) == set()


def test_the_functions_of_each_variable_in_a_product_are_rules():
    found = rules("3*x*y/(y**4 + 0.07) + sin(2*z)*x")
    assert normal("y/(y**4 + 0.07)") in found
    assert normal("sin(2*z)") in found
    assert all("x" not in str(rule) for rule in found)


def test_a_rule_that_several_equations_teach_is_offered_once():
    assert len(learnt_rules([parse("x/(y + 2)", NAMES), parse("z - 5/(y + 2)", NAMES)])) == 1


def test_the_order_of_rules_is_that_of_the_equations():
    first = learnt_rules([parse("exp(x)*log(y)", NAMES), parse("sin(z)", NAMES)])
    again = learnt_rules([parse("exp(x)*log(y)", NAMES), parse("sin(z)", NAMES)])
    assert first == again
    assert first[-1] == normal("sin(z)")
