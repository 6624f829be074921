"""The CPU time that a sandboxed process may spend on one piece of work.

The kernel counts user and system time (`ITIMER_PROF`) and kills the process when the time is used up. No Python signal
handler could do this: it does not run while a parser loops in C.
"""

from __future__ import annotations

import signal

_seconds = 0.0


def set_limit(seconds: float) -> None:
    """Set the limit that every `restart` grants."""
    global _seconds
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _seconds = seconds


def restart() -> None:
    """Grant the whole limit again. A task that works through a batch calls this before each item."""
    signal.setitimer(signal.ITIMER_PROF, _seconds)


def stop() -> None:
    """Stop counting."""
    signal.setitimer(signal.ITIMER_PROF, 0)
