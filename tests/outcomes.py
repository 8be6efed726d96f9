"""What discoveries are compared by: whether their laws are the truth, and all but their time."""

from odevsr.verdict.equivalence import is_equivalent


def exact(found, system):
    """Whether each law found is the truth."""
    truth = dict(zip(system.names, system.closed_equations(), strict=True))
    return [
        is_equivalent(each.expression, truth[each.variable], system.names, system.box)
        for each in found.equations
    ]


def outcome(found):
    """All of a discovery but the time it took."""
    return timeless(found.to_json())


def timeless(values):
    """A discovery as JSON, without the time it took."""
    del values["elapsed_s"]
    for equation in values["equations"]:
        del equation["elapsed_s"]
    return values
