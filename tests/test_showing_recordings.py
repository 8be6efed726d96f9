import json

from command import odevsr_here

from odevsr.cli import run

TEXT = "run,t [s],x [m],u\n" + "".join(
    f"{name},{k * k if name == 'b' else k},{k % 5},{k}\n" for name in "ab" for k in range(40)
)


def test_a_page_shows_runs_times_ranges_and_noise(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(TEXT)
    done = odevsr_here("show", path, "--inputs", "u", COLUMNS="80")
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert "runs.csv:2runs,80samples,timeins" in "".join(done.stdout.split())
    assert ["a", "40", "0", "39", "1"] in lines
    assert ["b", "40", "0", "1521", "39,", "uneven"] in lines
    assert any(line[:5] == ["x", "0", "..", "4", "m"] for line in lines)
    assert ["u", "0", "..", "39", "input"] in lines
    assert "run b: the times are uneven, and taken as they are" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_json_has_the_same(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    path.write_text("t,x\n" + "".join(f"{k},{k * k}\n" for k in [*range(20), 300]))
    assert run(["show", str(path), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    (only,) = shown["runs"]
    assert (only["samples"], only["even"], only["gaps"]) == (21, False, [[19, 300]])
    (variable,) = shown["variables"]
    assert (variable["name"], variable["range"], variable["input"]) == ("x", [0, 90_000], False)
    assert shown["notes"] == [
        "run runs: the times are uneven, and taken as they are",
        "run runs: nothing was measured between 19 and 300",
    ]


def test_inputs_are_those_of_recordings(capsys):
    assert run(["show", "lorenz", "--inputs", "u"]) == 2
    assert "only recordings have --inputs" in capsys.readouterr().err
