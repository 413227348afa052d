"""The house bots: legal, steady, cheap and apart."""
