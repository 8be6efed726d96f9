import pytest

from odevsr import Range
from odevsr.cli.chosen import listed, overrides, ranges
from odevsr.errors import UsageError
from tests.command import odevsr_here


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["show", "lorentz"], 2, "there is no system 'lorentz'; did you mean lorenz?"),
        (["show", "nowhere.toml"], 2, "nowhere.toml: there is no such file"),
        (["show", "lorenz", "--param", "sigma"], 2, "'sigma' is not NAME=VALUE"),
        (["show", "lorenz", "--param", "sigm=1"], 2, "no parameter 'sigm'; did you mean sigma?"),
        (["show", "lorenz", "--param", "rho=x"], 2, "parameter rho: 'x' is not a number; write 10"),
        (["systems", "--systems", "nowhere"], 2, "nowhere: there is no such folder"),
    ],
)
def test_wrong_usage_is_one_sentence_on_stderr(arguments, code, sentence):
    run = odevsr_here(*arguments)
    assert (run.returncode, run.stdout) == (code, "")
    assert run.stderr.startswith("odevsr: error: ")
    assert sentence in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["sigma", "sigma:10"])
def test_a_parameter_without_a_value_is_refused(text):
    with pytest.raises(UsageError, match="is not NAME=VALUE"):
        overrides([text])


def test_a_parameter_given_twice_is_refused():
    with pytest.raises(UsageError, match="--param sigma is given twice"):
        overrides(["sigma=1", "sigma = 2"])


def test_ranges_on_the_command_line_are_read_or_refused():
    found = ranges("--vary", ["a=1,2", "b=-1,1e3", "c=1,9, log"])
    assert found == {"a": Range(1, 2), "b": Range(-1, 1000), "c": Range(1, 9, "log")}
    for wrong in ("a=1", "a", "a=1,2,log,3", "a=x,y", "a=log"):
        with pytest.raises(UsageError, match=r"--range .* is not NAME=LOW,HIGH"):
            ranges("--range", [wrong])
    for wrong, why in (
        ("a=1,2,lg", "did you mean log"),
        ("a=0,2,log", "above 0"),
        ("a=2,1", "low"),
    ):
        with pytest.raises(UsageError, match=why):
            ranges("--range", [wrong])
    with pytest.raises(UsageError, match="twice"):
        ranges("--range", ["a=1,2", "a=1,2"])


def test_a_list_on_the_command_line_is_read_or_refused():
    assert listed("--components", None) is None
    assert listed("--components", "x0, x2") == ["x0", "x2"]
    for wrong in ("", ",", "x0,"):
        with pytest.raises(UsageError, match="lacks a name"):
            listed("--components", wrong)
