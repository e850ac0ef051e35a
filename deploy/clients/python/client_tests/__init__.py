"""Tests of the client alone, without network and without the service."""
