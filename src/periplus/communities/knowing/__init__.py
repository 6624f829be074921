"""The knowledge base: communities grown from cores, with hubs, authorities and names, to be searched and browsed."""
