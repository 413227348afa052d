"""Protocol messages at the edge: conversions in pairs, errors as statuses, channels as we open them."""
