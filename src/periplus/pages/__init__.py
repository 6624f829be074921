"""The repository: every fetched or added page, in WARC files with a CDXJ index."""
