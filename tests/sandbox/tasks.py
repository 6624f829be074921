"""Jobs as a hostile page might be: harmless, deadly, endless, hungry."""

from __future__ import annotations

import os
import signal
import time

from periplus.sandbox import clock


def work(job: tuple[str, int]) -> int:
    name, number = job
    if name == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    while name == "loop":
        pass
    if name == "eat":
        return len(bytearray(4 * 1024**3))
    if name == "slow batch":
        for _ in range(number):
            clock.restart()
            began = time.process_time()
            while time.process_time() - began < 0.3:
                pass
        return number
    return number * number
