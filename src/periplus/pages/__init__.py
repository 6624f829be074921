"""The repository: every page fetched or added, as WARC files with a CDXJ index beside them."""
