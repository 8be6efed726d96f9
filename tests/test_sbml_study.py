import json
import math
import pickle
import sys

import numpy as np
import pytest
from sbml_texts import mathml, model

from odevsr.cli import run
from odevsr.discovery.discover import discover
from odevsr.errors import MissingExtraError, SystemFileError, UsageError
from odevsr.language.text import to_text
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.simulators.launch import make_launcher
from odevsr.world.simulators.sbml.study import open_model, sbml_system
from odevsr.world.studied import study

TIME = '<csymbol definitionURL="http://www.sbml.org/sbml/symbols/time">t</csymbol>'
DRIVEN = f"<apply><times/><ci>S</ci><apply><sin/>{TIME}</apply></apply>"
PIECES = "<piecewise><otherwise><ci>S</ci></otherwise></piecewise>"


def written(tmp_path, text):
    path = tmp_path / "small.xml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def small(tmp_path):
    pytest.importorskip("roadrunner", reason="models in SBML are run by libroadrunner")
    return written(tmp_path, model())


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "roadrunner", None)
    with pytest.raises(MissingExtraError, match=r"odevsr\[sbml\]"):
        study(written(tmp_path, model()))


def test_broken_files_are_refused_before_roadrunner_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "roadrunner", None)
    with pytest.raises(SystemFileError, match="not valid XML"):
        study(written(tmp_path, "<sbml>"))


def test_launches_go_where_the_files_own_kinetics_lead(small):
    opened = open_model(small, vary={"E": (1, 4), "Vm": (1, 2)})
    truth = opened.truth()
    rng = np.random.default_rng(0)
    states = rng.uniform(truth.box.low, truth.box.high, (20, 4))
    for step in (0.1, -0.1):
        ends = opened.launcher()(states, step)
        np.testing.assert_allclose(ends, make_launcher(truth)(states, step), rtol=1e-11)


def test_a_species_that_a_rule_assigns_is_derived(small, tmp_path):
    twice = "<apply><times/><cn>2</cn><ci>P</ci></apply>"
    rule = f'<assignmentRule variable="E">{mathml(twice)}</assignmentRule>'
    opened = open_model(written(tmp_path, model(rules=rule)))
    truth = opened.truth()
    assert to_text(truth.equations[0]) == "-0.25*P*S"
    states = np.array([[1.0, 0.7], [2.0, 0.1]])
    ends = opened.launcher()(states, 0.1)
    np.testing.assert_allclose(ends, make_launcher(truth)(states, 0.1), rtol=1e-11)


@pytest.mark.parametrize("units", ["", ' hasOnlySubstanceUnits="true"'])
@pytest.mark.parametrize("boundary", ["true", "false"])
def test_a_species_whose_rate_a_rule_gives_is_a_state(small, tmp_path, units, boundary):
    rule = f'<rateRule variable="E">{mathml("<ci>P</ci>")}</rateRule>'
    text = model(rules=rule).replace('id="E"', f'id="E"{units}')
    text = text.replace('boundaryCondition="true"', f'boundaryCondition="{boundary}"')
    opened = open_model(written(tmp_path, text))
    assert opened.names == ("S", "P", "E")
    truth = opened.truth()
    states = np.array([[1.0, 0.7, 2.0], [2.0, 0.1, 1.0]])
    ends = opened.launcher()(states, 0.1)
    np.testing.assert_allclose(ends, make_launcher(truth)(states, 0.1), rtol=1e-11)


def test_amounts_and_parameters_with_rates_are_states_too(small, tmp_path):
    rule = f'<rateRule variable="level">{mathml("<ci>P</ci>")}</rateRule>'
    text = model(rules=rule).replace('id="P"', 'id="P" hasOnlySubstanceUnits="true"')
    opened = open_model(written(tmp_path, text))
    states = np.array([[1.0, 0.7, -0.3], [0.4, 2.0, 1.1]])
    ends = opened.launcher()(states, 0.2)
    np.testing.assert_allclose(ends, make_launcher(opened.truth())(states, 0.2), rtol=1e-11)


def test_time_in_the_rates_is_an_input(small, tmp_path):
    opened = open_model(written(tmp_path, model(first=DRIVEN)))
    assert opened.inputs == ("t",)
    states = np.array([[1.0, 0.7, 0.3], [0.4, 0.2, 1.1]])
    ends = opened.launcher()(states, 0.2)
    np.testing.assert_allclose(ends, make_launcher(opened.truth())(states, 0.2), rtol=1e-11)


