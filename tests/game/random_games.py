"""Random whole games of the engine for laws: hypothesis draws the table, the deal and the temper of the players."""

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from random import Random

from hypothesis import strategies as st

from arena.game import deal, legal, position, rules
from arena.game.actions import Action, Lake, Pass, River
from arena.game.rules import State
from arena.game.ruleset import RuleSet
from tests.game import bridge
from tests.game.agreement import RULE_SETS

RULES = tuple(bridge.rule_set(numbers, name) for name, numbers in RULE_SETS.items())


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a random game depends on."""

    rules: RuleSet
    players: int
    seed: int
    lake_share: float  # how often a seat turns to the lake where it may do either

    @property
    def deal(self) -> bytes:
        """The 32 bytes behind the game's chance."""
        return Random(self.seed).randbytes(32)

    def opened(self) -> State:
        """The position before the first turn."""
        return position.opened(self.rules, self.players, self.deal)

    def orders(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Kinds in bag order and shapes in river order."""
        return deal.bag_order(self.deal, self.rules, self.players), deal.tile_order(self.deal)

    def steps(self) -> Iterator[tuple[State, Action, State]]:
        """Every position, the turn taken in it and the position after it."""
        state, rng = self.opened(), Random(self.seed)
        while not state.over:
            action = turn(state, rng, self.lake_share)
            after = position.advance(state, action)
            yield state, action, after
            state = after

    def actions(self) -> tuple[Action, ...]:
        """The turns of the whole game."""
        return tuple(action for _, action, _ in self.steps())


def turn(state: State, rng: Random, lake_share: float) -> Action:
    """Any legal turn, drawn without listing them all."""
    options = legal.legal(state)
    if options.must_pass:
        return Pass()
    if options.lakes and (not options.placements or rng.random() < lake_share):
        take = rng.choice(options.lakes)
        held = [*legal.satchel(state, rules.mover(state)), *take]
        return Lake(take, tuple(sorted(rng.sample(held, options.discards))))
    placed = rng.choice(options.placements)
    length = min(len(placed.new), placed.room) if len(placed.new) > 1 else 0
    return River(placed.pieces, placed.tile, placed.side, tuple(rng.sample(placed.new, length)))


def plans() -> st.SearchStrategy[Plan]:
    """Games at every table, under every rule set, from lake haters to river haters."""
    return st.builds(
        Plan,
        rules=st.sampled_from(RULES),
        players=st.integers(2, 5),
        seed=st.integers(0, 2**32 - 1),
        lake_share=st.sampled_from((0.4, 0.0, 0.8, 1.0)),
    )


def contents(state: State) -> tuple[object, ...]:
    """Everything a position consists of, for comparing two of them."""
    return astuple(rules.snapshot(state))
