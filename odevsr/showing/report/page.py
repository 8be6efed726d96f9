"""report(): a run as one HTML file that needs no network and nothing beside it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from odevsr.discovery.files import check_folder, write_text
from odevsr.discovery.result import Discovery
from odevsr.errors import UsageError
from odevsr.extras import optional_module
from odevsr.showing.plots.subject import Subject, subject_of
from odevsr.showing.report.markup import Html, element, joined
from odevsr.showing.report.sections import SECTIONS, summary

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""What a browser may load for the page: nothing."""


def report(target: Discovery | str | Path, out: str | Path | None = None) -> str:
    """The report of a discovery or of a run's folder as HTML; with `out`, also a new file."""
    if out is not None:
        check_folder(Path(out))
        if Path(out).exists():
            raise UsageError(f"{out} exists and is not overwritten; choose another name")
    optional_module("matplotlib", extra="plot")
    page = report_page(subject_of(target))
    if out is not None:
        write_text(Path(out), page)
    return page


def report_page(subject: Subject) -> str:
    """The whole page."""
    found = subject.discovery()
    title = (subject.system and subject.system.title) or found.target
    sections = [_section(name, make(subject)) for name, make in SECTIONS]
    source = element("p", subject.system.source, class_="sub") if subject.system else ""
    body = element(
        "body",
        element("h1", title),
        element("p", "; ".join(summary(found)), class_="sub"),
        source,
        *sections,
        element("script", _asset("turn.js")),
    )
    head = element(
        "head",
        Html('<meta charset="utf-8">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        element("title", f"{title} - odevsr"),
        element("style", _asset("style.css")),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _section(name: str, content: Html) -> Html:
    return joined([element("h2", name), content]) if content else Html()


def _asset(name: str) -> Html:
    return Html(files(__package__).joinpath(name).read_text(encoding="utf-8"))
