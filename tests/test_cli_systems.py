import json
from pathlib import Path

from tests.command import odevsr, odevsr_here
from tests.system_texts import changed, written

BUILT_IN = sorted(path.stem for path in (Path(__file__).parents[1] / "systems").glob("*.toml"))


def test_systems_lists_one_system_a_line_when_piped():
    run = odevsr("systems")
    heading, *lines = run.stdout.splitlines()
    assert heading.split() == ["system", "n", "title", "source"]
    assert [line.split()[0] for line in lines] == BUILT_IN
    lorenz = next(line for line in lines if line.startswith("lorenz "))
    assert lorenz.split(maxsplit=2)[1:] == ["3", lorenz.split(maxsplit=2)[2]]
    assert "Lorenz attractor" in lorenz
    assert "Lorenz, E. N. (1963)" in lorenz
    assert (run.returncode, run.stderr) == (0, "")


def test_in_a_narrow_terminal_each_system_is_a_block():
    lines = odevsr_here("systems", COLUMNS="60").stdout.splitlines()
    start = lines.index("lorenz")
    assert [line.rstrip() for line in lines[start : start + 3]] == [
        "lorenz",
        "  n: 3  title: Lorenz attractor",
        "  source: Lorenz, E. N. (1963)",
    ]


def test_systems_as_json_is_one_object():
    listed = json.loads(odevsr_here("systems", "--json").stdout)
    assert listed["schema"] == 1
    assert [each["name"] for each in listed["systems"]] == BUILT_IN
    lorenz = next(each for each in listed["systems"] if each["name"] == "lorenz")
    assert lorenz["dimension"] == 3
    assert lorenz["source"].startswith("Lorenz, E. N. (1963). ")
    assert (lorenz["origin"], lorenz["error"]) == ("built-in", None)


def test_a_folder_is_added_by_option_and_by_environment(tmp_path):
    written(tmp_path, "decay")
    by_option = odevsr_here("systems", "--systems", str(tmp_path))
    by_environment = odevsr("systems", ODEVSR_SYSTEMS=str(tmp_path))
    assert by_option.stdout == by_environment.stdout
    assert "\ndecay " in by_option.stdout


def test_a_bad_file_in_a_folder_is_listed_beside_the_good_ones(tmp_path):
    bad = written(tmp_path, "bad", changed("[0, 10]", "[10, 0]"))
    written(tmp_path, "decay")
    run = odevsr_here("systems", "--systems", str(tmp_path))
    assert run.returncode == 0
    assert "\ndecay " in run.stdout
    assert f"\nnot usable: {bad}:7: amount has range [10, 0]" in run.stdout
    listed = json.loads(odevsr_here("systems", "--json", "--systems", str(tmp_path)).stdout)
    assert [each["name"] for each in listed["systems"] if each["error"]] == ["bad"]
