import os
import subprocess
import sys
from pathlib import Path

import pytest

import odevsr
from odevsr.errors import OdevsrError, SystemFileError, UnknownSystemError, UsageError
from odevsr.world.systems import registry as registry_module
from odevsr.world.systems.file import parse_system, read_system
from odevsr.world.systems.registry import Registry, is_path
from tests.system_texts import DECAY, changed, renamed, written

BUILT_IN = Path(__file__).parents[1] / "systems"


def by_name(registry):
    return {entry.name: entry for entry in registry.entries()}


def test_every_built_in_file_is_a_usable_system():
    entries = Registry().entries()
    assert [entry.name for entry in entries] == sorted(
        path.stem for path in BUILT_IN.glob("*.toml")
    )
    assert {entry.origin for entry in entries} == {"built-in"}
    assert [entry.error for entry in entries if entry.error] == []


def test_a_system_is_found_by_name():
    assert Registry().get("lorenz").names == ("x0", "x1", "x2")


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(UnknownSystemError, match=r"no system 'lorentz'; did you mean lorenz\?"):
        Registry().get("lorentz")


def test_a_name_like_no_other_is_answered_with_the_command_that_lists_them():
    with pytest.raises(UnknownSystemError, match="no system '#'; `odevsr systems` lists"):
        Registry().get("#")


def test_a_folder_adds_its_files(tmp_path):
    written(tmp_path, "decay")
    (tmp_path / ".hidden.toml").write_text("no system")
    (tmp_path / "notes.txt").write_text("no system")
    registry = Registry([tmp_path])
    assert registry.get("decay").title == "Radioactive decay"
    assert set(by_name(registry)) - set(by_name(Registry())) == {"decay"}


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match="nowhere: there is no such folder"):
        Registry([tmp_path / "nowhere"]).entries()


def test_a_bad_file_is_listed_with_its_error_and_harms_no_other(tmp_path):
    written(tmp_path, "decay")
    bad = written(tmp_path, "bad", changed("format = 1", "format = 9"))
    registry = Registry([tmp_path])
    entries = by_name(registry)
    assert entries["decay"].error is None
    assert entries["bad"].system is None
    assert str(entries["bad"].error).startswith(f"{bad}:1: format is 9")
    with pytest.raises(SystemFileError, match="format is 9"):
        registry.get("bad")


def test_a_bad_file_is_not_read_when_another_is_asked_for(tmp_path, monkeypatch):
    written(tmp_path, "decay")
    written(tmp_path, "bad", "")
    asked = []

    def reading(path):
        asked.append(path.stem)
        return read_system(path)

    monkeypatch.setattr(registry_module, "read_system", reading)
    registry = Registry([tmp_path])
    registry.get("decay")
    registry.get("decay")
    assert asked == ["decay"]


def test_a_name_claimed_by_two_files_is_refused_with_file_and_line(tmp_path):
    path = written(tmp_path, "lorenz")
    registry = Registry([tmp_path])
    expected = f"{path}:2: name 'lorenz' is already taken (built-in); rename the file"
    with pytest.raises(SystemFileError) as refusal:
        registry.get("lorenz")
    assert str(refusal.value).startswith(expected)
    first, second = (entry for entry in registry.entries() if entry.name == "lorenz")
    assert first.error is None
    assert str(second.error).startswith(expected)


def test_a_folder_given_twice_counts_once(tmp_path):
    written(tmp_path, "decay")
    assert Registry([tmp_path, tmp_path / "."]).get("decay").name == "decay"
    assert Registry([BUILT_IN]).get("lorenz").name == "lorenz"


def test_a_path_is_read_without_being_registered(tmp_path):
    path = written(tmp_path, "decay")
    registry = Registry()
    assert registry.get(str(path)) == registry.get(path) == read_system(path)
    assert "decay" not in by_name(registry)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("lorenz", False),
        ("lorenz.toml", True),
        ("./lorenz", True),
        ("a/b", True),
        (Path("lorenz"), True),
        ("", False),
    ],
)
def test_paths_are_told_from_names(target, expected):
    assert is_path(target) is expected


