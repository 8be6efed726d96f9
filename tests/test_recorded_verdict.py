"""Laws from recordings beside SINDy's."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import odevsr
from odevsr.cli import run
from odevsr.discovery.files import write_json
from odevsr.errors import RunError, UsageError
from odevsr.evidence.law import FittedNumber
from odevsr.language.algebra.term import terms
from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.verdict.recordings.sindy import sindy_laws, smoothed
from tests.exports import found
from tests.recorded import laws_given

NAMES = ("x", "y")
LAW = parse("1.1*x - 0.4*x*y", NAMES), parse("0.1*x*y - 0.4*y", NAMES)


def motion(start, samples=150):
    times = np.linspace(0, 12, samples)

    def rate(_, state):
        x, y = state
        return [1.1 * x - 0.4 * x * y, 0.1 * x * y - 0.4 * y]

    return times, solve_ivp(rate, (0, 12), start, t_eval=times, rtol=1e-10).y.T


def runs():
    (times, first), (_, second) = motion([10, 5]), motion([5, 2])
    return odevsr.recording(times, [first, second], names=NAMES)


@pytest.mark.parametrize("weak", [False, True])
def test_sindy_finds_a_polynomial_law_in_clean_recordings(weak):
    recordings = runs()
    laws = sindy_laws(recordings, list(map(smoothed, recordings.runs)), LAW, weak=weak)
    points = np.random.default_rng(0).uniform(1, 8, (50, 2))
    found = compile_field(laws, NAMES)(points)
    truth = compile_field(LAW, NAMES)(points)
    np.testing.assert_allclose(found, truth, rtol=0.01, atol=0.01)
    assert [len(terms(law)) for law in laws] == [2, 2]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A run on recordings whose search is spared."""
    monkeypatch.setattr("odevsr.recorded.discover.discover_recordings", laws_given(LAW))
    odevsr.discover(runs(), hold_out="1", out=tmp_path / "run")
    return tmp_path / "run"


def test_a_run_is_judged_on_the_samples_it_keeps(folder):
    verdict = odevsr.validate_recordings(folder)
    ours, sindy, weak = verdict.methods
    assert [each.name for each in verdict.methods] == ["odevsr", "SINDy", "weak SINDy"]
    assert verdict.holds
    assert verdict.held == "run 1"
    assert ours.terms == 4
    assert min(ours.follows, sindy.follows, weak.follows) > 0.999
    assert str(verdict).startswith("odevsr: dx/dt = ")


def test_fitted_numbers_of_a_run_are_shown_no_longer_than_is_worth_reading(folder, capsys):
    kept = odevsr.load(folder)
    fitted = FittedNumber(1.0998819440053, 0.0026)
    law = parse("1.0998819440053*x - 0.4*x*y", NAMES)
    first = replace(kept.equations[0], expression=law, constants=(fitted,))
    changed = replace(kept, equations=(first, kept.equations[1])).to_json()
    write_json(folder / "result.json", changed)
    assert run(["validate", str(folder)]) == 0
    assert "1.09988*x - 0.4*x*y" in capsys.readouterr().out


def test_the_page_and_the_object_tell_the_same(folder, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["validate", str(folder)]) == 0
    page = capsys.readouterr().out
    assert "dx/dt    ours is identified" in page
    assert "follows run 1, which they were not." in " ".join(page.split())
    assert max(map(len, page.splitlines())) <= 80
    assert run(["validate", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["statuses"] == ["identified", "identified"]
    assert [len(each["equations"]) for each in told["methods"]] == [2, 2, 2]
    assert told["methods"][0]["follows"] > 0.999


def test_options_of_experiments_and_of_recordings_do_not_mix(folder, tmp_path, capsys):
    assert run(["validate", str(folder), "--noise", "0.1"]) == 2
    assert run(["validate", "lorenz", "--hold-out", "0.2"]) == 2
    told = capsys.readouterr().err
    assert "recordings are judged as they are" in told
    assert "only recordings have --inputs and --hold-out" in told
    with pytest.raises(UsageError, match=r"are judged by odevsr\.validate_recordings"):
        odevsr.validate(runs())
    found({"x": "-x"}).save(tmp_path / "other")
    with pytest.raises(RunError, match="holds no recordings"):
        odevsr.validate_recordings(tmp_path / "other")