def test_ranges_hold_a_free_run_and_nothing_below_nought(small):
    first, second = open_model(small).variables
    assert (first.low, first.high) == (0.0, pytest.approx(3.0, rel=1e-3))
    assert first.domain == second.domain == (0.0, math.inf)
    assert second.low < 0.5 < second.high


def test_a_model_at_rest_has_ranges_with_a_width(small, tmp_path):
    text = (
        model(first="<cn>0</cn>").replace('"0.5"', '"0"').replace('"2"/><species', '"0"/><species')
    )
    for each in open_model(written(tmp_path, text)).variables:
        assert each.low < each.high


def test_the_door_can_be_sent_to_another_process(small):
    studied = study(small)
    again = pickle.loads(pickle.dumps(studied))
    states = np.array([[1.0, 0.7]])
    np.testing.assert_array_equal(
        again.make_launch()(states, 0.1), studied.make_launch()(states, 0.1)
    )
    assert again.digest == studied.digest


@pytest.mark.parametrize("option", ["params", "vary"])
def test_an_unknown_name_is_refused_with_the_nearest(small, option):
    with pytest.raises(UsageError, match="no parameter 'levl'; did you mean level"):
        study(small, **{option: {"levl": (1, 2) if option == "vary" else 1}})


def test_a_range_of_what_is_no_variable_is_refused(small):
    with pytest.raises(UsageError, match="no variable 'Q'"):
        study(small, ranges={"Q": (0, 1)})


def test_other_parameters_and_ranges_count(small):
    studied = study(small, params={"Vm": "1/2"}, ranges={"S": (1, 2)})
    assert studied.box.low[0] == 1
    assert studied.digest != study(small).digest
    plain, changed = study(small).make_launch(), studied.make_launch()
    states = np.array([[1.0, 0.7]])
    assert changed(states, 0.1)[0, 1] > plain(states, 0.1)[0, 1]


def test_a_model_is_discovered_from_launches(small):
    found = discover(str(small))
    truth = sbml_system(small)
    for equation, law in zip(found.equations, truth.closed_equations(), strict=True):
        assert is_equivalent(equation.expression, law, truth.names, truth.box)
        assert equation.status.value == "identified"


def test_the_command_line_varies_a_boundary_species_and_knows_the_truth(small, capsys):
    options = ["--vary", "E=1,4", "--components", "S", "--json"]
    assert run(["discover", str(small), *options]) == 0
    (equation,) = json.loads(capsys.readouterr().out)["equations"]
    assert equation["exact"] is True
    assert equation["expression"] == "-0.125*E*S"


def test_show_prints_what_the_file_says(small, capsys):
    assert run(["show", str(small)]) == 0
    page = capsys.readouterr().out
    assert "A small model" in page
    assert "-0.125*E*S" in page


def test_show_says_what_cannot_be_written(small, tmp_path, capsys):
    assert run(["show", str(written(tmp_path, model(first=PIECES)))]) == 3
    assert "piecewise is not in odevsr's language" in capsys.readouterr().err


def test_who_cannot_write_the_rates_has_no_truth_but_the_others_laws(small, tmp_path):
    opened = open_model(written(tmp_path, model(first=PIECES)))
    assert opened.truth() is None
    assert "S" in opened.kinetics.lacking
    assert all(to_text(law) for law in opened.closed_equations().values())


def test_what_rests_at_nought_gets_the_size_it_has_once_stirred(small, tmp_path):
    text = model().replace(
        '"E" compartment="cell" initialConcentration="3"', '"E" compartment="cell"'
    )
    text = text.replace(
        '"P" compartment="cell" initialConcentration="0.5"', '"P" compartment="cell"'
    )
    substrate, product = open_model(written(tmp_path, text)).variables
    assert substrate.low < 2 < substrate.high
    assert product.low == 0
    assert product.high >= 2


def test_a_run_is_resumed_and_judged_by_what_the_file_says(small, tmp_path, capsys):
    folder, asked = str(tmp_path / "run"), ["discover", str(small), "--components", "S", "--json"]
    assert run([*asked, "--out", folder]) == 0
    first = json.loads(capsys.readouterr().out)
    assert run([*asked, "--out", folder, "--resume"]) == 0
    assert json.loads(capsys.readouterr().out)["equations"] == first["equations"]
    assert run([*asked, "--out", folder, "--resume", "--param", "Vm=2"]) == 3
    capsys.readouterr()
    assert run(["validate", folder, "--json"]) == 0
    judged = capsys.readouterr().out
    assert '"-0.125*3*S"' in judged
    assert f"odevsr simulate {small} -n" in judged
