"""The shortest writing that data allow, without numbers that cancel or stand for one another."""

import numpy as np
import pytest

from odevsr.evidence.data import Data
from odevsr.evidence.law import fit
from odevsr.language.expression import Number, rebuild, walk
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.vertical.judging.writing import _is_as_good, shortest_writing
from odevsr.world.sample import Sample

NAMES = ("x", "y")


def sampled(text, error=1e-15):
    states = np.random.default_rng(0).uniform(0.1, 3, (120, 2))
    x, y = states.T
    values = eval(text, {"x": x, "y": y, "np": np})
    return Sample(states, values, error * np.abs(values) + 1e-300)


def as_found(text):
    """The law with numbers that are not exact, as a fit leaves them."""
    law = parse(text, NAMES)
    numbers = [float(node.value) for node in walk(law) if isinstance(node, Number)]
    return rebuild(law, (Number(each if each % 1 else int(each)) for each in numbers), Number)


def test_a_writing_whose_numbers_stand_for_one_another_is_none():
    sample = sampled("1.2345*x + 2.3456*y**2")
    law, short, redundant = (
        fit(as_found(text), Data(NAMES, sample))
        for text in (
            "1.2345*x + 2.3456*y**2",
            "1.2345*(x + 1.90004*y**2)",
            "1.2345*(1.1*x + 1.9*y**2)",
        )
    )
    assert _is_as_good(short, law, Data(NAMES, sample))
    assert not _is_as_good(redundant, law, Data(NAMES, sample))


@pytest.mark.parametrize(
    ("found", "meant"),
    [
        ("36.7367 - 36.7361*x**1.5/(x**1.5 + 2.4e-5)", "/(x**1.5 + 2.4e-05) + 0.0006"),
        ("3.1 - 2.7*x/(x + 0.35)", "0.945/(x + 0.35) + 0.4"),
        ("1.3 + 2.7*x/(x + 0.35)", "2.7*x/(x + 0.35) + 1.3"),
    ],
)
def test_fractions_are_written_so_that_numbers_do_not_cancel(found, meant):
    sample = sampled(found)
    law = shortest_writing(fit(as_found(found), Data(NAMES, sample)), Data(NAMES, sample))
    assert to_text(law.expression).endswith(meant)


def test_what_cancels_under_a_root_is_brought_there():
    sample = sampled("1/np.sqrt(1.5 + y*np.cos(x)**2 - 0.2*np.sin(x)**2)", error=1e-12)
    found = as_found("1/(-y - y/(cos(x)**2 - 1) - 1.5/(cos(x)**2 - 1) - 0.2)**0.5/sin(x)")
    law = shortest_writing(fit(found, Data(NAMES, sample)), Data(NAMES, sample))
    assert "/sin" not in to_text(law.expression)
