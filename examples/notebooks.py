"""Notebooks from scripts: a docstring and comments after `# %% [markdown]` become text."""

import ast
import json
from pathlib import Path

SCRIPTS = ("lorenz", "own_simulator")


def notebook(script):
    """The notebook of a script whose cells begin with `# %%`, without outputs."""
    opening = ast.get_docstring(ast.parse(script))
    title, _, rest = opening.partition("\n")
    cells = [cell("markdown", f"# {title}\n{rest}")]
    for part in script.split("\n# %%")[1:]:
        kind, _, text = part.partition("\n")
        if "[markdown]" in kind:
            text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in text.split("\n"))
        cells.append(cell("markdown" if "[markdown]" in kind else "code", text))
    numbered = [{"id": f"cell-{number}", **each} for number, each in enumerate(cells)]
    return {"cells": numbered, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def cell(kind, text):
    code = {"execution_count": None, "outputs": []} if kind == "code" else {}
    lines = text.strip("\n").splitlines(keepends=True)
    return {"cell_type": kind, "metadata": {}, "source": lines, **code}


if __name__ == "__main__":
    for name in SCRIPTS:
        path = Path(__file__).with_name(f"{name}.py")
        text = json.dumps(notebook(path.read_text(encoding="utf-8")), indent=1)
        path.with_suffix(".ipynb").write_text(text + "\n", encoding="utf-8")
