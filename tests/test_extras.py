import pytest

from odevsr.errors import MissingExtraError
from odevsr.extras import optional_module


def test_an_installed_module_is_given():
    assert optional_module("json", extra="plot").dumps([]) == "[]"


@pytest.mark.parametrize("name", ["no_such_library", "no_such_library.part"])
def test_a_missing_module_says_which_command_installs_it(name):
    with pytest.raises(MissingExtraError) as refusal:
        optional_module(name, extra="plot")
    assert "needs no_such_library" in str(refusal.value)
    assert "pip install 'odevsr[plot]'" in str(refusal.value)


def test_a_module_that_lacks_something_of_its_own_is_not_called_missing(tmp_path, monkeypatch):
    (tmp_path / "half_installed.py").write_text("import no_such_dependency")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="no_such_dependency"):
        optional_module("half_installed", extra="plot")
