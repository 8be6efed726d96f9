"""A small model in SBML, with parts that tests put in."""


def times(*names: str) -> str:
    return f"<apply><times/>{''.join(f'<ci>{name}</ci>' for name in names)}</apply>"


SATURATED = (
    f"<apply><divide/>{times('Vm', 'P')}<apply><plus/><cn>0.5</cn><ci>P</ci></apply></apply>"
)


def model(
    species: str | None = None, rules: str = "", more: str = "", first: str | None = None
) -> str:
    """S turns to P (mass action, with a local parameter), P is degraded (Michaelis-Menten)."""
    own = '<species id="S" name="substrate" compartment="cell" initialConcentration="2"/>'
    own += '<species id="P" compartment="cell" initialConcentration="0.5"/>'
    own += '<species id="E" compartment="cell" initialConcentration="3" boundaryCondition="true"/>'
    listed = own if species is None else species
    conversion = first or f"<apply><ci>mass</ci><ci>k</ci>{times('E', 'S')}</apply>"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level2/version4" level="2" version="4">
<model id="small" name="A small model">
<listOfFunctionDefinitions><functionDefinition id="mass"><math
 xmlns="http://www.w3.org/1998/Math/MathML"><lambda><bvar><ci>a</ci></bvar><bvar><ci>b</ci></bvar>
 {times("a", "b")}</lambda></math></functionDefinition></listOfFunctionDefinitions>
<listOfCompartments><compartment id="cell" size="2"/></listOfCompartments>
<listOfSpecies>{listed}</listOfSpecies>
<listOfParameters><parameter id="Vm" value="1.5"/>
<parameter id="level" value="0.5" constant="false"/>
</listOfParameters>
{f"<listOfRules>{rules}</listOfRules>" if rules else ""}
<listOfReactions>
{_reaction("conversion", "S", "P", conversion, '<parameter id="k" value="0.25"/>')}
{_reaction("decay", "P", "", SATURATED, "")}
</listOfReactions>
{more}
</model></sbml>"""


def _reaction(name: str, before: str, after: str, law: str, local: str) -> str:
    products = f'<listOfProducts><speciesReference species="{after}"/></listOfProducts>'
    return f"""<reaction id="{name}" reversible="false">
<listOfReactants><speciesReference species="{before}"/></listOfReactants>
{products if after else ""}
{modifier(name)}
<kineticLaw>{mathml(law)}{f"<listOfParameters>{local}</listOfParameters>" if local else ""}
</kineticLaw></reaction>"""


def modifier(name: str) -> str:
    """The boundary species takes part in the first reaction."""
    if name != "conversion":
        return ""
    return '<listOfModifiers><modifierSpeciesReference species="E"/></listOfModifiers>'


def mathml(content: str) -> str:
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML">{content}</math>'
