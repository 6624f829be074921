"""One fetch: the connection guard, the HTTP exchange, and the processes that parse what came back."""
