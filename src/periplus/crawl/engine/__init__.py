"""The crawl itself: options, the spider, the journal that makes pages durable, and the report."""
