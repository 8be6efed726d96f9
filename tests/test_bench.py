import json

from odevsr.bench.engine.launches import bench_launches
from odevsr.bench.result import BenchResult, at_least, at_most


def test_a_figure_knows_whether_it_keeps_its_target():
    assert at_least("speed", 50, 50).holds
    assert not at_least("speed", 49.9, 50).holds
    assert at_most("error", 1e-12, 1e-12).holds
    assert not at_most("error", float("nan"), 1.0).holds


def test_a_result_holds_only_if_every_figure_does():
    good, bad = at_least("a", 2, 1), at_least("b", 0, 1)
    assert BenchResult("x", (good,), ()).holds
    assert not BenchResult("x", (good, bad), ()).holds


def test_a_result_becomes_the_object_that_json_prints():
    result = BenchResult("x", (at_least("a", 2.0, 1),), ({"method": "m", "seconds": 0.5},))
    assert json.loads(json.dumps(result.to_json())) == {
        "bench": "x",
        "figures": [{"name": "a", "value": 2.0, "target": "at least 1", "holds": True}],
        "rows": [{"method": "m", "seconds": 0.5}],
    }


def test_launches_keep_the_accuracy_promised():
    result = bench_launches(launches=50, looped=5)
    speed, error = result.figures
    assert error.holds
    assert error.value > 0
    assert speed.value > 0
    assert [row["launches measured"] for row in result.rows] == [50, 5]
