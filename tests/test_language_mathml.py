"""Presentation MathML is well formed, and holds what the expression holds."""

from xml.etree import ElementTree

from hypothesis import given
from trees import expressions

from odevsr.language.expression import Variable, walk
from odevsr.language.mathml import name_mathml, rate_mathml, to_mathml
from odevsr.language.parse import parse


def written(text, errors=None):
    return to_mathml(parse(text, ["x", "y", "z"]), errors or {})


@given(expressions(constants=True))
def test_every_expression_is_one_element_with_all_its_variables(expression):
    text = to_mathml(expression)
    ElementTree.fromstring(text)
    names = [node.name for node in walk(expression) if isinstance(node, Variable)]
    assert sum(text.count(name_mathml(name)) for name in set(names)) >= len(names)


def test_brackets_stand_where_they_are_needed():
    assert "<mo>(</mo>" in written("x*(y - z)")
    assert "<mo>(</mo>" in written("x - (y - z)")
    assert "<mo>(</mo>" in written("(x + y)**2")
    assert "<mo>(</mo>" not in written("x*y - z/(x + y)")


def test_numbers_are_as_long_as_they_are_known():
    assert "<mn>9.998</mn>" in written("9.997994897182133*x", {9.997994897182133: 0.016})
    assert "<mfrac><mn>8</mn><mn>3</mn></mfrac>" in written("8/3*x")
    assert "<msup><mn>10</mn><mn>-7</mn></msup>" in written("2.5e-7*x")


def test_names_are_escaped_and_indexed():
    assert name_mathml("k_on") == "<msub><mi>k</mi><mi>on</mi></msub>"
    assert name_mathml("lambda2") == "<msub><mi>λ</mi><mn>2</mn></msub>"
    assert "<b>" not in name_mathml("<b>")
    ElementTree.fromstring(rate_mathml("x0"))


def test_names_of_several_letters_are_kept_apart():
    law = parse("2*angle*speed**2*x0*theta", ["angle", "speed", "x0", "theta"])
    dots = ElementTree.fromstring(to_mathml(law)).iter("mo")
    assert [each.text for each in dots] == ["\u2062", "\xb7", "\xb7", "\u2062"]
