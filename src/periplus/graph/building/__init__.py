"""Links in, sorted rows out: building a graph in memory or within a memory budget."""
