"""The author's side: what a bot needs to know of the protocol is nothing."""
