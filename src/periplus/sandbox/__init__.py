"""Processes that may be lost: work on hostile input runs there, within limits of CPU time and memory."""
