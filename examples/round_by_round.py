"""The paper's method, round by round: each frees one more variable, a policy proposes forms."""

import odevsr


def told(event):
    """A line for each batch that the policy proposes."""
    epoch = event.epoch
    if epoch is not None:
        print(f"over {epoch.variable}: loss {epoch.best_loss:.1e}, reward {epoch.reward:.2f}, "
              f"{epoch.new:.0%} new, {epoch.best}")  # fmt: skip


if __name__ == "__main__":
    # The paper's settings, with a network small enough to watch; leave these out to have its own.
    small = {"layers": 1, "width": 64, "batch": 512, "most_seconds": 60.0}
    found = odevsr.discover("lorenz", components="x0", preset="paper", on_event=told, **small)
    for number, each in enumerate(found.equations[0].rounds, start=1):
        held = ", ".join(each.setting.held) or "nothing"
        print(f"round {number}: free {', '.join(each.free)}, held {held}, form {each.form}")
    found.print()
