"""Figures in three dimensions that a reader can turn; without scripts they stand still."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.showing.plots.experiments import axes_of, plane
from odevsr.showing.plots.style import COLOURS
from odevsr.showing.plots.subject import Subject
from odevsr.showing.plots.told_rounds import Shown
from odevsr.showing.report.markup import Html, element

MIDDLE, SCALE = 190, 98
"""The middle of the drawing, and how far the end of a range is from it."""
AXES = np.array([[0, -1, -1], [1, 0, -1], [-1, -1, 0]], float)
"""The edge of the box that each axis runs along: nought in its own direction."""
NAMES = np.array([[0, -1.42, -1.42], [1.42, 0, -1.42], [-1, -1, 1.2]])
"""Where their names stand."""
TICK, NUMBER = 1.04, 1.17
"""How far from the middle the ends of ticks and their numbers are; the edge is at 1."""
ABOVE, BELOW = 34, 18
"""What is cut off where next to nothing is drawn."""
AZIMUTH, ELEVATION = -0.9, 0.35
MOST_POINTS = 1000
"""Points of a curve."""
MESH = 7
"""Lines of a mesh in either direction."""


@dataclass(frozen=True, eq=False)
class Item:
    """What is drawn: points (m, 3) as a line, dots, the pairs of a mesh, or the place of a word."""

    kind: str
    look: str
    points: FloatArray
    word: str = ""


def experiment(subject: Subject, shown: Shown) -> Html:
    """The attractor, where was launched in each trial, and a plane in which something is held."""
    axes = axes_of(subject, shown)
    items = [Item("line", "curve", _thinned(each.states[:, axes])) for each in subject.motions[:1]]
    for trial, (states, _) in enumerate(shown.trials[: len(COLOURS)]):
        items.append(Item("dots", f"dots t{trial}", states[:, axes]))
    corners = plane(subject, shown, axes)
    if corners is not None:
        items.append(Item("mesh", "mesh", _mesh(corners)))
    ranges = np.array([subject.ranges[index] for index in axes]).T
    return space(subject, axes, items, f"experiments with {shown.free} free", ranges)


def portrait(subject: Subject) -> Html:
    """The motions of the first three variables."""
    items = [
        Item("dots" if each.dotted else "line", "laws" if each.by_laws else "true",
             _thinned(each.states[:, :3]))
        for each in subject.motions
    ]  # fmt: skip
    return space(subject, [0, 1, 2], items, "phase portrait")


def space(
    subject: Subject,
    axes: Sequence[int],
    items: Sequence[Item],
    label: str,
    within: FloatArray | None = None,
) -> Html:
    """A drawing of items over three variables, with room for the states (m, 3) `within`."""
    points = [each.points for each in items]
    everything = np.concatenate(points if within is None else [*points, within])
    low, high = np.nanmin(everything, axis=0), np.nanmax(everything, axis=0)
    width = np.where(high > low, high - low, 1.0)
    scaled = [Item(each.kind, each.look, 2 * (each.points - low) / width - 1) for each in items]
    scaled += _axes([subject.names[index] for index in axes], low, low + width)
    data = [{"kind": each.kind, "points": np.round(each.points, 3).tolist()} for each in scaled]
    return element(
        "svg",
        *(_drawn(number, each) for number, each in enumerate(scaled)),
        viewBox=f"0 {ABOVE} {2 * MIDDLE} {2 * MIDDLE - ABOVE - BELOW}",
        role="img", aria_label=label, tabindex="0",
        data_view=f"{MIDDLE} {SCALE} {AZIMUTH} {ELEVATION}",
        data_space=json.dumps(data, separators=(",", ":")),
    )  # fmt: skip


def _axes(names: Sequence[str], low: FloatArray, high: FloatArray) -> Iterator[Item]:
    """Three edges of the box of ranges, with ticks, numbers and names."""
    from matplotlib.ticker import MaxNLocator

    for index, name in enumerate(names):
        own, edge = np.eye(3)[index], AXES[index]
        yield Item("line", "axis", np.stack([edge - own, edge + own]))
        values = MaxNLocator(4).tick_values(low[index], high[index])
        inside = values[(values >= low[index]) & (values <= high[index])]
        places = (2 * (inside - low[index]) / (high[index] - low[index]) - 1)[:, None] * own
        ticks = np.stack([places + edge, places + TICK * edge], axis=1)
        yield Item("mesh", "axis", ticks.reshape(-1, 3))
        for place, value in zip(places, inside, strict=True):
            yield Item("label", "number", (place + NUMBER * edge)[None], f"{value:g}")
        yield Item("label", "name", NAMES[index][None], name)


def _mesh(corners: FloatArray) -> FloatArray:
    """The ends of the lines of a mesh, in pairs."""
    a, b, c, d = corners
    shares = np.linspace(0, 1, MESH)[:, None]
    along = np.stack([a + shares * (d - a), b + shares * (c - b)], axis=1)
    across = np.stack([a + shares * (b - a), d + shares * (c - d)], axis=1)
    return np.concatenate([along, across]).reshape(-1, 3)


def _thinned(points: FloatArray) -> FloatArray:
    finite = points[np.all(np.isfinite(points), axis=1)]
    return finite[:: max(1, math.ceil(len(finite) / MOST_POINTS))]


def _drawn(number: int, item: Item) -> Html:
    places = [_flat(point) for point in item.points]
    if item.kind == "label":
        x, y = places[0]
        return element("text", item.word, x=x, y=y, class_=item.look, data_part=str(number))
    return element("path", d=_path(item.kind, places), class_=item.look, data_part=str(number))


def _path(kind: str, places: Sequence[tuple[str, str]]) -> str:
    if kind == "dots":
        return "".join(f"M{x} {y}h0" for x, y in places)
    begins = [index == 0 or (kind == "mesh" and index % 2 == 0) for index in range(len(places))]
    pairs = zip(begins, places, strict=True)
    return "".join(f"{'M' if begin else 'L'}{x} {y}" for begin, (x, y) in pairs)


def _flat(point: FloatArray) -> tuple[str, str]:
    """Where a point is seen; the script has the same formulas."""
    x, y, z = (float(each) for each in point)
    across = x * math.cos(AZIMUTH) - y * math.sin(AZIMUTH)
    away = x * math.sin(AZIMUTH) + y * math.cos(AZIMUTH)
    up = z * math.cos(ELEVATION) + away * math.sin(ELEVATION)
    return f"{MIDDLE + SCALE * across:.1f}", f"{MIDDLE - SCALE * up:.1f}"
