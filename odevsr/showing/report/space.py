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

MIDDLE, SCALE = 180, 116
"""The middle of the drawing, and how far the end of a range is from it."""
AZIMUTH, ELEVATION = -0.9, 0.35
MOST_POINTS = 600
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
    return space(subject, axes, items, f"experiments with {shown.free} free")


def portrait(subject: Subject) -> Html:
    """The motions of the first three variables."""
    items = [
        Item("line", "laws" if each.by_laws else "true", _thinned(each.states[:, :3]))
        for each in subject.motions
    ]
    return space(subject, [0, 1, 2], items, "phase portrait")


def space(subject: Subject, axes: Sequence[int], items: Sequence[Item], label: str) -> Html:
    """A drawing of items in the ranges of three variables."""
    low, high = np.array([subject.ranges[index] for index in axes]).T
    for each in items:
        low = np.minimum(low, np.nanmin(each.points, axis=0, initial=np.inf))
        high = np.maximum(high, np.nanmax(each.points, axis=0, initial=-np.inf))
    width = np.where(high > low, high - low, 1.0)
    scaled = [Item(each.kind, each.look, 2 * (each.points - low) / width - 1) for each in items]
    scaled += _axes([subject.names[index] for index in axes])
    data = [{"kind": each.kind, "points": np.round(each.points, 3).tolist()} for each in scaled]
    return element(
        "svg",
        *(_drawn(number, each) for number, each in enumerate(scaled)),
        viewBox=f"0 0 {2 * MIDDLE} {2 * MIDDLE}", role="img", aria_label=label, tabindex="0",
        data_view=f"{MIDDLE} {SCALE} {AZIMUTH} {ELEVATION}",
        data_space=json.dumps(data, separators=(",", ":")),
    )  # fmt: skip


def _axes(names: Sequence[str]) -> Iterator[Item]:
    """Three edges of the box of ranges, with names at their ends."""
    corner = -np.ones(3)
    for index, name in enumerate(names):
        end = corner.copy()
        end[index] = 1.0
        yield Item("line", "axis", np.stack([corner, end]))
        end[index] = 1.15
        yield Item("label", "", end[None], name)


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
        return element("text", item.word, x=x, y=y, text_anchor="middle", font_size="11",
                       data_part=str(number))  # fmt: skip
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
