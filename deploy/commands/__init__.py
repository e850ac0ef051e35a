"""The commands of the operator, a module per subject; `deploy/cli.py` names them all."""
