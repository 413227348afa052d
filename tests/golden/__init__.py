"""Recorded games that never change: a new version of the rules or of the notation gets new files."""
