"""Environments to train agents in: a batch of games as arrays, and one game as PettingZoo wants it."""

from importlib.util import find_spec

if find_spec("numpy") is None:
    raise ImportError('arena.learn needs NumPy and PettingZoo; type: pip install "glassworks-arena[learn]"')
