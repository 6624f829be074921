"""Commands about pages that are alike, and about the paths that people take."""
