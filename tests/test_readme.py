"""What README and documentation say is what is there."""

import re
import tomllib
from pathlib import Path

from odevsr.cli import app
from odevsr.language.expression import FUNCTIONS
from odevsr.world.systems.file import parse_system

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
SYSTEMS = (PROJECT / "docs/systems.md").read_text(encoding="utf-8")


def test_the_system_file_of_the_documentation_is_accepted():
    block = re.search(r"```toml\n(format = 1\n.*?)```", SYSTEMS, re.DOTALL)
    shown, real = (
        parse_system(text, "lorenz.toml")
        for text in (block[1], (PROJECT / "systems/lorenz.toml").read_text(encoding="utf-8"))
    )
    assert shown.digest == real.digest


def test_the_documentation_names_every_command_and_no_other():
    page = (PROJECT / "docs/commands.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `odevsr (\w+)", page, re.MULTILINE))
    commands = {each.name or each.callback.__name__ for each in app.registered_commands}
    assert named == commands | {each.name for each in app.registered_groups}


def test_the_documentation_names_every_function_of_the_language():
    passage = re.search(r"parentheses, and `([^`]*)`", SYSTEMS)
    assert set(passage[1].split()) == set(FUNCTIONS)


def test_the_test_command_that_ci_runs_is_in_the_readme_once():
    pattern = re.search(r"grep -E '(.*)' README\.md", (PROJECT / ".ci/run").read_text())
    assert len(re.findall(pattern[1], README, re.MULTILINE)) == 1


def test_the_extras_of_the_test_command_exist():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"'\.\[([\w,]+)\]'", README)
    assert named
    assert {extra for each in named for extra in each.split(",")} <= set(
        project["optional-dependencies"]
    )
