"""Arrays, not pages: stopping rules, typed array names, shared kernels and random streams."""
