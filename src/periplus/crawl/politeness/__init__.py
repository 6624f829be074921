"""What the crawler owes to hosts: pauses, `Retry-After`, robots.txt."""
