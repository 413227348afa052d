"""The gateway over real gRPC: what bots and workers may say, and what it costs them."""