@pytest.mark.parametrize("target", ["data.h5", "folder/data.CSV", Path("data.npz")])
def test_a_recording_is_refused_with_what_can_be_experimented_on(target):
    with pytest.raises(UsageError, match=r"cannot be experimented on; give a system's name, its"):
        Registry().get(target)


@pytest.mark.parametrize(
    ("target", "hint"), [("here/sims.py:spin", "sims:spin"), ("sims.py", "sims:function")]
)
def test_a_file_of_python_is_refused_with_how_to_name_its_simulator(target, hint):
    with pytest.raises(UsageError, match=f"odevsr discover {hint}$"):
        Registry().get(target)


def test_a_registered_system_is_known_by_its_name():
    registry = Registry()
    decay = parse_system(DECAY, "decay.toml")
    registry.register(decay)
    registry.register(decay)
    assert registry.get("decay") is decay
    assert by_name(registry)["decay"].origin == "registered in Python"


def test_a_registered_system_cannot_take_a_name(tmp_path):
    written(tmp_path, "decay")
    registry = Registry([tmp_path])
    other = parse_system(changed("-rate*amount", "-amount"), "decay.toml")
    for system, origin in ((other, str(tmp_path)), (parse_system(renamed("mhd"), ""), "built-in")):
        with pytest.raises(SystemFileError) as refusal:
            registry.register(system)
        assert f"name {system.name!r} is already taken ({origin})" in str(refusal.value)


def test_another_system_of_a_registered_name_is_refused():
    registry = Registry()
    registry.register(parse_system(DECAY, "decay.toml"))
    with pytest.raises(SystemFileError, match=r"'decay' is already taken \(registered in Python\)"):
        registry.register(parse_system(changed("-rate*amount", "-amount"), "decay.toml"))


def test_more_folders_share_what_is_registered(tmp_path):
    registry = Registry()
    wider = registry.with_folders([tmp_path])
    registry.register(parse_system(DECAY, "decay.toml"))
    assert wider.get("decay").name == "decay"


@pytest.mark.usefixtures("fresh_process_registry")
def test_the_public_functions_share_one_registry():
    odevsr.register(parse_system(DECAY, "decay.toml"))
    assert odevsr.get_system("decay").name == "decay"
    assert {"decay", "lorenz"} <= {system.name for system in odevsr.systems()}


@pytest.mark.usefixtures("fresh_process_registry")
def test_a_system_stands_for_itself_and_a_file_is_registered_by_its_path(tmp_path):
    path = written(tmp_path, "mine")
    odevsr.register(str(path))
    assert odevsr.get_system("mine") == read_system(str(path))
    assert odevsr.get_system(odevsr.get_system("mine")) is odevsr.get_system("mine")
    with pytest.raises(UsageError, match="int is no system; give a System, its name or a path"):
        odevsr.get_system(3)


@pytest.mark.parametrize(
    "target", ["lorenz", BUILT_IN / "lorenz.toml", str(BUILT_IN / "lorenz.toml")]
)
def test_whatever_takes_a_system_takes_its_name_or_path(target):
    lorenz = odevsr.get_system("lorenz")
    assert odevsr.lift(target, {"rho": (20, 40)}) == odevsr.lift(lorenz, {"rho": (20, 40)})
    assert odevsr.simulate(target, duration=0.1).states.shape[1] == 3
    assert odevsr.record(target, 1, 0, command="a test", duration=0.1).system == lorenz
    assert odevsr.make_launcher(target)(lorenz.start[None], 0.1).shape == (1, 3)


@pytest.mark.usefixtures("fresh_process_registry")
def test_the_environment_names_folders(tmp_path, monkeypatch):
    for name in ("decay", "rot"):
        (tmp_path / name).mkdir()
        written(tmp_path / name, name)
    folders = os.pathsep.join([str(tmp_path / "decay"), "", str(tmp_path / "rot")])
    monkeypatch.setenv("ODEVSR_SYSTEMS", folders)
    assert {"decay", "rot"} <= {system.name for system in odevsr.systems()}


