"""The last two turns of a game, worked out: every colour that may be refilled, and the best answer to each."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.game.restore import overwrite
from arena.game.rules import PIECES, SHAPES
from arena.sdk import State
from bots.mcts.tree import standings
from bots.mcts.turns import Turn, play, replies

Worth = tuple[float, float]  # chance to end before another, and points ahead of the others, should chances be equal


@dataclass(frozen=True, slots=True)
class Refill:
    """A position with what comes out of the bag next, and how likely that is."""

    chance: float
    state: State


def is_near(state: State) -> bool:
    """Whether at most two turns are left."""
    return 0 < state.end <= state.ply + 2


def worked_out(now: State, offered: Sequence[Turn], enough: Callable[[int], bool]) -> Turn:
    """The best turn, or the best so far when there is no more time; likely ones come first in `offered`."""
    luck = [refills(now, stones) for stones in range(3)]
    best, turn = worth(now, offered[0], luck), offered[0]
    for done, other in enumerate(offered[1:], 1):
        if enough(done):
            break
        if (found := worth(now, other, luck)) > best:
            best, turn = found, other
    return turn


def worth(now: State, turn: Turn, luck: Sequence[Sequence[Refill]]) -> Worth:
    """What a turn is worth on average over what may be refilled."""
    after = now.emptied()
    play(after, turn)
    stones = after.tables.stones[after.array("river")[1]] if not after.over else 0
    found = [(refill.chance, answered(refill.state, turn)) for refill in luck[stones]]
    return sum(chance * one[0] for chance, one in found), sum(chance * one[1] for chance, one in found)


def answered(state: State, turn: Turn) -> Worth:
    """What a turn is worth once the last seat has done what is best for itself."""
    seat, after = state.seat, state.clone()
    play(after, turn)
    if after.over:
        return standing(after, seat)
    last = after.seat
    return standing(max(endings(after), key=lambda end: standing(end, last)), seat)


def endings(state: State) -> Iterator[State]:
    """Where the last turn may lead, all orders of new colours included."""
    for (decision,) in replies(state):
        after = state.clone()
        after.step(decision)
        yield from finished(after, state.ply)


def finished(state: State, ply: int) -> Iterator[State]:
    """Where a turn under way may lead."""
    if state.ply != ply:
        yield state
        return
    for decision in state.legal():
        after = state.clone()
        after.step(decision)
        yield from finished(after, ply)


def standing(state: State, seat: int) -> Worth:
    """The outcome of a game that is over."""
    points = [state.score(one) for one in range(state.players)]
    return standings(points)[seat], points[seat] - sum(points) / len(points)


def refills(now: State, stones: int) -> list[Refill]:
    """What may come for so many stones: only the colours matter, since no one places these pieces any more."""
    left = now.array("bag")[now.front : now.back]
    found = []
    for colours, chance in draws(Counter(kind // SHAPES for kind in left), min(stones, len(left))):
        order, state = bytes(drawn_first(left, colours)), now.clone()
        overwrite(state, bag=order.ljust(PIECES, b"\0"), front=0, back=len(order), guessed=False)
        found.append(Refill(chance, state))
    return found


def draws(colours: Counter[int], count: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Colours that may be drawn one after the other, with their chances."""
    if count == 0:
        yield (), 1.0
        return
    for colour in +colours:
        share = colours[colour] / colours.total()
        for later, chance in draws(colours - Counter([colour]), count - 1):
            yield (colour, *later), share * chance


def drawn_first(kinds: Iterable[int], colours: Iterable[int]) -> list[int]:
    """The same pieces, with one of each of these colours in front."""
    rest, front = list(kinds), []
    for colour in colours:
        at = next(at for at, kind in enumerate(rest) if kind // SHAPES == colour)
        front.append(rest.pop(at))
    return front + rest
