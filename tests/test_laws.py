"""Laws that are too long to be read are shortened, whole terms at a time."""

from odevsr.language.parse import parse
from odevsr.showing.laws import short_text


def law(count):
    return parse(" + ".join(f"{power}*x**{power}" for power in range(2, count + 2)), ["x"])


def test_a_law_that_fits_is_whole():
    assert short_text(law(3), 100) == "2*x**2 + 3*x**3 + 4*x**4"


def test_a_long_sum_ends_after_a_term_and_counts_the_rest():
    assert short_text(law(54), 25) == "2*x**2 + 3*x**3 + 4*x**4 + ... (51 more terms)"
    assert short_text(law(3), 20) == "2*x**2 + 3*x**3 + ... (1 more term)"


def test_what_is_no_sum_ends_anywhere_and_counts_the_rest():
    expression = parse("sin(x + x**2 + x**3)*(1 + x)", ["x"])
    assert short_text(expression, 10) == "sin(x + x*... (18 more characters)"
