import pytest
from sbml_texts import mathml, model

from odevsr.language.text import to_text
from odevsr.world.simulators.sbml.file import parse_model
from odevsr.world.simulators.sbml.kinetics import kinetics

VALUES = {"cell": 2.0, "Vm": 1.5, "E": 3.0}
PIECES = "<piecewise><otherwise><ci>S</ci></otherwise></piecewise>"


def laws(text, values=VALUES):
    found = kinetics(parse_model(text, "small.xml"), values)
    return {name: to_text(law) for name, law in found.equations.items()}, found.lacking


def test_rates_are_stoichiometry_times_laws_over_the_volume():
    equations, lacking = laws(model())
    assert equations["S"] == "-0.125*E*S"
    assert equations["P"].startswith("0.125*E*S - 0.5*")
    assert not lacking


def test_amounts_are_not_divided_by_the_volume():
    equations, _ = laws(model().replace('id="S"', 'id="S" hasOnlySubstanceUnits="true"'))
    assert equations["S"] == "-0.25*E*S"


def test_stoichiometry_counts():
    text = model().replace('species="S"/>', 'species="S" stoichiometry="2"/>')
    assert laws(text)[0]["S"] == "-0.25*E*S"


def test_what_rules_assign_is_put_in():
    rule = f'<assignmentRule variable="level">{mathml("<ci>Vm</ci>")}</assignmentRule>'
    first = "<apply><times/><ci>level</ci><ci>S</ci></apply>"
    assert laws(model(rules=rule, first=first))[0]["S"] == "-0.5*Vm*S"


def test_rules_in_a_circle_are_told():
    rule = f'<assignmentRule variable="level">{mathml("<ci>level</ci>")}</assignmentRule>'
    text = model(rules=rule.replace("<ci>level", "<cn>1</cn><ci>level"), first="<ci>level</ci>")
    assert laws(text)[1]["S"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (model(first=PIECES), "piecewise"),
        (model(first="<ci>unknown</ci>"), "unknown has no value"),
        (model().replace('id="S"', 'id="S" conversionFactor="Vm"'), "conversion factor"),
    ],
)
def test_a_rate_that_cannot_be_written_says_why_and_leaves_the_others(text, word):
    equations, lacking = laws(text)
    assert word in lacking["S"]
    assert "S" not in equations


def test_a_compartment_without_size_is_told():
    assert "no size" in laws(model(), {"Vm": 1.5, "E": 3.0})[1]["S"]


def test_a_parameter_whose_name_our_language_lacks_becomes_its_number():
    text = model().replace("Vm", "lambda")
    assert "lambda" not in laws(text, {"cell": 2.0, "lambda": 1.5, "E": 3.0})[0]["P"]
