"""Matches between seats: clock, referee, records, pairing and rating."""
