"""The way that led to a law: what was recorded of one search, by what it is about."""

from __future__ import annotations

from collections.abc import Iterator

from odevsr.showing.meanings import left_side
from odevsr.vertical.asking.story import Conclusion, Place, Round, Screening, WayToLaw
from odevsr.vertical.equation import Equation


class Way:
    """The attempt that led to an equation's law, quantity by quantity."""

    def __init__(self, equation: Equation) -> None:
        self.equation = equation
        last = [each for each in equation.conclusions if each.place.target == equation.variable]
        self.attempt = last[-1].place.attempt if last else self._last_attempt()

    def _last_attempt(self) -> int:
        return max((each.place.attempt for each in self.equation.rounds), default=0)

    @property
    def beginning(self) -> Place:
        """The equation itself."""
        return Place(self.equation.variable, self.attempt)

    def told_rounds(self) -> list[tuple[str, Round]]:
        """The rounds on the way, each with what it is about."""
        return list(self._rounds_about(self.beginning, self.equation.left))

    def _rounds_about(self, place: Place, left: str) -> Iterator[tuple[str, Round]]:
        for each in self.rounds(place):
            yield left, each
        conclusion = self.conclusion(place)
        if conclusion is None:
            return
        inner = self.studied_instead(conclusion)
        if inner is not None:
            yield from self._rounds_about(inner, studied(left, place, inner))
        for constant in self.constants(conclusion):
            yield from self._rounds_about(constant, constant.called)

    def screening(self, place: Place) -> Screening | None:
        """What was seen to matter there, if that was looked at."""
        return next((each for each in self.equation.screenings if each.place == place), None)

    def rounds(self, place: Place) -> list[Round]:
        """The rounds about a place; of those over the same variables only the last."""
        rounds = [each for each in self.equation.rounds if each.place == place]
        return list({each.free: each for each in rounds}.values())

    def conclusion(self, place: Place) -> Conclusion | None:
        """What was concluded there in the end."""
        found = [each for each in self.equation.conclusions if each.place == place]
        return found[-1] if found else None

    def constants(self, conclusion: Conclusion) -> Iterator[Place]:
        """The constants of the form that a law fills, each a quantity of its own."""
        index = 0
        while conclusion.form:
            target = f"{conclusion.place.target}.{index}"
            found = [
                each.place
                for each in self.equation.conclusions
                if (each.place.target, each.place.within) == (target, conclusion.form)
                and each.place.attempt == self.attempt
            ]
            if not found:
                return
            yield found[-1]
            index += 1

    def studied_instead(self, conclusion: Conclusion) -> Place | None:
        """The quantity, or a function of it, in the coordinates in which its law was found."""
        place = conclusion.place
        if conclusion.strategy not in (WayToLaw.COORDINATES, WayToLaw.OUTER):
            return None
        deeper = [
            each.place
            for each in self.equation.conclusions
            if (each.place.target, each.place.within) == (place.target, place.within)
            and len(each.place.stands_for) > len(place.stands_for)
            and each.place.stands_for[: len(place.stands_for)] == place.stands_for
            and each.place.attempt == place.attempt
        ]
        return min(reversed(deeper), key=lambda each: len(each.stands_for), default=None)


def studied(left: str, place: Place, inner: Place) -> str:
    """What is studied in place of the left side of a law."""
    return left_side(left, inner.stands_for[len(place.stands_for) :])
