"""Laws as a model in SBML, which libroadrunner runs and we read again."""

import re
from fractions import Fraction

import numpy as np
import pytest
from exports import found
from test_export import DRIVEN, DRIVEN_NAMES, SPIRAL, hostile
from test_export_code import every_function

from odevsr.language.expression import Apply, Number, Op, Variable
from odevsr.world.simulators.sbml.file import parse_model

roadrunner = pytest.importorskip("roadrunner", reason="models in SBML are run by libroadrunner")


def rates(text, **values):
    """The rates of all variables that move, where these have these values."""
    model = roadrunner.RoadRunner(text)
    for name, value in values.items():
        model.setValue(name, value)
    return [model.getValue(f"{name}'") for name in re.findall('<rateRule variable="(.*?)"', text)]


def test_roadrunner_follows_the_model_as_we_follow_the_laws():
    discovery = found(SPIRAL)
    model = roadrunner.RoadRunner(discovery.to("sbml"))
    model.setValue("x", 1.0)
    model.setValue("y", 0.0)
    model.timeCourseSelections = ["time", "x", "y"]
    model.integrator.relative_tolerance = 1e-10
    rows = np.array(model.simulate(0.0, 5.0, 11))
    np.testing.assert_allclose(rows[:, 1:], discovery.simulate([1.0, 0.0], rows[:, 0]), atol=1e-6)


def test_sbml_has_every_function():
    discovery, state, expected = every_function()
    values = dict(zip(discovery.names, state, strict=True))
    np.testing.assert_allclose(rates(discovery.to("sbml"), **values), expected, rtol=1e-13)


def test_numbers_are_written_to_the_last_digit():
    laws = {"x": Number(Fraction(1, 3)), "y": Number(1.25e-17), "z": Number(-(2.0**60))}
    laws["w"] = Apply(Op.MUL, (Number(0.1), Variable("w")))
    expected = [1 / 3, 1.25e-17, -(2.0**60), 0.1 * 3.0]
    np.testing.assert_allclose(rates(found(laws).to("sbml"), w=3.0), expected, rtol=1e-15)


def test_inputs_are_constants_and_time_is_time():
    text = found(DRIVEN, DRIVEN_NAMES).to("sbml")
    assert rates(text, dose=2.0, x=0.3)[0] == pytest.approx(-0.1)
    assert '<parameter id="dose" name="dose" value="0.5" constant="true"/>' in text
    assert parse_model(text, "law.xml").runs_with_time


def test_we_read_the_model_again():
    model = parse_model(found(SPIRAL).to("sbml"), "law.xml")
    assert model.states == ("x", "y")


def test_the_model_tells_how_far_each_law_can_be_trusted():
    text = found(SPIRAL, poor=["y"]).to("sbml")
    assert "# dx/dt: identified: agrees" in text
    (rule,) = [line for line in text.splitlines() if line.startswith('<rateRule variable="y"')]
    assert "approximate: close inside the ranges" in rule


def test_names_and_titles_smuggle_nothing_in():
    values = dict.fromkeys(("end", "model_", "x", "np", "sp", "gr__e", "two_words", "v1st"), 1.0)
    assert rates(hostile().to("sbml"), **{"lambda": 1.0, "double": 2.0}, **values) == [11.0, 2.5]
    assert "<evil>" not in found({"y": "y"}, target="<evil>").to("sbml")
