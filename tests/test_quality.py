"""The house rules: format, lint, types and the direction of imports."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
CHECKS = {
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "ruff check": ["-m", "ruff", "check", "."],
    "lint-imports": ["-c", "from importlinter.cli import lint_imports_command as m; m()"],
}
SPELT = (
    "import odevsr\n"
    "system: odevsr.System = odevsr.get_system('lorenz')\n"
    "names: tuple[str, ...] = system.with_parameters({'beta': '8/3'}).names\n"
    "odevsr.register(system)\n"
)
MISSPELT = "import odevsr\nodevsr.get_sistem('lorenz')\n"


def checked(*words):
    return subprocess.run(
        [sys.executable, *words], cwd=PROJECT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", CHECKS)
def test_the_code_keeps_the_house_rules(name):
    run = checked(*CHECKS[name])
    assert run.returncode == 0, run.stdout + run.stderr


def test_types_agree_in_the_code_and_in_what_users_write_with_the_public_names(tmp_path):
    """One run for both, since it looks at the whole code either way; only a misspelt name fails."""
    for name, text in (("spelt", SPELT), ("misspelt", MISSPELT)):
        (tmp_path / f"{name}.py").write_text(text)
    users = [str(tmp_path / f"{name}.py") for name in ("spelt", "misspelt")]
    run = checked("-m", "mypy", "odevsr", *users)
    *problems, total = run.stdout.splitlines()
    errors = [line for line in problems if ": error:" in line]
    assert len(errors) == 1, run.stdout + run.stderr
    assert "misspelt.py:2" in errors[0]
    assert "get_sistem" in errors[0]
    number = len(list((PROJECT / "odevsr").rglob("*.py"))) + len(users)
    assert total == f"Found 1 error in 1 file (checked {number} source files)"
