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
