"""A wait that lasts is explained, a short one is not."""

from threading import Event

import pytest
from numba.core.event import trigger_event

from odevsr.fitting import warm
from odevsr.fitting.warm import COMPILING, explained, load_engine


def test_a_long_wait_is_explained_once():
    heard, spoken = [], Event()

    def announce(sentence):
        heard.append(sentence)
        spoken.set()

    explained(lambda: spoken.wait(10), announce, "compiling", patience=0.0)
    assert heard == ["compiling"]


def test_a_short_wait_is_silent():
    heard = []
    explained(lambda: None, heard.append, "compiling", patience=60.0)
    assert heard == []


def test_an_error_of_the_work_ends_the_wait_silently():
    heard = []
    with pytest.raises(ZeroDivisionError):
        explained(lambda: 1 / 0, heard.append, "compiling", patience=60.0)
    assert heard == []


def test_an_engine_that_is_loaded_is_loaded_silently():
    import odevsr.fitting.fit  # noqa: F401

    heard = []
    load_engine(heard.append)
    assert heard == []


def test_a_compilation_is_told_once(monkeypatch):
    def compiles(_):
        for _ in range(3):
            with trigger_event("numba:compile"):
                pass

    monkeypatch.setattr(warm, "import_module", compiles)
    heard = []
    load_engine(heard.append)
    assert heard == [COMPILING]
