"""The command line, one module a command: load, call, save, print."""
