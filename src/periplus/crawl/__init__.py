"""The crawler: seeds in, stored pages and a frontier out; polite, bounded, and safe against `kill -9`."""
