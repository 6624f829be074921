"""The paths that people take through a site: read from logs, gathered into a flow, turned into suggestions."""
