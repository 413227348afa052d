"""What a small learner looks at: numbers worked out of an observation, a hundred or so."""

import numpy as np
import numpy.typing as npt

from arena.game.rules import COLOURS, COLUMNS, GRASP, NIL, OF_RIVER, OF_SEAT, OF_SEATS, OF_TILE, SHAPES

Floats = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]
COUNT = 84


def features(seen: Bytes) -> Floats:
    """Numbers of shape (n, 84) from observations of shape (n, 270): of the seat, of the next one, of the stage."""
    own, rival = _side(seen, 0), _side(seen, 1)
    stage = np.stack([seen[:, 0], seen[:, 5], seen[:, 6], seen[:, 7] / 40], axis=1)  # wait, last stage, turns, bag
    return np.hstack([own, rival, stage])


def _side(seen: Bytes, seat: int) -> Floats:
    """Forty numbers of one seat: points, heights, what else it has, and what each tile would bring it."""
    base = OF_SEATS + seat * OF_SEAT
    satchel = seen[:, base : base + 2 * GRASP].reshape(-1, GRASP, 2)
    heights, owners = seen[:, base + 18 : base + 25], seen[:, base + 25 : base + 32]
    shapes = (satchel[:, :, 1, None] == np.arange(1, SHAPES + 1)).sum(axis=1)  # pieces of each shape
    pair = (shapes >= 2).any(axis=1)
    matching, new = _hauls(seen, owners)
    reach = _reach(seen, shapes > 0) | pair[:, None]
    score = np.sort(np.where(reach, matching + 0.5 * new, 0), axis=1)
    numbers = [
        (seen[:, base + 34].astype(float) - NIL) / 10,
        seen[:, base + 32] / 5,
        seen[:, base + 33],
        COLUMNS - (owners > 0).sum(axis=1),
        shapes.sum(axis=1),
        pair,
        (shapes > 0).sum(axis=1),
        reach.sum(axis=1) / 3,
        score[:, -1],
        score[:, -2],
        score.sum(axis=1) / 3,
        seen[:, base + 32] >= 12,
        seen[:, base + 32] >= 15,
        seen[:, base + 32] >= 17,
        matching.max(axis=1),
    ]
    return np.hstack([np.stack(numbers, axis=1), heights, matching * reach, new * reach, matching + new]).astype(
        float
    )


def _hauls(seen: Bytes, owners: Bytes) -> tuple[Floats, Floats]:
    """For each tile how many of its pieces have a column that is theirs, and how many have not."""
    tiles = seen[:, OF_RIVER : OF_RIVER + SHAPES * OF_TILE].reshape(-1, SHAPES, OF_TILE)[:, :, 2:].astype(float)
    owned = (owners[:, :, None] == np.arange(1, COLOURS + 1)).any(axis=1).astype(float)
    matching = (tiles * owned[:, None, :]).sum(axis=2)
    return matching, tiles.sum(axis=2) - matching


def _reach(seen: Bytes, held: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which tiles lie beside the tile of a shape that is held."""
    river = seen[:, OF_RIVER : OF_RIVER + SHAPES * OF_TILE : OF_TILE]  # shape of each tile
    beside = np.take_along_axis(held, river.astype(np.intp), axis=1)
    found = np.zeros_like(beside)
    found[:, 1:] |= beside[:, :-1]
    found[:, :-1] |= beside[:, 1:]
    return found
