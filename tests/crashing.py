"""A process that does as it is told: goes on, hangs or crashes; it imports nothing else."""

import os
import time


def work(telling, tasks, _seed):
    telling.send(None)
    for surface, _ in tasks:
        if surface == "hang":
            time.sleep(600)
        if surface == "crash":
            os._exit(1)
        telling.send(surface)
