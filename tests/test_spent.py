"""CPU seconds go to what they were spent on."""

from odevsr.verdict.spent import Spent, cpu_seconds


def test_what_is_spent_inside_is_added_where_it_belongs():
    spent = Spent()
    for _ in range(2):
        with spent.on("sindy_regression"):
            until = cpu_seconds() + 0.03
            while cpu_seconds() < until:
                pass
    assert spent.sindy_regression == spent.sindy == spent.total
    assert spent.total > 0.05
    assert (spent.discovery, spent.sindy_share) == (0.0, 1.0)


def test_of_nothing_sindy_has_no_share():
    assert Spent().sindy_share == 0.0
