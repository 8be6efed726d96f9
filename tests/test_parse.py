import ast
import os
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from odevsr.errors import ExpressionError
from odevsr.language.expression import CONSTANT, HOLE, Apply, Number, Op, Variable, walk
from odevsr.language.parse import DEEPEST_NESTING, LONGEST_TEXT, parse, parse_number
from odevsr.language.text import to_text

NAMES = ("x0", "x1")
X, Y = Variable("x0"), Variable("x1")

HOSTILE = [
    "__import__('os').system('touch sentinel')",
    "open('sentinel', 'w')",
    "exec('import os')",
    "eval('1')",
    "x0.__class__.__bases__",
    "x0.real",
    "().__class__",
    "lambda: 1",
    "(lambda x: x)(1)",
    "f'{x0}'",
    'f\'{open("sentinel", "w")}\'',
    "[x0 for x0 in x1]",
    "{x0: 1}",
    "{x0 for x0 in x1}",
    "(x0 for x0 in x1)",
    "sum(x0 for x0 in x1)",
    "x0[0]",
    "x0 if x1 else 1",
    "x0 and x1",
    "not x0",
    "x0 < x1",
    "x0 is x1",
    "(x0 := 1)",
    "x0 = 1",
    "x0; x1",
    "import os",
    "await x0",
    "(yield x0)",
    "*x0",
    "sin(*x0)",
    "sin(**x0)",
    "sin(x0, x1)",
    "sin(x=x0)",
    "sin()",
    "sin",
    "print(x0)",
    "sin(x0)(x1)",
    "'text'",
    "b'bytes'",
    "1j",
    "True",
    "None",
    "...",
    "x0 // 2",
    "x0 % 2",
    "x0 @ x1",
    "~x0",
    "x0 << 9",
    "0x10",
    "1_000",
    "1if x0 else 2",
    "x0 # comment",
    "x0\x00",
    "x\N{SUBSCRIPT ZERO}",
    "\N{FULLWIDTH LATIN SMALL LETTER X}0",
    "",
    "   ",
    "(",
    "x0 x1",
    "x0 +",
    "A",
    "C",
    "C + x0",
]

DEEP = {
    "parentheses": lambda depth: "(" * depth + "x0" + ")" * depth,
    "unary minus": lambda depth: "-" * depth + "x0",
    "unary plus": lambda depth: "+" * depth + "x0",
    "powers": lambda depth: "x0**" * depth + "x0",
    "function calls": lambda depth: "sin(" * depth + "x0" + ")" * depth,
    "divisions": lambda depth: "x0/" * depth + "x0",
    "sums in brackets": lambda depth: "x1 - (" * depth + "x0" + ")" * depth,
}


@pytest.fixture
def nothing_runs(monkeypatch, tmp_path):
    """Fails the test if a parsed text managed to call out or to make a file."""
    monkeypatch.chdir(tmp_path)
    calls = []
    monkeypatch.setattr(os, "system", calls.append)
    yield
    assert calls == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_not_arithmetic_is_refused_and_runs_nothing(text):
    with pytest.raises(ExpressionError):
        parse(text, NAMES)


@pytest.mark.parametrize("depth", [10_000, 4_000, 1_000, DEEPEST_NESTING + 150])
@pytest.mark.parametrize("kind", DEEP)
def test_deep_nesting_is_refused(kind, depth):
    with pytest.raises(ExpressionError):
        parse(DEEP[kind](depth), NAMES)


def test_a_million_characters_are_refused_before_python_sees_them(monkeypatch):
    monkeypatch.setattr(ast, "parse", lambda *_, **__: pytest.fail("Python's parser was called"))
    with pytest.raises(ExpressionError, match=r"1,000,000 characters; at most 20,000"):
        parse("x" * 1_000_000, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "x0**101",
        "x0**-101",
        "x0**1e9",
        "x0**99999999999999999999",
        "9**9**9",
        "9**9**9**9**9",
        "x0**(9**9)",
        "((9**99)**99)**99",
        "10**1000",
        "1" * 5000,
        "1e999",
        "2e300",
    ],
)
def test_huge_powers_and_numbers_are_refused(text):
    with pytest.raises(ExpressionError):
        parse(text, NAMES)


@given(st.text(max_size=300))
@example("1if x0else 2")
@example('"\\d"')
def test_any_text_is_read_or_refused(text):
    """A warning or any other error than the one for people fails here."""
    _read_or_refuse(text)


