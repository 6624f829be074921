"""Link rankings. `RANKERS` is the one table that the CLI, the API, the docs and the contract test read."""
