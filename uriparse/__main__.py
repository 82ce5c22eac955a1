"""`python -m uriparse`: the command line."""

import sys

from uriparse.cli import main

if __name__ == "__main__":
    sys.exit(main())
