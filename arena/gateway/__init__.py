"""The one address bots know: relays questions to connected bots and serves the admin calls."""
