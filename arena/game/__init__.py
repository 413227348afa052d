"""The rulebook of River Valley Glassworks: pure, and the only place where a rule is stated."""
