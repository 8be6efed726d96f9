"""Screening: which variables matter, and which act together."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import FunctionQuantity

from odevsr.limits import DEFAULT_LIMITS
from odevsr.vertical.asking.screening import effects, interactions

BOX = np.array([[-1.0, 2.0], [0.5, 3.0], [-2.0, -1.0]])
PAIRS = list(combinations(range(3), 2))
shapes = st.sampled_from([np.sin, np.exp, np.square, np.abs, lambda column: 3 * column])


@st.composite
def structures(draw):
    """A random function of three variables: those it has, and the pairs that act together."""
    alone = draw(st.dictionaries(st.sampled_from(range(3)), shapes))
    together = draw(st.sets(st.sampled_from(PAIRS)))
    scale = draw(st.floats(0.01, 100.0))

    def function(*columns):
        total = sum(shape(columns[index]) for index, shape in alone.items())
        return scale * (total + sum(np.sin(columns[i] * columns[j]) for i, j in together))

    present = {*alone, *(index for pair in together for index in pair)}
    return FunctionQuantity(function, BOX, error=1e-10 * scale), present, together


def relevant_variables(quantity, rng, *, thorough):
    found = effects(quantity, rng, thorough=thorough)
    return tuple(index for index, each in enumerate(found) if each > DEFAULT_LIMITS.noticeable)


@given(structures(), st.booleans(), st.integers(0, 1000))
def test_exactly_the_variables_that_matter_are_found(structure, thorough, seed):
    quantity, present, _ = structure
    rng = np.random.default_rng(seed)
    assert relevant_variables(quantity, rng, thorough=thorough) == tuple(sorted(present))


@given(structures(), st.booleans(), st.integers(0, 1000))
def test_exactly_the_pairs_that_act_together_are_found(structure, thorough, seed):
    quantity, _, together = structure
    found = interactions(quantity, np.random.default_rng(seed), DEFAULT_LIMITS, thorough=thorough)
    assert {pair for pair in PAIRS if found[pair]} == together
    assert np.array_equal(found, found.T)
    assert np.all(np.diag(found))


@settings(max_examples=30)
@given(st.floats(0.1, 100), st.integers(0, 1000))
def test_noise_moves_nothing(error, seed):
    quantity = FunctionQuantity(lambda x, y, z: 0 * x, BOX, error)
    rng = np.random.default_rng(seed)
    assert relevant_variables(quantity, rng, thorough=True) == ()
    assert not np.any(
        interactions(quantity, rng, DEFAULT_LIMITS, thorough=True)[np.triu_indices(3, 1)]
    )


@pytest.mark.parametrize("thorough", [True, False])
def test_a_quantity_that_is_nought_without_error_depends_on_nothing(thorough):
    quantity = FunctionQuantity(lambda x, y, z: 0 * x, BOX, error=0.0)
    assert relevant_variables(quantity, np.random.default_rng(0), thorough=thorough) == ()


def test_what_could_not_be_measured_moves_nothing():
    quantity = FunctionQuantity(lambda x, y: x, missing=lambda x, y: True)
    rng = np.random.default_rng(0)
    assert relevant_variables(quantity, rng, thorough=True) == ()
    assert not interactions(quantity, rng, DEFAULT_LIMITS, thorough=True)[0, 1]


def test_a_variable_that_matters_only_in_places_is_found_from_several_bases():
    quantity = FunctionQuantity(lambda x, y, z: np.where(x > 0.5, y, 0.0), BOX)
    assert 1 in relevant_variables(quantity, np.random.default_rng(3), thorough=True)


def test_one_variable_needs_no_second_measurement():
    quantity = FunctionQuantity(lambda x: x, BOX[:1])
    assert np.array_equal(
        interactions(quantity, np.random.default_rng(0), DEFAULT_LIMITS, thorough=True), [[True]]
    )
    assert quantity.measured == 0
