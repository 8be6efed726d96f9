"""What the documentation shows is what happens: its programs run, its transcripts come out."""

import re
import shlex
from pathlib import Path

import pytest

import odevsr
from odevsr.cli import run

PROJECT = Path(__file__).parents[1]
PAGES = (PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md")))
BLOCK = re.compile(r"^( *)```(python|console)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Programs and transcripts, without the indentation of lists they stand in."""
    return [
        (language, re.sub(f"^{indent}", "", text, flags=re.MULTILINE))
        for indent, language, text in BLOCK.findall(page.read_text(encoding="utf-8"))
    ]


def blurred(line):
    """A line whose numbers may differ from one machine to the next, unless it is a law."""
    return re.sub(r"[\d,.]+(e-\d+)?", "#", " ".join(line.split())) if line[0] == " " else line


def check_transcript(transcript, capsys):
    command, *shown = filter(None, transcript.split("\n"))
    capsys.readouterr()
    run(shlex.split(command)[2:])
    output = capsys.readouterr()
    printed = [blurred(line) for line in output.out.split("\n") if line]
    for line in shown:
        assert blurred(line) in printed, f"{command} prints\n{output.out}{output.err}"
        del printed[: printed.index(blurred(line)) + 1]


@pytest.mark.usefixtures("fresh_process_registry")
@pytest.mark.parametrize("page", [*filter(blocks, PAGES)], ids=lambda page: page.name)
def test_what_a_page_shows_happens_in_its_order(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lorenz = odevsr.get_system("lorenz").text
    (tmp_path / "NAME.toml").write_text(lorenz.replace('"lorenz"', '"NAME"'))
    names = {"__name__": "page"}
    for language, text in blocks(page):
        if language == "console":
            check_transcript(text, capsys)
        else:
            exec(compile(text, page.name, "exec"), names)


def test_every_page_has_its_place_in_the_contents():
    contents = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    named = re.findall(r": (\w+\.md)$", contents, re.MULTILINE)
    assert sorted(named) == [page.name for page in PAGES[1:]]
