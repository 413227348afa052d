"""The use cases as plain functions: what gateway, workers, web and command line call."""
