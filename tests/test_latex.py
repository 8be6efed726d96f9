"""LaTeX says what the expression says: read back by the rules of mathematics, it has its value."""

import re
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from trees import NAMES, exact_value, expressions

from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.expression import FUNCTIONS, Apply, Number, Op, Variable
from odevsr.language.latex import name_latex, to_latex
from odevsr.language.parse import parse

TOKEN = re.compile(r"\\left[(|]|\\right[)|]|\\[a-z]+|[a-z]_\{\d+\}|\d+\.?\d*|[-+^{}e]")
ARCS = {r"\arcsin": Op.ASIN, r"\arccos": Op.ACOS, r"\arctan": Op.ATAN}
NAMED = {rf"\{name}": op for name, op in FUNCTIONS.items()} | ARCS


class Reader:
    """Reads the LaTeX that we write."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        assert "".join(self.tokens) == text.replace(" ", ""), "every character belongs to a token"

    def next_is(self, *tokens):
        return bool(self.tokens) and self.tokens[0] in tokens

    def take(self, *expected):
        token = self.tokens.pop(0)
        assert not expected or token in expected
        return token

    def sum(self):
        minus = self.next_is("-") and self.take()
        result = self.product()
        if minus:
            result = Apply(Op.NEG, (result,))
        while self.next_is("+", "-"):
            op = Op.ADD if self.take() == "+" else Op.SUB
            result = Apply(op, (result, self.product()))
        return result

    def product(self):
        result = self.power()
        while self.tokens and not self.next_is("+", "-", "}", r"\right)", r"\right|"):
            if self.next_is(r"\cdot"):
                self.take()
            result = Apply(Op.MUL, (result, self.power()))
        return result

    def power(self):
        base = self.atom()
        if self.next_is("^"):
            self.take()
            return Apply(Op.POW, (base, self.braces()))
        return base

    def braces(self):
        self.take("{")
        inside = self.sum()
        self.take("}")
        return inside

    def atom(self):
        token = self.take()
        if token == r"\left(" or token == r"\left|":
            inside = self.sum()
            self.take(r"\right)", r"\right|")
            return Apply(Op.ABS, (inside,)) if token == r"\left|" else inside
        if token == r"\frac":
            return Apply(Op.DIV, (self.braces(), self.braces()))
        if token == r"\sqrt":
            return Apply(Op.SQRT, (self.braces(),))
        if token == "e":
            self.take("^")
            return Apply(Op.EXP, (self.braces(),))
        if token in NAMED:
            power = self.braces() if self.next_is("^") and self.take() else Number(1)
            assert self.next_is(r"\left(")
            return Apply(Op.POW, (Apply(NAMED[token], (self.atom(),)), power))
        if token[0].isdigit():
            return Number(Fraction(token))
        return Variable(token.replace("_{", "").replace("}", ""))


def same_value(expression, text):
    reader = Reader(text)
    again = reader.sum()
    assert not reader.tokens
    for point in ((0.7, -1.3), (1.9, 0.4)):
        values = dict(zip(NAMES, point, strict=True))
        before, after = (exact_value(each, values, 1e9) for each in (expression, again))
        if before is not None:
            assert after is not None
            assert abs(after - before) <= 1e-12 * (1 + abs(before))


@given(expressions())
def test_latex_of_any_tree_reads_back_to_its_value(expression):
    same_value(expression, to_latex(expression))


@given(expressions())
def test_latex_of_a_normal_form_reads_back_to_its_value(expression):
    normal = normal_form(expression)
    assume(not is_invalid(normal))
    same_value(normal, to_latex(normal))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_keep_all_their_digits(value):
    text = to_latex(Number(value)).replace(r" \cdot 10^{", "e").replace("}", "")
    text = text.replace("10^{", "1e")
    assert float(text) == value


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("10*(x1 - x0)", r"10 \left(x_{1} - x_{0}\right)"),
        ("x0*x1 - 8/3*x0", r"x_{0} x_{1} - \frac{8}{3} x_{0}"),
        ("-2*sin(x0)**2", r"- 2 \sin^{2}\left(x_{0}\right)"),
        ("1/(x0 + 1)**2", r"\frac{1}{\left(x_{0} + 1\right)^{2}}"),
        ("exp(-x0)*2*3", r"e^{- x_{0}} \cdot 2 \cdot 3"),
        ("sqrt(abs(x0))", r"\sqrt{\left|x_{0}\right|}"),
        ("asin(x0) + 1e-7", r"\arcsin\left(x_{0}\right) + 10^{-7}"),
        ("C*A", "C A"),
    ],
)
def test_latex_looks_as_people_write_it(text, latex):
    expression = parse(text, NAMES, open_symbols=True)
    if "8/3" in text or "-2" in text or "1/" in text:
        expression = normal_form(expression)
    assert to_latex(expression) == latex


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("x", "x"),
        ("x10", "x_{10}"),
        ("omega", r"\omega"),
        ("sigma_x", r"\sigma_{x}"),
        ("k_cat_2", r"k_{\mathrm{cat\_2}}"),
        ("prey", r"\mathrm{prey}"),
        ("_odd", r"\mathrm{\_odd}"),
    ],
)
def test_names_become_symbols_with_indices(name, latex):
    assert name_latex(name) == latex


def test_names_of_several_letters_are_kept_apart():
    law = parse("2*prey*fox**2*x0", ["prey", "fox", "x0"])
    assert to_latex(law) == r"2 \mathrm{prey} \, \mathrm{fox}^{2} \, x_{0}"
