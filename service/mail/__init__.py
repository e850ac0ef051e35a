"""Mails to players, where the operator set a server up: a bounded queue, the texts, and sending with a deadline."""
