"""The bot that throws dice: any kind of turn, without ever listing them all."""

from collections.abc import Sequence
from random import Random

from arena.game.legal import Legal, Placement
from arena.game.packing import view_to_bytes
from arena.sdk import Action, Lake, Pass, River, View

LAKE_SHARE = 0.25  # how often it goes to the lake where it could place as well


def choose(view: View) -> Action:
    """A turn at random; the same view always gets the same throw."""
    rng = Random(view_to_bytes(view))
    options = view.legal
    if options.must_pass:
        return Pass()
    if options.lakes and (not options.placements or rng.random() < LAKE_SHARE):
        return drawn(view, options, rng)
    return placed(rng.choice(options.placements), rng)


def placed(placement: Placement, rng: Random) -> Action:
    """The placement, its new colours in a random order."""
    size = min(placement.room, len(placement.new)) if len(placement.new) > 1 else 0
    order = tuple(rng.sample(placement.new, size))
    return River(placement.pieces, placement.tile, placement.side, order)


def drawn(view: View, options: Legal, rng: Random) -> Action:
    """Random pieces out of the lake, and random ones given up."""
    take = rng.choice(options.lakes)
    held: Sequence[int] = (*view.me.satchel, *take)
    return Lake(take, tuple(sorted(rng.sample(held, options.discards))))


if __name__ == "__main__":
    from arena.sdk import run

    run(choose, name="random")
