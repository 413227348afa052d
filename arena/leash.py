"""Helper processes never outlive the one they help."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # prctl(2); Linux only, elsewhere a helper ends when it is next asked for something


def leash(parent: int) -> None:
    """End with the process `parent`, whatever ends it, and leave Ctrl-C to it; the first call in a helper process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit("the process that asked for this one is gone")
