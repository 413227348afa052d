"""Tests of the pages and the metrics."""
