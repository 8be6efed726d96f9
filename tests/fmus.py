"""FMUs made on the spot: descriptions, and programs compiled from tests/plant_fmu.c."""

import subprocess
import zipfile
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

SOURCE = Path(__file__).parent / "plant_fmu.c"
THIRD_SOURCE = Path(__file__).parent / "plant_fmu3.c"
VAN_DER_POL = """
<ScalarVariable name="body.x[0]" valueReference="0"><Real start="2"/></ScalarVariable>
<ScalarVariable name="der(x0)" valueReference="1"><Real derivative="1"/></ScalarVariable>
<ScalarVariable name="x1" valueReference="2" description="speed"><Real unit="m/s"/></ScalarVariable>
<ScalarVariable name="der(x1)" valueReference="3"><Real derivative="3"/></ScalarVariable>
<ScalarVariable name="mu" valueReference="4" causality="parameter" variability="fixed">
<Real start="1"/></ScalarVariable>
<ScalarVariable name="force" valueReference="5" causality="input"><Real start="0"/></ScalarVariable>
<ScalarVariable name="steps" valueReference="0"><Integer/></ScalarVariable>
"""
DAHLQUIST = """
<ScalarVariable name="x" valueReference="0"><Real start="1" min="0"/></ScalarVariable>
<ScalarVariable name="der(x)" valueReference="1"><Real derivative="1"/></ScalarVariable>
<ScalarVariable name="k" valueReference="2" causality="parameter" variability="fixed">
<Real start="1"/></ScalarVariable>
"""
THIRD = """
<Float64 name="x" valueReference="0" start="1" min="0" description="level" unit="m"/>
<Float64 name="der(x)" valueReference="1" derivative="0"/>
<Float64 name="k" valueReference="2" causality="parameter" variability="fixed" start="1"/>
<Float64 name="table" valueReference="9" causality="parameter"><Dimension start="3"/></Float64>
<Int32 name="steps" valueReference="8"/>
"""
EXCHANGE = '<ModelExchange modelIdentifier="plant"/>'
SLAVE = (
    '<CoSimulation modelIdentifier="plant" canGetAndSetFMUstate="true" canGetAndSetFMUState="true" '
    'canHandleVariableCommunicationStepSize="true"/>'
)


def description(variables=VAN_DER_POL, kinds=EXCHANGE, states=2, version="2.0"):
    unknowns = "".join(f'<Unknown index="{2 * place + 2}"/>' for place in range(states))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="{version}" modelName="plant" guid="1">{kinds}
<ModelVariables>{variables}</ModelVariables>
<ModelStructure><Derivatives>{unknowns}</Derivatives></ModelStructure></fmiModelDescription>"""


def third_description(variables=THIRD, derivative=1, kinds=EXCHANGE):
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="plant" instantiationToken="1">{kinds}
<ModelVariables>{variables}</ModelVariables>
<ModelStructure><ContinuousStateDerivative valueReference="{derivative}"/></ModelStructure>
</fmiModelDescription>"""


@cache
def compiled(*defined):
    """The program with these names defined, as bytes."""
    library = Path(mkdtemp()) / "plant.so"
    flags = [f"-D{name}" for name in defined]
    source = THIRD_SOURCE if "THIRD" in defined else SOURCE
    command = ["gcc", "-shared", "-fPIC", "-O2", *flags, "-o", library, source, "-lm"]
    subprocess.run(command, check=True)
    return library.read_bytes()


def write_fmu(path, text=None, programs=None):
    """An FMU with this description and these programs, by platform."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", description() if text is None else text)
        for platform, program in (programs or {}).items():
            archive.writestr(f"binaries/{platform}/plant.so", program)
    return path
