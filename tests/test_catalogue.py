"""The catalogue: proposals of one variable, simplest first."""

from functools import cache
from itertools import islice

import numpy as np
import pytest
from machines import values_of

from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.expression import Constant, count, variables
from odevsr.language.parse import parse
from odevsr.search.catalogue import (
    RICH_ATOMS,
    SIMPLE_ATOMS,
    alone,
    dense,
    paired,
    weighted,
)


@cache
def batches():
    return [batch for tier in (alone, dense, weighted, paired) for batch in tier("x", ())]


def family(text):
    return normal_form(parse(text, ["x"], open_symbols=True))


def test_every_proposal_is_a_normal_form_in_the_variable_alone():
    for proposal in {each for batch in batches() for each in batch}:
        assert not is_invalid(proposal)
        assert normal_form(proposal) == proposal
        assert variables(proposal) <= {"x"}
        assert count(proposal, Constant) > 0


def test_few_proposals_are_made_twice():
    for batch in batches():
        assert len(set(batch)) > 0.8 * len(batch) > 0
    once = {each for batch in batches() for each in batch}
    assert len(once) > 0.8 * sum(map(len, batches()))


def test_the_first_stage_is_the_low_polynomials():
    assert batches()[0] == [
        family("C"),
        family("C*x + C"),
        family("C*x^2 + C*x + C"),
        family("C*x^3 + C*x^2 + C*x + C"),
        family("C*x^4 + C*x^3 + C*x^2 + C*x + C"),
    ]


@pytest.mark.parametrize("atom", [*SIMPLE_ATOMS, *RICH_ATOMS])
def test_every_atom_is_proposed_early_alone_and_beside_a_straight_line(atom):
    early = {each for batch in batches()[:3] for each in batch}
    assert family(f"C*({atom})") in early
    assert family(f"C*x + C + C*({atom})") in early


@pytest.mark.parametrize(
    "text",
    [
        "C*(x + C)/(exp(C*x) + C)",
        "C*x^8 + C*x^7 + C*x^6 + C*x^5 + C*x^4 + C*x^3 + C*x^2 + C*x + C",
        "C*sin(x) + C*exp(C*x) + C",
        "C*exp(C*x) + C*exp(C*x)",
        "C*x^C + C*(C - x)^C",
        "C*sqrt(x) + C*tanh(C*x + C)",
    ],
)
def test_later_stages_hold_weights_high_powers_and_pairs(text):
    assert family(text) in {each for batch in batches()[3:] for each in batch}


def test_what_was_learnt_counts_as_an_atom():
    learnt = family("1/(x^4 + 7/100)")
    _, second = islice(alone("x", [learnt]), 2)
    assert family("C*x + C + C*x/(x^4 + 7/100)") in second


def test_proposals_are_made_for_the_variable_asked_for():
    first = next(alone("theta", ()))
    assert variables(first[1]) == {"theta"}


def test_the_atoms_have_values_somewhere():
    x = np.array([[0.3, 0.7, 0.9]])
    for text in (*SIMPLE_ATOMS, *RICH_ATOMS):
        atom = family(text)
        constants = np.linspace(1.1, 1.9, count(atom, Constant))
        assert np.all(np.isfinite(values_of(atom, x, constants, names=["x"]))), text
