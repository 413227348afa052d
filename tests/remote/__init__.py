"""Games over the relay: real gateway, real bots' streams, the referee at the worker's end."""
