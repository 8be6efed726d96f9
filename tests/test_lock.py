"""One process on one run folder; a folder that cannot be written to."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from odevsr import discover, load
from odevsr.discovery.lock import locked
from odevsr.errors import RunError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="folders are not locked there")
TESTS = Path(__file__).parent
HOLDS = """
import sys, time
from pathlib import Path
from odevsr.discovery.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(1000)
"""
HARDLY_WRITES = """
import resource, sys
from odevsr.cli import run
most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
sys.exit(run(sys.argv[2:]))
"""


def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path):
    words = [sys.executable, "-c", HOLDS, str(tmp_path / "run")]
    environment = os.environ | {"PYTHONPATH": str(TESTS.parent)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        for resume in (False, True):
            with pytest.raises(RunError, match="another process works on the run"):
                discover("lorenz", out=tmp_path / "run", resume=resume)
        process.send_signal(signal.SIGKILL)
    assert discover("lorenz", components="x0", out=tmp_path / "run").identified


def test_a_folder_that_nothing_was_put_into_is_not_left(tmp_path):
    with locked(tmp_path / "new"):
        assert (tmp_path / "new").is_dir()
    assert not (tmp_path / "new").exists()
    (tmp_path / "old").mkdir()
    with locked(tmp_path / "old"):
        pass
    assert (tmp_path / "old").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunError, match="is a file"), locked(tmp_path / "file"):
        pass
    with pytest.raises(RunError, match="cannot be made"), locked(tmp_path / "file" / "run"):
        pass


@pytest.mark.parametrize("most", [500, 12_000, 30_000])
def test_a_full_disk_is_told_in_a_sentence_and_nothing_found_is_lost(tmp_path, most):
    folder = tmp_path / "run"
    words = ["discover", "lorenz", "--out", str(folder), "--json"]
    done = subprocess.run(
        [sys.executable, "-c", HARDLY_WRITES, str(most), *words], capture_output=True, text=True,
        check=False, env=os.environ | {"PYTHONPATH": str(TESTS.parent)},
    )  # fmt: skip
    assert done.returncode == 3
    assert "cannot be " in done.stderr
    assert "Traceback" not in done.stderr
    told = {line[:2] for line in done.stderr.splitlines() if ": identified" in line}
    found = json.loads(done.stdout)["equations"] if done.stdout else []
    assert told <= {each["variable"] for each in found}
    if told:
        assert told <= {each.variable for each in load(folder).equations}
    assert not list(folder.rglob("*.part"))
    resume = {"out": folder, "resume": folder.exists()}
    assert discover("lorenz", **resume).identified
