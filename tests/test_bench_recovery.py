from odevsr.bench import recovery
from odevsr.bench.result import at_most


def test_every_equation_is_recovered_and_launches_are_told(monkeypatch):
    monkeypatch.setattr(recovery, "_costs", lambda: [at_most("cost", 1.0, 2)])
    monkeypatch.setattr(recovery, "MOST_TIMES", {"lorenz": 3.0})
    result = recovery.bench_recovery(seeds=1)
    assert result.holds
    assert [row["exact"] for row in result.rows] == [3, 6]
    assert [row["equations"] for row in result.rows] == [3, 6]
    assert result.figures[-1].name == "cost"


def test_a_process_is_charged_for_its_own_cpu_time():
    idle = recovery._cpu_seconds(["-c", "pass"])
    busy = recovery._cpu_seconds(["-c", "sum(range(30_000_000))"])
    assert 0 < idle < busy
