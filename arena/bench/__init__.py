"""Measurements that compare: ours beside others, interleaved in one run, as ratios of medians."""
