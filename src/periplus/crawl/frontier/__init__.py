"""Which URLs the crawl knows, and which of them is next."""
