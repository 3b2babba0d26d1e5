"""`python -m texrepair`: the command line."""

from texrepair.cli import main

main()
