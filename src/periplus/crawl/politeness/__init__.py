"""What the crawl owes to hosts: pauses between requests, and robots.txt."""
