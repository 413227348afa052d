"""The rulebook against the oracle, the vectors and the laws of docs/rules.md §9."""
