import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr.bench.size import written_size
from odevsr.language.expression import Apply, Number, Op, Variable
from odevsr.language.parse import parse


@pytest.mark.parametrize(
    ("law", "size"),
    [
        ("x", 1),
        ("-x", 1),
        ("8/3", 1),
        ("1/x", 3),
        ("x**2", 3),
        ("-2*x/3", 3),
        ("(0.5 + 0.8)*x", 3),
        ("x - y + 3 + 4", 5),
        ("x/(2*y)", 5),
        ("sin(2*x) - y", 6),
        ("2*100*x*y/(1 + (x/0.5)**4)", 13),
    ],
)
def test_a_size_counts_leaves_and_operations_and_numbers_once(law, size):
    assert written_size(parse(law, ("x", "y"))) == size


@given(st.floats(2, 1e6), st.floats(-1e6, -2))
def test_the_digits_of_a_number_and_its_sign_count_nothing(first, second):
    law = Apply(Op.MUL, (Number(first), Variable("x")))
    other = Apply(Op.MUL, (Number(second), Variable("x")))
    assert written_size(law) == written_size(other) == 3
