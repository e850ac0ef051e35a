"""The version of this package; it changes with the package, not with the service."""

VERSION = "0.1.0"
