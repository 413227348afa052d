"""What the commands print, where, and with which exit code."""
