"""Settings: presets, refusals, and the way to JSON and back."""

import json
from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from odevsr.errors import UsageError
from odevsr.settings import CHEAP, PROPOSERS, Settings, preset, sentence, settings_from_json


def test_the_defaults_are_the_preset_fast():
    assert preset("fast") == Settings()


def test_the_preset_paper_is_the_published_method():
    paper = preset("paper")
    assert (paper.objective, paper.reward, paper.entropy) == ("mean", "nmse", 0.0)
    assert (paper.learning_rate, paper.queue, paper.epochs) == (0.009, 0, 30)
    assert (paper.expansion, paper.proposers, paper.rules) == ("joint", ("lstm",), "weighted")
    assert (paper.batch, paper.longest, paper.trials) == (1024, 20, 5)


def test_a_preset_takes_changes_and_keeps_the_rest():
    changed = preset("paper", noise=0.05)
    assert changed.noise == 0.05
    assert changed.expansion == "joint"


def test_an_unknown_setting_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match="there is no setting 'trails'; did you mean trials"):
        preset("fast", trails=7)


def test_operators_may_be_a_list():
    assert preset("fast", operators=["+", "*"]).operators == ("+", "*")


def test_an_unknown_preset_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match="unknown preset 'slow'; choose one of fast, paper"):
        preset("slow")


@pytest.mark.parametrize(
    "name", ["rules", "expansion", "sampling", "difference", "objective", "reward"]
)
def test_an_unknown_word_is_refused_with_what_can_be_chosen(name):
    with pytest.raises(UsageError, match=f"unknown {name} 'none such'; choose one of .*, "):
        Settings(**{name: "none such"})


@pytest.mark.parametrize("value", [0, -1])
@pytest.mark.parametrize(
    "name",
    [
        "trials",
        "points",
        "batch",
        "longest",
        "layers",
        "width",
        "attempts",
        "most_seconds",
        "most_candidates",
        "learning_rate",
        "quantile",
        "summary_share",
    ],
)
def test_what_must_be_positive_is_refused_at_nought(name, value):
    with pytest.raises(UsageError, match=f"{name} {value} makes no sense; give more than 0"):
        Settings(**{name: value})


@pytest.mark.parametrize(("name", "least"), [("most_states", 100), ("max_launches", 1000)])
def test_limits_that_allow_nothing_are_refused(name, least):
    assert getattr(Settings(**{name: least}), name) == least
    with pytest.raises(
        UsageError, match=f"{name} {least - 1} makes no sense; give {least} or more"
    ):
        Settings(**{name: least - 1})


@pytest.mark.parametrize("noise", [-0.01, float("nan"), float("inf")])
def test_noise_that_makes_no_sense_is_refused(noise):
    with pytest.raises(UsageError, match=r"noise .* makes no sense"):
        Settings(noise=noise)


@given(
    noise=st.floats(0, 10),
    trials=st.integers(1, 100),
    operators=st.lists(st.sampled_from(["+", "*", "sin"]), unique=True).map(tuple),
    proposers=st.lists(st.sampled_from(PROPOSERS), unique=True, min_size=1).map(tuple),
    name=st.sampled_from(["fast", "paper"]),
)
def test_settings_come_back_from_json(name, **changes):
    chosen = set(changes["proposers"])
    assume(name == "fast" or not ("trained" in chosen or chosen <= CHEAP))
    settings = preset(name, **changes)
    assert settings_from_json(json.loads(json.dumps(settings.to_json()))) == settings


def test_the_trained_policy_is_refused_where_all_holes_are_filled_at_once():
    with pytest.raises(UsageError, match="not joint expansion"):
        preset("paper", proposers=("trained",))


def test_all_holes_are_filled_at_once_only_by_those_who_sample():
    with pytest.raises(UsageError, match="add prior or lstm"):
        preset("paper", proposers=("catalogue", "readings"))


def test_settings_of_another_version_are_refused_by_their_names():
    with pytest.raises(UsageError, match="there is no setting 'taste'"):
        settings_from_json({**Settings().to_json(), "taste": 1, "colour": 2})


@pytest.mark.parametrize(
    ("families", "policy", "proposers", "rules"),
    [
        (True, "lstm", ("readings", "catalogue", "prior", "lstm"), "composing"),
        (False, "uniform", ("prior", "uniform"), "bare"),
    ],
)
def test_settings_stored_before_proposers_had_names_are_understood(
    families, policy, proposers, rules
):
    stored = Settings(noise=0.01).to_json()
    del stored["proposers"], stored["rules"]
    read = settings_from_json({**stored, "families": families, "policy": policy})
    assert read == Settings(noise=0.01, proposers=proposers, rules=rules)


def test_settings_do_not_change():
    with pytest.raises(FrozenInstanceError):
        Settings().trials = 3


def test_every_setting_has_its_sentence():
    told = [sentence(each.name) for each in fields(Settings)]
    assert all(len(each) > 10 and each.endswith(".") for each in told)
    assert len(set(told)) == len(told)


def test_unknown_proposers_and_none_at_all_are_refused():
    with pytest.raises(UsageError, match="unknown proposer 'families'; choose one of readings, "):
        Settings(proposers=("catalogue", "families"))
    with pytest.raises(UsageError, match="nobody proposes; name some of readings, "):
        Settings(proposers=())


@pytest.mark.parametrize("name", ["operators", "proposers"])
@pytest.mark.parametrize("value", ["lstm", 3, None])
def test_what_is_a_list_is_refused_as_a_word(name, value):
    with pytest.raises(UsageError, match=f"{name} are a list of names, not {value!r}"):
        preset("fast", **{name: value})


@pytest.mark.parametrize("name", ["quantile", "summary_share"])
def test_shares_are_at_most_one(name):
    with pytest.raises(UsageError, match=f"{name} 1.5 makes no sense; give at most 1"):
        Settings(**{name: 1.5})
    assert getattr(Settings(**{name: 1.0}), name) == 1.0


@pytest.mark.parametrize("name", ["queue", "entropy", "epochs", "prior_batches"])
def test_what_may_be_nought_may_not_be_less(name):
    assert getattr(Settings(**{name: 0}), name) == 0
    with pytest.raises(UsageError, match=f"{name} -1 makes no sense; give 0 or more"):
        Settings(**{name: -1})


def test_stored_limits_that_are_gone_are_left_out_and_others_refused():
    stored = Settings().to_json()
    stored["limits"] = {**stored["limits"], "lenient": 3.0, "worse": 1.2, "sure": 6.0}
    assert settings_from_json(stored).limits.sure == 6.0
    stored["limits"] = {"no_such": 1.0}
    with pytest.raises(UsageError, match="no limit 'no_such'"):
        settings_from_json(stored)
