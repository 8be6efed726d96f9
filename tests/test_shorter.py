"""Forms with a part less."""

from hypothesis import given
from laws import form
from trees import expressions

from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import Constant, complexity, count
from odevsr.language.text import to_text
from odevsr.language.tidying.shorter import shorter_forms


def shorter(text):
    return [to_text(each) for each in shorter_forms(normal_form(form(text)))]


def test_a_function_can_be_taken_from_around_its_argument():
    assert "C*tanh(C*sin(x)) + C" in shorter("C*exp(C*tanh(C*sin(x))) + C")


def test_members_of_inner_sums_can_be_left_out():
    assert "C*sqrt(x**2 + C)" in shorter("C*sqrt(x**2 + C*x**2*tanh(C*x) + C)")


def test_a_constant_or_a_variable_has_no_part_to_leave_out():
    assert shorter("C") == shorter("x") == []


@given(expressions(constants=True))
def test_every_shorter_form_is_normal_and_has_fewer_constants_or_is_simpler(expression):
    whole = normal_form(expression)
    for part in shorter_forms(whole):
        assert normal_form(part) == part
        sizes = [(count(each, Constant), complexity(each)) for each in (part, whole)]
        assert sizes[0] < sizes[1]
