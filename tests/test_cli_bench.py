import json

import pytest

from odevsr.bench.catalogue import bench_names
from odevsr.bench.result import BenchResult, at_least
from odevsr.cli import run


def test_the_help_names_every_bench(capsys):
    assert run(["bench", "--help"]) == 0
    shown = "".join(capsys.readouterr().out.split())
    assert all(name in shown for name in bench_names())


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