ARITHMETIC = ["x0", "x1", "sin", "exp", "(", ")", "+", "-", "*", "/", "**", "^", "2", "0.5", "1e9"]
OTHER = [
    " ",
    ".",
    ",",
    "\n",
    "lambda",
    "for",
    "in",
    "if",
    "else",
    "not",
    "C",
    "_",
    "'",
    "[",
    ":",
    "=",
]
pieces = st.sampled_from([*ARITHMETIC, *OTHER])


@given(st.lists(pieces, max_size=60).map("".join))
def test_any_jumble_of_pieces_is_read_or_refused(text):
    _read_or_refuse(text)


def _read_or_refuse(text):
    try:
        expression = parse(text, NAMES)
    except ExpressionError as refusal:
        assert len(str(refusal)) < 400  # noqa: PT017  (most texts are refused, some are not)
        return
    for node in walk(expression):
        assert isinstance(node, Number | Apply) or node in (X, Y)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("x0", X),
        ("-x0", Apply(Op.NEG, (X,))),
        ("+x0", X),
        ("-2", Number(-2)),
        ("0.1", Number(Fraction(1, 10))),
        ("x0 - x1", Apply(Op.SUB, (X, Y))),
        ("x0^2", Apply(Op.POW, (X, Number(2)))),
        ("x0**-1", Apply(Op.POW, (X, Number(-1)))),
        ("-x0**2", Apply(Op.NEG, (Apply(Op.POW, (X, Number(2))),))),
        ("x0**x1**2", Apply(Op.POW, (X, Apply(Op.POW, (Y, Number(2)))))),
        ("sin(x0)", Apply(Op.SIN, (X,))),
        ("x0 + x1 + x0", Apply(Op.ADD, (X, Y, X))),
        ("x0 - x1 + x0", Apply(Op.ADD, (X, Apply(Op.NEG, (Y,)), X))),
        ("x0*x1/x0", Apply(Op.DIV, (Apply(Op.MUL, (X, Y)), X))),
        ("x0/x1*x0", Apply(Op.MUL, (Apply(Op.DIV, (X, Y)), X))),
        ("x0 +\n    x1", Apply(Op.ADD, (X, Y))),
    ],
)
def test_arithmetic_is_read(text, expression):
    assert parse(text, NAMES) == expression


def test_open_symbols_are_read_where_they_are_allowed():
    found = parse("C*A", NAMES, open_symbols=True)
    assert found == Apply(Op.MUL, (CONSTANT, HOLE))


def test_a_declared_name_hides_the_open_symbol_of_that_name():
    assert parse("C", ["C"], open_symbols=True) == Variable("C")


def test_long_sums_stay_flat():
    text = " - x1 + ".join(["x0"] * 500)
    expression = parse(text, NAMES)
    assert len(expression.args) == 999
    assert to_text(expression) == text


def test_nesting_up_to_the_limit_is_read():
    text = DEEP["function calls"](DEEPEST_NESTING)
    assert to_text(parse(text, NAMES)) == text
    assert len(text) < LONGEST_TEXT


def test_an_unknown_symbol_is_named_with_its_nearest_match():
    with pytest.raises(ExpressionError, match=r"unknown symbol 'sigmma'; did you mean sigma\?"):
        parse("sigmma*x0", ["x0", "sigma"])


def test_an_unknown_function_is_named():
    with pytest.raises(ExpressionError, match="'arcsin' is not a function"):
        parse("arcsin(x0)", NAMES)


@pytest.mark.parametrize(
    ("given_value", "number"),
    [
        (10, 10),
        (0.1, Fraction(1, 10)),
        ("8/3", Fraction(8, 3)),
        ("-8/3", Fraction(-8, 3)),
        ("2*3/4", Fraction(3, 2)),
        ("1e3", 1000),
        (Fraction(1, 7), Fraction(1, 7)),
        ("6/3", 2),
        ("-pi", Fraction("-3.141592653589793")),
    ],
)
def test_numbers_are_read_exactly(given_value, number):
    assert parse_number(given_value) == number


@pytest.mark.parametrize(
    "value",
    [True, None, [], "x", "", "1/0", "1 + 1", "2**3", "nan", float("nan"), float("inf"), 10**400],
)
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ExpressionError):
        parse_number(value)


@pytest.mark.parametrize("text", ["1e200*1e200", "-1e200*1e200", "1e200/1e-200"])
def test_a_product_too_large_for_a_float_is_refused(text):
    with pytest.raises(ExpressionError, match="above 1e300"):
        parse_number(text)
