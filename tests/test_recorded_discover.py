"""Laws from recordings, end to end."""

import numpy as np

from odevsr.language.text import to_text
from odevsr.recorded.discover import discover_recordings
from odevsr.settings import Settings
from odevsr.world.runs import Recordings, Run


def test_a_linear_decay_is_found():
    times = np.linspace(0, 4, 200)
    run = Run("0", times, np.exp(-0.5 * times)[:, None], np.empty((200, 0)))
    found = discover_recordings(Recordings(("x",), (run,)), Settings())
    assert to_text(found.equations[0].expression).startswith("-0.5")
