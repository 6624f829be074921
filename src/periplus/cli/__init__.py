"""The command line: one file per command group, listed in `main.COMMANDS` and loaded when called."""
