"""Become a program that is told to end when its parent dies: run as `leash.py PARENT-PID PROGRAM ARGUMENT...`."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # prctl(2); Linux only, elsewhere the program outlives a killed parent


def main(parent: int, program: list[str]) -> None:
    """Ask the kernel for SIGTERM at the parent's death, then become `program`."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it died before the kernel knew our wish
        raise SystemExit("the process that asked for this program is gone")
    os.execv(program[0], program)  # noqa: S606 (no shell is the point)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
