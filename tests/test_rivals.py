"""Two laws that fit alike: one experiment tells them apart."""

import numpy as np
import pytest

from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.limits import DEFAULT_LIMITS
from odevsr.vertical.judging.rivals import decide, telling_experiment
from odevsr.world.box import plain_box
from odevsr.world.experiments.oracle import Cost
from odevsr.world.sample import Sample

NAMES = ("x", "y")
BOX = plain_box([[-2.0, 2.0], [0.0, 1.0]])
SINE, CUBIC = parse("sin(x) + y", NAMES), parse("x - 0.16*x**3 + y", NAMES)
ERROR = 0.05


class NoisyLaw:
    """An oracle that knows a law and blurs it."""

    names, box, component, is_noisy = NAMES, BOX, 0, True

    def __init__(self, law):
        self.cost = Cost()
        self.rng = np.random.default_rng(0)
        self.law = law

    def measure(self, states):
        values = compile_field([self.law], NAMES)(states)[..., 0]
        noise = ERROR * self.rng.standard_normal(values.shape)
        self.cost += Cost(experiments=1, states=len(states))
        return Sample(states, values + noise, np.full(values.shape, ERROR))


def telling():
    return telling_experiment((SINE, CUBIC), NAMES, BOX, ERROR, np.random.default_rng(1))


def test_the_experiment_is_where_the_laws_differ_most():
    experiment = telling()
    assert abs(experiment.state[0]) == pytest.approx(2.0, abs=1e-2)
    gap = abs(np.sin(2.0) - (2.0 - 0.16 * 8))
    assert experiment.contrast == pytest.approx(gap / ERROR, rel=1e-2)


@pytest.mark.parametrize(("law", "winner"), [(SINE, 0), (CUBIC, 1)])
def test_the_experiment_decides_for_the_truth(law, winner):
    assert decide(telling(), NoisyLaw(law), DEFAULT_LIMITS) == winner


def test_a_truth_that_is_neither_is_not_decided_for():
    assert decide(telling(), NoisyLaw(parse("5 + y", NAMES)), DEFAULT_LIMITS) is None


def test_a_weak_contrast_is_measured_more_often():
    weak = telling_experiment((SINE, CUBIC), NAMES, BOX, 1.0, np.random.default_rng(1))
    assert weak.repeats(DEFAULT_LIMITS) > telling().repeats(DEFAULT_LIMITS) >= 1
