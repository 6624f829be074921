"""Commands on a collection: gather, build, search, serve and check it."""
