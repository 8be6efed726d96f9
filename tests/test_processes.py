"""Processes that end undisturbed."""

import signal
from threading import Thread

import pytest

from odevsr.discovery.processes import further_interruptions_ignored


def test_an_interruption_while_processes_end_is_ignored_and_the_next_is_not():
    with further_interruptions_ignored():
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_in_another_thread_interruptions_are_left_as_they_are():
    before = []

    def work():
        with further_interruptions_ignored():
            before.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert before == [signal.getsignal(signal.SIGINT)]
