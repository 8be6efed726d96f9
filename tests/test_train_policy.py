"""The bench that trains the policy writes weights to a new file and judges them."""

import numpy as np
import pytest

from odevsr.bench.train_policy import bench_train_policy
from odevsr.errors import UsageError


def test_weights_are_written_and_judged_by_functions_that_were_not_shown(tmp_path):
    out = tmp_path / "new.npz"
    result = bench_train_policy(out, count=2)
    assert [row["step"] for row in result.rows] == [1, 2]
    assert np.isfinite(result.figures[0].value)
    with np.load(out, allow_pickle=False) as stored:
        assert "sin(C*A + C)" in stored["rules"]


def test_only_new_files_of_the_right_kind_are_written(tmp_path):
    (tmp_path / "old.npz").touch()
    for name in ("old.npz", "weights.pt"):
        with pytest.raises(UsageError, match="name a new file"):
            bench_train_policy(tmp_path / name)
