"""`python -m boxsel` is `boxsel`."""

from boxsel.cli.app import main

if __name__ == "__main__":
    main()
