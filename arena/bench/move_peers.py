"""python-chess and Kaggle environments, as far as they are installed: moves a second of bots that answer at once."""

import asyncio
import importlib
import io
import sys
import time
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from typing import Any

from arena.bench.rows import Probe

MOVES = 300
ENGINE = """
import sys
for line in sys.stdin:
    word = line.split(" ")[0].strip()
    answer = {"uci": "uciok", "isready": "readyok", "go": None}.get(word, "")
    if word == "go":
        import chess
        answer = "bestmove " + next(iter(board.legal_moves)).uci()
    elif word == "position":
        import chess
        words = line.split()
        board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:8]))
        for move in words[words.index("moves") + 1:] if "moves" in words else ():
            board.push_uci(move)
    elif word == "quit":
        break
    if answer:
        print(answer, flush=True)
"""


def probes() -> Mapping[str, Probe]:
    """Their probes by name; none of those that are missing."""
    found: dict[str, Probe] = {}
    if find_spec("chess") is not None:
        found["python-chess, an engine process over UCI"] = _chess
    if find_spec("kaggle_environments") is not None:
        found["Kaggle environments, connectx with functions in its process"] = _kaggle
    return found


def _chess() -> float:
    """Moves a second of one engine, a process that plays the first legal move, against itself."""
    return asyncio.run(_chess_game(importlib.import_module("chess"), importlib.import_module("chess.engine")))


async def _chess_game(chess: Any, engines: Any) -> float:
    transport, engine = await engines.popen_uci([sys.executable, "-c", ENGINE])
    board, limit, moves = chess.Board(), engines.Limit(nodes=1), 0
    began = time.perf_counter()
    while moves < MOVES:
        if board.is_game_over():
            board = chess.Board()
        board.push((await engine.play(board, limit)).move)
        moves += 1
    took = time.perf_counter() - began
    await engine.quit()
    transport.close()
    return moves / took


def _kaggle() -> float:
    """Moves a second of two functions that take the first free column."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        environments = importlib.import_module("kaggle_environments")

        def choose(seen: Any, _: Any) -> int:
            return next(column for column in range(7) if not seen.board[column])

        moves, began = 0, time.perf_counter()
        while moves < MOVES:
            moves += len(environments.make("connectx").run([choose, choose])) - 1
        return moves / (time.perf_counter() - began)
