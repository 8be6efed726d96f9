"""A system of one's own: a few lines of TOML, from a string here, from a file just as well."""

import odevsr

BRUSSELATOR = """
format = 1
name = "brusselator"
title = "A chemical clock"
source = "Prigogine and Lefever (1968)"

[state]
x = { range = [0.1, 4], start = 1.0, meaning = "activator" }
y = { range = [0.1, 6], start = 3.0, meaning = "inhibitor" }

[parameters]
a = 1
b = 3

[equations]
x = "a + x^2*y - (b + 1)*x"
y = "b*x - x^2*y"
"""

if __name__ == "__main__":
    system = odevsr.parse_system(BRUSSELATOR, "brusselator")
    odevsr.discover(system).print()
    # b as a variable: its place in the law is found, too.
    odevsr.discover(system, vary={"b": (1, 4)}, components="x").print()
