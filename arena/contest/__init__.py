"""Everything about games and matches between seats that needs no clock, dice or wire."""
