"""Refereed games for tests: who sits where, how they play and who leaves."""

from collections.abc import Callable, Mapping
from random import Random

from arena.contest import referee
from arena.contest.clock import time_control
from arena.contest.record import Head, Record, nonces_in_order, recorded, rules_tag
from arena.contest.referee import Game, Moved, Reason
from arena.game import deal, ruleset
from arena.game.actions import Action
from arena.game.ruleset import RuleSet
from tests.game.random_games import turn

Chooser = Callable[[Game], Action]
Faults = Mapping[int, tuple[tuple[int, Reason], ...]]  # by ply: who forfeits before its action and why

NAMES = ("oak@1", "ash@2", "yew@1", "elm@3", "fir@1")
NOBODY: Faults = {}


def head(players: int, seed: int, *, nonces: int = 0, clock: str = "60+0.5/10") -> Head:
    """The head of a game between so many bots, the first `nonces` of which sent one."""
    rng = Random(f"head {seed}")
    secret, match = rng.randbytes(32), f"m-{seed}"
    return Head(
        event="a test",
        date="2026-01-02T03:04:05+00:00",
        rules=rules_tag(ruleset.named()),
        match=match,
        game=seed % 7,
        clock=clock,
        seats=NAMES[:players],
        commitment=deal.commitment(secret, match),
        nonces=tuple(rng.randbytes(32) if seat < nonces else None for seat in range(players)),
        secret=secret,
    )


def opened(head: Head, rule_set: RuleSet | None = None) -> Game:
    """The game of that head before its first action."""
    chance = deal.deal(head.secret, head.match, head.game, nonces_in_order(head.seats, head.nonces))
    return referee.opened(rule_set or ruleset.named(), time_control(head.clock), len(head.seats), chance)


def finished(game: Game, choose: Chooser, rng: Random, *, faults: Faults = NOBODY) -> Game:
    """The game played to its end; each fault happens at its ply or as soon after it as a live seat is asked."""
    due = [(ply, seat, reason) for ply in sorted(faults) for seat, reason in faults[ply]]
    while not referee.is_over(game):
        if due and due[0][0] <= game.state.ply:
            ply, seat, reason = due.pop(0)
            game = referee.forfeit(game, seat, reason, f"{reason.lower()} due at ply {ply}")
        else:
            game = referee.hear(game, Moved(choose(game), round(rng.random(), 3)))
    return game


def at_random(rng: Random, lake_share: float = 0.3) -> Chooser:
    """Any legal turn."""
    return lambda game: turn(game.state, rng, lake_share)


def record(players: int, seed: int, *, faults: Faults = NOBODY, nonces: int = 0) -> Record:
    """The record of a random game."""
    rng, top = Random(seed), head(players, seed, nonces=nonces)
    return recorded(top, finished(opened(top), at_random(rng), rng, faults=faults))
