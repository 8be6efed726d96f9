"""SINDy as it is given its best: it must find what it can find."""

import warnings

import numpy as np
import pytest

from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ZERO
from odevsr.language.parse import parse
from odevsr.verdict.equivalence import is_equivalent
from odevsr.verdict.rival.libraries import (
    MOST_FEATURES,
    foreign_functions,
    implicit_libraries,
    libraries_for,
    polynomial_libraries,
    quiet_pysindy,
)
from odevsr.verdict.rival.sindy import Samples, fit_sindy, plain_sindy
from odevsr.world.box import plain_box

NAMES = ("x", "y")
BOX = plain_box([[0.2, 2.0], [-1.5, 1.5]])


def samples(texts, count=240, noise=0.0):
    rng = np.random.default_rng(1)
    states = rng.uniform(*BOX.limits.T, (count, 2))
    rates = compile_field([parse(text, NAMES) for text in texts], NAMES)(states)
    rates = rates + noise * rates.std(axis=0) * rng.standard_normal(rates.shape)
    return Samples(states, rates, np.arange(count) >= 180)


def found(texts, libraries, variables=NAMES, noise=0.0):
    laws, seconds = fit_sindy(NAMES, samples(texts, noise=noise), libraries, variables)
    assert seconds >= 0
    return laws


def equivalent(law, text):
    return is_equivalent(law.expression, parse(text, NAMES), NAMES, BOX)


def test_sparse_polynomials_are_found_with_their_constants():
    texts = ["10*(y - x)", "x*(28 - y) - y**3"]
    laws = found(texts, polynomial_libraries(NAMES))
    assert all(equivalent(law, text) for law, text in zip(laws, texts, strict=True))
    assert [law.library for law in laws] == ["degree 2", "degree 3"]
    values = sorted(constant.value for constant in laws[0].constants)
    assert values == pytest.approx([-10, 10])
    assert all(0 <= constant.error < 1e-9 for law in laws for constant in law.constants)


def test_a_spurious_term_is_not_kept_because_it_lowers_the_error_a_little():
    law, *_ = found(["y - 0.5*x*y", "x"], polynomial_libraries(NAMES), noise=0.01)
    assert len(law.constants) == 2


def test_plain_sindy_finds_a_polynomial_unless_its_threshold_is_above_all_terms():
    data = samples(["3*x*y - 0.5*x", "x"])
    law = plain_sindy(NAMES, data.states, data.derivatives[:, 0], 2, 0.1)
    assert is_equivalent(law, parse("3*x*y - 0.5*x", NAMES), NAMES, BOX)
    assert plain_sindy(NAMES, data.states, data.derivatives[:, 0], 2, 100.0) == ZERO


def test_rational_laws_need_the_implicit_library():
    text = "x*y/(1 + 3*x**2)"
    explicit, *_ = found([text, "x"], polynomial_libraries(NAMES), ["x"])
    implicit, *_ = found([text, "x"], implicit_libraries(NAMES), ["x"])
    assert not equivalent(explicit, text)
    assert equivalent(implicit, text)
    assert implicit.library.startswith("implicit")


def test_a_law_whose_denominator_has_no_constant_is_found_too():
    law, *_ = found(["(1 + y)/x", "x"], implicit_libraries(NAMES), ["x"])
    assert equivalent(law, "(1 + y)/x")


def test_sines_are_in_the_library_where_the_system_has_them():
    texts = ["y", "-2*sin(x) - 0.1*y"]
    laws = [parse(text, NAMES) for text in texts]
    *_, law = found(texts, libraries_for(NAMES, laws))
    assert equivalent(law, texts[1])
    assert len(libraries_for(NAMES, laws[:1])) < len(libraries_for(NAMES, laws))


def test_functions_that_no_library_has_are_named():
    laws = [parse("exp(x) - sin(y) + tanh(x)", NAMES), parse("x/y", NAMES)]
    assert foreign_functions(laws) == ("exp", "tanh")


def test_large_libraries_are_left_out():
    names = [f"x{index}" for index in range(20)]
    assert all(each.size <= MOST_FEATURES for each in polynomial_libraries(names))


def test_what_pysindy_warns_of_is_silent_but_not_what_we_warn_of():
    with pytest.warns(UserWarning, match="ours"), quiet_pysindy():
        warnings.warn("ours", stacklevel=1)
