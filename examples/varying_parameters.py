"""Parameters as variables: Lorenz's equations for every sigma, rho and beta at once."""

from odevsr import discover, get_system, lift

if __name__ == "__main__":
    lorenz = lift(get_system("lorenz"), {"sigma": (5, 15), "rho": (20, 40), "beta": (2, 4)})
    discover(lorenz).print()  # dx0/dt = sigma*(x1 - x0), not 10*(x1 - x0)
