import pytest
from sbml_texts import mathml, model

from odevsr.errors import SystemFileError, UnknownSystemError
from odevsr.world.simulators.sbml.file import (
    DEEPEST_ELEMENTS,
    LARGEST_FILE,
    parse_model,
    read_model,
)

RULE = f'<{{}} variable="{{}}">{mathml("<cn>1</cn>")}</{{}}>'
EVENT = f"<listOfEvents><event><trigger>{mathml('<true/>')}</trigger></event></listOfEvents>"


def rule(kind, name):
    return RULE.format(kind, name, kind)


def test_states_are_what_reactions_change_and_what_has_a_rate():
    found = parse_model(model(rules=rule("rateRule", "level")), "small.xml")
    assert found.states == ("S", "P", "level")
    assert found.settable == ("Vm", "E")
    assert found.species["S"].meaning == "substrate: concentration"


def test_what_a_rule_assigns_can_not_be_set():
    found = parse_model(model(rules=rule("assignmentRule", "level")), "small.xml")
    assert found.settable == ("Vm", "E")


def test_a_species_that_a_rule_assigns_follows_from_the_others():
    found = parse_model(model(rules=rule("assignmentRule", "E")), "small.xml")
    assert found.states == ("S", "P")
    assert found.settable == ("Vm", "level")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<sbml><model>", "not valid XML"),
        ("\x00", "not valid XML"),
        ("<html/>", "no SBML model"),
        ("<sbml/>", "no SBML model"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><sbml/>', "declares a document type"),
        (model(species=""), "no species or parameter of it changes"),
        (model(more=EVENT), "events"),
        (model(rules=f"<algebraicRule>{mathml('<ci>S</ci>')}</algebraicRule>"), "algebraic rule"),
        (model(rules=rule("assignmentRule", "S")), "species S follows an assignment rule"),
        (model(rules=rule("rateRule", "S")), "species S follows a rate rule"),
        (model(rules=rule("rateRule", "cell")), "compartment cell follows a rate rule"),
        (model().replace("reversible", 'fast="true" reversible'), "fast reaction"),
        (model(more="<a>" * DEEPEST_ELEMENTS + "</a>" * DEEPEST_ELEMENTS), "levels deep"),
        (
            '<sbml xmlns:c="urn:c" c:required="true"><model><c:part/></model></sbml>',
            "needs a package",
        ),
    ],
)
def test_what_cannot_be_studied_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(SystemFileError, match=sentence) as refusal:
        parse_model(text, "small.xml")
    assert str(refusal.value).startswith("small.xml: ")


def test_a_package_that_is_declared_and_not_used_is_no_hindrance():
    text = model().replace("<sbml ", '<sbml xmlns:c="urn:c" c:required="true" ')
    assert parse_model(text, "small.xml").states == ("S", "P")


def test_events_in_an_annotation_are_none():
    found = parse_model(model(more=f"<annotation>{EVENT}</annotation>"), "small.xml")
    assert found.states == ("S", "P")


def test_a_huge_file_is_not_read(tmp_path):
    path = tmp_path / "huge.xml"
    path.write_bytes(b" " * (LARGEST_FILE + 1))
    with pytest.raises(SystemFileError, match="larger than"):
        read_model(path)


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path):
    with pytest.raises(UnknownSystemError, match="no such file"):
        read_model(tmp_path / "none.xml")
    path = tmp_path / "bytes.xml"
    path.write_bytes(b"\xff\xfe<\x00")
    with pytest.raises(SystemFileError, match="not UTF-8"):
        read_model(path)
