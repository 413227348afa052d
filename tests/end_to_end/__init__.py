"""The whole arena as a user starts it: `arena up` and its processes, bots as processes, the command line."""
