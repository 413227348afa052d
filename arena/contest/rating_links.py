"""Which players a board may compare: the connected parts of who met whom."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from arena.contest.rating_tally import Bools, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """How the players of one board hang together (`docs/statistics.md §1.4`)."""

    component: Ints
    """By player; 0 is the anchor's component, or else the largest."""
    bounded: Bools
    """By player: wins and losses alone, without the prior, keep the rating finite."""

    def blocks(self) -> tuple[Ints, ...]:
        """The players of each component, by number."""
        return tuple(np.flatnonzero(self.component == part) for part in np.unique(self.component))


def links(halves: Ints, anchor: int | None) -> Links:
    """The components of the board with these points (in halves), seen from its anchor."""
    met = connected_components(csr_array(halves + halves.T), directed=False)[1].astype(np.int64)
    beat = connected_components(csr_array(halves), connection="strong")[1].astype(np.int64)
    component = _numbered(met, anchor)
    bounded = np.zeros(len(halves), np.bool_)
    for part in np.unique(component):
        inside = np.flatnonzero(component == part)
        bounded[inside] = _bounded(beat[inside], _position(inside, anchor))
    return Links(component, bounded)


def _numbered(labels: Ints, anchor: int | None) -> Ints:
    sizes = np.bincount(labels)
    order = sorted(set(labels.tolist()), key=lambda part: (not _holds(labels, part, anchor), -sizes[part], part))
    rank = np.argsort(np.array(order, np.int64))
    return rank[labels].astype(np.int64)


def _holds(labels: Ints, part: int, anchor: int | None) -> bool:
    return anchor is not None and bool(labels[anchor] == part)


def _position(inside: Ints, player: int | None) -> int | None:
    return int(np.flatnonzero(inside == player)[0]) if player is not None and player in inside else None


def _bounded(beat: Ints, anchor: int | None) -> Bools:
    """Who both takes points from and gives points to the anchor, or else the majority, through others."""
    if anchor is not None:
        return np.asarray(beat == beat[anchor])
    sizes = np.bincount(beat)
    majority = len(beat) > 1 and 2 * int(sizes.max()) > len(beat)
    return np.asarray(beat == sizes.argmax()) & majority
