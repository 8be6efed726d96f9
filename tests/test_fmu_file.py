import zipfile

import pytest
from fmus import DAHLQUIST, EXCHANGE, SLAVE, description, third_description, write_fmu

from odevsr.cli import run
from odevsr.errors import SystemFileError, UnknownSystemError
from odevsr.world.simulators.fmu import file
from odevsr.world.simulators.fmu.file import read_unit

ENTITY = '<!DOCTYPE a [<!ENTITY b "c">]>'


def test_states_are_in_the_order_of_the_model_structure(tmp_path):
    unit = read_unit(write_fmu(tmp_path / "plant.fmu", programs={"linux64": "", "win32": ""}))
    assert [each.name for each in unit.states] == ["body.x[0]", "x1"]
    assert unit.states[1].meaning == "speed in m/s"
    assert [each.name for each in unit.settable] == ["mu", "force"]
    assert [each.is_continuous_input for each in unit.settable] == [False, True]
    assert unit.platforms == ("linux64", "win32")


def test_fmi_3_is_read_alike_and_its_arrays_are_left_out(tmp_path):
    unit = read_unit(write_fmu(tmp_path / "plant.fmu", third_description()))
    (state,) = unit.states
    assert (state.name, state.meaning, state.low) == ("x", "level in m", 0)
    assert [each.name for each in unit.settable] == ["k"]
    assert (unit.token, unit.exchange) == ("1", "plant")


def test_declared_limits_are_read(tmp_path):
    text = description(DAHLQUIST.replace('min="0"', 'min="0" max="3"'), states=1)
    (state,) = read_unit(write_fmu(tmp_path / "plant.fmu", text)).states
    assert state.is_bounded
    assert (state.low, state.high) == (0, 3)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<fmiModelDescription", "not valid XML"),
        (ENTITY + description(), "declares a document type or entities"),
        (description(version="1.0"), "it is of FMI 1.0, and only FMI 2.0 and 3.0 are read"),
        (third_description(derivative=9), "no derivative of a real variable"),
        ("<sbml/>", "it is of FMI without a version"),
        (description(states=0), "no continuous state"),
        (description(states=9), "no derivative of a real variable"),
        (description(kinds=""), "neither model exchange nor co-simulation"),
        (description(kinds=SLAVE), "co-simulation only, and its state x1 has no start value"),
    ],
)
def test_descriptions_that_cannot_be_studied_are_refused(tmp_path, text, sentence):
    with pytest.raises(SystemFileError, match=sentence):
        read_unit(write_fmu(tmp_path / "plant.fmu", text))


def test_what_is_no_archive_is_refused(tmp_path):
    path = tmp_path / "plant.fmu"
    with pytest.raises(UnknownSystemError, match="no such file"):
        read_unit(path)
    path.write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(SystemFileError, match="no zip archive that can be read"):
        read_unit(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "")
    with pytest.raises(SystemFileError, match=r"holds no modelDescription\.xml"):
        read_unit(path)


def test_numbers_without_bound_count_as_not_given(tmp_path):
    text = description().replace('valueReference="', 'valueReference="inf" was="')
    unit = read_unit(write_fmu(tmp_path / "plant.fmu", text))
    assert {each.reference for each in unit.states} == {0}


def test_a_damaged_description_is_refused(tmp_path):
    path = write_fmu(tmp_path / "plant.fmu")
    path.write_bytes(path.read_bytes().replace(b"ModelVariables", b"ModelVariabels", 1))
    with pytest.raises(SystemFileError, match="Bad CRC-32"):
        read_unit(path)


def test_what_unfolds_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(file, "LARGEST_CONTENT", 1000)
    with pytest.raises(SystemFileError, match="unfolds to too much"):
        read_unit(write_fmu(tmp_path / "plant.fmu", programs={"linux64": "0" * 1000}))


def test_show_says_that_an_fmu_does_not_tell_its_equations(tmp_path, capsys):
    path = write_fmu(tmp_path / "plant.fmu")
    assert run(["show", str(path)]) == 2
    assert "does not tell its equations" in capsys.readouterr().err


def test_model_exchange_is_enough(tmp_path):
    unit = read_unit(write_fmu(tmp_path / "plant.fmu", description(kinds=EXCHANGE + SLAVE)))
    assert unit.exchange == "plant"


def test_what_co_simulation_can_do_is_read(tmp_path):
    text = description(DAHLQUIST, kinds=SLAVE, states=1)
    unit = read_unit(write_fmu(tmp_path / "plant.fmu", text))
    assert (unit.exchange, unit.stepping) == ("", "plant")
    assert unit.can_return
    assert not unit.has_fixed_step
    text = text.replace("true", "false").replace(
        "<ModelVariables>", '<DefaultExperiment stopTime="4" stepSize="0.01"/><ModelVariables>'
    )
    unit = read_unit(write_fmu(tmp_path / "plant.fmu", text))
    assert (unit.can_return, unit.has_fixed_step) == (False, True)
    assert (unit.step, unit.duration) == (0.01, 4)


def test_without_derivatives_what_begins_where_it_is_set_is_the_state(tmp_path):
    text = DAHLQUIST.replace('valueReference="0"', 'valueReference="0" initial="exact"')
    unit = read_unit(write_fmu(tmp_path / "a.fmu", description(text, kinds=SLAVE, states=0)))
    assert [each.name for each in unit.states] == ["x"]
