"""Environments to train agents in: a batch of games as arrays, and one game as PettingZoo wants it."""
