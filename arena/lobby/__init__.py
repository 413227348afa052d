"""Who is connected where, and counters that outlive a gateway."""
