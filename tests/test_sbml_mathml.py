from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.errors import ExpressionError
from odevsr.language.text import to_text
from odevsr.world.simulators.sbml.mathml import DEEPEST_NESTING, formula

X, Y = "<ci>x</ci>", "<ci>y</ci>"
TIME = '<csymbol definitionURL="http://www.sbml.org/sbml/symbols/time">t</csymbol>'


def apply(name, *args):
    return f"<apply><{name}/>{''.join(args)}</apply>"


def text_of(content):
    return to_text(formula(fromstring(f"<math>{content}</math>")))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (apply("plus", X, Y, "<cn>1</cn>"), "x + y + 1"),
        (apply("plus"), "0"),
        (apply("times", X), "x"),
        (apply("minus", X), "-x"),
        (apply("minus", X, Y), "x - y"),
        (apply("divide", X, Y), "x/y"),
        (apply("power", X, '<cn type="integer"> 2 </cn>'), "x**2"),
        (apply("root", X), "sqrt(x)"),
        (apply("root", "<degree><cn>3</cn></degree>", X), "x**(1/3)"),
        (apply("ln", X), "log(x)"),
        (apply("log", "<logbase><cn>2</cn></logbase>", X), "log(x)/log(2)"),
        (apply("arctan", X), "atan(x)"),
        ('<cn type="e-notation">1.5<sep/>-3</cn>', "0.0015"),
        ('<cn type="rational">1<sep/>4</cn>', "0.25"),
        (apply("times", X, TIME), "t*x"),
    ],
)
def test_formulas_are_read(content, text):
    assert text_of(content) in (text, "x*t" if text == "t*x" else text)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("<piecewise><otherwise><cn>1</cn></otherwise></piecewise>", "piecewise"),
        (apply("ceiling", X), "ceiling"),
        ('<csymbol definitionURL="http://www.sbml.org/sbml/symbols/delay">d</csymbol>', "delay"),
        (f"<apply><ci>unheard</ci>{X}</apply>", "unheard"),
        (apply("divide", X), "divide has 1 arguments"),
        ("<cn>ten</cn>", "not a number"),
        ("<cn type='e-notation'>1</cn>", "cannot be read"),
        ("", "without content"),
    ],
)
def test_what_our_language_lacks_is_named(content, word):
    with pytest.raises(ExpressionError, match=word):
        text_of(content)


def test_a_formula_nested_too_deeply_is_refused():
    content = X
    for _ in range(DEEPEST_NESTING + 1):
        content = apply("sin", content)
    with pytest.raises(ExpressionError, match="nested"):
        text_of(content)


def test_functions_are_written_out_with_their_arguments_exchanged():
    body = f"<lambda><bvar>{X}</bvar><bvar>{Y}</bvar>{apply('minus', X, Y)}</lambda>"
    call = fromstring(f"<math><apply><ci>f</ci>{Y}{X}</apply></math>")
    assert to_text(formula(call, {"f": fromstring(body)})) == "y - x"


def test_a_function_that_calls_itself_is_refused():
    body = fromstring(f"<lambda><bvar>{X}</bvar><apply><ci>f</ci>{X}</apply></lambda>")
    with pytest.raises(ExpressionError, match="nested"):
        formula(fromstring(f"<math><apply><ci>f</ci>{X}</apply></math>"), {"f": body})


@given(st.floats(-1e100, 1e100))
def test_numbers_keep_their_value(value):
    found = formula(fromstring(f"<math><cn> {value!r} </cn></math>"))
    assert float(found.value) == value
