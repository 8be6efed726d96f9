"""The laws inside a physics engine: a pendulum, a cart-pole and a double pendulum of MuJoCo.

    pip install odevsr mujoco
    python mujoco_laws.py

Each is a few lines of MuJoCo's own XML. odevsr is told names and ranges, never an equation. What it
finds is compared with the law that mechanics books derive for these masses and lengths.
"""

import mujoco
import numpy as np

import odevsr

GRAVITY = 9.81
MASS, LENGTH, FRICTION = 0.5, 1.5, 0.3  # the pendulum's
CART, BOB, POLE = 2.0, 0.5, 0.8  # the cart's mass, that of the bob, the length of the pole between
FIRST, UPPER, SECOND, LOWER = 1.0, 1.2, 0.5, 0.8  # the double pendulum's masses and lengths
POINT = 'diaginertia="1e-12 1e-12 1e-12"'


def hanging(mass, length, below="", damping=0.0):
    """A point mass on a weightless rod, with what hangs `below` it."""
    return f"""<joint type="hinge" axis="0 -1 0" damping="{damping}"/>
        <inertial pos="0 0 {-length}" mass="{mass}" {POINT}/>{below}"""


def right_hand_side(body, motor="", inputs=None, **variables):
    """A body whose accelerations MuJoCo computes; its state is positions, then their rates."""
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option gravity="0 0 {-GRAVITY}"/><worldbody><body>{body}</body></worldbody>
        <actuator>{motor}</actuator></mujoco>"""
    )
    data = mujoco.MjData(model)

    @odevsr.rhs(inputs=inputs, **variables)
    def rate(t, y, **controls):
        data.qpos[:], data.qvel[:] = y[: model.nq], y[model.nq :]
        data.ctrl[:] = list(controls.values())
        mujoco.mj_forward(model, data)
        return np.concatenate([data.qvel, data.qacc])

    return rate


def pendulum():
    body = hanging(MASS, LENGTH, damping=FRICTION)
    return right_hand_side(body, angle=(-3, 3), speed=(-4, 4))


def pendulum_by_hand(angle, speed):
    spin = -GRAVITY / LENGTH * np.sin(angle) - FRICTION / (MASS * LENGTH**2) * speed
    return speed, spin


def cart_pole():
    body = f"""<joint name="rail" type="slide" axis="1 0 0"/>
        <inertial pos="0 0 0" mass="{CART}" {POINT}/><body>{hanging(BOB, POLE)}</body>"""
    motor, force = '<motor joint="rail"/>', {"force": (-5, 5)}
    ranges = {"place": (-2, 2), "angle": (-3, 3), "speed": (-3, 3), "spin": (-4, 4)}
    return right_hand_side(body, motor, force, **ranges)


def cart_pole_by_hand(place, angle, speed, spin, force):
    sine, cosine = np.sin(angle), np.cos(angle)
    shared = CART + BOB * sine**2
    cart = (force + BOB * sine * (POLE * spin**2 + GRAVITY * cosine)) / shared
    pole = force * cosine + BOB * POLE * spin**2 * sine * cosine + (CART + BOB) * GRAVITY * sine
    return speed, spin, cart, -pole / (POLE * shared)


def double_pendulum():
    below = f"""<body pos="0 0 {-UPPER}">{hanging(SECOND, LOWER)}</body>"""
    ranges = {"angle": (-3, 3), "bend": (-3, 3), "speed": (-3, 3), "turn": (-3, 3)}
    return right_hand_side(hanging(FIRST, UPPER, below), **ranges)


def double_pendulum_by_hand(angle, bend, speed, turn):
    """The second angle of the books is counted from below; MuJoCo's is that between the rods."""
    both, low, swing = FIRST + SECOND, angle + bend, speed + turn
    shared = 2 * FIRST + SECOND - SECOND * np.cos(2 * bend)
    upper = -GRAVITY * ((FIRST + both) * np.sin(angle) + SECOND * np.sin(angle - 2 * low))
    upper += 2 * np.sin(bend) * SECOND * (swing**2 * LOWER + speed**2 * UPPER * np.cos(bend))
    lower = both * (speed**2 * UPPER + GRAVITY * np.cos(angle))
    lower = -2 * np.sin(bend) * (lower + swing**2 * LOWER * SECOND * np.cos(bend))
    first, second = upper / (UPPER * shared), lower / (LOWER * shared)
    return speed, turn, first, second - first


def difference(found, by_hand):
    """The largest difference from the law derived by hand, relative to the largest rate."""
    states = np.random.default_rng(0).uniform(-3, 3, (1000, len(found.names)))
    wanted = np.column_stack(by_hand(*states.T))
    rates = found.predict(states)[:, : wanted.shape[1]]
    return np.max(np.abs(rates - wanted) / np.max(np.abs(wanted), axis=0))


if __name__ == "__main__":
    for make, by_hand in (
        (pendulum, pendulum_by_hand),
        (cart_pole, cart_pole_by_hand),
        (double_pendulum, double_pendulum_by_hand),
    ):
        found = odevsr.discover(make())
        print(f"\n{make.__name__}: within {difference(found, by_hand):.0e} of the law by hand")
        found.print()
