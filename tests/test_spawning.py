"""What a program of several jobs that lacks its guard is told, through the real thing."""

import subprocess
import sys
from pathlib import Path

UNGUARDED = """
import odevsr
found = odevsr.discover("linear_oscillator", jobs=2, out="run")
print(found)
"""
GUARDED = """
import odevsr
if __name__ == "__main__":
    print(odevsr.discover("linear_oscillator", jobs=2))
"""


def run_program(text, folder):
    (folder / "program.py").write_text(text)
    return subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env={"PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_program_without_its_guard_is_told_so_once(tmp_path):
    done = run_program(UNGUARDED, tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    assert 'put what the program does under `if __name__ == "__main__":`' in done.stderr
    assert done.stdout == ""


def test_a_program_with_its_guard_runs(tmp_path):
    done = run_program(GUARDED, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("/dt = ") == 2
