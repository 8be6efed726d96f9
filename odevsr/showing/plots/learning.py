"""How searches went: the best loss, the reward and the share of what was new, epoch by epoch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any

from odevsr.showing.plots.panel import Axes, Panel
from odevsr.showing.plots.style import BLUE, GREEN, ORANGE, dressed
from odevsr.showing.plots.subject import Subject

LEAST = 1e-32
"""Losses below are drawn here."""


def panels(subject: Subject) -> Iterator[Panel]:
    """A panel an equation."""
    for equation in subject.discovery().equations:
        epochs = [each for each in subject.epochs if each.get("equation") == equation.variable]
        draw = partial(_curves, left=equation.left, epochs=epochs)
        if epochs:
            yield Panel(f"the search for {equation.left}", draw)


def _curves(ax: Axes, left: str, epochs: list[dict[str, Any]]) -> None:
    """Losses on the left, a line a round; shares and rewards, from 0 to 1, on the right."""
    shares = ax.twinx()
    place = 0
    for number, (_, same) in enumerate(groupby(epochs, key=_round)):
        part = list(same)
        places = list(range(place + 1, place + 1 + len(part)))
        place += len(part)
        label = {} if number else {"label": "best loss of a round"}
        losses = [math.nan if each["best_loss"] is None else max(each["best_loss"], LEAST)
                  for each in part]  # fmt: skip
        ax.plot(places, losses, ".-", color=BLUE, linewidth=0.8, **label)
        ax.axvline(place + 0.5, color="0.85", linewidth=0.6)
    every = list(range(1, 1 + len(epochs)))
    new = [each["candidates"] / max(each["proposed"], 1) for each in epochs]
    shares.plot(
        every,
        new,
        "s",
        color=GREEN,
        markersize=5,
        fillstyle="none",
        label="share of new candidates",
    )
    rewards = [each.get("reward", math.nan) for each in epochs]
    shares.plot(every, rewards, "^", color=ORANGE, markersize=3, label="mean reward")
    ax.set_yscale("log")
    ax.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    ax.set_xlim(0.5, len(epochs) + 0.5)
    shares.set_ylim(-0.05, 1.05)
    dressed(shares, "", "", "share, reward")
    shares.spines[["right"]].set_visible(True)
    dressed(ax, f"Search for {left}", "epoch", "loss")
    handles = [each for one in (ax, shares) for each in one.get_legend_handles_labels()[0]]
    ax.legend(handles=handles, fontsize=7, frameon=False, loc="upper center",
              bbox_to_anchor=(0.5, -0.22), ncols=2, columnspacing=0.8)  # fmt: skip


def _round(epoch: dict[str, Any]) -> tuple[object, ...]:
    return epoch.get("pass"), epoch.get("target"), epoch.get("variable")
