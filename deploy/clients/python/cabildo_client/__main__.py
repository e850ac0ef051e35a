"""`python -m cabildo_client`."""

import sys

from cabildo_client.command_line import main

if __name__ == "__main__":
    sys.exit(main())
