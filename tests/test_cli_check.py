import json

from odevsr.world.systems.registry import get_system
from tests.command import odevsr, odevsr_here


def test_check_of_known_differences_exits_with_zero_and_writes_no_warning():
    done = odevsr("check", "lorenz", "mhd", "--json", PYTHONWARNINGS="error")
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads(done.stdout)
    assert content["schema"] == 1
    assert [each["system"] for each in content["systems"]] == ["lorenz", "mhd"]
    assert [each["agreement"] for each in content["systems"]] == ["known", "agrees"]


def test_check_of_a_wrong_file_exits_with_one(tmp_path):
    path = tmp_path / "lorenz.toml"
    path.write_text(get_system("lorenz").text.replace("x0*(rho - x2)", "x0*(rho + x2)"))
    done = odevsr_here("check", path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "differs 1" in done.stdout


def test_check_of_a_system_that_pysindy_lacks_exits_with_two():
    done = odevsr_here("check", "thomas")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("odevsr: error: thomas has no counterpart in pysindy; ")