PLUGIN = f"""
from pathlib import Path
import odevsr
text = {DECAY!r}
def named(name):
    return odevsr.parse_system(text.replace('name = "decay"', f'name = "{{name}}"'), name)
value = named("one")
def function():
    return named("two")
def several():
    return [named("three"), named("four")]
folder = Path(__file__).parent / "folder"
text_folder = str(folder)
number = 3
def fails():
    raise RuntimeError("out of order")
def registers():
    odevsr.register(named("six"))
    return []
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Installs a package, as far as Python can see, that declares the given entry points."""

    def install(**points):
        (tmp_path / "plugin_module.py").write_text(PLUGIN)
        (tmp_path / "folder").mkdir()
        written(tmp_path / "folder", "five")
        metadata = tmp_path / "plugin-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
        lines = [f"{name} = plugin_module:{value}" for name, value in points.items()]
        (metadata / "entry_points.txt").write_text("\n".join(["[odevsr.systems]", *lines]))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "plugin_module", raising=False)

    yield install
    sys.modules.pop("plugin_module", None)


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("value", {"one"}),
        ("function", {"two"}),
        ("several", {"three", "four"}),
        ("folder", {"five"}),
        ("text_folder", {"five"}),
    ],
)
def test_other_packages_offer_systems_by_entry_points(plugin, value, names):
    plugin(point=value)
    registry = Registry()
    assert set(by_name(registry)) - {path.stem for path in BUILT_IN.glob("*.toml")} == names
    for name in names:
        assert registry.get(name).name == name
        assert by_name(registry)[name].origin == "entry point point of plugin"


@pytest.mark.usefixtures("fresh_process_registry")
def test_a_package_may_register_systems_while_it_is_loaded(plugin):
    plugin(point="registers")
    assert odevsr.get_system("six").name == "six"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("fails", "RuntimeError: out of order"),
        ("number", "int is not a System"),
        ("absent", "AttributeError"),
    ],
)
def test_a_package_that_fails_is_listed_and_harms_no_other(plugin, value, sentence):
    plugin(broken=value)
    registry = Registry()
    assert registry.get("lorenz").name == "lorenz"
    entry = by_name(registry)["broken"]
    assert f"entry point broken = plugin_module:{value} gives no system" in str(entry.error)
    assert sentence in str(entry.error)
    with pytest.raises(OdevsrError, match="gives no system"):
        registry.get("broken")


def test_a_name_claimed_by_two_packages_is_refused(plugin):
    plugin(first="value", second="value")
    with pytest.raises(
        SystemFileError, match=r"second of plugin: name 'one' is already taken \(en"
    ):
        Registry().get("one")


def test_the_registry_works_the_same_from_a_wheel(tmp_path):
    """A copy with the systems inside the package, as the wheel holds them, lists the same."""
    package = Path(odevsr.__file__).parent
    copied = tmp_path / "odevsr"
    for path in package.rglob("*.py"):
        target = copied / path.relative_to(package)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    (copied / "_systems").mkdir()
    for path in BUILT_IN.glob("*.toml"):
        (copied / "_systems" / path.name).write_bytes(path.read_bytes())
    code = "import odevsr; print(odevsr.__file__, *(each.name for each in odevsr.systems()))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    location, *names = run.stdout.split()
    assert Path(location).parent == copied
    assert names == [system.name for system in odevsr.systems()]


def test_the_name_of_a_module_nearby_asks_for_a_function_in_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "raise SystemExit\n@odevsr.rhs(x=(0, 1))\ndef vessel(time, state): ...\n"
    (tmp_path / "reactor.py").write_text(text)
    (tmp_path / "empty.py").write_text("def helper(")
    with pytest.raises(UnknownSystemError, match="odevsr discover reactor:vessel"):
        Registry().get("reactor")
    with pytest.raises(UnknownSystemError, match="odevsr discover empty:function"):
        Registry().get("empty")
