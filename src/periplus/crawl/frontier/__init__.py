"""Which URLs the crawl knows, and which one comes next."""
