"""The crawler: from seeds to stored pages; polite, bounded, and safe against `kill -9`."""
