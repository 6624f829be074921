"""`python -m periplus`: the same as `periplus`."""

from periplus.cli.main import main

main()
