import subprocess
import sys

import pytest

import odevsr


@pytest.mark.parametrize("name", odevsr.__all__)
def test_every_public_name_is_there(name):
    assert getattr(odevsr, name) is not None
    assert name in dir(odevsr)


def test_an_unknown_name_is_refused_as_python_does():
    with pytest.raises(AttributeError, match="module 'odevsr' has no attribute 'nothing'"):
        odevsr.nothing  # noqa: B018


def test_importing_the_package_imports_nothing_else_of_it():
    code = "import sys, odevsr; print(*(name for name in sys.modules if 'odevsr' in name))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["odevsr"]


def test_a_type_checker_sees_the_public_names(tmp_path):
    """Strictly typed user code passes, and a misspelt name does not."""
    good = tmp_path / "good.py"
    good.write_text(
        "import odevsr\n"
        "system: odevsr.System = odevsr.get_system('lorenz')\n"
        "names: tuple[str, ...] = system.with_parameters({'beta': '8/3'}).names\n"
        "odevsr.register(system)\n"
    )
    bad = tmp_path / "bad.py"
    bad.write_text("import odevsr\nodevsr.get_sistem('lorenz')\n")
    arguments = ["--strict", "--follow-imports=silent", f"--cache-dir={tmp_path}", "--config-file="]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *arguments, str(good), str(bad)],
        capture_output=True,
        text=True,
        check=False,
    )
    problems = [line for line in run.stdout.splitlines() if ": error:" in line]
    assert len(problems) == 1, run.stdout + run.stderr
    assert "get_sistem" in problems[0]
