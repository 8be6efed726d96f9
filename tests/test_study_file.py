"""Studies as files and as values: what is accepted, and every mistake in a sentence."""

import pytest

import odevsr
from odevsr.errors import SystemFileError, UsageError
from odevsr.studies.file import read_study

GOOD = """
format = 1
targets = ["pendulum", { target = "lorenz", name = "weak", params = { rho = 20 } }]
seeds = [0, 1, 2]
noise = [0, 0.01]
[settings.fast]
[settings.joint]
expansion = "joint"
"""


def written(folder, text):
    path = folder / "grid.toml"
    path.write_text(text)
    return path


def test_a_grid_has_every_target_with_all_settings_noise_and_seeds(tmp_path):
    cases = read_study(written(tmp_path, GOOD)).cases()
    assert len({case.name for case in cases}) == len(cases) == 2 * 3 * 2 * 2
    assert str(cases[-1]) == "weak, joint, noise 0.01, seed 2"


def test_paths_are_seen_from_the_folder_of_the_study_wherever_that_is(tmp_path):
    system = odevsr.get_system("pendulum").text
    names = []
    for folder in (tmp_path / "here", tmp_path / "there"):
        folder.mkdir()
        (folder / "mine.toml").write_text(system.replace('"pendulum"', '"mine"'))
        (case,) = read_study(written(folder, 'format = 1\ntargets = ["./mine.toml"]')).cases()
        names.append(case.name)
    assert case.label == "mine"
    assert names[0] == names[1]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("format = 1", "format = 2", ":2: the study needs the line format = 1"),
        ("seeds", "sedes", ":4: unknown key 'sedes'; did you mean seeds?"),
        ("pendulum", "pendulun", ":3: there is no system 'pendulun'; did you mean pendulum?"),
        ("rho", "rhu", ":3: lorenz has no parameter 'rhu'"),
        ("params = { rho = 20 }", "rho = 20", ":3: a target has no 'rho'"),
        ("params = { rho = 20 }", "params = 3", ":3: params of a target must be a table"),
        ('target = "lorenz", ', "", ":3: a table in targets has no target"),
        ('"weak"', '"pendulum"', ":3: two targets are called pendulum"),
        ('["pendulum", { target', "[7, { target", ":3: a int cannot be studied"),
        ("[0, 1, 2]", "[0, -1]", ":4: seeds must be a list of whole numbers from 0 on"),
        ("[0, 1, 2]", "[]", ":4: seeds must be a list"),
        ("[0, 1, 2]", str(list(range(40_000))), ":3: there are 320,000 discoveries, and at most"),
        ('"weak"', '"\\u001b"', ":3: the name of a target holds a control character"),
        ("[settings.joint]", '[settings."\\u001b"]', ":1: a name of settings holds a control"),
        ("[0, 1, 2]", "[1, 1]", ":4: seeds has a number twice"),
        ("[0, 0.01]", "'little'", ":5: noise must be a list of numbers"),
        ("[0, 0.01]", f"[1{400 * '0'}]", ":5: noise must be a list of numbers"),
        ("[0, 0.01]", "[nan]", ":5: noise must be a list of numbers"),
        ('"joint"\n', '"join"\n', ":7: settings joint: unknown expansion 'join'"),
        (
            'expansion = "joint"',
            'trials = "many"',
            ":7: settings joint: the setting trials is 'many'",
        ),
        (
            'expansion = "joint"',
            "limits = { many = 'x' }",
            ":7: settings joint: the setting many is 'x'",
        ),
        ('expansion = "joint"', "limits = { x = 1 }", ":7: settings joint: there is no limit 'x'"),
        ('expansion = "joint"', "noise = 0.1", ":7: settings joint have noise"),
        ("[settings.fast]", "[settings.fast", ":6: not valid TOML"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path, old, new, sentence):
    assert GOOD.replace(old, new) != GOOD
    with pytest.raises(SystemFileError) as refused:
        read_study(written(tmp_path, GOOD.replace(old, new)))
    assert f"grid.toml{sentence}" in str(refused.value)


def test_all_mistakes_are_told_at_once(tmp_path):
    text = GOOD.replace("pendulum", "x").replace("seeds", "sedes").replace("[0, 0.01]", "3")
    with pytest.raises(SystemFileError) as refused:
        read_study(written(tmp_path, text))
    assert len(str(refused.value).splitlines()) == 3


def test_a_study_made_in_python_is_checked_alike():
    with pytest.raises(UsageError, match="seeds must be a list"):
        odevsr.Study(["lorenz"], seeds=[0.5])


def test_what_decides_the_outcome_decides_the_name():
    def name(**other):
        return odevsr.Study(**{"targets": ["lorenz"], **other}).cases()[0].name

    assert name() == name()
    weak = {"target": "lorenz", "params": {"rho": 20}, "name": "lorenz"}
    assert len({name(), name(targets=[weak]), name(settings={"fast": {"trials": 6}})}) == 3
