"""From a URL to a response that was read: address checks, HTTP, and parsing in the sandbox."""
