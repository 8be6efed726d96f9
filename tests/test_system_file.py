import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odevsr import Range
from odevsr.errors import SystemFileError, UnknownSystemError
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.world.systems.file import LARGEST_FILE, parse_system, read_system
from odevsr.world.systems.system import Simulation, StateVariable
from tests.strategies import systems
from tests.system_texts import DECAY, changed, written

BUILT_IN = Path(__file__).parents[1] / "systems"

# What is changed in the small file, the line that is to blame, and what is said about it.
REFUSALS = {
    "no TOML": ("[state]", "[state", 6, "not valid TOML"),
    "text without quotes": ('"decay"', "decay", 2, "text needs quotes"),
    "state declared twice": ("heat = {", "amount = {", 8, "declared twice"),
    "parameter declared twice": ("gain = 0.1", "rate = 0.1", 12, "declared twice"),
    "section declared twice": ("[simulation]", "[parameters]", 18, "declared twice"),
    "equation declared twice": ('heat = "gain', 'amount = "gain', 16, "declared twice"),
    "state named as a parameter": ("gain = 0.1", "heat = 0.1", 12, "heat is declared twice"),
    "state named as a function": ("heat = {", "sin = {", 8, "sin is the name of a function"),
    "parameter named as a function": ("gain = 0.1", "exp = 0.1", 12, "exp is the name of a func"),
    "state with a Python word": ("heat = {", "lambda = {", 8, "lambda is a word of Python"),
    "state named t": ("heat = {", "t = {", 8, "t is kept for time"),
    "parameter named time": ("gain = 0.1", "time = 0.1", 12, "time is kept for time"),
    "state that is no name": ("heat = {", '"he at" = {', 8, "'he at' is not a name"),
    "dunder parameter": ("gain = 0.1", "__class__ = 0.1", 12, "'__class__' is not a name"),
    "unknown section": ("[simulation]", "[simulatoin]", 18, "unknown key 'simulatoin'; did you "),
    "unknown key": ("title =", "titel =", 3, "unknown key 'titel'; did you mean title?"),
    "unknown key of a state": ("meaning =", "meanin =", 7, "did you mean meaning?"),
    "unknown key of simulation": ("duration =", "durations =", 20, "did you mean duration?"),
    "unknown symbol": ("-rate*amount", "-rat*amount", 15, "unknown symbol 'rat'; did you mean ra"),
    "unknown function": ("-rate*amount", "sine(amount)", 15, "'sine' is not a function"),
    "code in an equation": ("-rate*amount", "__import__('os')", 15, "cannot be read"),
    "state without an equation": ('heat = "gain*amount - heat"', "", 8, "heat has no equation"),
    "equation without a state": ("heat = {", "cold = {", 16, "heat has an equation but is not"),
    "low equal to high": ("[-1, 1]", "[1, 1]", 8, "heat has range [1, 1]; the first number must"),
    "low above high": ("[-1, 1]", "[2, 1]", 8, "heat has range [2, 1]; the first number must"),
    "start below range": ("start = 0.5", "start = -2", 8, "heat starts at -2, outside its range"),
    "start above range": ("start = 5.0", "start = 50", 7, "amount starts at 50, outside its range"),
    "range of three": ("[-1, 1]", "[-1, 0, 1]", 8, "range of heat must be two numbers"),
    "range that is no list": ("[-1, 1]", "1", 8, "'range' must be a list"),
    "range of text": ("[-1, 1]", '["low", 1]', 8, "'low' is not a number; write"),
    "range without end": ("[-1, 1]", "[-1, inf]", 8, "not finite"),
    "range missing": ("range = [-1, 1], ", "", 8, "'range' of heat is missing; add range ="),
    "log scale over nought": (
        "5.0,",
        '5.0, scale = "log",',
        7,
        "amount has a log scale over [0, 10]",
    ),
    "log scale over negatives": ("0.5 }", '0.5, scale = "log" }', 8, "let the range begin above 0"),
    "unknown scale": ("0.5 }", '0.5, scale = "logg" }', 8, "scale 'logg'; did you mean log?"),
    "scale that is a number": ("0.5 }", "0.5, scale = 2 }", 8, "'scale' must be text in quotes"),
    "domain beside the range": ("0.5 }", "0.5, domain = [0, inf] }", 8, "does not hold its range"),
    "domain of one": ("0.5 }", "0.5, domain = [-9] }", 8, "domain of heat must be two numbers"),
    "domain that is no list": ("0.5 }", "0.5, domain = 1 }", 8, "'domain' must be a list"),
    "domain of text": ("0.5 }", '0.5, domain = ["a", 9] }', 8, "'a' is not a number"),
    "domain that is no number": ("0.5 }", "0.5, domain = [nan, 9] }", 8, "not finite"),
    "start that is true": ("start = 0.5", "start = true", 8, "True is not a number"),
    "state that is a number": ("{ range = [-1, 1], start = 0.5 }", "3", 8, "heat must be a table"),
    "meaning that is a number": ('"nuclei left"', "3", 7, "'meaning' must be text in quotes"),
    "meaning that steers terminals": ("nuclei left", "\\u001b[2J", 7, "control character"),
    "parameter that is a list": ("gain = 0.1", "gain = [1]", 12, "[1] is not a number"),
    "parameter that divides by zero": ('"1/3"', '"1/0"', 11, "'1/0' is not a number"),
    "parameter that is code": ('"1/3"', '"open(1)"', 11, "'open(1)' is not a number"),
    "parameter that is not finite": ("gain = 0.1", "gain = nan", 12, "not finite"),
    "equation that is a number": ('"-rate*amount"', "3", 15, "'amount' must be text in quotes"),
    "empty equation": ("-rate*amount", "", 15, "the text is empty"),
    "step of zero": ("step = 0.5", "step = 0", 19, "step is 0; write a number above 0"),
    "negative duration": ("duration = 20", "duration = -1", 20, "duration is -1"),
    "step above duration": ("step = 0.5", "step = 50", 19, "longer than duration"),
    "name that is a number": ('name = "decay"', "name = 3", 2, "'name' must be text in quotes"),
    "name with a slash": ('"decay"', '"../decay"', 2, "may hold only letters"),
    "name missing": ('name = "decay"\n', "", 1, "'name' is missing; add name ="),
    "format of the future": ("format = 1", "format = 2", 1, "format is 2; this odevsr reads form"),
    "format that is text": ("format = 1", 'format = "1"', 1, "'format' must be a whole number"),
    "format that is true": ("format = 1", "format = true", 1, "'format' must be a whole number"),
    "format missing": ("format = 1\n", "", 1, "'format' is missing; add format = 1"),
    "no state": ("[state]", "[elsewhere]", 6, "unknown key 'elsewhere'"),
    "search that is a number": (
        "format = 1",
        "format = 1\nsearch = 1",
        2,
        "'search' must be a table",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals_name_file_line_and_what_is_wrong(case, tmp_path):
    old, new, line, sentence = REFUSALS[case]
    path = written(tmp_path, "decay", changed(old, new))
    with pytest.raises(SystemFileError) as refusal:
        read_system(path)
    told = str(refusal.value).splitlines()
    assert any(each.startswith(f"{path}:{line}: ") and sentence in each for each in told)


def test_all_mistakes_of_a_file_are_told_at_once_in_the_order_of_its_lines():
    text = DECAY
    for case in ("unknown key", "start below range", "parameter that divides by zero",
                 "unknown symbol", "step of zero", "name with a slash"):  # fmt: skip
        old, new, *_ = REFUSALS[case]
        text = text.replace(old, new)
    with pytest.raises(SystemFileError) as refusal:
        parse_system(text + '[search]\noperators = ["wave"]\n', "f")
    told = [each.split(" ")[0] for each in str(refusal.value).splitlines()]
    assert told == ["f:2:", "f:3:", "f:8:", "f:11:", "f:15:", "f:19:", "f:22:"]


def test_a_system_made_in_python_is_told_all_its_mistakes():
    system = parse_system(DECAY, "f")
    with pytest.raises(SystemFileError) as refusal:
        replace(system, name="a/b", simulation=Simulation(step=-1.0), operators=("wave",))
    assert len(str(refusal.value).splitlines()) == 3


@pytest.mark.parametrize(
    ("operators", "sentence"),
    [
        ('["+", "sine"]', "unknown operator 'sine'; did you mean sin?"),
        ('["+", "power"]', "known: +, -, *, /, ^, sin"),
        ("[]", "operators must be a list"),
        ("[1]", "operators must be a list"),
        ('"+"', "'operators' must be a list"),
    ],
)
def test_operators_must_be_those_of_the_language(operators, sentence):
    text = f"{DECAY}\n[search]\noperators = {operators}\n"
    with pytest.raises(SystemFileError) as refusal:
        parse_system(text, "decay.toml")
    assert str(refusal.value).startswith("decay.toml:23: ")
    assert sentence in str(refusal.value)


def test_the_whole_file_is_read():
    system = parse_system(DECAY, "decay.toml")
    symbols = ["amount", "heat", "rate", "gain"]
    assert (system.name, system.title) == ("decay", "Radioactive decay")
    assert system.source == "Rutherford, E. (1900)."
    assert system.variables == (
        StateVariable("amount", 0.0, 10.0, 5.0, "nuclei left"),
        StateVariable("heat", -1.0, 1.0, 0.5),
    )
    assert dict(system.parameters) == {"rate": Fraction(1, 3), "gain": Fraction(1, 10)}
    expected = (parse("-rate*amount", symbols), parse("gain*amount - heat", symbols))
    assert system.equations == expected
    assert system.simulation == Simulation(step=0.5, duration=20.0)
    assert system.operators is None
    assert system.text == DECAY


def test_scale_and_domain_are_read_of_states_and_inputs():
    text = changed("heat = {", 'heat = { scale = "even", domain = [-inf, 5],')
    text += '\n[inputs]\nu = { range = [1, 1000], scale = "log", domain = [0, inf] }\n'
    amount, heat, u = parse_system(text, "decay.toml").variables
    assert (amount.scale, amount.domain) == ("", None)
    assert (heat.scale, heat.domain) == ("even", (-math.inf, 5.0))
    assert u.range == Range(1.0, 1000.0, "log", (0.0, math.inf))


def test_what_is_wrong_with_an_input_is_told_with_its_line():
    text = f'{DECAY}\n[inputs]\n\nu = {{ range = [0, 9], scale = "log" }}\n'
    with pytest.raises(SystemFileError, match=r"decay\.toml:24: u has a log scale over \[0, 9\]"):
        parse_system(text, "decay.toml")


def test_optional_parts_may_be_left_out():
    text = """
format = 1
name = "growth"
[state]
x = { range = [0, 1], start = 0 }
[equations]
x = "x*(1 - x)"
"""
    system = parse_system(text, "growth.toml")
    assert (system.title, system.source, dict(system.parameters)) == ("growth", "", {})
    assert system.simulation == Simulation()


def test_a_start_that_is_left_out_is_the_middle_of_the_range():
    system = parse_system(changed(", start = 0.5", "").replace("[-1, 1]", "[-1, 2]"), "decay.toml")
    assert system.start.tolist() == [5.0, 0.5]


def test_pi_is_a_number_in_equations_and_parameters():
    text = changed('"1/3"', '"2*pi/3"').replace("-rate*amount", "-rate*sin(pi*amount)")
    system = parse_system(text, "decay.toml")
    assert float(system.parameters["rate"]) == 2 * math.pi / 3
    rate = compile_field(system.closed_equations(), system.names)(np.array([0.25, 0.0]))[0]
    assert rate == pytest.approx(-2 * math.pi / 3 * math.sin(math.pi / 4))
    assert parse_system(system.text, "decay.toml") == system


def test_a_parameter_may_be_called_pi():
    text = changed("gain = 0.1", "pi = 3").replace("gain*", "pi*")
    system = parse_system(text, "decay.toml")
    assert system.parameters["pi"] == 3
    assert to_text(system.closed_equations()[1]) == "3*amount - heat"


@pytest.mark.parametrize("name", ["A", "C"])
def test_variables_may_be_called_as_open_symbols_are_written(name):
    system = parse_system(DECAY.replace("heat", name), "decay.toml")
    assert to_text(system.equations[1]) == f"gain*amount - {name}"


def test_the_hat_is_another_way_to_write_a_power():
    system = parse_system(DECAY + '\n[search]\noperators = ["+", "^"]\n', "decay.toml")
    assert system.operators == ("+", "**")


def test_equations_may_stand_in_any_order_and_on_several_lines():
    text = changed('amount = "-rate*amount"\n', "").replace(
        "[simulation]", 'amount = """\n    -rate\n    *amount"""\n[simulation]'
    )
    assert parse_system(text, "decay.toml") == parse_system(DECAY, "decay.toml")


def test_a_file_called_otherwise_than_its_system_is_refused(tmp_path):
    path = written(tmp_path, "rot", DECAY)
    with pytest.raises(SystemFileError) as refusal:
        read_system(path)
    expected = f"{path}:2: name 'decay' differs from the file's name; rename the file to decay.toml"
    assert str(refusal.value).startswith(expected)


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(tmp_path):
    path = tmp_path / "decay.toml"
    path.write_bytes(b"\xef\xbb\xbf" + DECAY.replace("\n", "\r\n").encode())
    assert read_system(path) == parse_system(DECAY, "decay.toml")


def test_text_that_is_not_utf8_is_refused_with_its_line(tmp_path):
    path = tmp_path / "decay.toml"
    path.write_bytes(changed("Radioactive", "R\xe4dioactive").encode("latin-1"))
    with pytest.raises(SystemFileError, match=r"decay\.toml:3: the text is not UTF-8"):
        read_system(path)


def test_a_large_file_is_refused(tmp_path):
    path = written(tmp_path, "decay", DECAY + "#" * LARGEST_FILE)
    with pytest.raises(SystemFileError, match=r"decay\.toml:1: the file is larger than 1,000,000"):
        read_system(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UnknownSystemError, match=r"nowhere\.toml: there is no such file"):
        read_system(tmp_path / "nowhere.toml")


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(UnknownSystemError, match="there is no such file"):
        read_system(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 50_000,
        "x = " + "9" * 50_000,
        "a." * 50_000 + "a = 1",
        "[" + "a." * 50_000 + "a]",
        "x = {" + "a." * 50_000 + "a = 1}",
        '"a" . ' * 50_000 + "a = 1",
        "x = " + "{a=" * 20_000,
        "\x00",
    ],
    ids=[
        "lists",
        "digits",
        "dotted key",
        "dotted section",
        "dotted key inside",
        "quoted dotted key",
        "tables",
        "null",
    ],
)
def test_hostile_toml_is_refused(text):
    with pytest.raises(SystemFileError, match=r"^hostile\.toml:1: "):
        parse_system(text, "hostile.toml")


@given(st.text(max_size=200))
def test_any_text_is_refused_with_a_line(text):
    with pytest.raises(SystemFileError, match=r"^any\.toml:\d+: "):
        parse_system(text, "any.toml")


@settings(max_examples=50)
@given(systems())
def test_a_system_made_in_python_is_the_same_read_from_its_own_text(system):
    again = parse_system(system.text, "made.toml")
    assert again == system
    assert again.digest == system.digest


@pytest.mark.parametrize("path", sorted(BUILT_IN.glob("*.toml")), ids=lambda path: path.stem)
def test_built_in_files_cite_their_source_and_explain_every_variable(path):
    system = read_system(path)
    assert system.title
    assert system.source
    assert all(variable.meaning for variable in system.variables)
