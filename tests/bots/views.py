"""Views from all over a game."""

from collections.abc import Iterator
from hashlib import sha256
from random import Random

from arena.game import position, ruleset
from arena.game.view import View, view
from bots import dice, student


def views(players: int, seed: int) -> Iterator[View]:
    """Every view of one game between a random bot and sensible ones."""
    rules = ruleset.named()
    rng = Random(seed)
    state = position.opened(rules, players, sha256(f"{players} {seed}".encode()).digest())
    while not state.over:
        seen = view(state, rules)
        yield seen
        choose = dice.choose if rng.random() < 0.3 else student.choose
        position.apply(state, choose(seen))


def some_views(number: int, seed: int = 0) -> list[View]:
    """So many views, spread over table sizes and stages of the game."""
    found = [seen for players in (2, 3, 4, 5) for seen in views(players, seed)]
    return Random(seed).sample(found, number)
