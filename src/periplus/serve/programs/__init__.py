"""What the server tells programs beside the JSON API: feeds, descriptions, a page about the API."""
