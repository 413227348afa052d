"""Referee workers as real processes, playing tournaments of bots that behave and bots that do not."""
