"""A collection as web pages and a JSON API, for a browser on the same machine or for the public."""
