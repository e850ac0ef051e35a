"""The commands of the operator, one module for each subject; `deploy/cli.py` lists them all."""
