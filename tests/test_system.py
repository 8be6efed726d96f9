import copy
import dataclasses
import pickle
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context

import numpy as np
import pytest

from odevsr.errors import SystemFileError, UsageError
from odevsr.language.expression import CONSTANT, Apply, Number, Op, Variable
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.world.systems.file import parse_system
from odevsr.world.systems.system import Simulation, StateVariable, System
from odevsr.world.systems.text import system_text
from tests.system_texts import DECAY, changed

X = StateVariable("x", 0.0, 1.0, 0.5)


@pytest.fixture
def decay():
    return parse_system(DECAY, "decay.toml")


def made(**changes):
    fields = {
        "name": "made",
        "title": "Made in Python",
        "source": "",
        "variables": (X,),
        "parameters": {"k": 2},
        "equations": (parse("-k*x", ["x", "k"]),),
    }
    return System(**fields | changes)


def test_names_box_and_start_are_in_the_order_of_the_file(decay):
    assert decay.names == ("amount", "heat")
    np.testing.assert_array_equal(decay.box.limits, [[0, 10], [-1, 1]])
    np.testing.assert_array_equal(decay.start, [5, 0.5])


def test_a_system_cannot_be_changed(decay):
    with pytest.raises(dataclasses.FrozenInstanceError):
        decay.name = "other"
    with pytest.raises(TypeError):
        decay.parameters["rate"] = 2
    for array in (decay.box.limits, decay.start):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_closed_equations_hold_the_parameters_exactly(decay):
    assert [to_text(equation) for equation in decay.closed_equations()] == [
        "-1/3*amount",
        "0.1*amount - heat",
    ]


def test_parameters_are_overridden_exactly_by_number_or_text(decay):
    changed_system = decay.with_parameters({"rate": "2/7", "gain": 3})
    assert dict(changed_system.parameters) == {"rate": Fraction(2, 7), "gain": 3}
    assert dict(decay.parameters) == {"rate": Fraction(1, 3), "gain": Fraction(1, 10)}


def test_overridden_parameters_show_in_digest_and_text(decay):
    changed_system = decay.with_parameters({"rate": "1/7"})
    assert changed_system.digest != decay.digest
    again = parse_system(changed_system.text, "decay.toml")
    assert again == changed_system
    assert decay.with_parameters({}) is decay


def test_overriding_by_the_same_values_keeps_the_digest(decay):
    assert decay.with_parameters({"rate": Fraction(2, 6)}).digest == decay.digest


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        ({"rat": 1}, "decay has no parameter 'rat'; did you mean rate?"),
        ({"zzz": 1}, "decay has no parameter 'zzz'; known: rate, gain"),
        ({"rate": "fast"}, "parameter rate: 'fast' is not a number"),
        ({"rate": float("nan")}, "parameter rate: 'nan' holds a number that is not finite"),
    ],
)
def test_wrong_overrides_are_refused(decay, overrides, sentence):
    with pytest.raises(UsageError) as refusal:
        decay.with_parameters(overrides)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"decay"', '"decoy"'),
        ("[0, 10]", "[0, 11]"),
        ("start = 0.5", "start = 0.6"),
        ('"1/3"', '"1/4"'),
        ("-rate*amount", "-2*rate*amount"),
    ],
)
def test_the_digest_changes_with_what_moves_the_system(decay, old, new):
    assert parse_system(changed(old, new), "decay.toml").digest != decay.digest


@pytest.mark.parametrize("said", ['scale = "even"', "domain = [-1, inf]", 'scale = "linear"'])
def test_the_digest_changes_with_a_scale_or_domain_that_is_said(decay, said):
    system = parse_system(changed("heat = {", f"heat = {{ {said},"), "decay.toml")
    assert system.digest != decay.digest
    assert parse_system(system_text(system), "decay.toml") == system


def test_the_digest_is_the_one_it_was_before_there_were_scales(decay):
    assert decay.digest.startswith("dfe8f01875188999")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Radioactive", "Plain"),
        ("nuclei left", "nuclei that are left"),
        ("[state]", "# a comment\n[state]"),
        ("-rate*amount", "- rate * amount"),
        ("step = 0.5", "step = 0.25"),
    ],
)
def test_the_digest_does_not_change_with_prose_and_spacing(decay, old, new):
    assert parse_system(changed(old, new), "decay.toml").digest == decay.digest


def test_systems_can_be_copied_hashed_and_sent_to_other_processes(decay):
    assert copy.deepcopy(decay) == decay
    assert pickle.loads(pickle.dumps(decay)) == decay
    assert len({decay, copy.copy(decay)}) == 1
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(System.closed_equations, decay).result() == decay.closed_equations()


def test_a_system_made_in_python_has_a_text():
    system = made()
    assert "[equations]\nx = " in system.text
    assert parse_system(system.text, "made.toml") == system


def test_floats_given_as_parameters_are_taken_as_they_are_written():
    assert dict(made(parameters={"k": np.float64(0.1)}).parameters) == {"k": Fraction(1, 10)}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "a/b"}, "may hold only letters"),
        ({"variables": (), "equations": ()}, "there is no state variable"),
        ({"variables": (X, X), "equations": (Number(0),) * 2}, "x is declared twice"),
        ({"parameters": {"k": 2, "x": 1}}, "x is declared twice"),
        ({"parameters": {"k": "two"}}, "parameter k: 'two' is not a number"),
        ({"equations": ()}, "1 state variables have 0 equations"),
        ({"equations": (Variable("y"),)}, "unknown symbol y in the equation of x"),
        ({"equations": (CONSTANT,)}, "open constant"),
        ({"equations": (Apply(Op.POW, (Number(9), Number(999))),)}, "cannot be written"),
        ({"variables": (StateVariable("x", 1.0, 0.0, 0.5),)}, "must be the smaller"),
        ({"variables": (StateVariable("x", 0.0, 1.0, float("nan")),)}, "not finite"),
        ({"simulation": Simulation(step=0.0)}, "step is 0"),
        ({"operators": ("+", "neg")}, "unknown operator 'neg'"),
        ({"title": "bell \a"}, "control character"),
    ],
)
def test_a_system_made_in_python_passes_the_same_checks(changes, sentence):
    with pytest.raises(SystemFileError, match=sentence):
        made(**changes)
