"""Settings: presets, refusals, and the way to JSON and back."""

import ast
import inspect
import json
from dataclasses import FrozenInstanceError, fields
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odevsr import settings as module
from odevsr.errors import UsageError
from odevsr.settings import Settings, preset, settings_from_json


def test_the_defaults_are_the_preset_fast():
    assert preset("fast") == Settings()


def test_the_preset_paper_is_the_published_method():
    paper = preset("paper")
    assert (paper.layers, paper.width, paper.learning_rate) == (3, 512, 0.009)
    assert (paper.objective, paper.reward, paper.entropy) == ("mean", "nmse", 0.0)
    assert (paper.expansion, paper.families, paper.prior_batches) == ("joint", False, 0)
    assert (paper.batch, paper.longest, paper.trials) == (1024, 20, 5)


def test_a_preset_takes_changes_and_keeps_the_rest():
    changed = preset("paper", noise=0.05)
    assert changed.noise == 0.05
    assert changed.layers == 3


def test_an_unknown_setting_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match="there is no setting 'trails'; did you mean trials"):
        preset("fast", trails=7)


def test_operators_may_be_a_list():
    assert preset("fast", operators=["+", "*"]).operators == ("+", "*")


def test_an_unknown_preset_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match="unknown preset 'slow'; choose one of fast, paper"):
        preset("slow")


@pytest.mark.parametrize(
    "name", ["policy", "expansion", "sampling", "difference", "objective", "reward"]
)
def test_an_unknown_word_is_refused_with_what_can_be_chosen(name):
    with pytest.raises(UsageError, match=f"unknown {name} 'none such'; choose one of .*, "):
        Settings(**{name: "none such"})


@pytest.mark.parametrize("value", [0, -1])
@pytest.mark.parametrize(
    "name", ["trials", "points", "batch", "longest", "layers", "width", "attempts", "most_seconds"]
)
def test_what_must_be_positive_is_refused_at_nought(name, value):
    with pytest.raises(UsageError, match=f"{name} {value} is too small"):
        Settings(**{name: value})


@pytest.mark.parametrize(("name", "least"), [("most_states", 100), ("max_launches", 1000)])
def test_limits_that_allow_nothing_are_refused(name, least):
    assert getattr(Settings(**{name: least}), name) == least
    with pytest.raises(UsageError, match=f"{name} {least - 1} is too small; give {least} or more"):
        Settings(**{name: least - 1})


@pytest.mark.parametrize("noise", [-0.01, float("nan"), float("inf")])
def test_noise_that_makes_no_sense_is_refused(noise):
    with pytest.raises(UsageError, match=r"noise .* makes no sense"):
        Settings(noise=noise)


@given(
    noise=st.floats(0, 10),
    trials=st.integers(1, 100),
    operators=st.lists(st.sampled_from(["+", "*", "sin"]), unique=True).map(tuple),
    families=st.booleans(),
    name=st.sampled_from(["fast", "paper"]),
)
def test_settings_come_back_from_json(name, **changes):
    settings = preset(name, **changes)
    assert settings_from_json(json.loads(json.dumps(settings.to_json()))) == settings


def test_settings_of_another_version_are_refused_by_their_names():
    with pytest.raises(UsageError, match="unknown settings colour, taste"):
        settings_from_json({**Settings().to_json(), "taste": 1, "colour": 2})


def test_settings_do_not_change():
    with pytest.raises(FrozenInstanceError):
        Settings().trials = 3


def test_every_setting_has_its_sentence():
    body = next(
        node.body
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ClassDef) and node.name == "Settings"
    )
    told = {
        field.target.id: sentence.value.value
        for field, sentence in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(sentence, ast.Expr)
    }
    assert set(told) == {each.name for each in fields(Settings)}
    assert all(sentence.endswith(".") for sentence in told.values())
