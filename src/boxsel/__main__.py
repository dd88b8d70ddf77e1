"""`python -m boxsel` is `boxsel`."""

from boxsel.cli.app import main

main()
