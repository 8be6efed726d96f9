import inspect
import json
from importlib import import_module

import pytest

from odevsr.bench.catalogue import BENCHES
from odevsr.bench.result import BenchResult, at_least
from odevsr.cli import run
from odevsr.cli.bench import OPTIONS


def test_the_help_names_every_bench(capsys):
    assert run(["bench", "--help"]) == 0
    shown = "".join(capsys.readouterr().out.split())
    assert all(name in shown for name in BENCHES)


def function_of(bench):
    module, name = bench.function.split(":")
    return getattr(import_module(f"odevsr.bench.{module}"), name)


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_shows_the_options_that_its_function_takes_and_no_other(name, capsys):
    bench = BENCHES[name]
    known = inspect.signature(function_of(bench)).parameters
    assert not bench.needs or known["folder"].default is inspect.Parameter.empty
    for option, default in bench.options.items():
        assert default is None or known[option].default == default
    assert run(["bench", name, "--help"]) == 0
    shown = capsys.readouterr().out
    options = {*OPTIONS} - {"folder"}
    assert {each for each in options if f" --{each} " in shown} == {*bench.options} - {"folder"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["launch"], "no such command 'launch'; did you mean 'launches'?"),
        (["systems"], "odevsr bench systems needs DIR; "),
        (["launches", "--jobs", "2"], "odevsr bench launches has no option --jobs; "),
    ],
)
def test_an_unknown_bench_and_options_of_other_benches_are_refused(words, sentence, capsys):
    assert run(["bench", *words]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(("target", "code"), [(1, 0), (3, 1)])
def test_the_command_prints_the_figures_and_its_exit_code_says_whether_they_hold(
    monkeypatch, capsys, target, code
):
    result = BenchResult("launches", (at_least("ratio", 2.0, target),), ({"method": "m"},))
    monkeypatch.setattr("odevsr.bench.engine.launches.bench_launches", lambda: result)
    assert run(["bench", "launches"]) == code
    assert f"at least {target}" in capsys.readouterr().out
    assert run(["bench", "launches", "--json"]) == code
    assert json.loads(capsys.readouterr().out) == result.to_json()
