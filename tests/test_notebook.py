"""A discovery in a notebook."""

import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from exports import found

from odevsr.errors import MissingExtraError
from odevsr.kind import Kind

LAWS = found({"x": "-x/10 + y", "y": "-x - y/10"}, poor="y")


def test_a_table_has_a_row_an_equation():
    table = LAWS.table()
    assert list(table["variable"]) == ["x", "y"]
    assert list(table["law"]) == ["-x/10 + y", "-x - y/10"]
    assert list(table["status"]) == ["identified", "approximate"]


def test_without_pandas_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'odevsr\[table\]'"):
        LAWS.table()


def test_a_notebook_shows_the_laws_typeset_with_their_status():
    rows = ElementTree.fromstring(LAWS._repr_html_()).findall("tr")
    assert [row[1].text for row in rows] == ["identified", "approximate"]
    assert [row.find(".//math/mo").text for row in rows] == ["=", "≈"]


@pytest.mark.parametrize(("kind", "left"), [(Kind.FUNCTION, "x"), (Kind.MAP, "x[k+1]")])
def test_what_does_not_move_has_no_derivative_on_the_left(kind, left):
    laws = replace(LAWS, equations=tuple(replace(each, kind=kind) for each in LAWS.equations))
    first = ElementTree.fromstring(laws._repr_html_()).find("tr")
    assert first.find(".//mi").text == left


def test_a_law_too_long_to_be_typeset_is_shortened():
    names = [f"v{n}" for n in range(60)]
    shown = found({"v0": " + ".join(f"{n + 2}*{each}" for n, each in enumerate(names))}, names)
    code = ElementTree.fromstring(shown._repr_html_()).find(".//code").text
    assert code.startswith("dv0/dt = 2*v0 + 3*v1")
    assert code.endswith("...")
    assert len(code) < 320


def test_what_was_not_finished_is_told():
    assert "missing" in replace(LAWS, interrupted=True)._repr_html_()


def test_reprs_are_short():
    assert repr(LAWS) == "<Discovery of spiral: 1 identified, 1 approximate>"
    assert repr(LAWS.equations[0]) == "<Equation dx/dt = -x/10 + y: identified>"
    assert LAWS.equations[0]._repr_latex_().startswith("$$")


def test_a_notebook_draws_how_a_search_goes_and_what_it_found():
    for name in ("nbclient", "ipykernel", "ipywidgets"):
        pytest.importorskip(name, reason=f"untested: {name} is not installed")
    import nbclient
    import nbformat

    lines = 'import odevsr\nodevsr.discover("pendulum", progress=True)'
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(lines)])
    nbclient.NotebookClient(notebook, timeout=300).execute()
    first, *_, last = notebook.cells[0].outputs
    assert "application/vnd.jupyter.widget-view+json" in first.data
    assert "<math>" in last.data["text/html"]
