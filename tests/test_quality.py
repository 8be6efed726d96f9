"""The house rules: format, lint, types and the direction of imports."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
CHECKS = {
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "ruff check": ["-m", "ruff", "check", "."],
    "mypy": ["-m", "mypy"],
    "lint-imports": ["-c", "from importlinter.cli import lint_imports_command as m; m()"],
}


@pytest.mark.parametrize("name", CHECKS)
def test_the_code_keeps_the_house_rules(name):
    run = subprocess.run(
        [sys.executable, *CHECKS[name]], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
