"""The command line: one file a command group, listed in `main.COMMANDS` and loaded when called."""
