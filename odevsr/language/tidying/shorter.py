"""Forms with a part less: what a form that the data do not determine might be instead."""

from __future__ import annotations

from collections.abc import Iterator

from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.expression import Apply, Constant, Expression, complexity, count
from odevsr.language.text import to_text


def shorter_forms(expression: Expression) -> list[Expression]:
    """Normal forms with one part left out, simplest first.

    Left out is a function or power around its argument, or one member of a sum or product.

    >>> from odevsr.language.parse import parse
    >>> form = normal_form(parse("C*exp(C*sin(x))", ["x"], open_symbols=True))
    >>> [to_text(each) for each in shorter_forms(form)]
    ['C', 'C*sin(x)', 'C*exp(sin(x))', 'exp(C*sin(x))', 'C*exp(C*x)']
    """
    forms = {normal_form(each) for each in _less_a_part(expression)}
    forms = {each for each in forms if not is_invalid(each) and _size(each) < _size(expression)}
    return sorted(forms, key=lambda each: (_size(each), to_text(each)))


def _size(expression: Expression) -> tuple[int, int]:
    return count(expression, Constant), complexity(expression)


def _less_a_part(expression: Expression) -> Iterator[Expression]:
    if not isinstance(expression, Apply):
        return
    op, args = expression.op, expression.args
    for index, argument in enumerate(args):
        before, after = args[:index], args[index + 1 :]
        rest = (*before, *after) or (argument,)
        yield rest[0] if len(rest) == 1 else Apply(op, rest)
        for part in _less_a_part(argument):
            yield Apply(op, (*before, part, *after))
