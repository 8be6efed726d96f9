"""Laws that break: told where, and what they are on either side."""

import numpy as np
from laws import FunctionOracle

from odevsr.evidence.agreement import Agreement
from odevsr.search.tiers import Proposers
from odevsr.settings import Settings
from odevsr.vertical.asking.design import Design
from odevsr.vertical.asking.question import Attempt
from odevsr.vertical.attempts import discover_equation
from odevsr.vertical.equation import Status
from odevsr.vertical.judging.doubt import Weight
from odevsr.vertical.parts import WHOLE, law_in_parts

BOX = ((-2.0, 2.0), (-1.0, 2.0))


def in_parts(function):
    attempt = Attempt(proposers=Proposers(Settings()), agreement=Agreement())
    return law_in_parts(FunctionOracle(function, BOX), attempt, Design(0))


def threshold(x, y):
    return np.where(x > 0.7, 1 - x * y, -0.5 * y)


def test_each_part_has_its_law():
    doubt = in_parts(threshold).doubt
    assert doubt.weight is Weight.BREAKS
    assert (
        doubt.sentence == "it breaks at x = 0.7: fits -0.5*y for x < 0.7; fits 1 - x*y for x > 0.7"
    )


def test_a_smooth_law_has_no_parts():
    assert in_parts(lambda x, y: x * y) is WHOLE


def test_an_equation_that_breaks_is_not_identified_however_near_a_smooth_law_comes():
    oracle = FunctionOracle(threshold, BOX)
    found = discover_equation(oracle, Settings(), np.random.SeedSequence(0))
    assert found.status is Status.NOT_IDENTIFIED
    assert found.note.startswith("it breaks at x = 0.7: fits -0.5*y for x < 0.7")
