"""The command line: data on stdout, messages on stderr, and what to type next."""
